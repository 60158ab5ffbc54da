internal import Languages
internal import Scores

// The cables to and from other machines.
extension Setting {
    /// The receivers of OSC.
    package static let osc = TypedSetting<[OSCAddress]>(
        "osc", "off", [],
        form: localized("up to 8 hosts with UDP ports, such as 192.168.1.20:9000 desk.local:53000, or off"),
        help: localized("The receivers that are told by OSC what is played.")
    ) { text throws(TextError) in
        guard text.trimmingBlanks.lowercased() != "off" else { return [] }
        let words = text.split { $0 == " " || $0 == "," }
        guard (1...8).contains(words.count) else {
            throw TextError(
                localized("\(TextError.shown(text)) is not a list of receivers"),
                hint: localized("for example 192.168.1.20:9000"))
        }
        var addresses: [OSCAddress] = []
        for word in words { addresses.append(try OSCAddress(String(word))) }
        return addresses
    }

    /// How long before its moment OSC is sent, with time tags; 0 for at the moment.
    package static let oscAhead = TypedSetting<Duration>(
        "osc-ahead", "0", .zero, form: localized("0 to 2 seconds"),
        help: localized("How long before its moment OSC is sent, with time tags."), need: .of("osc")
    ) { text throws(TextError) in
        let time = try Duration(scoreText: text, as: .time)
        guard time <= .seconds(2) else { throw TextError(localized("the time must be at most 2 s")) }
        return time
    }

    /// The UDP port at which commands arrive by OSC; nil for none.
    package static let oscIn = TypedSetting<OSCAddress?>(
        "osc-in", "off", nil, form: localized("a UDP port of this machine, an address and a port, or off"),
        help: localized("The UDP port at which commands of keys arrive by OSC.")
    ) { text throws(TextError) in
        try SettingText.unless("off", text) { text throws(TextError) in try OSCAddress(text.trimmingBlanks) }
    }

    /// The ports from which MIDI is taken; nil for none.
    package static let midiIn = TypedSetting<String?>(
        "midi-in", "off", nil,
        form: localized("a part of the name of a MIDI port, its address such as 20:0, all, or off"),
        help: localized("The MIDI device whose buttons control the music.")
    ) { text throws(TextError) in
        try SettingText.unless("off", text) { text throws(TextError) in
            try SettingText.line(text, localized("the name of a MIDI port"))
        }
    }

    /// What the buttons of MIDI devices do.
    package static let midi = TypedSetting<MIDIBindings>(
        "midi", "standard", .standard,
        form: localized(
            "a list of actions with their MIDI messages, such as pause note 60, next-bar ch 10 control 64, or standard"),
        help: localized("What the buttons of MIDI devices do while music plays (`barline keys --learn` writes it)."),
        option: nil, read: MIDIBindings.init(text:))

    /// Whether media keys control the music.
    package static let mediaKeys = TypedSetting<Bool>(
        "media-keys",
        help: localized("Whether media keys, headset buttons and the controls of the desktop control the music."))
}
