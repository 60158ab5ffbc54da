internal import Languages
internal import Scores

// The cables to and from other machines.
extension Setting {
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
