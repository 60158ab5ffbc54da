internal import Cables
internal import Languages
internal import SystemPackage
internal import UserSettings

extension Finding {
    /// The cables to and from other machines: MIDI ports, and the port at which OSC arrives.
    static func cables(_ settings: Settings) -> [Finding] {
        let subject = localized("MIDI in")
        var findings: [Finding] = []
        do throws(Errno) {
            let ports = try MIDIInput.ports()
            let names = ports.map { "\($0.address) \($0.name)" }.joined(separator: ", ")
            if let wanted = settings[Setting.midiIn], !ports.contains(where: { $0.matches(wanted) }) {
                findings.append(
                    .note(
                        subject, localized("there is no MIDI port '\(wanted)', which the setting midi-in names"),
                        advice: names.isEmpty ? localized("connect the device") : localized("there are: \(names)")))
            } else {
                findings.append(.good(subject, names.isEmpty ? localized("no device is connected") : names))
            }
        } catch {
            findings.append(
                .note(
                    subject,
                    localized(
                        "ALSA's sequencer cannot be opened (\(error.description)); it matters only for `--midi-in`"),
                    advice: "`sudo modprobe snd-seq`"))
        }
        guard let address = settings[Setting.oscIn] else { return findings }
        findings.append(
            OSCServer(at: address, take: { _ in }) != nil
                ? .good(localized("OSC in"), localized("commands can arrive at \(address.description)"))
                : .note(
                    localized("OSC in"), localized("nothing can be received at '\(address.description)'"),
                    advice: localized("end the other program, or choose another port: `barline config osc-in 9001`")))
        return findings
    }
}
