internal import Languages
internal import Scores

/// Reads a score from CSV: a header with `duration` and possibly other columns, then one row per bar.
struct CSVReader {
    /// The columns; `index` and `bar` only number the rows, and what follows from a timecode is ignored.
    private enum Column: String, CaseIterable {
        case index, section, line, bar, label, cue, start, duration, number, timecode
        case framesPerBeat = "frames_per_beat"

        /// The column with a name in a header; `timeline` writes `start_s` and `duration_s`.
        init?(name: String) {
            let name = name.lowercased()
            self.init(rawValue: name.hasSuffix("_s") ? String(name.dropLast(2)) : name)
        }
    }

    /// The most columns of a header, known or not.
    private static let fieldLimit = 100

    private let source: SourceText
    private var log: DiagnosticLog
    private let separator: UInt8
    private var fields: CSVFields
    private var columns: [Column] = []
    private var firstNumber = 1
    /// Bars by their cue, so that bars with the same cue share it.
    private var cued: [String: Score.Bar] = [:]

    /// Reads a score; nil only after an error was reported.
    static func read(_ source: SourceText, _ log: inout DiagnosticLog) -> Score? {
        var reader = CSVReader(source, log)
        defer { log = reader.log }
        let sections = reader.sections(source.bytes.span)
        guard !reader.log.hasErrors else { return nil }
        var score = Score(sections: sections)
        score.firstBar = reader.firstNumber
        return score
    }

    private init(_ source: SourceText, _ log: DiagnosticLog) {
        (self.source, self.log) = (source, log)
        separator = CSVFields.separator(source.bytes.span)
        fields = CSVFields(separator: separator)
    }

    /// 1 if the first row that is not a comment is a header with a duration, or 0.
    static func fit(_ source: SourceText) -> Double {
        let bytes = source.bytes.span
        var fields = CSVFields(separator: CSVFields.separator(bytes))
        guard fields.skipToRow(bytes) else { return 0 }
        while let field = try? fields.next(bytes) {
            if Column(name: source.text(field.content)) == .duration { return 1 }
            if field.endsRow { return 0 }
        }
        return 0
    }

    private mutating func sections(_ bytes: Span<UInt8>) -> [Score.Section] {
        guard fields.skipToRow(bytes) else {
            log.error(
                at: 0..<0, localized("the file has no header"), hint: localized("the first row is label,duration"))
            return []
        }
        guard readHeader(bytes) else { return [] }
        var rows = CSVRows(capacity: min(lineCount, Score.writtenBarLimit))
        var size = PieceSize()
        var described = DescribedBars()
        let headerEnd = fields.position
        while fields.skipToRow(bytes) {
            let start = fields.position
            do {
                guard let row = try row(bytes) else { continue }
                guard rows.barCount < Score.writtenBarLimit else {
                    log.error(
                        at: start..<fields.position, localized("a score file has at most 10 000 000 written bars"))
                    return []
                }
                size.add(row.bar.duration)
                if let excess = size.excess ?? (row.isShared ? nil : described.add(row.bar)) {
                    log.error(at: start..<fields.position, excess)
                    return []
                }
                if rows.barCount == 0, let begin = row.start?.time, begin > .zero {
                    log.warning(
                        at: start..<fields.position,
                        localized("the table begins at \(begin.exactSeconds) s; the piece begins with its first bar"))
                }
                if let fault = rows.add(row) { log.error(at: start..<fields.position, fault) }
            } catch {
                guard report(error, bytes) else { return [] }
            }
        }
        if rows.barCount == 0, !log.hasErrors {
            log.error(
                at: headerEnd..<headerEnd, localized("the file has a header but no bars"),
                hint: localized("for example A,2.7"))
        }
        firstNumber = rows.firstNumber
        return rows.finish()
    }

    // MARK: - Header

    private mutating func readHeader(_ bytes: Span<UInt8>) -> Bool {
        let start = fields.position
        var hasUnknownColumn = false
        var fieldCount = 0
        var isLast = false
        while !isLast {
            do {
                let field = try fields.next(bytes)
                isLast = field.endsRow
                guard fieldCount < CSVReader.fieldLimit else {
                    log.error(at: field.whole, localized("the header has more than \(CSVReader.fieldLimit) columns"))
                    return false
                }
                fieldCount += 1
                let name = text(field)
                if let column = Column(name: name) {
                    if columns.contains(column) {
                        log.error(at: field.whole, localized("the column '\(column.rawValue)' is given a second time"))
                    }
                    columns.append(column)
                } else {
                    hasUnknownColumn = true
                    report(unknownColumn: name, at: field.whole)
                }
            } catch {
                _ = report(error, bytes)
                return false
            }
        }
        if !columns.contains(.duration), !hasUnknownColumn {
            log.error(
                at: start..<(start + 1), localized("the header has no column 'duration'"),
                hint: localized("for example label,duration"))
        }
        return !hasUnknownColumn && columns.contains(.duration) && Set(columns).count == columns.count
    }

    private mutating func report(unknownColumn name: String, at range: Range<Int>) {
        if name.contains(";") || name.contains("\t") {
            log.error(
                at: range, localized("columns are separated by commas or semicolons"),
                hint: localized("for example label,duration"))
        } else if (try? Duration(scoreText: name)) != nil {
            log.error(at: range, localized("the header is missing"), hint: localized("the first row is label,duration"))
        } else {
            let columns = Column.allCases.map(\.rawValue)
            let hint = Suggestion.hint(for: name, in: columns)
            log.error(
                at: range, localized("there is no column \(TextError.quoted(name))"),
                hint: hint ?? localized("the columns are \(columns.joined(separator: ", "))"))
        }
    }

    // MARK: - Rows

    /// Reads a row; nil after an error.
    private mutating func row(_ bytes: Span<UInt8>) throws(CSVFields.Fault) -> CSVRows.Row? {
        let begin = fields.position
        var row = CSVRows.Row(bar: Score.Bar(.zero))
        var cue = ""
        var isRight = true
        var count = 0
        var isLast = false
        while !isLast {
            let field = try fields.next(bytes)
            isLast = field.endsRow
            if count < columns.count {
                switch columns[count] {
                case .duration:
                    let read = duration(field, bytes, as: .bar)
                    row.bar.duration = read?.time ?? .zero
                    row.decimals = read?.decimals ?? 0
                    isRight = isRight && read != nil
                case .start:
                    row.start = duration(field, bytes, as: .time)
                    isRight = isRight && row.start != nil
                case .label: row.bar.label = label(field, localized("a label"))
                case .cue: cue = label(field, localized("a cue"))
                case .section: row.section = label(field, localized("a section"))
                case .line:
                    row.line = Int(text(field))
                    if row.line == nil { log.error(at: field.whole, localized("a line has a whole number")) }
                case .number: row.number = try? BarNumber(scoreText: text(field))
                case .index, .bar, .timecode, .framesPerBeat: break
                }
            }
            count += 1
        }
        guard count == columns.count else {
            let (have, need) = (count, columns.count)
            log.error(
                at: begin..<fields.position,
                have == 1
                    ? localized("this row has 1 field, but the header has \(need)")
                    : localized("this row has \(have) fields, but the header has \(need)"))
            return nil
        }
        if !cue.isEmpty {
            row.isShared = cued[cue] != nil
            var bar = cued[cue] ?? Score.Bar(.zero, cue: cue)
            cued[cue] = bar
            (bar.duration, bar.label) = (row.bar.duration, row.bar.label)
            row.bar = bar
        }
        return isRight ? row : nil
    }

    /// A duration, and the number of decimals with which it is written.
    private mutating func duration(
        _ field: CSVFields.Field, _ bytes: Span<UInt8>, as use: DurationUse
    ) -> (time: Duration, decimals: Int)? {
        // Where semicolons separate, the comma is the decimal sign.
        let isEuropean = separator == UInt8(ascii: ";")
        let content = field.content.map { index in
            isEuropean && bytes[index] == UInt8(ascii: ",") ? UInt8(ascii: ".") : bytes[index]
        }
        do {
            let time = try DurationText.parse(content.span, as: use)
            let point = content.firstIndex(of: UInt8(ascii: ".")) ?? content.count
            return (time, content[point...].count { DecimalText.digit($0) != nil })
        } catch {
            let text = text(field)
            log.error(at: field.whole, DurationText.explain(text, error, use))
            return nil
        }
    }

    private mutating func label(_ field: CSVFields.Field, _ what: @autoclosure () -> String) -> String {
        guard !field.content.isEmpty else { return "" }
        do {
            return try TextRule.check(text(field), what: what())
        } catch {
            log.error(at: field.whole, error)
            return ""
        }
    }

    private func text(_ field: CSVFields.Field) -> String { field.text(in: source.bytes.span) }

    /// Reports a fault in quotes and moves to the next row; returns false if nothing after it can be read.
    private mutating func report(_ fault: CSVFields.Fault, _ bytes: Span<UInt8>) -> Bool {
        log.error(at: fault.place, fault.error)
        if case .unclosedQuote = fault { return false }
        fields.skipRow(bytes)
        return true
    }

    /// The number of line ends plus one: the maximum number of rows, unless single LFs and CRs are mixed.
    private var lineCount: Int { max(source.bytes.count { $0 == 0x0A }, source.bytes.count { $0 == 0x0D }) + 1 }
}
