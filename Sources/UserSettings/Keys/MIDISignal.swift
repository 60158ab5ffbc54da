internal import Languages
internal import Scores

/// What a button of a MIDI device sends, as the settings name it: `note 60`, `ch 10 control 64`, `start`.
package struct MIDISignal: Sendable, Hashable {
    /// The kinds of messages that can be a button.
    package enum Kind: String, Sendable, CaseIterable {
        case note, control, program, start, stop
        case resume = "continue"
        /// 24 of these are a beat.
        case clock

        /// Whether its messages have a number, 0 to 127.
        package var hasNumber: Bool {
            switch self {
            case .note, .control, .program: true
            case .start, .stop, .resume, .clock: false
            }
        }
    }

    package var kind: Kind
    /// The number, 0 to 127; 0 for a kind without numbers.
    package var number: Int
    /// The channel, 1 to 16; nil for every channel.
    package var channel: Int?

    package init(_ kind: Kind, _ number: Int = 0, channel: Int? = nil) {
        (self.kind, self.number, self.channel) = (kind, number, channel)
    }

    /// The words in the settings.
    package var text: String {
        (channel.map { "ch \($0) " } ?? "") + kind.rawValue + (kind.hasNumber ? " \(number)" : "")
    }

    /// Takes the last signal of a list of words; nil if the list does not end with one.
    ///
    /// Errors: its number or channel is out of range.
    static func takeLast(of words: inout ArraySlice<String>) throws(TextError) -> MIDISignal? {
        guard let last = words.last?.lowercased() else { return nil }
        if let kind = Kind(rawValue: last), !kind.hasNumber {
            words.removeLast()
            return MIDISignal(kind)
        }
        guard words.count >= 2, let number = Int(wholeText: last) else { return nil }
        let word = words[words.endIndex - 2].lowercased()
        guard let kind = Kind(rawValue: word == "cc" ? "control" : word), kind.hasNumber else { return nil }
        guard number <= 127 else {
            throw TextError(
                localized("\(TextError.shown(word + " " + last)) does not exist in MIDI"),
                hint: localized("the number is \(0) to \(127)"))
        }
        words.removeLast(2)
        guard words.count >= 2, words[words.endIndex - 2].lowercased() == "ch",
            let channel = Int(wholeText: words[words.endIndex - 1])
        else { return MIDISignal(kind, number) }
        guard (1...16).contains(channel) else {
            throw TextError(
                localized("\(TextError.shown("ch \(channel)")) does not exist in MIDI"),
                hint: localized("the number is \(1) to \(16)"))
        }
        words.removeLast(2)
        return MIDISignal(kind, number, channel: channel)
    }
}
