internal import Application
internal import ArgumentParser
internal import Languages
internal import Scores
internal import UserSettings

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: localized("Find out why Barline is silent, or works less well than it could."),
        discussion: localized(
            """
            Looks at sound devices, sound servers, real-time priority, speech, notifications, the page for browsers, the \
            terminal, the clock and your folders, and plays a test sound: four clicks over a drone. Each problem comes with what to do about it. \
            The exit code is 69 if Barline cannot be heard. Please add this report when you ask for help.
            """))

    @Option(
        help: .localized("The ALSA device to look at. Default: the one that `play` uses.", valueName: "name"),
        completion: .device)
    var device: String?

    @Flag(inversion: .prefixedNo, help: .localized("Play a test sound."))
    var sound = true

    @Flag(
        help: .localized("Measure the delay from the device to a microphone by three bursts of noise, and remember it.")
    )
    var latency = false

    @Flag(
        help: .localized(
            "With --latency: measure instead how late a key that you hit arrives, by a microphone that hears the hits.")
    )
    var taps = false

    @Option(help: .localized("The microphone of --latency: an ALSA device.", valueName: "name"))
    var input: String?

    @Option(
        help: .localized(
            "Only listen for so long, such as 10s, to the MIDI ports and the OSC port of your settings, and tell what arrives and what it does. Ctrl-C ends it.",
            valueName: "time"), transform: { try OptionText.read($0) { try Duration(scoreText: $0, as: .time) } })
    var cables: Duration?

    @Flag(help: .localized("Print a JSON array of objects with state, subject, seen and advice."))
    var json = false

    func validate() throws {
        if input != nil, !latency { throw ValidationError(localized("--input needs --latency")) }
        if cables != nil, latency { throw ValidationError(localized("--cables and --latency exclude each other")) }
        if taps, !latency { throw ValidationError(localized("--taps needs --latency")) }
    }

    func run() async throws {
        var request = DoctorRequest(version: BarlineCommand.configuration.version)
        request.examination = taps ? .taps : latency ? .latency : cables.map { .arrivals($0) } ?? .everything
        (request.plays, request.json) = (sound, json)
        request[Setting.device] = device
        request[Setting.input] = input
        try await request.examine()
    }
}
