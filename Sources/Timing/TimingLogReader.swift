public import Score

/// Reads a timing log piece by piece, in memory that does not grow with it, and collects what is wrong with it.
///
/// Lines end with LF or CRLF; empty lines and lines that begin with `#` are passed over. A last row without its line end
/// that does not read was cut off, as by a crash: it is left out with a warning. After an error the rows are of no use.
public struct TimingLogReader: ~Copyable {
    private let file: String
    /// The row that the last piece broke off in.
    private var pending: [UInt8] = []
    private var splitter = RowSplitter()
    /// The line at which the row begins, from 1.
    private var line = 1
    private var hasHeader = false
    private var rowCount = 0
    private var (errorCount, warningCount) = (0, 0)
    private var found: [Diagnostic] = []

    /// Whether there is nothing more to be had from the file: it has ended, is no log, or its rows cannot be told apart.
    public private(set) var isOver = false

    /// The most bytes of a row: 64 KiB.
    public static let rowLimit = 1 << 16
    /// The most diagnostics of each severity.
    private static let limit = 100
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// A reader at the beginning of a file; messages call it `file`.
    public init(file: String) { self.file = file }

    /// Whether an error was found.
    public var hasErrors: Bool { errorCount > 0 }

    /// What there is to say so far, in the order of the file: at most 100 errors and 100 warnings, and how many errors
    /// there are beyond them.
    public var diagnostics: [Diagnostic] {
        let hidden = errorCount - Self.limit
        guard hidden > 0 else { return found }
        return found + [
            Diagnostic(.error, "and \(hidden) more error\(hidden == 1 ? "" : "s")", file: file, line: line)
        ]
    }

    /// Reads the next bytes, and hands each row that ends in them to `take`.
    public mutating func read(_ bytes: Span<UInt8>, _ take: (TimingRow) -> Void) {
        var start = 0
        for index in bytes.indices where splitter.endsRow(bytes[index]) {
            if isOver { return }
            let rest = bytes.extracting(start..<index)
            if pending.isEmpty {
                readLine(rest, isCut: false, take)
            } else {
                append(rest)
                let row = pending
                pending = []
                readLine(row.span, isCut: false, take)
            }
            line += 1 + splitter.innerLines
            start = index + 1
        }
        append(bytes.extracting(start..<bytes.count))
        if pending.count > Self.rowLimit, !isOver {
            let row = pending
            _ = isTooLong(row.span)
        }
    }

    /// Says that the file has ended, and hands out a last row without a line end that reads all the same.
    public mutating func finish(_ take: (TimingRow) -> Void) {
        if isOver { return }
        let row = pending
        pending = []
        if !row.isEmpty {
            readLine(row.span, isCut: true, take)
        } else if !hasHeader {
            note(.error, Self.noLog(0..<0), row.span)
        }
        if rowCount == 0, errorCount == 0 {
            let nothing: [UInt8] = []
            note(.warning, Fault(range: 0..<0, message: "the log has no rows"), nothing.span)
        }
        isOver = true
    }

    /// The rows and diagnostics of a whole log; without errors all rows are there.
    public static func read(_ bytes: [UInt8], file: String) -> (rows: [TimingRow], diagnostics: [Diagnostic]) {
        var reader = TimingLogReader(file: file)
        var rows: [TimingRow] = []
        reader.read(bytes.span) { rows.append($0) }
        reader.finish { rows.append($0) }
        return (rows, reader.diagnostics)
    }

    // MARK: - Lines

    private typealias Fault = TimingRowParser.Fault

    private static func noLog(_ range: Range<Int>) -> Fault {
        Fault(
            range: range, message: "this is no timing log", hint: "the first line of one is \(TimingRow.header)")
    }

    private mutating func append(_ bytes: Span<UInt8>) {
        // What is too long already is refused; it need not be kept whole.
        let room = max(Self.rowLimit + 1 - pending.count, 0)
        bytes.withUnsafeBufferPointer { pending.append(contentsOf: $0.prefix(room)) }
    }

    /// Reads one line or row without its LF; `isCut` where there was none.
    private mutating func readLine(_ whole: Span<UInt8>, isCut: Bool, _ take: (TimingRow) -> Void) {
        if isTooLong(whole) { return }
        var row = whole
        if !isCut, row.count > 0, row[row.count - 1] == 0x0D { row = row.extracting(droppingLast: 1) }
        if !hasHeader, line == 1, row.withUnsafeBufferPointer({ $0.starts(with: Self.byteOrderMark) }) {
            row = row.extracting(droppingFirst: Self.byteOrderMark.count)
        }
        if row.isEmpty || row[0] == UInt8(ascii: "#") { return }
        if !hasHeader { return readHeader(row, isCut: isCut) }
        do throws(Fault) {
            let (parsed, warnings) = try TimingRowParser.parse(row)
            for warning in warnings { note(.warning, warning, row) }
            rowCount += 1
            take(parsed)
        } catch {
            // A quote that swallowed lines was left open by no crash.
            if isCut, !(splitter.isQuoted && splitter.innerLines > 0) {
                note(.warning, Fault(range: 0..<row.count, message: "the last row is cut off and left out"), row)
            } else {
                note(.error, error, row)
            }
        }
    }

    private mutating func readHeader(_ row: Span<UInt8>, isCut: Bool) {
        let text = row.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        hasHeader = true
        if text == TimingRow.header { return }
        if isCut, TimingRow.header.hasPrefix(text) {
            return note(.warning, Fault(range: 0..<row.count, message: "the header is cut off"), row)
        }
        isOver = true
        note(.error, Self.noLog(0..<row.count), row)
    }

    /// Whether a row is longer than any can be: an error with which reading ends.
    private mutating func isTooLong(_ row: Span<UInt8>) -> Bool {
        guard row.count > Self.rowLimit else { return false }
        isOver = true
        let quote = splitter.isQuoted ? splitter.quote : nil
        if !hasHeader {
            note(.error, Self.noLog(0..<0), row)
        } else if let quote, quote < row.count {
            let message = "the quote that opens here is not closed within 64 KiB"
            note(.error, Fault(range: quote..<quote + 1, message: message), row)
        } else {
            note(.error, Fault(range: 0..<0, message: "this row does not end within 64 KiB"), row)
        }
        return true
    }

    // MARK: - Diagnostics

    /// Keeps what is wrong with a row that begins at `line`; a row in quotes can have several lines.
    private mutating func note(_ severity: Diagnostic.Severity, _ fault: Fault, _ row: Span<UInt8>) {
        if severity == .error { errorCount += 1 } else { warningCount += 1 }
        guard (severity == .error ? errorCount : warningCount) <= Self.limit else { return }
        var (number, start) = (line, 0)
        for index in 0..<min(fault.range.lowerBound, row.count) where row[index] == 0x0A {
            (number, start) = (number + 1, index + 1)
        }
        var end = start
        while end < row.count, row[end] != 0x0A { end += 1 }
        let mark = fault.range.lowerBound - start..<fault.range.upperBound - start
        found.append(
            Diagnostic(
                severity, fault.message, hint: fault.hint, file: file, line: number,
                source: row.extracting(start..<end), mark: mark))
    }
}
