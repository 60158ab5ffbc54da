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
        let (settings, code) = LoadedSettings.read()
        let chosen = device ?? settings[Setting.device]
        if taps { return try TapProbe.run(input: input ?? settings[Setting.input], json: json) }
        if latency {
            return try await LatencyProbe.run(output: chosen, input: input ?? settings[Setting.input], json: json)
        }
        var isSilent = false
        var rows: [String] = []
        func tell(_ finding: Finding) throws {
            if finding.state == .problem { isSilent = true }
            if json { rows.append(DoctorCommand.json(finding)) } else { try DoctorCommand.print(finding) }
        }
        if let code {
            try tell(
                .note(
                    localized("settings"), localized("they have mistakes (exit code \(code.rawValue))"),
                    advice: localized("`barline config` shows them")))
        }
        if let cables {
            try await Finding.arrivals(settings, for: cables) {
                guard !json else { return }
                StandardError.write(localized("listening; press buttons, and send OSC; Ctrl-C ends") + "\n")
            } told: {
                try tell($0)
            }
        } else {
            try await Finding.all(device: chosen, plays: sound, told: tell)
        }
        if json { try StandardOutput.print(JSON.array(rows)) }
        if isSilent { throw ProgramEnd(.noDevice) }
    }

    private static func json(_ finding: Finding) -> String {
        JSON.object([
            "state": .text(finding.state.rawValue), "subject": .text(finding.subject), "seen": .text(finding.seen),
            "advice": .text(orNull: finding.advice),
        ]).line
    }

    /// Prints a finding at once, because the next one may take a while.
    private static func print(_ finding: Finding) throws {
        let mark =
            switch finding.state {
            case .good: localized("ok")
            case .note: localized("note")
            case .problem: localized("PROBLEM")
            }
        let advice = finding.advice.map { "          -> \($0)" }
        let lines = ["  \(mark.padding(to: 7)) \(finding.subject): \(finding.seen)", advice].compactMap(\.self)
        try StandardOutput.print(lines.map { $0.printable + "\n" }.joined())
    }
}
