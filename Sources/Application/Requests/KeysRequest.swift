internal import Cables
internal import Languages
internal import Screens
internal import SystemPackage
internal import UserSettings

/// The keys while music plays, as a list, or the buttons that are to do the same. `carryOut` does it.
package struct KeysRequest: Sendable {
    package var style = Table.Style.plain
    /// The MIDI devices whose buttons learn what keys do; nil for a list of the keys.
    package var learnsFrom: String?

    package init() {}

    /// Prints the list, or asks at the terminal. Errors: `ProgramEnd`, whose reason has been told.
    package func carryOut() throws {
        if let learnsFrom { return try LearnedButtons.run(from: learnsFrom) }
        let table = Table(
            columns: [
                .text(localized("action"), "action"), .text(localized("keys"), "keys"),
                .text(localized("what they do"), "says"),
            ],
            rows: KeyTable.rows(try LoadedSettings.get()[Setting.keys]).map { row in
                let keys = row.keys.isEmpty ? "none" : row.keys.map(\.word).joined(separator: " ")
                return [row.action.rawValue, keys, row.says].map(Table.Cell.text)
            })
        try StandardOutput.print(table.text(style))
    }
}

/// Learns what buttons of MIDI devices do, for `barline keys --learn`: a key of Barline, and then the button.
enum LearnedButtons {
    private enum Step {
        case key
        case button(KeyAction)
    }

    /// Asks at the terminal, and writes each button to the settings. Errors end the command.
    static func run(from wanted: String) throws {
        guard StandardOutput.isInteractive else {
            throw Failure.exit(.usage, localized("--learn needs a terminal, because you press keys"))
        }
        let file = try SettingsFile.own()
        let settings = try LoadedSettings.get()
        var devices: MIDIListening
        do throws(Errno) { devices = try MIDIListening(to: wanted) } catch {
            throw Failure.exit(.noDevice, LiveCables.noSequencer(error))
        }
        var bindings = settings[Setting.midiKeys]
        let keys = settings[Setting.keys]
        var (reader, buttons) = (Keys(), MIDIButtons(.standard))
        var step = Step.key
        StandardError.write(localized("Press a key that controls the music, or Esc to end.") + "\n")
        try HeldTerminal.run { _ in
            while let typed = HeldTerminal.typed(&reader, within: 50) {
                var pressed: [MIDISignal] = []
                devices.read { message in
                    // The clock of a device is no button.
                    if message.signal.kind != .clock, buttons.isPress(message) { pressed.append(message.signal) }
                }
                for case .key(let key) in typed {
                    if key == .escape { return }
                    guard let action = keys.action(of: key) else { continue }
                    guard !action.asks else {
                        StandardError.write(
                            localized(
                                "'\(action.rawValue)' asks for a line: write both, as in `barline config midi-keys 'go-to 5.7 note 60'`"
                            ) + "\n")
                        continue
                    }
                    pressed = []
                    step = .button(action)
                    StandardError.write(localized("\(action.standKey.says): press the button of the device.") + "\n")
                }
                guard case .button(let action) = step, let button = pressed.first else { continue }
                bindings = bindings.learning(button, MIDIBindings.Meaning(action))
                file.report(
                    try Failure.exitOnError(.cannotWrite, "'\(file.path)' ") {
                        try file.set(Setting.midiKeys.setting, bindings.text)
                    })
                StandardError.write("\(action.rawValue) \(button.text)\n")
                step = .key
            }
        }
    }
}
