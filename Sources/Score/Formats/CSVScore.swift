/// Reads a score from CSV: a header with `duration` and perhaps `label`, and a row for each bar.
struct CSVScore {
    private enum Column: String, CaseIterable { case label, duration }

    private let source: SourceText
    private var log: DiagnosticLog
    private var fields = CSVFields()
    private var columns: [Column] = []

    /// Reads a score; nil only where an error was reported.
    static func read(_ source: SourceText, _ log: inout DiagnosticLog) -> Score? {
        var reader = CSVScore(source, log)
        defer { log = reader.log }
        let bars = reader.bars(source.bytes.span)
        return reader.log.hasErrors ? nil : Score(lines: [Score.Line(bars: bars)])
    }

    /// Whether the first row that is not a comment reads as a header with a duration.
    static func recognizes(_ source: SourceText) -> Bool {
        var fields = CSVFields()
        let bytes = source.bytes.span
        guard fields.skipToRow(bytes) else { return false }
        while let field = try? fields.next(bytes) {
            if source.text(field.content).lowercased() == Column.duration.rawValue { return true }
            if field.endsRow { return false }
        }
        return false
    }

    private init(_ source: SourceText, _ log: DiagnosticLog) {
        self.source = source
        self.log = log
    }

    private mutating func bars(_ bytes: Span<UInt8>) -> [Score.Bar] {
        guard fields.skipToRow(bytes) else {
            log.error(at: 0..<0, "the file has no header", hint: "the first row is label,duration")
            return []
        }
        guard readHeader(bytes) else { return [] }
        var bars: [Score.Bar] = []
        bars.reserveCapacity(min(lineCount(bytes), Score.writtenBarLimit))
        var size = PieceSize()
        let headerEnd = fields.position
        while fields.skipToRow(bytes) {
            let start = fields.position
            do {
                guard let bar = try row(bytes) else { continue }
                guard bars.count < Score.writtenBarLimit else {
                    log.error(at: start..<fields.position, "a score file has at most 10 000 000 written bars")
                    return []
                }
                bars.append(bar)
                size.add(bar.duration)
                if let excess = size.excess {
                    log.error(at: start..<fields.position, excess)
                    return []
                }
            } catch {
                guard report(error, bytes) else { return [] }
            }
        }
        if bars.isEmpty, !log.hasErrors {
            log.error(at: headerEnd..<headerEnd, "the file has a header but no bars", hint: "for example A,2.7")
        }
        return bars
    }

    // MARK: - Header

    private mutating func readHeader(_ bytes: Span<UInt8>) -> Bool {
        let start = fields.position
        var hasUnknownColumn = false
        var isLast = false
        while !isLast {
            do {
                let field = try fields.next(bytes)
                isLast = field.endsRow
                let name = text(field)
                if let column = Column(rawValue: name.lowercased()) {
                    if columns.contains(column) {
                        log.error(at: field.whole, "the column '\(column.rawValue)' is given a second time")
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
                at: start..<(start + 1), "the header has no column 'duration'", hint: "for example label,duration")
        }
        return !hasUnknownColumn && columns.contains(.duration) && Set(columns).count == columns.count
    }

    private mutating func report(unknownColumn name: String, at range: Range<Int>) {
        if name.contains(";") || name.contains("\t") {
            log.error(at: range, "columns are separated by commas", hint: "for example label,duration")
        } else if (try? Duration(scoreText: name)) != nil {
            log.error(at: range, "the header is missing", hint: "the first row is label,duration")
        } else {
            let hint = Suggestion.hint(for: name, in: Column.allCases.map(\.rawValue))
            log.error(
                at: range, "there is no column \(TextError.quoted(name))",
                hint: hint ?? "the columns are label and duration")
        }
    }

    // MARK: - Rows

    /// Reads a row; nil after an error in it.
    private mutating func row(_ bytes: Span<UInt8>) throws(CSVFields.Fault) -> Score.Bar? {
        let start = fields.position
        var bar: Score.Bar?
        var label = ""
        var count = 0
        var isLast = false
        while !isLast {
            let field = try fields.next(bytes)
            isLast = field.endsRow
            if count < columns.count {
                switch columns[count] {
                case .duration: bar = duration(field, bytes).map { Score.Bar($0) }
                case .label: label = self.label(field)
                }
            }
            count += 1
        }
        guard count == columns.count else {
            let (have, need) = (count == 1 ? "1 field" : "\(count) fields", columns.count)
            log.error(at: start..<fields.position, "this row has \(have), but the header has \(need)")
            return nil
        }
        bar?.label = label
        return bar
    }

    private mutating func duration(_ field: CSVFields.Field, _ bytes: Span<UInt8>) -> Duration? {
        do {
            return try DurationText.parse(bytes.extracting(field.content), as: .bar)
        } catch {
            let text = text(field)
            log.error(at: field.whole, DurationText.explain(text, error, .bar))
            return nil
        }
    }

    private mutating func label(_ field: CSVFields.Field) -> String {
        guard !field.content.isEmpty else { return "" }
        do {
            return try TextRule.check(text(field), what: "a label")
        } catch {
            log.error(at: field.whole, error)
            return ""
        }
    }

    private func text(_ field: CSVFields.Field) -> String {
        let text = source.text(field.content)
        guard field.hasDoubledQuotes else { return text }
        return text.split(separator: "\"\"", omittingEmptySubsequences: false).joined(separator: "\"")
    }

    /// Reports a fault of the quotes and goes to the next row; false where nothing behind it can be read.
    private mutating func report(_ fault: CSVFields.Fault, _ bytes: Span<UInt8>) -> Bool {
        switch fault {
        case .unclosedQuote(let place):
            log.error(at: place..<(place + 1), "the quote that opens here is never closed")
            return false
        case .textAfterQuote(let place):
            log.error(
                at: place..<(place + 1), "a comma or the end of the row is due after a closing quote",
                hint: "a quote inside quotes is written twice")
        case .strayQuote(let place):
            log.error(
                at: place..<(place + 1), "a quote stands inside a field without quotes",
                hint: "put the whole field in quotes and write this one twice")
        }
        fields.skipRow(bytes)
        return true
    }

    /// The number of line ends and one: as many rows the text has at most, were it not for CR alone.
    private func lineCount(_ bytes: Span<UInt8>) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            var (lf, cr) = (0, 0)
            for index in 0..<bytes.count {
                if bytes[index] == 0x0A { lf += 1 }
                if bytes[index] == 0x0D { cr += 1 }
            }
            return max(lf, cr) + 1
        }
    }
}
