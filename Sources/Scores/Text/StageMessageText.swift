internal import Languages

extension StageMessage {
    private static let longest = 1000
    private static let example = localized("for example midi ch 10 note 37 on, or /cue/5/go 1")

    /// Reads a message: `midi ch 10 note 37 on`, `midi program 5`, `midi ch 2 control 7 100`, or an address of OSC with its
    /// values, `/cue/5/go 1 0.5 "a text"`.
    package init(scoreText text: String) throws(TextError) {
        guard text.utf8.count <= StageMessage.longest else {
            throw TextError(localized("a message has at most \(StageMessage.longest) letters"))
        }
        let trimmed = text.trimmingBlanks
        if trimmed.hasPrefix("/") {
            self = try StageMessage.osc(trimmed)
            return
        }
        var words = trimmed.words[...]
        guard words.first?.lowercased() == "midi" else {
            throw TextError(localized("\(TextError.quoted(text)) is no message to send"), hint: StageMessage.example)
        }
        words.removeFirst()
        var channel = 1
        if words.first?.lowercased() == "ch" {
            guard let word = words.dropFirst().first, let number = Int(wholeText: word), (1...16).contains(number)
            else {
                throw TextError(localized("a MIDI channel is 1 to 16"), hint: localized("for example ch 10"))
            }
            channel = number
            words = words.dropFirst(2)
        }
        self = .midi(channel: channel, try MIDI(words))
    }

    private static func osc(_ text: String) throws(TextError) -> StageMessage {
        // Not by characters: an accent after a quote would hide it.
        var rest = text.unicodeScalars[...]
        let address = rest.takeWord()
        guard address.utf8.count > 1, address.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
        else {
            throw TextError(
                localized("\(TextError.quoted(address)) is no address of OSC"), hint: localized("for example /cue/5/go")
            )
        }
        var values: [OSCValue] = []
        while let first = rest.first {
            if first == "\"" {
                rest.removeFirst()
                var word = ""
                while let next = rest.first, next != "\"" {
                    rest.removeFirst()
                    word.unicodeScalars.append(next == "\\" ? rest.popFirst() ?? next : next)
                }
                guard rest.popFirst() != nil, rest.takeWord().isEmpty else {
                    throw TextError(
                        localized("a text in quotes has no end"), hint: localized("for example /say \"verse one\" 2"))
                }
                values.append(.text(word))
            } else {
                values.append(try OSCValue(rest.takeWord()))
            }
        }
        return .osc(address: address, values)
    }

    /// The message as a score writes it.
    package var text: String {
        switch self {
        case .midi(let channel, let message): "midi ch \(channel) \(message.text)"
        case .osc(let address, let values): ([address] + values.map(\.text)).joined(separator: " ")
        }
    }
}

extension Substring.UnicodeScalarView {
    /// Takes what comes before the next blank, and the blanks after it.
    fileprivate mutating func takeWord() -> String {
        let word = prefix { $0 != " " && $0 != "\t" }
        self = self[word.endIndex...].drop { $0 == " " || $0 == "\t" }
        return String(word)
    }
}

extension StageMessage.MIDI {
    fileprivate init(_ words: ArraySlice<String>) throws(TextError) {
        var words = words
        let kind = words.popFirst()?.lowercased() ?? ""
        func number(_ word: String?) throws(TextError) -> Int {
            guard let word, let number = Int(wholeText: word), number <= 127 else {
                throw TextError(
                    localized("'\(kind)' needs a number, 0 to 127"), hint: StageMessage.MIDI.example(kind))
            }
            return number
        }
        switch kind {
        case "note":
            let note = try number(words.popFirst())
            switch words.popFirst()?.lowercased() {
            case "on":
                let velocity = words.isEmpty ? StageMessage.standardVelocity : try number(words.popFirst())
                // In MIDI, a velocity of 0 ends the note.
                guard velocity > 0 else {
                    throw TextError(localized("a velocity is 1 to 127"), hint: localized("write off to end a note"))
                }
                self = .noteOn(note, velocity: velocity)
            case "off": self = .noteOff(note)
            default: throw TextError(localized("a note is 'on' or 'off'"), hint: StageMessage.MIDI.example(kind))
            }
        case "program": self = .program(try number(words.popFirst()))
        case "control":
            let controller = try number(words.popFirst())
            self = .control(controller, value: try number(words.popFirst()))
        default:
            throw TextError(
                localized("a MIDI message is a 'note', a 'program' or a 'control'"),
                hint: Suggestion.hint(for: kind, in: ["note", "program", "control"])
                    ?? StageMessage.MIDI.example("note"))
        }
        if let word = words.first {
            throw TextError(
                localized("\(TextError.quoted(word)) follows the MIDI message"), hint: StageMessage.MIDI.example(kind))
        }
    }

    private static func example(_ kind: String) -> String {
        switch kind {
        case "program": localized("for example midi ch 10 program 5")
        case "control": localized("for example midi ch 10 control 7 100")
        default: localized("for example midi ch 10 note 37 on")
        }
    }

    fileprivate var text: String {
        switch self {
        case .noteOn(let note, let velocity):
            "note \(note) on" + (velocity == StageMessage.standardVelocity ? "" : " \(velocity)")
        case .noteOff(let note): "note \(note) off"
        case .program(let number): "program \(number)"
        case .control(let number, let value): "control \(number) \(value)"
        }
    }
}

extension StageMessage.OSCValue {
    /// A word without quotes is a number if it looks like one. Errors: a number that its 32 bits cannot hold.
    fileprivate init(_ word: String) throws(TextError) {
        if let number = Int32(word) {
            self = .int(number)
        } else if word.utf8.contains(where: { DecimalText.digit($0) != nil }), let first = word.utf8.first,
            DecimalText.digit(first) != nil || "+-.".utf8.contains(first), let number = Float(word)
        {
            let digits = word.utf8.drop { "+-".utf8.contains($0) }
            guard number.isFinite, !digits.allSatisfy({ DecimalText.digit($0) != nil }) else {
                throw TextError(
                    localized(
                        "\(TextError.quoted(word)) does not fit into the 32 bits of an OSC number; in quotes, it is sent as a text"
                    ))
            }
            self = .float(number)
        } else {
            self = .text(word)
        }
    }

    fileprivate var text: String {
        switch self {
        case .int(let number): return "\(number)"
        case .float(let number): return "\(number)"
        case .text(let text):
            let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
            let isBare = isPlain && !text.isEmpty
            if isBare, (try? StageMessage.OSCValue(text)) == self { return text }
            let escaped = text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
            return "\"\(escaped)\""
        }
    }
}
