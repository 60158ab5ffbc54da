internal import CDrone
internal import Score
public import Timing

/// The synthesizer: takes events, gives samples. The owner of one `drone_engine`.
public struct Engine: EventSink, ~Copyable {
    let handle: OpaquePointer
    /// What sounds; the rest is left out.
    public var parts = SoundParts.all
    private var clicks: [Event.Sound: ClickShape] = [:]
    private var ownClicks: [Event.Sound: UInt32] = [:]
    /// How many notes the drone has had at most.
    private var noteCount = 0
    /// The highest frequency that there can be, in Hz.
    private let highest: Double

    /// Makes an engine. `firstFrame` is the first that is rendered; `rewind` is how many frames `seek` can go back.
    public init(_ format: SoundFormat, firstFrame: Int64 = 0, rewind: Int = 0) throws(EngineError) {
        try self.init(
            drone_config(
                rate: UInt32(clamping: format.rate), channels: UInt32(clamping: format.channels),
                format: format.samples.drone, first_frame: firstFrame, rewind_frames: UInt32(clamping: rewind),
                click_channels: format.clickChannels.rawValue, drone_channels: format.droneChannels.rawValue))
    }

    init(_ config: drone_config) throws(EngineError) {
        var error: Int32 = 0
        guard let handle = withUnsafePointer(to: config, { drone_engine_create($0, &error) }) else {
            throw EngineError(error)
        }
        self.handle = handle
        highest = Double(config.rate) / 2
    }

    deinit { drone_engine_destroy(handle) }

    /// Queues an event. Throws `QueueFull` when the engine has no room for it yet.
    public mutating func push(_ event: Event) throws(QueueFull) {
        switch event.kind {
        case .click where !parts.contains(.click): return
        case .drone where !parts.contains(.drone): return
        case .speech where !parts.contains(.speech): return
        case .speech(let word, let amplitude): try push(word, amplitude, at: event.position)
        case .click(let sound, let amplitude):
            var raw = drone_event()
            raw.frame = event.position.frame
            raw.kind = DRONE_EVENT_CLICK
            raw.fraction = event.position.fraction
            raw.sound = sound.drone
            raw.level = amplitude
            if let shape = clicks[sound] {
                raw.pitch = shape.pitch
                raw.length = shape.length
                raw.level = min(amplitude * shape.gain, 1)
                if let own = ownClicks[sound] {
                    raw.kind = DRONE_EVENT_SAMPLE
                    raw.sample = own
                }
            }
            try push(raw)
        case .drone(let sound, let rampFrames):
            // All notes or none: those that had sounded and are no more go, too.
            guard drone_space(handle) >= UInt32(DRONE_NOTES) else { throw QueueFull() }
            for index in 0..<max(sound.notes.count, noteCount) {
                try push(tone(sound, note: index, at: event.position.frame, rampFrames))
            }
            noteCount = max(noteCount, sound.notes.count)
        }
    }

    /// A word begins on a whole frame, as it was spoken; it is the engine's for as long as it can be heard.
    private func push(_ word: SpokenWord, _ amplitude: Double, at position: FramePosition) throws(QueueFull) {
        guard drone_space(handle) > 0 else { throw QueueFull() }
        let sample = drone_sample_add(handle, word.samples, UInt32(clamping: word.frameCount), 1)
        // No memory: nothing is said, and the clicks go on.
        guard sample > 0 else { return }
        defer { drone_sample_release(handle, sample) }
        var raw = drone_event()
        raw.kind = DRONE_EVENT_SAMPLE
        raw.frame = position.frame
        raw.sample = sample
        raw.level = amplitude
        try push(raw)
    }

    /// Has clicks sound otherwise; own sounds were made for this engine's rate.
    public mutating func use(_ shapes: [Event.Sound: ClickShape]) {
        clicks = shapes
        for (sound, shape) in shapes {
            guard let own = shape.own else { continue }
            let frames = own.points.count / own.phases
            let number = drone_sample_add(handle, own.points, UInt32(clamping: frames), UInt32(clamping: own.phases))
            if number > 0 { ownClicks[sound] = number }
        }
    }

    private func push(_ raw: drone_event) throws(QueueFull) {
        switch Int(withUnsafePointer(to: raw) { drone_push(handle, $0) }) {
        case DRONE_OK: return
        case DRONE_ERR_FULL: throw QueueFull()
        case let status: preconditionFailure("an event that no score can make: \(raw), status \(status)")
        }
    }

    private func tone(_ sound: DroneSound, note index: Int, at frame: Int64, _ rampFrames: Int) -> drone_event {
        var note = DroneSound.Note(hertz: 440, amplitude: 0)
        // What has no room below half the rate is not heard.
        if index < sound.notes.count, (1...highest).contains(sound.notes[index].hertz) { note = sound.notes[index] }
        var raw = drone_event()
        raw.kind = DRONE_EVENT_TONE
        raw.frame = frame
        raw.note = UInt32(index)
        raw.hertz = note.hertz
        raw.level = note.amplitude
        raw.pan = note.pan
        raw.waveform = sound.waveform.drone
        raw.ramp_frames = UInt32(clamping: rampFrames)
        raw.crossfade = sound.crossfades
        raw.brightness = sound.brightness
        raw.variation = sound.variation
        raw.beating = sound.beating
        // Each note wanders by itself.
        raw.seed = sound.seed &* 64 &+ UInt32(index)
        return raw
    }

    /// Takes back every event from `frame` on that has not been rendered. Throws when the queue is full.
    public mutating func cut(at frame: Int64) throws(QueueFull) {
        guard drone_cut(handle, frame) == Int32(DRONE_OK) else { throw QueueFull() }
    }

    /// Renders the next `frames` frames into `bytes`, which has room for them.
    public mutating func render(_ frames: Int, into bytes: UnsafeMutableRawBufferPointer) {
        precondition(bytes.count >= frames * bytesPerFrame, "room for every frame")
        guard let base = bytes.baseAddress else { return }
        drone_render(handle, base, UInt32(frames))
    }

    /// Goes to `frame`: back as far as the engine remembers, or ahead in silence.
    public mutating func seek(to frame: Int64) throws(EngineError) {
        let status = drone_seek(handle, frame)
        guard status == DRONE_OK else { throw EngineError(status) }
    }

    /// Bytes of one frame.
    public var bytesPerFrame: Int { Int(drone_bytes_per_frame(handle)) }

    /// The next frame to be rendered.
    public var frame: Int64 { drone_read_counters(handle).frame }

    /// Clicks begun; clicks left out because they came late, or because too many sounded at once.
    public var clickCounts: (begun: UInt64, late: UInt64, dropped: UInt64) {
        let counters = drone_read_counters(handle)
        return (counters.clicks, counters.late, counters.dropped)
    }
}

/// What an engine could not do.
public enum EngineError: Error, Equatable, CustomStringConvertible {
    /// No memory.
    case outOfMemory
    /// A rate, a number of channels or a depth outside the range.
    case invalidFormat
    /// A seek to before what the engine remembers.
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
            case DRONE_ERR_DEPTH: .beyondMemory
            case DRONE_ERR_THREAD: .noThread
            default: .unknown(status)
            }
    }

    /// One sentence.
    public var description: String {
        switch self {
        case .outOfMemory: "there is not enough memory for the synthesizer"
        case .invalidFormat: "the synthesizer cannot make this rate or this number of channels"
        case .beyondMemory: "the synthesizer cannot go back that far"
        case .noThread: "the audio thread could not be started"
        case .unknown(let status): "the synthesizer failed with status \(status)"
        }
    }
}

extension Event.Sound {
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
