internal import ArgumentParser
internal import Languages
internal import Playback
internal import Scores
internal import Synchronization

/// The recording of a performance while it is played: `play --record`.
final class LiveTake {
    private let recorder: TakeRecorder
    private let path: String
    private let running: Task<Void, Never>
    private let cut = Cut()

    /// With which code the program ends because the recording ended before the music; nil if it did not.
    private final class Cut: Sendable { let code = Mutex<Failure.Code?>(nil) }

    /// Opens the microphone and the file, and begins to record. Errors end the command before the music begins.
    init(_ path: String, input: String, output: Status.Sound) throws {
        guard let type = FileType(path: path), [.wav, .flac].contains(type), path.contains(".") else {
            throw Failure.exit(.usage, localized("--record: '\(path)' must end in .flac or .wav"))
        }
        let microphone = try Microphone.opened(input)
        let delay = LiveTake.delay(output, input)
        do throws(RenderError) {
            let take = try Take(microphone, to: path, type: type, delay: delay) { [cut] news in
                if let code = LiveTake.code(news) { cut.code.withLock { $0 = code } }
                Failure.say(LiveTake.message(news, input))
            }
            recorder = TakeRecorder(take)
        } catch { throw Failure.exit(.cannotWrite, "'\(path)' \(error)") }
        self.path = path
        running = Task { [recorder] in await recorder.run() }
    }

    /// Starts to take notes of where boundaries are in the recording.
    func listen(to options: inout Conductor.Options) {
        options.logTimes = { [recorder] row, heard in recorder.add(row, heard: heard) }
    }

    /// Ends the recording, and keeps its files. Returns with which code the program ends, once all is kept, if the recording
    /// is not whole; the reason has been said.
    func finish() async -> ExitCode? {
        do throws(RenderError) {
            try await recorder.finish()
        } catch { return Failure.exit(.cannotWrite, "'\(path)' \(error)") }
        await running.value
        return cut.code.withLock { $0 }.map { ExitCode($0.rawValue) }
    }

    private static func code(_ news: Take.News) -> Failure.Code? {
        switch news {
        case .gone: .noDevice
        case .full: .cannotWrite
        case .silent, .clipped: nil
        }
    }

    /// The delay from the output to the input, if it has been measured.
    private static func delay(_ output: Status.Sound, _ input: String) -> Duration {
        guard case .device(let name) = output, let path = RoundTripMemory.path(environment: Environment.values) else {
            return .zero
        }
        let pair = RoundTripMemory.Pair(output: name, input: input)
        guard let entry = RoundTripMemory.read(path).entries[pair] else {
            Failure.say(
                localized(
                    "note: the delay from '\(name)' to '\(input)' is not known and counts as 0 ms; `barline doctor --latency` measures it"
                ))
            return .zero
        }
        return .microseconds(Int((entry.delay * 1000).rounded()))
    }

    private static func message(_ news: Take.News, _ input: String) -> String {
        switch news {
        case .gone(let reason):
            localized(
                "note: the microphone '\(input)' has gone away (\(reason)): the recording ends here, the music goes on")
        case .full(let reason): localized("note: the recording ends here, the music goes on: it \(reason)")
        case .silent: localized("note: the microphone '\(input)' gives silence: is it muted?")
        case .clipped: localized("note: the recording is clipped: turn the level of the microphone down")
        }
    }
}
