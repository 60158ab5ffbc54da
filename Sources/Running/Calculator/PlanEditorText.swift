internal import Languages
internal import Scores

extension PlanEditor {
    /// Reads the paces of kinds, such as `walk: 16:00/mi`. A pace alone is that of running, and a time alone is the time
    /// for one `unit`.
    static func paces(_ text: String, per unit: DistanceUnit) throws(Problem) -> [Interval.Kind: Pace] {
        var scanner = TextCursor(runText: text)
        var line = text
        if scanner.isAtQuantity {
            line = "run: " + text
        } else if Interval.Kind.typed[scanner.text(scanner.word()).lowercased()] != nil {
            scanner.position = scanner.word().upperBound
            let kind = scanner.text(0..<scanner.position)
            scanner.skipBlanks()
            if scanner.isAtQuantity { line = kind + ": " + scanner.text(scanner.position..<scanner.bytes.count) }
        }
        // One clock without a unit.
        let words = line.split(separator: " ")
        if words.count == 2, words[1].contains(":"), (try? Duration(runText: String(words[1]))) != nil {
            line += "/" + unit.rawValue
        }
        let read = try plan(withLine: line, isDraft: false)
        guard !read.paces.isEmpty, read.written.count == 1, read == Plan(read.parts, paces: read.paces) else {
            throw Problem(
                0..<text.utf8.count, localized("expected a pace, or a kind and its pace"),
                hint: localized("for example 9:00/mi or walk: 16:00/mi"))
        }
        return read.paces
    }

    /// Reads a line that is not an interval, with an interval of a second after it. Throws the first fault.
    private static func plan(withLine line: String, isDraft: Bool = true) throws(Problem) -> Plan {
        let reading = Plan.read(Array((line + "\nrun 1s").utf8), isDraft: isDraft)
        if let fault = reading.faults.first { throw fault }
        return reading.plan ?? Plan()
    }

    /// Reads texts to speak, such as `at 30:00: "Drink"`; nil for a line that begins with anything else.
    static func remarks(_ text: String) throws(Problem) -> [Plan.Remark]? {
        guard TextCursor(runText: text).isAtRemark else { return nil }
        let read = try plan(withLine: text)
        guard read.written.count == 1, read == Plan(read.parts, remarks: read.remarks) else {
            throw Problem(
                0..<text.utf8.count, localized("expected a text to speak"),
                hint: localized("for example at 30:00: \"Drink\""))
        }
        return read.remarks
    }

    /// Reads the length of a plan: `5mi`, `2:00:00`, with or without `for`; `once` or `forever`.
    static func length(_ text: String) throws(Problem) -> Plan.Length {
        let scanner = TextCursor(runText: text)
        let word = scanner.text(scanner.word()).lowercased()
        if scanner.next == nil || text.lowercased().split(separator: " ") == ["once"] { return .once }
        let line = word == "for" || word == "forever" ? text : "for " + text
        let read = try plan(withLine: line)
        guard read.length != .once, read.written.count == 1, read == Plan(read.parts, length: read.length) else {
            throw Problem(
                0..<text.utf8.count, localized("expected the length of the plan"),
                hint: localized("for example 5mi, 2:00:00 or forever"))
        }
        return read.length
    }
}
