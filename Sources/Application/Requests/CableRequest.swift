internal import Cables
internal import Languages
package import UserSettings

/// The cables to and from other machines, beside the sound: those of the settings, under the options for them.
package struct CableRequest: OptionRequest {
    package var options = OptionValues()

    package init() {}

    /// What goes out by MIDI, and to which ports.
    struct MIDIOut {
        var ports: [String]
        var what: MIDIPlan.Options
    }

    /// What goes out by MIDI; nil for nothing.
    var midiOut: MIDIOut? {
        get throws {
            let settings = try LoadedSettings.get(options)
            let ports = settings[Setting.midi]
            let what = MIDIPlan.Options(timecode: settings[Setting.mtc], clock: settings[Setting.midiClock])
            guard !ports.isEmpty || what != MIDIPlan.Options() else { return nil }
            return MIDIOut(ports: ports.filter { $0.lowercased() != "none" }, what: what)
        }
    }
}

extension CableRequest {
    /// Ends the command without a cable that an option names; what only the settings name may be missing.
    static func miss(_ code: Failure.Code, isOption: Bool, _ reason: String) throws {
        guard !isOption else { throw Failure.exit(code, reason) }
        Failure.say(localized("note: \(reason); the music goes on"))
    }
}
