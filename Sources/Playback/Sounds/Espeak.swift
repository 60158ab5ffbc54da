public import Languages
internal import CMalloc
internal import Dispatch
internal import Files
internal import Glibc
internal import Scores
internal import Synchronization
internal import SystemPackage
public import Timing

/// Speaks with the program espeak-ng. Each text is made once, ahead of time and on a separate queue, so that espeak-ng
/// delays nothing, whatever it does. A text that fails twice is not spoken. After two such texts in a row it is not run any
/// more.
///
/// A text without a sound, such as a dash, is not a failure: it is silent, and is not made again.
public final class Espeak: Speaker {
    private struct State {
        var words: [String: SpokenWord] = [:]
        /// The texts of `words`, oldest first.
        var order: [String] = []
        /// The length of all words together, in frames.
        var frames = 0
        var asked: Set<String> = []
        /// How many texts in a row have failed, and why the last one did.
        var failures = 0
        var failure: SoundReadingError?
        var hasEnded = false
        var hasSpoken = false
    }

    /// Guards the words: they are made on a queue, and asked for by the music.
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "espeak-ng")
    private let program: String
    private let voice: String
    private let rate: Int
    private let waits: Bool
    private let timeout: Duration
    private let told: @Sendable (SpeechFailure) -> Void

    /// How many seconds of words are remembered, at least two words. For a live performance, this covers the time for
    /// which signals are prepared ahead: a word that is forgotten before it is spoken would be missing. A rendering says
    /// the same words several times, first to measure them: there, 90 seconds are less than 9 MB.
    private var capacity: Int { waits ? 90 : 12 }

    /// Makes a speaker of words at `rate`. `waits` says whether `word` waits until the word is made: a rendering needs
    /// that, a live performance must not wait. `timeout` is how long espeak-ng may take for a word: a busy machine can be
    /// slow. `failed` is called for each text that is not spoken, until there will be no more words.
    public init(
        program: String = "espeak-ng", language: Language, rate: Int, waits: Bool,
        timeout: Duration = .seconds(60), failed: @escaping @Sendable (SpeechFailure) -> Void
    ) {
        self.program = program
        voice = language.rawValue
        self.rate = rate
        self.waits = waits
        self.timeout = timeout
        told = failed
    }

    /// The word, if it is made already; the first request starts making it.
    public func word(_ text: String) -> SpokenWord? {
        let (known, isNew) = state.withLock { state in
            (state.words[text], !state.hasEnded && state.asked.insert(text).inserted)
        }
        if let known { return known }
        guard isNew else { return nil }
        guard !waits else {
            queue.sync { make(text) }
            return state.withLock { $0.words[text] }
        }
        queue.async { self.make(text) }
        return nil
    }

    /// Why the last text that failed did; nil as long as none has.
    package var failure: SoundReadingError? { state.withLock { $0.failure } }

    private func make(_ text: String) {
        guard state.withLock({ !$0.hasEnded }) else { return }
        do throws(SoundReadingError) {
            let word = try soundOrAgain(of: text)
            state.withLock { state in
                state.failures = 0
                guard let word else { return }
                state.hasSpoken = true
                state.words[text] = word
                state.order.append(text)
                state.frames += word.frameCount
                while state.order.count > 2, state.frames > capacity * rate {
                    let old = state.order.removeFirst()
                    state.frames -= state.words.removeValue(forKey: old)?.frameCount ?? 0
                    state.asked.remove(old)
                }
            }
        } catch {
            let failure = state.withLock { state -> SpeechFailure in
                state.failures += 1
                state.failure = error
                state.hasEnded = state.failures >= 2 || error == .notInstalled
                if !state.hasEnded { return .text(text, reason: error.reason) }
                return state.hasSpoken ? .rest(reason: error.reason) : .all(reason: error.reason)
            }
            told(failure)
        }
    }

    /// Makes a word, in a second attempt if the first one fails: that may be a moment's failure.
    private func soundOrAgain(of text: String) throws(SoundReadingError) -> SpokenWord? {
        do throws(SoundReadingError) { return try sound(of: text) } catch {
            if error == .notInstalled { throw error }
            return try sound(of: text)
        }
    }

    /// Makes a word; nil for a text without sound.
    private func sound(of text: String) throws(SoundReadingError) -> SpokenWord? {
        // In memory: espeak-ng does not notice that a disk is full, and ends the word there. Nothing is left if the performance
        // ends meanwhile.
        let file = memfd_create("espeak-ng", MFD_CLOEXEC)
        guard file >= 0 else { throw SoundReadingError(Errno.last.reason) }
        defer { close(file) }
        try run(["-v", voice, "-w", "/proc/self/fd/3", "--", text], soundFile: file)
        let reading: SoundReading
        do { reading = try SoundReading("/proc/self/fd/\(file)", limit: 30) } catch .empty { return nil }
        var samples = try reading.resampled(to: rate, .speech)
        // Cut to the part that can be heard: a word ends where its sound ends.
        guard let first = samples.firstIndex(where: { abs($0) > 0.003 }),
            let last = samples.lastIndex(where: { abs($0) > 0.003 })
        else { return nil }
        // Short ramps, so that there is no step at either end.
        let ramp = min(rate / 500, (last + 1 - first) / 2)
        for n in 0..<ramp {
            samples[first + n] *= Float(n) / Float(ramp)
            samples[last - n] *= Float(n) / Float(ramp)
        }
        let peak = samples[first...last].lazy.map(abs).max() ?? 1
        return SpokenWord(text, samples: samples[first...last].map { $0 / peak }, rate: rate)
    }

    /// Runs the program, no longer than `timeout`, without input and output. `soundFile` is its descriptor 3.
    private func run(_ arguments: [String], soundFile: Int32) throws(SoundReadingError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in 0...2 {
            posix_spawn_file_actions_addopen(&actions, Int32(descriptor), "/dev/null", O_RDWR, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, soundFile, 3)
        // In a process group of its own: Ctrl-C for the performance must not count as a failure of the voice.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer {
            for word in words { free(word) }
            words = []
        }
        var child = pid_t()
        let status = posix_spawnp(&child, program, &actions, &attributes, words, environ)
        guard status == 0 else {
            throw status == ENOENT ? .notInstalled : SoundReadingError(Errno(rawValue: status).reason)
        }
        let end = ContinuousClock.now + timeout
        var result: Int32 = 0
        while true {
            let done = waitpid(child, &result, WNOHANG)
            if done == child { break }
            if done < 0, errno != EINTR { throw SoundReadingError(localized("waiting for it failed")) }
            if ContinuousClock.now >= end {
                kill(-child, SIGKILL)
                waitpid(child, &result, 0)
                throw SoundReadingError(localized("it does not respond"))
            }
            usleep(2000)
        }
        guard result == 0 else { throw SoundReadingError(localized("it failed")) }
    }
}

/// What is not spoken, and the reason, as a phrase.
public enum SpeechFailure: Sendable, Equatable {
    /// This text; others are.
    case text(String, reason: String)
    /// All that follows.
    case rest(reason: String)
    /// Anything.
    case all(reason: String)
}

extension SoundReadingError {
    /// espeak-ng is missing.
    package static let notInstalled = SoundReadingError(localized("it is not installed"))
}
