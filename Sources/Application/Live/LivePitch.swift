internal import Hearing
internal import Languages
internal import Playback
internal import Screens
internal import Synchronization

/// Listens to a microphone on a thread of its own, and finds the pitch of the player.
actor LivePitch: Stepping {
    nonisolated let thread = OwnThread()
    private let microphone: Microphone
    private let input: String
    private var tracker: PitchTracker
    private var setting = Tuner.Setting()
    var isOver = false
    /// Guards what is heard for the screen, and the setting for the ear.
    private let shared = Mutex((tuner: Tuner(), setting: Tuner.Setting()))

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.executor }

    /// How often the microphone is read.
    private static let pause = Duration.milliseconds(10)

    /// Opens a microphone. Errors end the command.
    init(_ input: String) throws {
        let microphone = try Microphone.opened(input)
        self.input = input
        self.microphone = microphone
        tracker = PitchTracker(rate: microphone.rate)
    }

    /// What is heard now, against a setting. From any thread.
    nonisolated func tuner(_ setting: Tuner.Setting) -> Tuner {
        shared.withLock { shared in
            shared.setting = setting
            return shared.tuner
        }
    }

    /// Listens to what has come, until `end`, or until the microphone goes away, which is told.
    func step() -> Duration? {
        guard !isOver else { return nil }
        let wanted = shared.withLock { $0.setting }
        if (wanted.partials, wanted.droneLevel) != (setting.partials, setting.droneLevel) {
            tracker = PitchTracker(rate: microphone.rate, drone: wanted.partials, isSteady: wanted.isSteady)
        }
        setting = wanted
        var frames: [PitchTracker.Frame] = []
        let reading = microphone.read { samples in frames += tracker.add(samples) }
        shared.withLock { shared in
            for frame in frames {
                shared.tuner.take(frame.hertz, isSure: frame.isSure, for: PitchTracker.step, setting)
            }
        }
        if case .gone(let reason) = reading {
            Failure.say(localized("note: the microphone '\(input)' has gone away (\(reason))"))
            return nil
        }
        return LivePitch.pause
    }
}
