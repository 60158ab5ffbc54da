internal import Application
internal import ArgumentParser
internal import Languages
internal import Scores
internal import UserSettings

/// The clock that a live performance follows.
enum ClockChoice: String, ExpressibleByArgument, CaseIterable {
    /// The wall clock; the actual rate of the card is measured.
    case system
    /// The frames of the card, at its nominal rate.
    case card
}

/// What happens to the music after the machine has slept.
enum SuspendChoice: String, ExpressibleByArgument, CaseIterable {
    case pause
    case `continue`
}

/// The option for the latency of a device.
struct LatencyOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: .localized(
            "The extra latency of the device, such as Bluetooth headphones; remembered for the device. Default: auto, "
                + "the remembered one.",
            valueName: "ms"), transform: { try OptionText.chosen($0, Setting.latency) })
    var latency: Chosen<Double>?
}

/// Options for the clock, the latency and the timing log of a live performance.
struct ClockOptions: ParsableArguments {
    @Option(
        help: .localized("The clock for boundaries: system (wall-clock time) or card (its frames at the nominal rate).")
    )
    var clock = ClockChoice.system

    @Option(
        parsing: .unconditional,
        help: .localized(
            "Start at a wall-clock time, such as 20:15:00: the first bar is heard then.", valueName: "time"))
    var at: String?

    @OptionGroup var latencyOptions: LatencyOptions

    @Option(
        parsing: .unconditional,
        help: .localized("How much later than you a tap of the key j arrives.", valueName: "ms"),
        transform: { try OptionText.read($0, Setting.tapDelay) })
    var tapDelay: Double?

    @Option(help: .localized("What to do after the machine has slept: pause or continue."))
    var onSuspend = SuspendChoice.pause

    @Option(
        help: .localized(
            "Write the time when each boundary was heard to this CSV file; see `barline report`.", valueName: "file"),
        completion: .file())
    var timingLog: String?

    @Flag(help: .localized("Print a summary of the timing at the end."))
    var summary = false

    func validate() throws {
        if let at { _ = try ClockOptions.milliseconds(ofDay: at) }
    }

    /// The same for the application.
    func request() throws -> ClockRequest {
        var request = ClockRequest()
        (request.followsClock, request.pausesOnSuspend) = (clock == .system, onSuspend == .pause)
        request.at = try at.map(ClockOptions.milliseconds)
        request[Setting.latency] = latencyOptions.latency.map(\.value)
        request[Setting.tapDelay] = tapDelay
        (request.timingLog, request.summary) = (timingLog, summary)
        return request
    }

    /// A time of day, in ms since midnight.
    private static func milliseconds(ofDay text: String) throws -> Int {
        guard let time = TimeOfDay(exactText: text) else {
            throw ValidationError(localized("--at must be a time of day such as 20:15 or 20:15:00, not '\(text)'"))
        }
        return time.milliseconds
    }
}
