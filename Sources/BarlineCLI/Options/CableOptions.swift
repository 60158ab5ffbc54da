internal import Application
internal import ArgumentParser
internal import Languages
internal import UserSettings

/// Options for the cables to and from other machines, beside the sound.
struct CableOptions: ParsableArguments {
    @Option(
        parsing: .unconditionalSingleValue,
        help: .localized(
            "Tell what is played by OSC to this host and UDP port: 192.168.1.20:9000; may be given several times.",
            valueName: "host:port"), transform: { try OptionText.read($0, Setting.osc) })
    var osc: [[OSCAddress]] = []

    @Option(
        parsing: .unconditional,
        help: .localized(
            "Send OSC so long before its moment, with time tags, to receivers that take them. Default: 0, at the moment.",
            valueName: "time"), transform: { try OptionText.read($0, Setting.oscAhead) })
    var oscAhead: Duration?

    @Option(
        parsing: .unconditional,
        help: .localized(
            "Take commands by OSC at this UDP port, from this machine only; HOST:PORT listens at an address of this machine, and 0.0.0.0:PORT at all of them.",
            valueName: "port"), transform: { try OptionText.chosen($0, Setting.oscIn) })
    var oscIn: Chosen<OSCAddress>?

    @Option(
        help: .localized(
            "Take commands from the buttons of this MIDI device: a part of its name, an address such as 20:0, or all.",
            valueName: "port"), transform: { try OptionText.chosen($0, Setting.midiIn) })
    var midiIn: Chosen<String>?

    @Flag(
        inversion: .prefixedNo,
        help: .localized("Let media keys, headset buttons and the controls of the desktop control the music."))
    var mediaKeys: Bool?

    @Option(
        parsing: .unconditionalSingleValue,
        help: .localized(
            "Send the MIDI messages of the score, --mtc and --midi-clock to this port: a part of its name, or an address such as 24:0; may be given several times; 'none' waits for others to connect.",
            valueName: "port"), transform: { try OptionText.read($0, Setting.midi) })
    var midi: [[String]] = []

    @Flag(
        inversion: .prefixedNo,
        help: .localized("Send MIDI timecode (MTC) from the timecode of the score, or --ltc-start, on."))
    var mtc: Bool?

    @Flag(
        inversion: .prefixedNo,
        help: .localized("Send MIDI clock with start, stop and song position in bars with a meter."))
    var midiClock: Bool?

    @Option(
        parsing: .unconditional,
        help: .localized(
            "Follow the transport of JACK: start, stop and place. The score begins at this time of it, such as 0 or 2s.",
            valueName: "time"), transform: { try OptionText.chosen($0, Setting.jackTransport) })
    var jackTransport: Chosen<Duration>?

    func validate() throws {
        do {
            try Setting.checkReceivers(osc.joined().count)
            try Setting.checkPorts(midi.joined().count)
        } catch { throw ValidationError("\(error)") }
    }

    /// The same for the application.
    var request: CableRequest {
        var request = CableRequest()
        request[Setting.osc] = given(osc)
        request[Setting.oscAhead] = oscAhead
        request[Setting.oscIn] = oscIn.map(\.value)
        request[Setting.midiIn] = midiIn.map(\.value)
        request[Setting.mediaKeys] = mediaKeys
        request[Setting.midi] = given(midi)
        request[Setting.mtc] = mtc
        request[Setting.midiClock] = midiClock
        request[Setting.jackTransport] = jackTransport.map(\.value)
        return request
    }

    /// All values of an option; nil if it is not given.
    private func given<Value>(_ values: [[Value]]) -> [Value]? { values.isEmpty ? nil : values.flatMap(\.self) }
}
