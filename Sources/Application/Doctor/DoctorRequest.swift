internal import Languages
internal import Scores
package import UserSettings

/// An examination of what Barline needs to be heard. `examine` carries it out.
package struct DoctorRequest: OptionRequest {
    package var options = OptionValues()

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
    package var json = false

    package init(version: String) { self.version = version }

    /// Prints what is found. Errors: `ProgramEnd`, whose reason has been told, also if Barline cannot be heard.
    package func examine() async throws {
        let (settings, code) = LoadedSettings.read()
        let wanted = settings.under(options)
        let (device, input) = (wanted[Setting.device], wanted[Setting.input])
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
            try await Finding.all(version: version, device: wanted.given(Setting.device), plays: plays, told: tell)
        }
        if json { try StandardOutput.print(JSON.array(rows)) }
        if isSilent { throw ProgramEnd(.noDevice) }
    }
}
