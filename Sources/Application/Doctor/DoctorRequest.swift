internal import Languages
internal import Scores
internal import UserSettings

/// An examination of what Barline needs to be heard. `examine` carries it out.
package struct DoctorRequest: Sendable {
    package enum Examination: Sendable {
        case everything
        /// For so long, what arrives at the cables.
        case arrivals(Duration)
        /// The delay from the device to the microphone.
        case latency
        /// The delay of the keys of the keyboard, by the microphone.
        case taps
    }

    /// The version of the program.
    package var version: String
    package var examination = Examination.everything
    /// Whether a test sound is played.
    package var plays = true
    /// The ALSA devices; nil for those of the settings.
    package var device: String?
    package var input: String?
    package var json = false

    package init(version: String) { self.version = version }

    /// Prints what is found. Errors: `ProgramEnd`, whose reason has been told, also if Barline cannot be heard.
    package func examine() async throws {
        let (settings, code) = LoadedSettings.read()
        let (device, input) = (device ?? settings[Setting.device], input ?? settings[Setting.input])
        var isSilent = false
        var rows: [String] = []
        func tell(_ finding: Finding) throws {
            if finding.state == .problem { isSilent = true }
            if json { rows.append(finding.json) } else { try StandardOutput.print(finding.text) }
        }
        switch examination {
        case .taps: return try TapProbe.run(input: input, json: json)
        case .latency: return try await LatencyProbe.run(output: device, input: input, json: json)
        case .everything, .arrivals: break
        }
        if let code {
            try tell(
                .note(
                    localized("settings"), localized("they have mistakes (exit code \(code.rawValue))"),
                    advice: localized("`barline config` shows them")))
        }
        if case .arrivals(let time) = examination {
            try await Finding.arrivals(settings, for: time) {
                guard !json else { return }
                StandardError.write(localized("listening; press buttons, and send OSC; Ctrl-C ends") + "\n")
            } told: {
                try tell($0)
            }
        } else {
            try await Finding.all(version: version, device: device, plays: plays, told: tell)
        }
        if json { try StandardOutput.print(JSON.array(rows)) }
        if isSilent { throw ProgramEnd(.noDevice) }
    }
}

/// One thing that `barline doctor` has looked at.
struct Finding: Sendable {
    /// How it is.
    enum State: String, Sendable {
        /// As it should be.
        case good
        /// Barline works, but something is missing or could be better.
        case note
        /// Barline cannot be heard.
        case problem
    }

    var state: State
    /// What was looked at, in a word or two.
    var subject: String
    /// What was seen, without a full stop.
    var seen: String
    /// What the user can do; nil if there is nothing to do.
    var advice: String?

    static func good(_ subject: String, _ seen: String, advice: String? = nil) -> Finding {
        Finding(state: .good, subject: subject, seen: seen, advice: advice)
    }

    static func note(_ subject: String, _ seen: String, advice: String? = nil) -> Finding {
        Finding(state: .note, subject: subject, seen: seen, advice: advice)
    }

    static func problem(_ subject: String, _ seen: String, advice: String) -> Finding {
        Finding(state: .problem, subject: subject, seen: seen, advice: advice)
    }

    /// Tells all findings, one by one, in the order of the report. A new examination is a function in this folder and a
    /// line here. `device` is the one that `play` would use; `plays` says whether to play a test sound.
    static func all(version: String, device: String, plays: Bool, told: (Finding) throws -> Void) async throws {
        try told(system(version: version))
        let sound = soundCards(device)
        try (sound + soundServers()).forEach(told)
        if plays, !sound.contains(where: { $0.state == .problem }) { try await testSound(device).forEach(told) }
        try [priority(), speech(), notifications(), browsers(), terminal(), clock()].forEach(told)
        try (cables(LoadedSettings.valid) + folders()).forEach(told)
    }

    var json: String {
        JSON.object([
            "state": .text(state.rawValue), "subject": .text(subject), "seen": .text(seen),
            "advice": .text(orNull: advice),
        ]).line
    }

    var text: String {
        let mark =
            switch state {
            case .good: localized("ok")
            case .note: localized("note")
            case .problem: localized("PROBLEM")
            }
        let lines = ["  \(mark.padding(to: 7)) \(subject): \(seen)", advice.map { "          -> \($0)" }]
        return lines.compactMap(\.self).map { $0.printable + "\n" }.joined()
    }
}
