internal import Languages
internal import Scores

/// Reads directions and sounds: tempi, rehearsal marks, signs and jumps.
struct MusicXMLDirection {
    /// Where a tempo comes from, in ascending order of how far it is to be believed.
    enum Rank: Int, Comparable {
        case words, metronome, sound

        static func < (a: Rank, b: Rank) -> Bool { a.rawValue < b.rawValue }
    }

    private let reader: MusicXMLReader
    private let place: MusicXMLPosition
    private var metronome: TempoMark?
    /// Whether the page shows no tempo here: the words are gradual, or there are none.
    private var isOnlyHeard = true
    /// Signs that are drawn, and not explained by a sound or by words.
    private var signs: Set<String> = []
    private var hasTempo = false
    private var hasJump = false

    private init(_ element: XMLElement, _ reader: MusicXMLReader) {
        self.reader = reader
        place = reader.place(of: element)
    }

    static func take(_ element: XMLElement, _ reader: MusicXMLReader) {
        var direction = MusicXMLDirection(element, reader)
        let sound = element.child("sound")
        direction.hasTempo = sound?.attributes["tempo"] != nil
        var words: [String] = []
        for item in element.children.lazy.filter({ $0.name == "direction-type" }).flatMap(\.children) {
            switch item.name {
            case "rehearsal": if let text = MusicXMLReader.text(item.text) { reader.marks.append(.rehearsal(text)) }
            case "segno", "coda": direction.signs.insert(item.name)
            case "words": words.append(item.text)
            case "metronome":
                if item.attributes["print-object"] != "no" { direction.isOnlyHeard = false }
                direction.takeMetronome(item)
            default: break
            }
        }
        let text = words.joined(separator: " ")
        let kind = MusicXMLWords.kind(of: MusicXMLDirection.plain(text))
        if !words.isEmpty, kind != .gradual { direction.isOnlyHeard = false }
        if kind == .gradual { reader.add(.departure, at: direction.place, .words) }
        if let sound { direction.takeSound(sound) }
        if !words.isEmpty { direction.takeWords(text, kind, element) }
        if direction.signs.contains("segno") { reader.marks.append(.segno("")) }
        if direction.signs.contains("coda") { reader.marks.append(.coda("")) }
    }

    /// Takes a sound that stands alone in a measure.
    static func takeSound(_ element: XMLElement, _ reader: MusicXMLReader) {
        var direction = MusicXMLDirection(element, reader)
        direction.takeSound(element)
    }

    private mutating func takeMetronome(_ element: XMLElement) {
        do throws(TextError) {
            metronome = try MusicXMLMetronome.read(element)
            if let range = MusicXMLMetronome.range(element), let metronome, case .tempo(let tempo) = metronome,
                !hasTempo
            {
                reader.log.warning(
                    at: MusicXMLReader.range(element),
                    localized("\(TextError.quoted(range)) is more than one tempo; \(tempo.rate.text) is read"),
                    hint: localized("write a single number"))
            }
            if let metronome, !hasTempo {
                reader.add(.mark(metronome, isOnlyHeard: isOnlyHeard), at: place, .metronome)
            }
        } catch {
            // A mark that is not understood does no harm where a sound gives the tempo.
            if !hasTempo { reader.error(element, error) }
        }
        hasTempo = true
    }

    private mutating func takeSound(_ sound: XMLElement) {
        let values = sound.attributes
        if let text = values["tempo"] {
            // The sound's own offset counts instead of the direction's.
            let place = sound.child("offset") == nil ? place : reader.place(of: sound)
            if let rate = Fraction(written: text), Fraction.rateRange.contains(rate) {
                let mark = TempoMark.tempo(shown(Tempo(Fraction(1, 4), rate)))
                reader.add(.mark(mark, isOnlyHeard: isOnlyHeard), at: place, .sound)
            } else {
                reader.error(
                    sound, localized("\(TextError.quoted(text)) is not a tempo"),
                    hint: localized("it must be 0.001 to 100 000"))
            }
        }
        var jumps: [MusicXMLMark] = []
        if let name = values["segno"] { jumps.append(.segno(name)) }
        if let name = values["coda"] { jumps.append(.coda(name)) }
        if values["dacapo"] == "yes" { jumps.append(.daCapo) }
        if let name = values["dalsegno"] { jumps.append(.dalSegno(name, place: sound.offset)) }
        if let name = values["tocoda"] { jumps.append(.toCoda(name, place: sound.offset)) }
        if let fine = values["fine"], fine != "no" { jumps.append(.fine) }
        if values["forward-repeat"] == "yes" { jumps.append(.forward) }
        if values["time-only"] != nil, !jumps.isEmpty || values["tempo"] != nil {
            reader.error(sound, localized("a tempo or a jump for certain passes (time-only) is not supported"))
        }
        for jump in jumps { add(jump) }
    }

    /// Adds a mark; a sign that is drawn beside it means the same.
    private mutating func add(_ jump: MusicXMLMark) {
        switch jump {
        case .segno, .dalSegno: signs.remove("segno")
        case .coda, .toCoda: signs.remove("coda")
        default: break
        }
        reader.marks.append(jump)
        hasJump = true
    }

    /// The tempo of a sound as its metronome mark writes it, if this is the same tempo.
    private func shown(_ tempo: Tempo) -> Tempo {
        guard case .tempo(let mark) = metronome else { return tempo }
        let ratio = (mark.wholeNotes / tempo.wholeNotes).value
        return (0.999_999...1.000_001).contains(ratio) ? mark : tempo
    }

    // MARK: - Words

    /// Words mean something only where no sound says it.
    private mutating func takeWords(_ text: String, _ kind: MusicXMLWords.Kind?, _ element: XMLElement) {
        let words = MusicXMLDirection.plain(text)
        if !hasTempo {
            if let tempo = MusicXMLMetronome.tempo(words) {
                reader.add(.mark(.tempo(tempo), isOnlyHeard: false), at: place, .words)
            } else if let kind {
                if kind == .back { reader.add(.back, at: place, .words) }
                if kind == .first { reader.add(.first, at: place, .words) }
                reader.words.append(
                    MusicXMLWords(
                        kind: kind, text: MusicXMLReader.text(text) ?? words, position: place,
                        range: MusicXMLReader.range(element)))
            }
        }
        guard !hasJump else { return }
        let letters = words.filter { $0 != "." && $0 != " " }
        switch letters {
        case "dc", "dcalfine", "dcalcoda": add(.daCapo)
        case _ where words.hasPrefix("d.c.") || words.hasPrefix("d. c.") || words.hasPrefix("da capo"): add(.daCapo)
        case "ds", "dsalfine", "dsalcoda": add(.dalSegno("", place: element.offset))
        case _ where words.hasPrefix("d.s.") || words.hasPrefix("d. s.") || words.hasPrefix("dal segno"):
            add(.dalSegno("", place: element.offset))
        case "fine": add(.fine)
        case "tocoda": add(.toCoda("", place: element.offset))
        case "coda" where signs.isEmpty: add(.coda(""))
        case "segno" where signs.isEmpty: add(.segno(""))
        default: break
        }
    }

    /// Words in lower case, with single blanks.
    private static func plain(_ text: String) -> String {
        text.lowercased().split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
    }
}
