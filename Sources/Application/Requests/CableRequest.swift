internal import Cables
internal import Languages
internal import Scores
package import UserSettings

/// The cables to and from other machines, beside the sound. What is not wanted here is as the settings have it.
package struct CableRequest: Sendable {
    /// The receivers of OSC; empty for none.
    package var osc: [OSCAddress]?
    /// How long before its moment OSC is sent.
    package var oscAhead: Duration?
    /// Where commands by OSC arrive; nil in it for nowhere.
    package var oscIn: Chosen<OSCAddress>?
    /// The MIDI device whose buttons give commands; nil in it for none.
    package var midiIn: Chosen<String>?
    package var mediaKeys: Bool?
    /// The ports that get MIDI; empty for none, and `none` waits for others to connect.
    package var midi: [String]?
    package var mtc: Bool?
    package var midiClock: Bool?
    /// The time of JACK's transport at which the score begins; nil in it to go without it.
    package var jackTransport: Chosen<Duration>?

    package init() {}

    /// The receivers of OSC.
    var receivers: [OSCAddress] {
        get throws { try osc ?? LoadedSettings.get()[Setting.osc] }
    }

    /// What goes out by MIDI, and to which ports.
    struct MIDIOut {
        var ports: [String]
        var what: MIDIPlan.Options
    }

    /// What goes out by MIDI; nil for nothing.
    var midiOut: MIDIOut? {
        get throws {
            let settings = try LoadedSettings.get()
            let ports = midi ?? settings[Setting.midi]
            let what = MIDIPlan.Options(
                timecode: mtc ?? settings[Setting.mtc], clock: midiClock ?? settings[Setting.midiClock])
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
