internal import CDrone
internal import Files
internal import Glibc
internal import Languages
internal import Logging
package import Scores
internal import SystemPackage
package import Timing

/// A sound card, or any other ALSA device, and the engine that plays into it.
package final class Card: Output {
    /// Frames per second, as opened.
    package let rate: Int
    /// Channels, as opened.
    package let channels: Int
    private var engine: Engine
    /// The `drone_output`.
    package let output: OpaquePointer
    private var learntRate: Double
    /// How the device's buffer is used, as opened.
    package let policy: Policy
    /// The audio thread decides about a command within milliseconds. With `small`, nothing is written between two
    /// refills: a lead that is shorter than this gains nothing.
    package var leastLead: Duration { policy == .rewind ? .milliseconds(3) : .microseconds(750) }
    /// A sound server reports an estimate of its pointer, which slowly wanders by some tenths of a millisecond.
    package let pointerNoise: Double
    package let pointerWanders: Bool

    /// How a device's buffer is used.
    package enum Policy: String, Sendable, CaseIterable {
        /// The best policy that the device is capable of.
        case auto
        /// The buffer is filled a second ahead and taken back when a command comes: few wake-ups.
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

    /// Silence before frame 0, in seconds: many cards swallow their first milliseconds. From the command to a first
    /// click it is the longest part of 120 ms, which a player takes for at once.
    package static let startUp = 0.07

    /// Opens a device by its ALSA name. Unless only this format will do, the device may choose the nearest that it has.
    package init(
        _ device: String, _ format: SoundFormat = SoundFormat(), isExact: Bool = false, policy: Policy = .auto
    ) throws(CardError) {
        var wanted = drone_output_request()
        wanted.policy = policy.drone
        wanted.rate = UInt32(clamping: format.rate)
        wanted.channels = UInt32(clamping: format.channels)
        wanted.format = format.samples.drone
        wanted.any_rate = !isExact
        wanted.any_channels = !isExact && !format.hasSeparateChannels
        wanted.any_format = !isExact
        var error: Int32 = 0
        var grant = drone_output_grant()
        guard let output = drone_output_open(device, &wanted, &grant, &error) else {
            throw CardError(opening: device, status: error)
        }
        var config = format.limited(toChannels: Int(grant.channels)).config
        (config.rate, config.channels, config.format) = (grant.rate, grant.channels, grant.format)
        config.first_frame = -Int64(Double(grant.rate) * Card.startUp)
        config.rewind_frames = min(grant.buffer_frames + grant.rate / 4, 10 * grant.rate)
        do throws(EngineError) {
            engine = try Engine(config)
        } catch {
            drone_output_destroy(output)
            throw CardError(device: device, errno: ENOMEM)
        }
        self.output = output
        rate = Int(grant.rate)
        learntRate = Double(grant.rate)
        channels = Int(grant.channels)
        self.policy = grant.policy == DRONE_POLICY_REWIND ? .rewind : .small
        (pointerNoise, pointerWanders) = grant.estimates ? (0.35e-3, true) : (10e-6, false)
        Logger(label: "barline.card").info(
            "opened",
            metadata: [
                "device": "\(device)", "rate": "\(grant.rate)", "channels": "\(grant.channels)",
                "period": "\(grant.period_frames)", "buffer": "\(grant.buffer_frames)", "policy": "\(self.policy)",
            ])
    }

    /// The request for real-time priority; nil before it is made.
    private var realtimeKit: RealtimeKit?

    // The engine is a stored property: it is freed after this, and so after the thread that renders it.
    deinit { drone_output_destroy(output) }

    package func start() throws(EngineError) {
        let status =
            hasThread ? drone_output_start(output, engine.handle) : drone_output_attach(output, engine.handle)
        guard status == DRONE_OK else { throw EngineError(status) }
    }

    /// Whether it has its own audio thread. If not, the caller does its rounds, perhaps by another clock.
    package var hasThread = true

    package var hasRoom: Bool { engine.hasRoom }
    package func push(_ event: Event) -> Bool { engine.push(event) }
    package func begin(at frame: Int64) -> Bool { engine.begin(at: frame) }
    package func commit(horizon: Int64, end: Int64) -> UInt32? { engine.commit(horizon: horizon, end: end) }
    package var verdict: (number: UInt32, isTaken: Bool) { engine.verdict }
    package func hurry() { drone_output_hurry(output) }

    package func observations() -> [EpochObservation] {
        var found: [EpochObservation] = []
        var raw = drone_observation()
        while drone_output_next_observation(output, &raw) {
            let blur = Double(raw.blur_frames) / Double(rate)
            let clock = ClockObservation(time: raw.time_ns, frame: raw.frame, blur: blur)
            found.append(EpochObservation(clock: clock, epoch: raw.epoch))
        }
        return found
    }

    package func gaps() -> [Gap] {
        var found: [Gap] = []
        var raw = drone_gap()
        while drone_output_next_gap(output, &raw) {
            found.append(Gap(frames: raw.begin..<raw.end, cause: raw.error == -EPIPE ? .underrun : .away))
        }
        return found
    }

    /// By this rate the audio thread finds the right frame after a fault.
    package func learn(_ model: ClockModel) {
        learntRate = model.rate
        let now = drone_now_ns()
        var learnt = drone_learnt(time_ns: now, frame: 0, fraction: 0, rate: model.rate, tolerance_frames: 0)
        if model.isSettled {
            let here = model.extrapolated(to: now)
            (learnt.frame, learnt.fraction) = (here.frame, here.fraction)
            learnt.tolerance_frames = model.tolerance * Double(rate)
        }
        drone_output_learn(output, &learnt)
    }

    package var news: Int32? { drone_output_event_fd(output) }

    /// Reads what the device plays now; while it is away, what it would play. The first reading that finds the audio
    /// thread without real-time priority asks RealtimeKit for it.
    package func reading() -> OutputReading {
        let (seen, now) = (drone_output_snapshot(output), drone_now_ns())
        var reading = OutputReading(
            now: now, time: seen.heard.time_ns, heardFrame: seen.heard.frame,
            nextFrame: drone_output_reach(output, now))
        // A device that has not moved yet stands still at its first frame; while it is away, the time runs on without
        // sound.
        let heard = drone_frame_at(seen.heard, learntRate, now)
        if !seen.heard.passes || seen.away { (reading.time, reading.heardFrame) = (now, heard) }
        reading.epoch = seen.epoch
        reading.writtenFrame = drone_output_written(output)
        reading.isNominal = seen.paced_by_clock
        reading.slackFrames = seen.slack_frames
        reading.xruns = seen.xruns
        reading.suspends = seen.suspends
        reading.wakes = seen.wakes
        if hasThread, seen.thread_id != 0, !seen.realtime { askForPriority(seen.thread_id) }
        reading.droppedClicks = engine.clickCounts.dropped
        reading.hasEnded = seen.state == DRONE_OUTPUT_ENDED
        // While the audio thread stands still, frames are heard that could be changed when it was last seen.
        let ahead = Double(max(reading.nextFrame - heard, 0))
        reading.commandDelay = Duration(toPicoseconds: ahead / Double(rate) * 1e9)
        if seen.away { reading.failure = Errno(rawValue: -seen.error).reason }
        if seen.silent { reading.silence = Errno(rawValue: -seen.error).reason }
        reading.isStuck = drone_output_stuck_ns(output) > Card.patience
        if reading.isStuck { reading.silence = localized("it does not answer") }
        return reading
    }

    /// How long a call of the device may take before the device counts as one that hangs, in ns.
    private static let patience: Int64 = 1_000_000_000

    /// Asks RealtimeKit for the real-time priority that the system does not give to the audio thread directly.
    private func askForPriority(_ thread: Int64) {
        let asked = realtimeKit ?? RealtimeKit(thread: thread)
        realtimeKit = asked
        if asked.isGranted { drone_output_set_realtime(output) }
    }

    package func reach(within lead: Duration) -> Int64 {
        drone_output_reach(output, drone_now_ns() + lead.nanoseconds)
    }

    /// Sets how clicks sound. Call it before the start.
    package func use(_ shapes: [ClickSound: ClickShape]) { engine.use(shapes) }

    /// The ALSA playback devices that can be opened now.
    package static func devices() -> [(name: String, description: String)] { found(by: drone_visit_devices) }

    /// The devices that a function of C visits.
    static func found(
        by visit: (drone_device_visitor?, UnsafeMutableRawPointer?) -> Void
    ) -> [(name: String, description: String)] {
        var found: [(name: String, description: String)] = []
        withUnsafeMutablePointer(to: &found) { list in
            visit(
                { name, description, list in
                    guard let name, let description, let list else { return }
                    list.assumingMemoryBound(to: [(name: String, description: String)].self).pointee
                        .append((String(cString: name), String(cString: description)))
                }, list)
        }
        return found
    }
}

/// A device that cannot be opened, to play or to record.
package struct CardError: Error, Equatable, CustomStringConvertible {
    /// The ALSA name that was asked for.
    package let device: String
    /// The errno that ALSA gave.
    package let errno: Int32

    private let isMicrophone: Bool

    package init(device: String, errno: Int32, isMicrophone: Bool = false) {
        (self.device, self.errno, self.isMicrophone) = (device, errno, isMicrophone)
    }

    /// The error of an ALSA call. ALSA calls a device missing if it has no descriptor left to read of it.
    init(opening device: String, status: Int32, isMicrophone: Bool = false) {
        self.init(device: device, errno: Descriptors.areUsedUp ? EMFILE : -status, isMicrophone: isMicrophone)
    }

    /// The kinds of reasons.
    package enum Reason { case missing, busy, forbidden, unsuitable, other }

    package var reason: Reason {
        switch errno {
        case ENOENT, ENODEV, ENXIO: .missing
        case EBUSY, EAGAIN: .busy
        case EACCES, EPERM: .forbidden
        case ENOTSUP: .unsuitable
        default: .other
        }
    }

    package var description: String {
        switch (reason, isMicrophone) {
        case (.missing, false):
            localized("there is no sound device '\(device)'; `barline devices` lists the available ones")
        case (.missing, true):
            localized("there is no microphone '\(device)'; `barline devices --inputs` lists the available ones")
        case (.busy, false): localized("the sound device '\(device)' is busy: another program uses it")
        case (.busy, true): localized("the microphone '\(device)' is busy: another program uses it")
        case (.forbidden, false):
            localized(
                "the sound device '\(device)' cannot be used without permission: is this user in the group 'audio'?")
        case (.forbidden, true):
            localized(
                "the microphone '\(device)' cannot be used without permission: is this user in the group 'audio'?")
        case (.unsuitable, false):
            localized("the sound device '\(device)' cannot play this rate, number of channels or format")
        case (.unsuitable, true): localized("the microphone '\(device)' cannot record")
        case (.other, false):
            localized("the sound device '\(device)' cannot be opened: \(Errno(rawValue: errno).reason)")
        case (.other, true): localized("the microphone '\(device)' cannot be opened: \(Errno(rawValue: errno).reason)")
        }
    }
}
