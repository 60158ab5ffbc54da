internal import Languages
internal import Scores

/// Regions and markers as Reaper's region and marker manager reads and writes them: `#,Name,Start,End,Length`, then one
/// row for each. The number begins with R for a region and M for a marker. Times in minutes:seconds mean the same with
/// every ruler.
struct ReaperRegions {
    private enum Column: String, CaseIterable { case number = "#", name, start, end, length }

    private let source: SourceText
    private var columns: [Column?] = []
    private var labels = LabeledTimes()

    static func write(_ played: PlayedScore) -> [UInt8] {
        var bytes = Array("#,Name,Start,End,Length\n".utf8)
        bytes.reserveCapacity(64 * played.barCount)
        let countIn = played.countIn
        var markers = 0
        for (index, bar) in played.bars.enumerated() {
            let times = [bar.start + countIn, bar.end + countIn, bar.duration]
            let row = times.map { $0.clock(decimals: 9) }.joined(separator: ",")
            bytes.append(contentsOf: "R\(index + 1),\(CSVText.quoted(NumberedLabels.text(bar))),\(row)\n".utf8)
            for hit in bar.hits {
                markers += 1
                let time = (times[0] + hit.offset).clock(decimals: 9)
                let name = CSVText.quoted(HitLabel.text(hit, in: bar, played))
                bytes.append(contentsOf: "M\(markers),\(name),\(time),,\n".utf8)
            }
        }
        return bytes
    }

    /// 1 if the header begins with `#`, name and start, or 0.
    static func fit(_ source: SourceText) -> Double {
        var lines = TextLines(source.bytes)
        guard let line = lines.next(), line.count < 200 else { return 0 }
        return source.text(line).lowercased().hasPrefix("#,name,start") ? 1 : 0
    }

    static func read(_ source: SourceText, _ log: inout DiagnosticLog) -> Score? {
        var reader = ReaperRegions(source: source)
        var fields = CSVFields()
        let bytes = source.bytes.span
        do {
            guard try reader.readHeader(&fields, bytes, &log) else { return nil }
            while fields.skipToRow(bytes) {
                guard reader.labels.all.count < PlayedScore.barLimit else {
                    log.error(
                        at: fields.position..<fields.position, localized("a region list has at most 1 000 000 rows"))
                    return nil
                }
                try reader.readRow(&fields, bytes, &log)
            }
        } catch {
            log.error(at: error.place, error.error)
            return nil
        }
        return log.hasErrors ? nil : reader.labels.score(&log)
    }

    private mutating func readHeader(
        _ fields: inout CSVFields, _ bytes: Span<UInt8>, _ log: inout DiagnosticLog
    ) throws(CSVFields.Fault) -> Bool {
        var isLast = bytes.isEmpty
        while !isLast {
            let field = try fields.next(bytes)
            isLast = field.endsRow
            let column = Column(rawValue: source.text(field.content).lowercased())
            if let column, columns.contains(column) {
                log.error(
                    at: field.whole, localized("the column '\(source.text(field.content))' is given a second time"))
            }
            columns.append(column)
        }
        guard columns.contains(.number), columns.contains(.start) else {
            log.error(
                at: 0..<0, localized("the header is missing"),
                hint: localized("the first row is #,Name,Start,End,Length"))
            return false
        }
        return !log.hasErrors
    }

    private mutating func readRow(
        _ fields: inout CSVFields, _ bytes: Span<UInt8>, _ log: inout DiagnosticLog
    ) throws(CSVFields.Fault) {
        let begin = fields.position
        var texts: [Column: Range<Int>] = [:]
        var name = ""
        var (count, isLast) = (0, false)
        while !isLast {
            let field = try fields.next(bytes)
            isLast = field.endsRow
            if count < columns.count, let column = columns[count] {
                texts[column] = field.content
                if column == .name { name = field.text(in: bytes) }
            }
            count += 1
        }
        let row = begin..<fields.position
        guard let start = time(texts[.start], row, &log) else { return }
        var end = start
        let isEnd = texts[.end].map { !$0.isEmpty } ?? false
        if let text = isEnd ? texts[.end] : texts[.length], !text.isEmpty {
            guard let time = time(text, row, &log) else { return }
            end = isEnd ? time : start + time
        }
        guard end >= start else { return log.error(at: row, localized("this region ends before it begins")) }
        labels.all.append(LabeledTimes.Label(start: start, end: end, text: name, range: row))
    }

    private func time(_ field: Range<Int>?, _ row: Range<Int>, _ log: inout DiagnosticLog) -> Duration? {
        guard let field, !field.isEmpty else {
            log.error(at: row, localized("this row has no start"))
            return nil
        }
        let text = source.text(field)
        do {
            return try Duration(scoreText: text, as: .time)
        } catch {
            let isMeasures = text.split(separator: ".", omittingEmptySubsequences: false).count == 3
            log.error(
                at: field,
                isMeasures ? localized("'\(text)' is a position in measures and beats, not a time") : error.message,
                hint: isMeasures ? localized("set Reaper's ruler to minutes:seconds and export again") : error.hint)
            return nil
        }
    }
}
