internal import Languages
package import Scores
internal import Timing

/// What timecode does while the music stands.
package enum TimecodePause: String, Sendable, CaseIterable {
    /// It is silent.
    case stop
    /// It says the same frame again and again.
    case hold
}

/// What timecode counts.
package enum TimecodeSpeed: String, Sendable, CaseIterable {
    /// Real time.
    case clock
    /// Time at 100 %.
    case score
}

// Timecode.
extension Setting {
    /// In the order in which they are listed.
    static let ofStage: [Setting] = [
        ltcChannel.setting, ltcPause.setting, ltcSpeed.setting, ltcPreroll.setting, ltcLevel.setting, osc.setting,
        oscAhead.setting, oscIn.setting, midi.setting, mtc.setting, midiClock.setting, midiIn.setting,
        midiKeys.setting, jackTransport.setting, mediaKeys.setting,
    ]

    /// The channel of the card with timecode, for scores that have one; nil for none.
    package static let ltcChannel = TypedSetting<Int?>(
        "ltc-channel", "off", nil, form: localized("1 to 32, or off"),
        help: localized("The channel of the sound card that carries the timecode (LTC) of scores that have one.")
    ) { text throws(TextError) in
        try SettingText.unless("off", text) { text throws(TextError) in
            guard let number = Int(wholeText: text.trimmingBlanks), (1...32).contains(number) else {
                throw TextError(
                    localized("\(TextError.shown(text)) is not a channel"), hint: localized("write 1 to 32, or off"))
            }
            return number
        }
    }

    /// What timecode does in a pause.
    package static let ltcPause = TypedSetting<TimecodePause>(
        "ltc-pause", .stop, help: localized("Whether timecode stops in a pause or holds its frame."),
        what: localized("a choice for timecode"))

    /// What timecode counts at another speed.
    package static let ltcSpeed = TypedSetting<TimecodeSpeed>(
        "ltc-speed", .clock,
        help: localized("Whether timecode counts real time or that of the score at another speed."),
        what: localized("a choice for timecode"))

    /// How long timecode runs before the music.
    package static let ltcPreroll = TypedSetting<Duration>(
        "ltc-preroll", "0", .zero, form: localized("0 to 60 seconds"),
        help: localized("How long timecode runs before the first bar and after a jump, while the music waits.")
    ) { text throws(TextError) in
        let time = try Duration(scoreText: text, as: .time)
        guard time <= LinearTimecode.longestPreroll else { throw TextError(localized("the time must be at most 60 s")) }
        return time
    }

    /// The level of timecode.
    package static let ltcLevel = TypedSetting<Level>(
        "ltc-level", "\(LinearTimecode.standardLevel)", LinearTimecode.standardLevel,
        form: localized("-120 dB to 0 dB, a percentage, or off"), help: localized("The level of the timecode."),
        read: Level.init(scoreText:))
}

// The cables to and from other machines.
extension Setting {
    /// The receivers of OSC.
    package static let osc = TypedSetting<[OSCAddress]>(
        "osc", "off", [],
        form: localized("up to 8 hosts with UDP ports, such as 192.168.1.20:9000 desk.local:53000, or off"),
        help: localized("The receivers that are told by OSC what is played.")
    ) { text throws(TextError) in
        guard !text.meansOff else { return [] }
        let words = text.split { $0 == " " || $0 == "," }
        try checkReceivers(words.count)
        guard !words.isEmpty else {
            throw TextError(
                localized("\(TextError.shown(text)) is not a list of receivers"),
                hint: localized("for example 192.168.1.20:9000"))
        }
        var addresses: [OSCAddress] = []
        for word in words { addresses.append(try OSCAddress(String(word))) }
        return addresses
    }

    /// Errors: there are too many receivers of OSC.
    package static func checkReceivers(_ count: Int) throws(TextError) {
        guard count <= 8 else { throw TextError(localized("there are at most 8 receivers of OSC")) }
    }

    /// Errors: there are too many ports of MIDI.
    package static func checkPorts(_ count: Int) throws(TextError) {
        guard count <= 8 else { throw TextError(localized("there are at most 8 MIDI ports")) }
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
    package static let midiKeys = TypedSetting<MIDIBindings>(
        "midi-keys", "standard", .standard,
        form: localized(
            "a list of actions with their MIDI messages, such as pause note 60, next-bar ch 10 control 64, or standard"),
        help: localized("What the buttons of MIDI devices do while music plays (`barline keys --learn` writes it)."),
        option: nil, need: .of("midi-in"), read: MIDIBindings.init(text:))

    /// The ports to which MIDI goes; `none` among them is a port of Barline's own alone, to which others connect.
    package static let midi = TypedSetting<[String]>(
        "midi", "off", [],
        form: localized(
            "up to 8 MIDI ports with commas between them: parts of their names, addresses, all or none; or off"),
        help: localized("The MIDI ports to which the messages of scores, timecode and clock go.")
    ) { text throws(TextError) in
        guard !text.meansOff else { return [] }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmingBlanks }
        try checkPorts(names.count)
        guard !names.contains("") else {
            throw TextError(
                localized("\(TextError.shown(text)) is not a list of MIDI ports"),
                hint: localized("for example UM-ONE, 24:0"))
        }
        return names
    }

    /// Whether timecode goes out by MIDI, for scores that have one.
    package static let mtc = TypedSetting<Bool>(
        "mtc", help: localized("Whether the timecode of scores that have one goes out by MIDI (MTC)."))

    /// Whether MIDI clock goes out.
    package static let midiClock = TypedSetting<Bool>(
        "midi-clock", help: localized("Whether MIDI clock goes out in bars with a meter."))

    /// The time of JACK's transport at which scores begin that follow it; nil to follow none.
    package static let jackTransport = TypedSetting<Duration?>(
        "jack-transport", "off", nil, form: localized("a time such as 0 or 2s, or off"),
        help: localized("The time of JACK's transport at which a score begins, which follows it.")
    ) { text throws(TextError) in
        try SettingText.unless("off", text) { text throws(TextError) in try Duration(scoreText: text, as: .time) }
    }

    /// Whether media keys control the music.
    package static let mediaKeys = TypedSetting<Bool>(
        "media-keys",
        help: localized("Whether media keys, headset buttons and the controls of the desktop control the music."))
}
