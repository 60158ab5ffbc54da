internal import Hearing
internal import Languages
internal import Playback
internal import Screens

/// Listens to a microphone on a thread of its own, and finds the pitch of the player.
actor LivePitch: Stepping {
    nonisolated let thread = OwnThread()
    private let microphone: Microphone
    private let input: String
    private var tracker: PitchTracker
    private let hearing: LiveHearing
    private var setting = Tuner.Setting()
    var isOver = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.executor }

    /// How often the microphone is read.
    private static let pause = Duration.milliseconds(10)

    /// Opens a microphone, and tells `hearing` what it hears. Errors end the command.
    init(_ input: String, _ hearing: LiveHearing) throws {
        let microphone = try Microphone.opened(input)
        (self.input, self.microphone, self.hearing) = (input, microphone, hearing)
        tracker = PitchTracker(rate: microphone.rate)
    }

    /// Listens to what has come, until `end`, or until the microphone goes away, which is told.
    func step() -> Duration? {
        guard !isOver else { return nil }
        var frames: [PitchTracker.Frame] = []
        let reading = microphone.read { samples in frames += tracker.add(samples) }
        let wanted = hearing.hear(frames)
        if (wanted.partials, wanted.droneLevel) != (setting.partials, setting.droneLevel) {
            tracker = PitchTracker(rate: microphone.rate, drone: wanted.partials, isSteady: wanted.isSteady)
        }
        setting = wanted
        if case .gone(let reason) = reading {
            Failure.say(localized("note: the microphone '\(input)' has gone away (\(reason))"))
            return nil
        }
        return LivePitch.pause
    }
}
