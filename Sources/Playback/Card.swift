#if canImport(Glibc)
    internal import Glibc
#endif
internal import CDrone
internal import Dispatch
internal import Logging
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
    /// Whether events have been taken back and those in their place are still to come.
    private var hasCut = false
    private lazy var learntRate = Double(rate)
    private let news: any DispatchSourceRead
    /// Comes when the device has a new state or epoch.
    public let changes: AsyncStream<Void>
    /// How the device's buffer is used.
    public let policy: Policy
    /// A sound server tells an estimate that wanders by some tenths of a millisecond, slowly.
    public let pointerNoise: Double

    /// How a device's buffer is used.
    public enum Policy: String, Sendable, CaseIterable {
        /// What the device can do.
        case auto
        /// A second ahead, taken back when a command comes: few wake-ups.
        case rewind
        /// Short periods, for devices that take nothing back.
        case small

        var drone: drone_policy {
            switch self {
            case .auto: DRONE_POLICY_AUTO
            case .rewind: DRONE_POLICY_REWIND
            case .small: DRONE_POLICY_SMALL
            }
        }
    }

    /// What to ask of a device.
    public struct Request: Sendable {
        /// The format that is wanted.
        public var format: SoundFormat
        /// Whether the nearest that the device has will do.
        public var isExact: Bool
        /// How its buffer is to be used.
        public var policy: Policy

        /// Makes a request.
        public init(_ format: SoundFormat, isExact: Bool = false, policy: Policy = .auto) {
            self.format = format
            self.isExact = isExact
            self.policy = policy
        }
    }

    /// Silence before frame 0, in seconds: many cards swallow their first milliseconds.
    static let startUp = 0.1

    /// A command that comes so many seconds before the audio thread writes may come too late.
    private static let gulpMargin = 0.75e-3

    /// Opens a device by its ALSA name.
    public init(_ device: String, _ request: Request) throws(CardError) {
        var wanted = drone_output_request()
        wanted.policy = request.policy.drone
        wanted.rate = UInt32(clamping: request.format.rate)
        wanted.channels = UInt32(clamping: request.format.channels)
        wanted.format = request.format.samples.drone
        wanted.any_rate = !request.isExact
        wanted.any_channels = !request.isExact && !request.format.hasSeparateChannels
        wanted.any_format = !request.isExact
        var error: Int32 = 0
        guard let output = drone_output_open(device, &wanted, &error) else {
            throw CardError(device: device, errno: -error)
        }
        let config = drone_config(
            rate: wanted.rate, channels: wanted.channels, format: wanted.format,
            first_frame: -Int64(Double(wanted.rate) * Card.startUp),
            rewind_frames: min(wanted.buffer_frames + wanted.rate / 4, 10 * wanted.rate),
            click_channels: request.format.clickChannels.rawValue,
            drone_channels: request.format.droneChannels.rawValue)
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
        policy = wanted.policy == DRONE_POLICY_REWIND ? .rewind : .small
        pointerNoise = wanted.estimates ? 4e-3 : 10e-6
        Logger(label: "barline.card").info(
            "opened",
            metadata: [
                "device": "\(device)", "rate": "\(wanted.rate)", "channels": "\(wanted.channels)",
                "period": "\(wanted.period_frames)", "buffer": "\(wanted.buffer_frames)", "policy": "\(policy)",
            ])
        let (changes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.changes = changes
        // A descriptor of its own: the source may look at it until it is cancelled for good.
        let descriptor = dup(drone_output_event_fd(output))
        news = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
        news.setEventHandler {
            var count: UInt64 = 0
            _ = read(descriptor, &count, 8)
            continuation.yield()
        }
        news.setCancelHandler {
            continuation.finish()
            close(descriptor)
        }
        news.resume()
    }

    // The engine, a stored property, is freed behind this: after the thread that renders it.
    deinit {
        news.cancel()
        drone_output_destroy(output)
    }

    /// Starts the audio thread.
    public func start() throws(EngineError) {
        let status = drone_output_start(output, engine.handle)
        guard status == DRONE_OK else { throw EngineError(status) }
    }

    /// Queues an event for the audio thread.
    public func push(_ event: Event) throws(QueueFull) { try engine.push(event) }

    /// Takes back every event from `frame` on, as far as the device has not played it.
    public func cut(at frame: Int64) throws(QueueFull) {
        try engine.cut(at: frame)
        hasCut = true
    }

    /// A device that does not pace itself waits at the horizon; behind a cut it is hurried on to it.
    public func setHorizon(_ frame: Int64) {
        drone_set_horizon(engine.handle, frame)
        guard hasCut else { return }
        hasCut = false
        drone_output_hurry(output)
    }

    /// Ends by itself once `frame` has been heard.
    public func end(at frame: Int64) {
        guard frame != endFrame else { return }
        endFrame = frame
        drone_output_end_at(output, frame)
    }

    /// What the audio thread has seen of the device since the last call.
    public func observations() -> [EpochObservation] {
        var found: [EpochObservation] = []
        var raw = drone_observation()
        while drone_output_next_observation(output, &raw) {
            found.append(
                EpochObservation(clock: ClockObservation(time: raw.time_ns, frame: raw.frame), epoch: raw.epoch))
        }
        return found
    }

    /// What the audio thread could not have played, and the places of clicks that came too late for it.
    public func gaps() -> [Range<Int64>] {
        var found: [Range<Int64>] = []
        var raw = drone_gap()
        while drone_output_next_gap(output, &raw) { found.append(raw.begin..<raw.end) }
        var late: Int64 = 0
        while drone_next_late(engine.handle, &late) { found.append(late..<late + 1) }
        return found
    }

    /// Clicks that sounded although a command had taken them back: it came too late for the device.
    public func strays() -> [Int64] {
        var found: [Int64] = []
        var frame: Int64 = 0
        while drone_next_stray(engine.handle, &frame) { found.append(frame) }
        return found
    }

    /// The audio thread finds the right frame after a fault by this rate.
    public func learn(rate: Double) {
        learntRate = rate
        drone_output_set_rate(output, rate)
    }

    /// What the device plays now; when it is away, what it would play.
    public func reading() -> OutputReading {
        let seen = drone_output_snapshot(output)
        let clicks = engine.clickCounts
        let now = drone_now_ns()
        let isAway = seen.state == DRONE_OUTPUT_AWAY
        var reading = OutputReading(
            time: seen.time_ns == 0 ? now : seen.time_ns,
            heardFrame: seen.time_ns == 0 ? seen.next_frame : seen.heard_frame,
            nextFrame: max(seen.next_frame, engine.frame))
        reading.epoch = seen.epoch
        reading.isNominal = seen.paced
        reading.xruns = seen.xruns
        reading.losses = seen.losses
        reading.suspends = seen.suspends
        reading.wakes = seen.wakes
        reading.isRealTime = seen.realtime
        reading.droppedClicks = clicks.dropped
        reading.hasEnded = seen.state == DRONE_OUTPUT_ENDED
        reading.failure = isAway ? String(cString: strerror(-seen.error)) : nil
        let passed = Int64(Double(now - reading.time) * 1e-9 * learntRate)
        if isAway {
            // The time runs on without sound.
            reading.time = now
            reading.heardFrame += passed
            reading.nextFrame = reading.heardFrame
        } else if policy == .rewind, seen.time_ns != 0 {
            reading.nextFrame = min(reading.nextFrame, seen.reach_frame + passed)
        } else if policy == .small, seen.time_ns != 0, !seen.paced {
            // Nothing is written between two gulps: only who comes right before one misses it.
            reading.margin = .zero
            let isNear = seen.heard_frame + passed + Int64(Double(rate) * Card.gulpMargin) >= seen.gulp_frame
            if isNear, reading.nextFrame == seen.next_frame { reading.nextFrame += seen.gulp_frames }
        }
        return reading
    }

    /// Has clicks sound otherwise; before the start.
    public func use(_ shapes: [Event.Sound: ClickShape]) { engine.use(shapes) }

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
