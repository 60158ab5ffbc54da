#if canImport(Glibc)
    internal import Glibc
#endif
internal import CDrone
public import Timing

/// A sound card, or any other ALSA device, and the engine that plays into it.
public final class Card: Output {
    /// The device's ALSA name.
    public let device: String
    /// What the device plays, as opened.
    public let rate: Int
    /// Channels, as opened.
    public let channels: Int
    private var engine: Engine
    private let output: OpaquePointer
    private var endFrame = Int64.max

    /// What to ask of a device.
    public struct Request: Sendable {
        /// The format that is wanted.
        public var format: SoundFormat
        /// Whether the nearest that the device has will do.
        public var isExact: Bool

        /// Makes a request.
        public init(_ format: SoundFormat, isExact: Bool = false) {
            self.format = format
            self.isExact = isExact
        }
    }

    /// Silence before frame 0, in seconds: many cards swallow their first milliseconds.
    static let startUp = 0.1

    /// Opens a device by its ALSA name.
    public init(_ device: String, _ request: Request) throws(CardError) {
        var wanted = drone_output_request()
        wanted.rate = UInt32(clamping: request.format.rate)
        wanted.channels = UInt32(clamping: request.format.channels)
        wanted.format = request.format.samples.drone
        wanted.any_rate = !request.isExact
        wanted.any_channels = !request.isExact
        wanted.any_format = !request.isExact
        var error: Int32 = 0
        guard let output = drone_output_open(device, &wanted, &error) else {
            throw CardError(device: device, errno: -error)
        }
        let config = drone_config(
            rate: wanted.rate, channels: wanted.channels, format: wanted.format,
            first_frame: -Int64(Double(wanted.rate) * Card.startUp), rewind_frames: 0)
        do throws(EngineError) {
            engine = try Engine(config)
        } catch {
            drone_output_destroy(output)
            throw CardError(device: device, errno: ENOMEM)
        }
        self.device = device
        self.output = output
        rate = Int(wanted.rate)
        channels = Int(wanted.channels)
    }

    // The engine, a stored property, is freed behind this: after the thread that renders it.
    deinit { drone_output_destroy(output) }

    /// Starts the audio thread.
    public func start() throws(EngineError) {
        let status = drone_output_start(output, engine.handle)
        guard status == DRONE_OK else { throw EngineError(status) }
    }

    /// Queues an event for the audio thread.
    public func push(_ event: Event) throws(QueueFull) { try engine.push(event) }
    /// Takes back every event from `frame` on that has not been rendered.
    public func cut(at frame: Int64) throws(QueueFull) { try engine.cut(at: frame) }
    /// A device that does not pace itself waits at the horizon.
    public func setHorizon(_ frame: Int64) { drone_set_horizon(engine.handle, frame) }
    /// Ends by itself once `frame` has been heard.
    public func end(at frame: Int64) {
        guard frame != endFrame else { return }
        endFrame = frame
        drone_output_end_at(output, frame)
    }

    /// What the device plays now; when it has failed, what it would play.
    public func reading() -> OutputReading {
        let seen = drone_output_snapshot(output)
        let clicks = engine.clicks
        var reading = OutputReading(
            time: seen.time_ns == 0 ? drone_now_ns() : seen.time_ns,
            heardFrame: seen.time_ns == 0 ? seen.next_frame : seen.heard_frame,
            nextFrame: max(seen.next_frame, engine.frame),
            xruns: seen.xruns, lostClicks: clicks.late + clicks.dropped,
            hasEnded: seen.state == DRONE_OUTPUT_ENDED)
        if seen.state == DRONE_OUTPUT_FAILED {
            // The time runs on without sound.
            let now = drone_now_ns()
            reading.heardFrame += Int64(Double(now - reading.time) * 1e-9 * Double(rate))
            reading.nextFrame = reading.heardFrame
            reading.time = now
            reading.hasEnded = reading.heardFrame >= endFrame
            reading.failure = String(cString: strerror(-seen.error))
        }
        return reading
    }

    /// The ALSA playback devices that can be opened now.
    public static func devices() -> [(name: String, description: String)] {
        var found: [(name: String, description: String)] = []
        withUnsafeMutablePointer(to: &found) { list in
            _ = drone_visit_devices(
                { name, description, list in
                    guard let name, let description, let list else { return }
                    list.assumingMemoryBound(to: [(name: String, description: String)].self).pointee
                        .append((String(cString: name), String(cString: description)))
                }, list)
        }
        return found
    }
}

/// A device that cannot be opened.
public struct CardError: Error, Equatable, CustomStringConvertible {
    /// The ALSA name that was asked for.
    public let device: String
    /// The errno that ALSA gave.
    public let errno: Int32

    /// One sentence.
    public var description: String {
        switch errno {
        case ENOENT, ENODEV, ENXIO: "there is no sound device '\(device)'; `barline devices` lists those there are"
        case EBUSY, EAGAIN: "the sound device '\(device)' is busy: another program has it"
        case EACCES, EPERM: "the sound device '\(device)' may not be used: is this user in the group 'audio'?"
        case EINVAL: "the sound device '\(device)' cannot play this rate, number of channels or format"
        default: "the sound device '\(device)' cannot be opened: \(String(cString: strerror(errno)))"
        }
    }
}
