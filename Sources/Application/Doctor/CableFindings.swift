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

    /// Something that has arrived at a cable.
    private enum Arrival: Hashable, Sendable {
        case midi(MIDISignal)
        /// A message of OSC that does something, or an address that means nothing.
        case osc(String, action: String?)
        /// An address of OSC that has a meaning, but not with this value.
        case idle(String, value: String)

        init(_ message: OSCMessage) {
            let action = Arrival.action(of: message)
            let isIdle =
                action == nil
                && [[], [.string("x")]].contains { Arrival.action(of: OSCMessage(message.address, $0)) != nil }
            self =
                isIdle
                ? .idle(message.address, value: message.values.first?.text ?? "")
                : .osc(message.address, action: action)
        }

        private static func action(of message: OSCMessage) -> String? {
            OSCCommand.opened(message) != nil ? "open" : OSCCommand.read(message)?.action.rawValue
        }
    }

    /// So many different things are told.
    private static let most = 200

    /// Listens for a time, or until Ctrl-C, to the MIDI ports and the OSC port that the settings name, and tells each thing that
    /// arrives once, as soon as it comes, and what it does. Without a setting for MIDI, it listens to all ports.
    static func arrivals(
        _ settings: Settings, for time: Duration, begun: () -> Void, told: (Finding) throws -> Void
    ) async throws {
        let (midi, osc) = (localized("MIDI in"), localized("OSC in"))
        let (arrivals, arrival) = AsyncStream<Arrival>.makeStream(bufferingPolicy: .bufferingNewest(1000))
        let server = settings[Setting.oscIn].map { address in
            OSCServer(at: address) { arrival.yield(Arrival($0)) }
        }
        let wanted = settings[Setting.midiIn] ?? "all"
        var input: MIDIInput?
        do throws(Errno) {
            input = try MIDIInput(from: wanted) {
                arrival.yield(.midi($0.signal))
            } say: { _ in
            }
        } catch { try told(.note(midi, LiveCables.noSequencer(error))) }
        let signals = Signals.handle(Signals.endings) { _ in arrival.finish() }
        let timer = Task {
            try? await Task.sleep(for: time)
            arrival.finish()
        }
        begun()
        var heard: Set<Arrival> = []
        for await arrival in arrivals where heard.count < most && heard.insert(arrival).inserted {
            try told(finding(arrival, settings))
        }
        timer.cancel()
        signals.cancel()
        let (hasMIDI, hasOSC) = heard.reduce(into: (false, false)) { has, arrival in
            if case .midi = arrival { has.0 = true } else { has.1 = true }
        }
        if input != nil, !hasMIDI {
            let ports = (try? MIDIPort.all().incoming)?.filter { $0.matches(wanted) } ?? []
            let names = ports.map { "\($0.address) \($0.name)" }.joined(separator: ", ")
            try told(
                .note(
                    midi, localized("nothing has arrived"),
                    advice: names.isEmpty
                        ? localized("connect the device") : localized("press a button of \(names)")))
        }
        switch server {
        case nil:
            try told(
                .note(osc, localized("the setting osc-in names no port"), advice: "`barline config osc-in 9001`"))
        case .some(nil): for finding in oscIn(settings) { try told(finding) }
        case .some where !hasOSC:
            try told(
                .note(
                    osc, localized("nothing has arrived"),
                    advice: localized(
                        "other machines reach it only at an address of this machine, such as `barline config osc-in 0.0.0.0:9001`"
                    )))
        case .some: break
        }
        withExtendedLifetime((input, server)) {}
    }

    private static func finding(_ arrival: Arrival, _ settings: Settings) -> Finding {
        let (subject, text, action, advice): (String, String, String?, String)
        switch arrival {
        case .midi(let signal):
            (subject, text) = (localized("MIDI in"), signal.text)
            action = settings[Setting.midiKeys].meaning(of: signal).map {
                [$0.action.rawValue, $0.text].filter { !$0.isEmpty }.joined(separator: " ")
            }
            advice = localized("`barline keys --learn` gives it a meaning")
        case .osc(let address, let meaning):
            (subject, text, action) = (localized("OSC in"), address, meaning)
            advice = localized("an address is /barline/ and an action of the setting keys, such as /barline/pause")
        case .idle(let address, let value):
            (subject, text, action) = (localized("OSC in"), (address + " " + value).trimmingBlanks, nil)
            advice = localized(
                "0 does nothing, /barline/open needs the name of a score, and a text has at most 100 bytes")
        }
        guard let action else {
            return .note(subject, localized("'\(text)' arrives, and means nothing"), advice: advice)
        }
        return .good(subject, localized("'\(text)' arrives, and means \(action)"))
    }
}

extension OSCMessage.Value {
    /// The value for people; of a long text only the beginning.
    fileprivate var text: String {
        switch self {
        case .int(let number): "\(number)"
        case .float(let number): "\(number)"
        case .string(let text): String(text.prefix(20))
        }
    }
}
