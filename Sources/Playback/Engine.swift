internal import CDrone
internal import Languages
package import Scores
package import Timing

/// The synthesizer: takes events, renders samples. It owns one `drone_engine`.
///
/// Events are handed over in transactions: `begin` if they replace events from a frame on, `push` for each event, then
/// `commit`. The side that renders decides whether a transaction takes effect: `decide` here, or the audio thread of a
/// card.
package struct Engine: EventSink, ~Copyable {
    let handle: OpaquePointer
    /// The parts that sound; the others are left out.
    package var parts = SoundParts.all
    private var clicks: [ClickSound: ClickShape] = [:]
    private var ownClicks: [ClickSound: UInt32] = [:]
    /// The most notes that the drone has had at once.
    private var noteCount = 0
    /// The highest frequency that can be rendered, in Hz.
    private let highest: Double
    /// Why an event was refused and left out; nil if none was.
    package private(set) var failure: EngineError?

    /// Makes an engine. `firstFrame` is the first that is rendered; `rewind` is how many frames `seek` can go back.
    package init(_ format: SoundFormat, firstFrame: Int64 = 0, rewind: Int = 0) throws(EngineError) {
        var config = format.config
        config.first_frame = firstFrame
        config.rewind_frames = UInt32(clamping: rewind)
        try self.init(config)
    }

    init(_ config: drone_config) throws(EngineError) {
        var error: Int32 = 0
        guard let handle = withUnsafePointer(to: config, { drone_engine_create($0, &error) }) else {
            throw EngineError(error)
        }
        self.handle = handle
        if config.timecode_channels == 0 { parts.remove(.timecode) }
        highest = Double(config.rate) / 2
    }

    deinit { drone_engine_destroy(handle) }

    /// Whether there is room for any event. A chord needs the most: an event for each note.
    package var hasRoom: Bool { drone_space(handle) >= UInt32(DRONE_NOTES) }

    /// Opens a transaction that replaces every event from `frame` on; false when there is no room for it.
    package mutating func begin(at frame: Int64) -> Bool { drone_begin(handle, frame) == Int32(DRONE_OK) }

    /// Hands over the events that have been pushed, as for an `Output`.
    @discardableResult
    package mutating func commit(horizon: Int64, end: Int64 = .max) -> UInt32? {
        let number = drone_commit(handle, horizon, end)
        return number > 0 ? number : nil
    }

    /// The newest transaction that has been decided, and whether it took effect; 0 before the first.
    package var verdict: (number: UInt32, isTaken: Bool) {
        let verdict = drone_read_verdict(handle)
        return (verdict.number, verdict.taken)
    }

    /// Decides about all committed transactions. Returns whether all took effect: none does that begins in the past.
    @discardableResult
    package mutating func decide() -> Bool {
        var frame: Int64 = 0
        var areTaken = true
        while drone_next_transaction(handle, &frame) { areTaken = drone_decide(handle) && areTaken }
        return areTaken
    }

    /// Adds an event, for which there must be room. Of one that is refused, false is returned and `failure` says why.
    @discardableResult
    package mutating func push(_ event: Event) -> Bool {
        switch event.kind {
        case .click where !parts.contains(.click): return true
        case .click(_, _, let voice) where voice > 0 && parts.voice > 0 && voice != parts.voice: return true
        case .drone where !parts.contains(.drone): return true
        case .speech where !parts.contains(.speech): return true
        case .timecode where !parts.contains(.timecode): return true
        case .timecode(let code, let amplitude):
            return push(
                drone_event_timecode(
                    event.position.frame, amplitude.clamped(to: 0...1),
                    drone_timecode_event(
                        fraction: event.position.fraction, number: code.number, phase: code.phase, step: code.step,
                        numbers_per_second: UInt32(clamping: code.rate.numbersPerSecond),
                        drops: code.rate == .fps29_97DropFrame, holds: code.isHeld)))
        case .speech(let word, let amplitude): return push(word, amplitude, at: event.position)
        case .click(let sound, let amplitude, let voice):
            let voice = UInt32(clamping: voice)
            let (shape, position) = (clicks[sound] ?? ClickShape(), event.position)
            let level = (amplitude * shape.gain).clamped(to: 0...1)
            if let own = ownClicks[sound] {
                return push(
                    drone_event_sample(
                        position.frame, level, .init(fraction: position.fraction, sample: own, voice: voice)))
            } else {
                let click = drone_click_event(
                    fraction: position.fraction, sound: sound.drone, pitch: shape.pitch.clamped(to: 0.25...4),
                    length: shape.length.clamped(to: 0.1...4), voice: voice)
                return push(drone_event_click(position.frame, level, click))
            }
        case .drone(let sound, let rampFrames):
            // All notes, and those that had sounded before and must fall silent.
            let count = min(max(sound.notes.count, noteCount), DRONE_NOTES)
            var areTaken = true
            for index in 0..<count {
                areTaken = push(tone(sound, note: index, at: event.position.frame, rampFrames)) && areTaken
            }
            noteCount = count
            return areTaken
        }
    }

    /// Adds a word. The engine keeps it for as long as it can be heard.
    private mutating func push(_ word: SpokenWord, _ amplitude: Double, at position: FramePosition) -> Bool {
        let sample = drone_sample_add(handle, word.samples, UInt32(clamping: word.frameCount), 1)
        // Without memory the word is left out, and the clicks go on.
        guard sample > 0 else {
            failure = .outOfMemory
            return false
        }
        defer { drone_sample_release(handle, sample) }
        return push(
            drone_event_sample(
                position.frame, amplitude.clamped(to: 0...1),
                .init(fraction: position.fraction, sample: sample, voice: 0)))
    }

    /// Sets how clicks sound. Sounds from files must have been made for this engine's rate.
    package mutating func use(_ shapes: [ClickSound: ClickShape]) {
        clicks = shapes
        for (sound, shape) in shapes {
            guard let own = shape.own else { continue }
            let frames = own.points.count / own.phases
            let number = drone_sample_add(handle, own.points, UInt32(clamping: frames), UInt32(clamping: own.phases))
            if number > 0 { ownClicks[sound] = number }
        }
    }

    private mutating func push(_ event: drone_event) -> Bool {
        let status = withUnsafePointer(to: event) { drone_push(handle, $0) }
        if status != Int32(DRONE_OK) { failure = EngineError(status) }
        return status == Int32(DRONE_OK)
    }

    private func tone(_ sound: DroneSound, note index: Int, at frame: Int64, _ rampFrames: Int) -> drone_event {
        var note = DroneSound.Note(hertz: 440, amplitude: 0)
        // A note above half the rate is not heard.
        if index < sound.notes.count, (1...highest).contains(sound.notes[index].hertz) { note = sound.notes[index] }
        let timbre = sound.timbre
        let tone = drone_tone_event(
            note: UInt32(index), waveform: timbre.waveform.drone, hertz: note.hertz,
            ramp_frames: UInt32(clamping: min(rampFrames, Int(Int32.max))), crossfade: sound.crossfades,
            pan: note.pan.clamped(to: -1...1), brightness: timbre.brightness.clamped(to: -1...1),
            beating: timbre.beating.clamped(to: 0...20),
            shape: drone_tone_shape(
                variation: timbre.wanderedShare.clamped(to: 0...1),
                // The notes have different seeds, so that each wanders by itself.
                seed: timbre.seed &* 64 &+ UInt32(index)))
        return drone_event_tone(frame, note.amplitude.clamped(to: 0...1), tone)
    }

    /// Renders the next `frames` frames into `bytes`, or as many as there is room for.
    package mutating func render(_ frames: Int, into bytes: UnsafeMutableRawBufferPointer) {
        let frames = min(max(frames, 0), bytes.count / bytesPerFrame)
        guard frames > 0, let base = bytes.baseAddress else { return }
        drone_render(handle, base, UInt32(frames))
    }

    /// Moves to `frame`: back as far as the engine remembers, or forward without rendering the frames in between.
    package mutating func seek(to frame: Int64) throws(EngineError) {
        let status = drone_seek(handle, frame)
        guard status == DRONE_OK else { throw EngineError(status) }
    }

    package var bytesPerFrame: Int { Int(drone_bytes_per_frame(handle)) }

    /// The next frame to be rendered.
    package var frame: Int64 { drone_read_counters(handle).frame }

    /// Clicks begun, and clicks left out because too many sounded at once.
    package var clickCounts: (begun: UInt64, dropped: UInt64) {
        let counters = drone_read_counters(handle)
        return (counters.clicks, counters.dropped)
    }
}

extension Double {
    /// The nearest value within a range; the lower bound for NaN.
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? range.lowerBound : min(max(self, range.lowerBound), range.upperBound)
    }
}

/// Why an engine failed.
public enum EngineError: Error, Equatable, CustomStringConvertible {
    /// Out of memory.
    case outOfMemory
    /// The rate, the number of channels or the depth of rewinding is outside its range.
    case invalidFormat
    /// An event has invalid values, or came out of order.
    case invalidEvent
    /// A seek goes back further than the engine remembers.
    case beyondMemory
    /// A thread could not be started.
    case noThread
    /// A status that this version does not know.
    case unknown(Int32)

    init(_ status: Int32) {
        self =
            switch Int(status) {
            case DRONE_ERR_MEMORY: .outOfMemory
            case DRONE_ERR_ARGUMENT: .invalidFormat
            case DRONE_ERR_ORDER, DRONE_ERR_FULL: .invalidEvent
            case DRONE_ERR_DEPTH: .beyondMemory
            case DRONE_ERR_THREAD: .noThread
            default: .unknown(status)
            }
    }

    /// One sentence.
    public var description: String {
        switch self {
        case .outOfMemory: localized("there is not enough memory for the synthesizer")
        case .invalidFormat: localized("the synthesizer does not support this rate or this number of channels")
        case .invalidEvent: localized("the synthesizer cannot make this sound")
        case .beyondMemory: localized("the synthesizer cannot go back that far")
        case .noThread: localized("the audio thread could not be started")
        case .unknown(let status): localized("the synthesizer failed with status \(status)")
        }
    }
}

extension ClickSound {
    var drone: drone_sound {
        switch self {
        case .bar: DRONE_SOUND_BAR
        case .line: DRONE_SOUND_LINE
        case .section: DRONE_SOUND_SECTION
        case .beat: DRONE_SOUND_BEAT
        case .accent: DRONE_SOUND_ACCENT
        case .subdivision: DRONE_SOUND_SUBDIVISION
        case .countIn: DRONE_SOUND_COUNT_IN
        case .warning: DRONE_SOUND_WARNING
        case .run: DRONE_SOUND_RUN
        case .walk: DRONE_SOUND_WALK
        case .warmUp: DRONE_SOUND_WARM_UP
        case .coolDown: DRONE_SOUND_COOL_DOWN
        case .end: DRONE_SOUND_END
        }
    }
}

extension Score.Waveform {
    var drone: drone_waveform {
        switch self {
        case .sine: DRONE_SINE
        case .triangle: DRONE_TRIANGLE
        case .sawtooth: DRONE_SAWTOOTH
        case .square: DRONE_SQUARE
        case .reedOrgan: DRONE_REED_ORGAN
        case .oboe: DRONE_OBOE
        case .strings: DRONE_STRINGS
        case .shruti: DRONE_SHRUTI
        }
    }
}
