internal import Cables
internal import Languages
internal import SystemPackage
internal import UserSettings

extension Finding {
    /// The cables to and from other machines: MIDI ports, and the port at which OSC arrives.
    static func cables(_ settings: Settings) -> [Finding] {
        var findings: [Finding] = []
        do throws(Errno) {
            let (incoming, outgoing) = try MIDIPort.all()
            let wanted = settings[Setting.midiIn].map { [$0] } ?? []
            findings.append(midi(localized("MIDI in"), incoming, wanted, setting: Setting.midiIn.setting))
            findings.append(
                midi(localized("MIDI out"), outgoing, settings[Setting.midi], setting: Setting.midi.setting))
        } catch {
            findings.append(
                .note(
                    localized("MIDI"),
                    localized(
                        "ALSA's sequencer cannot be opened (\(error.description)); it matters only for MIDI"),
                    advice: "`sudo modprobe snd-seq`"))
        }
        return findings + oscIn(settings)
    }

    /// The port at which OSC arrives.
    static func oscIn(_ settings: Settings) -> [Finding] {
        guard let address = settings[Setting.oscIn] else { return [] }
        return [
            OSCServer(at: address, take: { _ in }) != nil
                ? .good(localized("OSC in"), localized("commands can arrive at \(address.description)"))
                : .note(
                    localized("OSC in"), localized("nothing can be received at '\(address.description)'"),
                    advice: localized("end the other program, or choose another port: `barline config osc-in 9001`"))
        ]
    }

    /// The ports of one direction, and those that a setting names and that are not there.
    private static func midi(_ subject: String, _ ports: [MIDIPort], _ wanted: [String], setting: Setting) -> Finding {
        let names = ports.map { "\($0.address) \($0.name)" }.joined(separator: ", ")
        let missing = wanted.first { name in name.lowercased() != "none" && !ports.contains { $0.matches(name) } }
        guard let missing else { return .good(subject, names.isEmpty ? localized("no device is connected") : names) }
        return .note(
            subject, localized("there is no MIDI port '\(missing)', which the setting \(setting.name) names"),
            advice: names.isEmpty ? localized("connect the device") : localized("there are: \(names)"))
    }
}
