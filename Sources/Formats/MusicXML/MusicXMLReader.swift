internal import Languages
internal import Scores

/// Reads the time of a MusicXML file: its first part, measure by measure.
///
/// The length of a measure is the farthest position that its notes, `backup` and `forward` reach; a measure without
/// them has the length of its meter. Everything else about notes is left out.
///
/// Source: "MusicXML 4.0", W3C Music Notation Community Group.
final class MusicXMLReader {
    var log: DiagnosticLog
    private(set) var measures: [MusicXMLMeasure] = []
    private(set) var title: String?
    private var movement: String?
    private(set) var composer: String?
    private var root: (name: String, place: Int)?
    /// Whether the first part is complete; the others do not count.
    private var isComplete = false
    /// Quarters are counted in these parts; nil if the file has not said.
    private var divisions: Fraction?
    private var meter: Meter? = Meter(4, over: 4)
    /// The measure that is being read.
    var marks: [MusicXMLMark] = []
    /// The tempi by their positions; a sound decides, otherwise a metronome mark, otherwise words.
    private var tempi: [MusicXMLPosition: (change: TempoMark, rank: MusicXMLDirection.Rank)] = [:]
    private var measureMeter: Meter? = Meter(4, over: 4)
    private var position = MusicXMLPosition.zero
    private var farthest = MusicXMLPosition.zero
    private var hasTime = false
    /// Words such as "rit." whose tempi the file does not give.
    private var gradual: (count: Int, range: Range<Int>, text: String)?

    static func read(_ source: SourceText, _ log: inout DiagnosticLog) -> Score? {
        let reader = MusicXMLReader(log)
        defer { log = reader.log }
        do throws(XMLFault) {
            _ = try XMLText.parse(
                source.bytes, kind: localized("a score"), wants: { reader.wants($0, $1) },
                end: { reader.take($0, in: $1) })
        } catch {
            reader.log.error(at: error.offset..<error.offset, error.message)
            return nil
        }
        reader.check()
        guard !reader.log.hasErrors else { return nil }
        do throws(FormatFault) {
            return try MusicXMLPage(reader.measures, &reader.log).score(reader)
        } catch {
            reader.log.error(at: error.range, error.text)
            return nil
        }
    }

    private init(_ log: DiagnosticLog) { self.log = log }

    /// What has to do with time, and the title.
    private static let names: Set<String> = [
        "work", "work-title", "movement-title", "identification", "creator", "part", "measure", "attributes",
        "divisions", "time", "beats", "beat-type", "senza-misura", "note", "duration", "grace", "chord", "notations",
        "fermata", "backup", "forward", "direction", "direction-type", "words", "rehearsal", "metronome", "beat-unit",
        "beat-unit-dot", "beat-unit-tied", "per-minute", "metronome-note", "metronome-type", "metronome-dot",
        "metronome-tuplet", "actual-notes", "normal-notes", "metronome-relation", "sound", "offset", "segno", "coda",
        "barline", "repeat", "ending",
    ]

    private func wants(_ name: String, _ place: Int) -> Bool {
        guard let root else {
            self.root = (name, place)
            return true
        }
        return root.name == "score-partwise" && Self.names.contains(name) && !(isComplete && name == "part")
    }

    private func check() {
        guard let root else { return }
        if root.name == "score-timewise" {
            log.error(
                at: root.place..<root.place,
                localized("the measures of this file are not grouped by parts (score-timewise)"),
                hint: localized("export it as score-partwise"))
        } else if root.name != "score-partwise" {
            log.error(
                at: root.place..<root.place,
                localized("this is not MusicXML: it begins with <\(root.name.prefix(40).printable)>"),
                hint: localized("it begins with <score-partwise>"))
        } else if measures.isEmpty, !log.hasErrors {
            log.error(at: root.place..<root.place, localized("the score has no measures"))
        }
        title = title ?? movement
        if let (count, range, text) = gradual {
            let words = TextError.quoted(text)
            log.warning(
                at: range,
                count == 1
                    ? localized("\(words) is left out: the file gives no tempo for it")
                    : localized("\(words) (and \(count - 1) more) is left out: the file gives no tempo for it"),
                hint: localized("write its tempi as metronome marks, which can be hidden"))
        }
    }

    /// Reports an error at the beginning of an element.
    func error(_ element: XMLElement, _ message: String, hint: String? = nil) {
        log.error(at: Self.range(element), message, hint: hint)
    }

    static func range(_ element: XMLElement) -> Range<Int> {
        element.offset..<element.offset + 1 + element.name.utf8.count
    }

    // MARK: - Elements

    private func take(_ element: XMLElement, in parent: String) -> XMLOutcome {
        switch (element.name, parent) {
        case ("part", "score-partwise"): isComplete = true
        case ("measure", "part"): close(element)
        case ("attributes", "measure"): takeAttributes(element)
        case ("note", "measure"): takeNote(element)
        case ("backup", "measure"): takeBackup(element)
        case ("forward", "measure"): advance(duration(element))
        case ("direction", "measure"): MusicXMLDirection.take(element, self)
        case ("sound", "measure"): MusicXMLDirection.takeSound(element, self)
        case ("barline", "measure"): takeBarline(element)
        case ("work-title", "work"): title = Self.text(element.text)
        case ("movement-title", "score-partwise"): movement = Self.text(element.text)
        case ("creator", "identification"):
            if element.attributes["type"] == "composer" { composer = composer ?? Self.text(element.text) }
        default: return .keep
        }
        return .drop
    }

    private func takeAttributes(_ element: XMLElement) {
        if let divisions = element.child("divisions") {
            self.divisions = Fraction(written: divisions.text)
            if self.divisions == nil {
                error(
                    divisions, localized("divisions must be a number above 0"),
                    hint: localized("it is how many parts a quarter has"))
            }
        }
        // The first staff decides, as the first part does.
        guard let time = element.child("time") else { return }
        do throws(TextError) {
            meter = try MusicXMLMeter.read(time)
        } catch {
            log.error(at: Self.range(time), error)
        }
        if !hasTime { measureMeter = meter }
    }

    /// A duration in quarters; nil for none. Reports an error if there is none.
    private func duration(_ element: XMLElement) -> Fraction? {
        guard let duration = element.child("duration") else {
            error(element, localized("a duration is missing here"))
            return nil
        }
        let text = duration.text.trimmingBlanks
        if Double(text) == 0 { return nil }
        guard let count = Fraction(written: text) else {
            error(duration, localized("\(TextError.quoted(text)) is not a duration"))
            return nil
        }
        guard let divisions else {
            error(duration, localized("a duration before the first divisions has no length"))
            return nil
        }
        return count / divisions
    }

    private func advance(_ length: Fraction?) {
        hasTime = true
        guard let length else { return }
        position = position + length
        farthest = max(farthest, position)
    }

    private func takeNote(_ element: XMLElement) {
        // The notes of a chord stand after its first one.
        let isFirst = element.child("chord") == nil
        if isFirst, element.children.contains(where: { $0.name == "notations" && $0.child("fermata") != nil }) {
            marks.append(.fermata(position))
        }
        guard element.child("grace") == nil else { return }
        let length = duration(element)
        if isFirst { advance(length) }
    }

    private func takeBackup(_ element: XMLElement) {
        hasTime = true
        guard let length = duration(element) else { return }
        if position + Fraction(1, 1_000_000) < MusicXMLPosition(length) {
            log.warning(
                at: Self.range(element), localized("this goes back before the beginning of its measure; it stops there")
            )
        }
        position = position - length
    }

    private func takeBarline(_ element: XMLElement) {
        let location = element.attributes["location"] ?? "right"
        if element.child("fermata") != nil { marks.append(.fermata(location == "left" ? .zero : nil)) }
        if element.child("segno") != nil { marks.append(.segno("")) }
        if element.child("coda") != nil { marks.append(.coda("")) }
        for ending in element.children where ending.name == "ending" { takeEnding(ending) }
        guard let sign = element.child("repeat") else { return }
        guard location != "middle" else {
            return error(
                sign, localized("a repeat in the middle of a measure is not supported"),
                hint: localized("split the measure"))
        }
        switch (sign.attributes["direction"], location) {
        case ("forward", "left"): marks.append(.forward)
        case ("backward", "right"):
            let written = sign.attributes["times"]
            let times = written.flatMap { Int(wholeText: $0.trimmingBlanks) }
            if written != nil, times.map({ !Score.passRange.contains($0) }) ?? true {
                error(sign, localized("times must be a whole number from 1 to 1 000 000"))
            }
            marks.append(
                .backward(times: times, isAfterJump: sign.attributes["after-jump"] == "yes", place: sign.offset))
        case ("forward", _), ("backward", _):
            error(
                sign, localized("a repeat begins at the left of a measure and ends at its right"),
                hint: localized("move it to the neighboring measure"))
        default: error(sign, localized("a repeat needs a direction, forward or backward"))
        }
    }

    private func takeEnding(_ element: XMLElement) {
        guard element.attributes["type"] == "start" else { return marks.append(.endingStop) }
        let text = element.attributes["number"] ?? ""
        let numbers = text.split { $0 == "," || $0 == " " }.map { Int(wholeText: String($0)) ?? 0 }
        guard !numbers.isEmpty, numbers.allSatisfy({ (1...1000).contains($0) }) else {
            return error(
                element, localized("\(TextError.quoted(text)) does not tell in which passes this ending is played"),
                hint: localized("for example 1 or 1, 2"))
        }
        marks.append(.endingStart(numbers, place: element.offset))
    }

    /// Ends the measure; an element's attributes count for all of it.
    private func close(_ element: XMLElement) {
        if measures.count == PlayedScore.barLimit {
            error(element, localized("a MusicXML file has at most 1 000 000 measures"))
        }
        guard measures.count <= PlayedScore.barLimit else { return }
        for (position, tempo) in tempi { marks.append(.tempo(tempo.change, at: position)) }
        measures.append(
            MusicXMLMeasure(
                place: element.offset, number: element.attributes["number"].flatMap { Int(wholeText: $0) },
                isImplicit: element.attributes["implicit"] == "yes", meter: measureMeter, written: farthest.quarters,
                marks: marks))
        (marks, tempi, measureMeter, hasTime) = ([], [:], meter, false)
        (position, farthest) = (.zero, .zero)
    }

    // MARK: - For directions

    func add(_ change: TempoMark, at position: MusicXMLPosition, _ rank: MusicXMLDirection.Rank) {
        // Of several of one kind, the last decides.
        if let other = tempi[position], other.rank > rank { return }
        tempi[position] = (change, rank)
    }

    func addGradual(_ element: XMLElement, _ text: String) {
        gradual = gradual.map { ($0.count + 1, $0.range, $0.text) } ?? (1, Self.range(element), text)
    }

    /// The place of an element in the measure: the current position, moved by its offset.
    func place(of element: XMLElement) -> MusicXMLPosition {
        guard let offset = element.child("offset") else { return position }
        let text = offset.text.trimmingBlanks
        guard Double(text) != 0 else { return position }
        let isNegative = text.hasPrefix("-")
        guard let count = Fraction(written: isNegative ? String(text.dropFirst()) : text), let divisions else {
            error(offset, localized("\(TextError.quoted(text)) is not an offset in divisions"))
            return position
        }
        return isNegative ? position - count / divisions : position + count / divisions
    }

    /// A text as one line of at most 200 characters; nil if it is empty.
    static func text(_ text: String) -> String? {
        let words = text.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
        let scalars = words.unicodeScalars.filter { $0.properties.generalCategory != .control }
        let line = String(String.UnicodeScalarView(scalars)).cutToTextLimit.trimmingBlanks
        return line.isEmpty ? nil : line
    }
}
