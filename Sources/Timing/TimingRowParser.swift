internal import Score

/// Reads one row of a timing log.
enum TimingRowParser {
    /// What is wrong with some bytes of a row.
    struct Fault: Error {
        var range: Range<Int>
        var message: String
        var hint: String?
    }

    private typealias Field = CSVFields.Field

    private enum Column: Int {
        case index, label, nominal, heard, error, frame, rate, uncertainty, flags

        static let names = TimingRow.header.split(separator: ",").map(String.init)
        var name: String { Column.names[rawValue] }
    }

    /// Reads a row without its line end. Words that are no flags are left out and returned as warnings.
    static func parse(_ row: Span<UInt8>) throws(Fault) -> (row: TimingRow, warnings: [Fault]) {
        let fields = try split(row)
        guard fields.count == Column.names.count else {
            let count = "this row has \(fields.count) field\(fields.count == 1 ? "" : "s")"
            throw Fault(range: 0..<row.count, message: "\(count), but the header has \(Column.names.count)")
        }
        let index = try number(.index, row, fields, decimals: 0, limit: TimingRow.frameLimit)
        guard index >= 1 else {
            throw Fault(range: fields[Column.index.rawValue].whole, message: "bars are counted from 1")
        }
        let nominal = Int64(try number(.nominal, row, fields, decimals: 9, limit: TimingRow.secondsLimit))
        var heard: Int64?
        if !fields[Column.heard.rawValue].content.isEmpty {
            heard = Int64(try number(.heard, row, fields, decimals: 9, limit: TimingRow.secondsLimit))
        }
        try checkError(heard.map { $0 - nominal }, row, fields)
        let microframes = try number(.frame, row, fields, decimals: 6, limit: TimingRow.frameLimit)
        let rate = try number(.rate, row, fields, decimals: 3, limit: TimingRow.numberLimit)
        let uncertainty = try number(.uncertainty, row, fields, decimals: 3, limit: TimingRow.numberLimit)
        guard uncertainty >= 0 else {
            let range = fields[Column.uncertainty.rawValue].whole
            throw Fault(range: range, message: "an uncertainty cannot be negative")
        }
        let (flags, warnings) = flags(row, fields[Column.flags.rawValue])
        guard flags.contains(.lost) == (heard == nil) else {
            let message =
                heard == nil
                ? "a boundary without heard_s has the flag lost" : "a boundary that was lost has no heard_s"
            throw Fault(range: fields[(heard == nil ? Column.flags : .heard).rawValue].whole, message: message)
        }
        let parsed = TimingRow(
            index: Int(index), label: try label(row, fields[Column.label.rawValue]), nominalNanoseconds: nominal,
            heardNanoseconds: heard, microframes: microframes, rate: Int64(rate), uncertainty: Int64(uncertainty),
            flags: flags)
        return (parsed, warnings)
    }

    // MARK: - Fields

    private static func split(_ row: Span<UInt8>) throws(Fault) -> [Field] {
        var fields: [Field] = []
        fields.reserveCapacity(Column.names.count)
        var reader = CSVFields()
        do throws(CSVFields.Fault) {
            while fields.last?.endsRow != true { fields.append(try reader.next(row)) }
        } catch {
            throw Fault(range: error.place, message: error.error.message, hint: error.error.hint)
        }
        guard reader.position == row.count else {
            throw Fault(
                range: reader.position - 1..<reader.position,
                message: "a line end stands inside a field without quotes",
                hint: "put the whole field in quotes")
        }
        return fields
    }

    // MARK: - Values

    /// The number of a column in units of its last decimal; `limit` is its largest magnitude.
    private static func number(
        _ column: Column, _ row: Span<UInt8>, _ fields: [Field], decimals: Int, limit: Int128
    ) throws(Fault) -> Int128 {
        let field = fields[column.rawValue]
        guard let units = FixedText.units(row.extracting(field.content), decimals: decimals) else {
            let kind = decimals == 0 ? "a whole number" : "a decimal number such as 2.7"
            throw Fault(range: field.whole, message: "\(column.name) is \(kind)")
        }
        let unit = (0..<decimals).reduce(Int128(1)) { unit, _ in unit * 10 }
        guard abs(units) <= limit * unit else {
            throw Fault(range: field.whole, message: "\(column.name) is at most \(limit)")
        }
        return units
    }

    /// The error column says what the times say, to 2 ns for the sake of rounding, or nothing where nothing was heard.
    private static func checkError(_ error: Int64?, _ row: Span<UInt8>, _ fields: [Field]) throws(Fault) {
        let field = fields[Column.error.rawValue]
        guard let error else {
            guard field.content.isEmpty else {
                throw Fault(range: field.whole, message: "a boundary without heard_s has no error_us")
            }
            return
        }
        let written = try number(.error, row, fields, decimals: 3, limit: 10 * TimingRow.secondsLimit * 1_000_000)
        guard abs(written - Int128(error)) <= 2 else {
            let text = FixedText.text(Int128(error), decimals: 3)
            throw Fault(range: field.whole, message: "error_us is not heard_s less nominal_s", hint: "that is \(text)")
        }
    }

    private static func label(_ row: Span<UInt8>, _ field: Field) throws(Fault) -> String {
        guard !field.content.isEmpty else { return "" }
        let valid = row.extracting(field.content).withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) }
        guard let text = valid else { throw Fault(range: field.whole, message: "the label is not UTF-8") }
        return field.hasDoubledQuotes ? text.replacing("\"\"", with: "\"") : text
    }

    private static func flags(_ row: Span<UInt8>, _ field: Field) -> (TimingRow.Flags, warnings: [Fault]) {
        var flags: TimingRow.Flags = []
        var warnings: [Fault] = []
        var start = field.content.lowerBound
        while start < field.content.upperBound {
            var end = start
            while end < field.content.upperBound, row[end] != UInt8(ascii: " ") { end += 1 }
            if end > start {
                let word = row.extracting(start..<end).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
                if let known = TimingRow.Flags.words.first(where: { $0.word == word }) {
                    flags.insert(known.flag)
                } else if warnings.count < 3 {
                    let words = TimingRow.Flags.words.map(\.word)
                    let near = Suggestion.nearest(to: word, in: words).map { "did you mean '\($0)'?" }
                    let message = "there is no flag \(TextError.shown(word))"
                    warnings.append(
                        Fault(
                            range: start..<end, message: message,
                            hint: near ?? "flags are \(words.joined(separator: ", "))"))
                }
            }
            start = end + 1
        }
        return (flags, warnings)
    }
}

/// Tells where rows end, byte by byte: at an LF that stands in no quotes.
struct RowSplitter {
    private enum State { case rowStart, fieldStart, plain, quoted, quoteInQuotes, comment }

    private var state = State.rowStart
    private var offset = 0
    /// Where in the row the last quoted field begins.
    private(set) var quote = 0
    /// How many LFs in quotes the row has had.
    private(set) var innerLines = 0

    /// Whether a quote is open.
    var isQuoted: Bool { state == .quoted }

    /// Takes the next byte; true for the LF that ends a row.
    mutating func endsRow(_ byte: UInt8) -> Bool {
        if state == .rowStart { (offset, innerLines) = (0, 0) } else { offset += 1 }
        switch (byte, state) {
        case (0x22, .rowStart), (0x22, .fieldStart): (state, quote) = (.quoted, offset)
        case (0x22, .quoted): state = .quoteInQuotes
        case (0x22, .quoteInQuotes): state = .quoted
        case (0x0A, .quoted): innerLines += 1
        case (_, .quoted): break
        case (0x0A, _):
            state = .rowStart
            return true
        case (_, .comment): break
        case (0x23, .rowStart): state = .comment
        case (0x2C, _): state = .fieldStart
        default: state = .plain
        }
        return false
    }
}
