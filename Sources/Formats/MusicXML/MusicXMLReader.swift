internal import Languages
internal import Scores

/// Reads the time of a MusicXML file, part by part and measure by measure.
///
/// The length of a measure is the farthest position that the notes, `backup` and `forward` of any part reach; a measure
/// without them has the length of its meter. Everything else about notes is left out. The meters are those of the first
/// part; what cannot be read in other parts is left out with a warning.
///
/// Source: "MusicXML 4.0", W3C Music Notation Community Group.
final class MusicXMLReader {
    var log: DiagnosticLog
    private(set) var measures: [MusicXMLMeasure] = []
    private(set) var title: String?
    private var movement: String?
    private(set) var composer: String?
    private var root: (name: String, place: Int)?
    /// The number of parts that are complete, and the measure of this one.
    private var part = 0
    private var index = 0
    /// Whether a sign at the end of the last measure begins a repeat here.
    private var beginsRepeat = false
    /// Quarters are counted in these parts; nil if the file has not said.
    private var divisions: Fraction?
    private var hasAssumedDivisions = false
    private var meter: Meter? = Meter(4, over: 4)
    /// The measure that is being read.
    var marks: [MusicXMLMark] = []
    /// The tempi by their positions; a sound decides, otherwise a metronome mark, otherwise words.
    private var tempi: [MusicXMLPosition: MusicXMLTempo] = [:]
    private var departures: Set<MusicXMLPosition> = []
    var words: [MusicXMLWords] = []
    private var measureMeter: Meter? = Meter(4, over: 4)
    private var position = MusicXMLPosition.zero
    private var farthest = MusicXMLPosition.zero
    private var hasTime = false

    static func read(_ source: SourceText, _ log: inout DiagnosticLog) -> Score? {
        let reader = MusicXMLReader(log)
        defer { log = reader.log }
        do throws(Problem) {
            _ = try XMLText.parse(
                source.bytes, kind: localized("a score"), wants: { reader.wants($0, $1) },
                end: { reader.take($0, in: $1) })
        } catch {
            reader.log.error(at: error.range, error.error)
            return nil
        }
        reader.check()
        guard !reader.log.hasErrors else { return nil }
        do throws(Problem) {
            return try MusicXMLPage(reader.measures, besideTempiOf: source.barsWithTempi, &reader.log).score(reader)
        } catch {
            reader.log.error(at: error.range, error.error)
            return nil
        }
    }

    private init(_ log: DiagnosticLog) { self.log = log }

    /// What has to do with time, and the title.
    private static let names: Set<String> = [
        "work", "work-title", "movement-title", "identification", "creator", "part", "measure", "attributes",
        "divisions", "time", "beats", "beat-type", "senza-misura", "note", "duration", "type", "dot",
        "time-modification",
        "grace", "chord", "notations",
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
        return root.name == "score-partwise" && Self.names.contains(name)
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
    }

    /// Reports an error at the beginning of an element.
    func error(_ element: XMLElement, _ message: String, hint: String? = nil) {
        error(element, TextError(message, hint: hint))
    }

    func error(_ element: XMLElement, _ error: TextError) {
        guard part > 0 else { return log.error(at: Self.range(element), error) }
        log.assume(at: Self.range(element), error, localized("it is left out"))
    }

    static func range(_ element: XMLElement) -> Range<Int> {
        element.offset..<element.offset + 1 + element.name.utf8.count
    }

    // MARK: - Elements

    private func take(_ element: XMLElement, in parent: String) -> XMLOutcome {
        switch (element.name, parent) {
        case ("part", "score-partwise"): closePart()
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
            self.error(time, error)
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
        return count / (divisions ?? assumeDivisions(element, count))
    }

    /// How many parts a quarter has according to the first note of a file that does not say; one if it has no type.
    private func assumeDivisions(_ element: XMLElement, _ count: Fraction) -> Fraction {
        var assumed = Fraction.one
        let dots = element.children.count { $0.name == "dot" }
        if let type = element.child("type"), element.child("time-modification") == nil,
            let value = MusicXMLMeter.value(type.text, dots: dots)
        {
            assumed = count / (value * Fraction(4))
        }
        divisions = assumed
        defer { hasAssumedDivisions = true }
        if hasAssumedDivisions { return assumed }
        log.assume(
            at: Self.range(element.child("duration") ?? element),
            TextError(localized("a duration before the first divisions has no length")),
            assumed == .one
                ? localized("a quarter of 1 division is assumed")
                : localized("a quarter of \(assumed.text) divisions is assumed"))
        return assumed
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
        let displaced = TextError(localized("a repeat begins at the left of a measure and ends at its right"))
        switch (sign.attributes["direction"], location) {
        case ("forward", "left"): marks.append(.forward)
        case ("forward", _):
            beginsRepeat = true
            assume(sign, displaced, localized("it is read as beginning with the next measure"))
        case ("backward", "right"):
            let written = sign.attributes["times"]
            let times = written.flatMap { Int(wholeText: $0.trimmingBlanks) }
            if written != nil, times.map({ !Score.passRange.contains($0) }) ?? true {
                error(sign, localized("times must be a whole number from 1 to 1 000 000"))
            }
            marks.append(backward(sign, times))
        case ("backward", _):
            guard (1...measures.count).contains(index) else {
                return error(sign, displaced.message, hint: localized("move it to the neighboring measure"))
            }
            measures[index - 1].marks.append(backward(sign, nil))
            assume(sign, displaced, localized("it is read as ending the measure before"))
        default: error(sign, localized("a repeat needs a direction, forward or backward"))
        }
    }

    /// Reports what is read by an assumption, once for all parts: each has the same signs.
    private func assume(_ element: XMLElement, _ error: TextError, _ assumption: String) {
        if part == 0 { log.assume(at: Self.range(element), error, assumption) }
    }

    private func backward(_ sign: XMLElement, _ times: Int?) -> MusicXMLMark {
        .backward(times: times, isAfterJump: sign.attributes["after-jump"] == "yes", place: sign.offset)
    }

    private func takeEnding(_ element: XMLElement) {
        let text = element.attributes["number"] ?? ""
        let numbers = text.split { $0 == "," || $0 == " " }.map { Int(wholeText: String($0)) ?? 0 }
        let isValid = !numbers.isEmpty && numbers.allSatisfy { (1...1000).contains($0) }
        guard element.attributes["type"] == "start" else {
            return marks.append(.endingStop(isValid ? numbers : [], place: element.offset))
        }
        guard isValid else {
            return error(
                element, localized("\(TextError.quoted(text)) does not tell in which passes this ending is played"),
                hint: localized("for example 1 or 1, 2"))
        }
        marks.append(.endingStart(numbers, place: element.offset))
    }

    /// Ends the measure; an element's attributes count for all of it.
    private func close(_ element: XMLElement) {
        if index == PlayedScore.barLimit {
            log.error(at: Self.range(element), localized("a MusicXML file has at most 1 000 000 measures"))
        }
        guard index <= PlayedScore.barLimit else { return }
        for place in Set(words.lazy.filter { $0.kind != .gradual }.map(\.position)) {
            tempi[place] = tempi[place]?.shown
        }
        let left = departures.map { MusicXMLTempo(change: .departure, position: $0, rank: .words) }
        let measure = MusicXMLMeasure(
            place: element.offset,
            number: element.attributes["number"].flatMap { try? BarNumber(scoreText: $0) },
            isImplicit: element.attributes["implicit"] == "yes", meter: measureMeter, written: farthest.quarters,
            marks: marks, tempi: (left + tempi.values).inOrder, words: words)
        if index < measures.count { measures[index].merge(measure) } else { measures.append(measure) }
        index += 1
        (marks, tempi, departures, words) = (beginsRepeat ? [.forward] : [], [:], [], [])
        (beginsRepeat, measureMeter, hasTime) = (false, meter, false)
        (position, farthest) = (.zero, .zero)
    }

    /// Ends the part: the next one begins with the first measure, and has its own divisions and meters.
    private func closePart() {
        part += 1
        (index, divisions, meter) = (0, nil, Meter(4, over: 4))
        (marks, beginsRepeat, measureMeter) = ([], false, meter)
    }

    // MARK: - For directions

    func add(_ change: MusicXMLTempo.Change, at position: MusicXMLPosition, _ rank: MusicXMLDirection.Rank) {
        if case .departure = change {
            departures.insert(position)
            return
        }
        let (tempo, other) = (MusicXMLTempo(change: change, position: position, rank: rank), tempi[position])
        // Of several of one kind, the last decides.
        let decides = other.flatMap { $0.rank > rank ? $0 : nil } ?? tempo
        tempi[position] = [tempo, other].contains { $0?.isOnlyHeard == false } ? decides.shown : decides
    }

    /// The place of an element in the measure: the current position, moved by its offset.
    func place(of element: XMLElement) -> MusicXMLPosition {
        guard let offset = element.child("offset") else { return position }
        let text = offset.text.trimmingBlanks
        guard Double(text) != 0 else { return position }
        let isNegative = text.hasPrefix("-")
        guard let count = Fraction(written: isNegative ? String(text.dropFirst()) : text) else {
            error(offset, localized("\(TextError.quoted(text)) is not an offset in divisions"))
            return position
        }
        let divisions = divisions ?? .one
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
