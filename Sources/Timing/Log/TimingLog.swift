internal import Languages
public import Scores

/// Reads a timing log back.
public enum TimingLog {
    /// Reads the rows of a log, and returns them with diagnostics: at most 100 errors, each with its place. If there is
    /// an error, do not use the rows. A last row that was cut off by a crash is ignored with a warning.
    public static func read(_ bytes: [UInt8], file: String) -> (rows: [TimingRow], diagnostics: [Diagnostic]) {
        var log = DiagnosticLog()
        var rows: [TimingRow] = []
        let source = SourceText(bytes, file: file)
        let all = source.bytes
        if let header = header(all) {
            // The text after the last line end may have been cut off.
            let end = all.lastIndex(of: 0x0A).map { $0 + 1 } ?? all.count
            read(Array(all[..<end]), &rows, &log)
            if end < all.count {
                var faults = DiagnosticLog()
                read(Array(header.utf8) + [0x0A] + all[end...], &rows, &faults)
                if faults.hasErrors {
                    log.warning(at: end..<all.count, localized("the last row is cut off and left out"))
                }
            }
            if rows.isEmpty, !log.hasErrors { log.warning(at: all.count..<all.count, localized("the log has no rows")) }
        } else {
            log.error(
                at: 0..<0, localized("this is not a timing log"),
                hint: localized("its first line must be \(TimingRow.header)"))
        }
        return (rows, log.diagnostics(in: source))
    }

    /// The header of a log: logs of older versions do not tell lines. Nil for a file that is no log.
    private static func header(_ bytes: [UInt8]) -> String? {
        var reader = CSVFields()
        guard reader.skipToRow(bytes.span) else { return nil }
        let line = bytes[reader.position...].prefix { $0 != 0x0A && $0 != 0x0D }
        return [TimingRow.header, TimingRow.oldHeader].first { line.elementsEqual($0.utf8) }
    }

    /// Reads all rows after the header.
    private static func read(_ bytes: [UInt8], _ rows: inout [TimingRow], _ log: inout DiagnosticLog) {
        var reader = CSVFields()
        let count = header(bytes)?.split(separator: ",").count
        _ = reader.skipToRow(bytes.span)
        reader.skipRow(bytes.span)
        while reader.skipToRow(bytes.span) {
            let start = reader.position
            var fields: [CSVFields.Field] = []
            do throws(CSVFields.Fault) {
                repeat { fields.append(try reader.next(bytes.span)) } while fields.last?.endsRow == false
            } catch {
                log.error(at: error.place, error.error)
                reader.skipRow(bytes.span)
                continue
            }
            do throws(Problem) {
                rows.append(try row(fields, count ?? Column.allCases.count, bytes, start..<reader.position))
            } catch {
                log.error(at: error.range, error.error)
            }
        }
    }

    private enum Column: Int, CaseIterable {
        case index, label, nominal, heard, error, frame, rate, uncertainty, flags, line, bar
    }

    private static func row(
        _ fields: [CSVFields.Field], _ count: Int, _ bytes: [UInt8], _ range: Range<Int>
    ) throws(Problem) -> TimingRow {
        guard fields.count == count else {
            throw Problem(
                range,
                TextError(
                    fields.count == 1
                        ? localized("this row has 1 field, but the header has \(count)")
                        : localized("this row has \(fields.count) fields, but the header has \(count)")))
        }
        /// The value of a column in units of its last decimal. Errors: no number, outside the range.
        func number(_ column: Column, decimals: Int, from least: Int128, to most: Int128) throws(Problem) -> Int128 {
            let field = fields[column.rawValue]
            let unit = (0..<decimals).reduce(Int128(1)) { unit, _ in unit * 10 }
            let units = FixedText.units(field.text(in: bytes.span), decimals: decimals)
            guard let units, (least * unit...most * unit).contains(units) else {
                let name = TimingRow.header.split(separator: ",")[column.rawValue]
                throw Problem(
                    field.whole,
                    TextError(
                        decimals == 0
                            ? localized("\(name) must be a whole number from \(least) to \(most)")
                            : localized("\(name) must be a decimal number from \(least) to \(most)")))
            }
            return units
        }
        let hasPlace = fields.dropFirst(Column.line.rawValue).contains { !$0.content.isEmpty }
        /// The number of a line or bar; nil if the log does not tell both.
        func place(_ column: Column) throws(Problem) -> Int? {
            guard hasPlace else { return nil }
            return Int(try number(column, decimals: 0, from: 1, to: TimingRow.frameLimit))
        }
        let (seconds, frames, most) = (TimingRow.secondsLimit, TimingRow.frameLimit, TimingRow.numberLimit)
        let isHeard = !fields[Column.heard.rawValue].content.isEmpty
        return TimingRow(
            index: Int(try number(.index, decimals: 0, from: 1, to: frames)),
            label: fields[Column.label.rawValue].text(in: bytes.span),
            nominalNanoseconds: Int64(try number(.nominal, decimals: 9, from: -seconds, to: seconds)),
            heardNanoseconds: isHeard ? Int64(try number(.heard, decimals: 9, from: -seconds, to: seconds)) : nil,
            microframes: try number(.frame, decimals: 6, from: -frames, to: frames),
            rate: Int64(try number(.rate, decimals: 3, from: -most, to: most)),
            uncertainty: Int64(try number(.uncertainty, decimals: 3, from: 0, to: most)),
            flags: try flags(fields[Column.flags.rawValue], bytes, isHeard: isHeard), line: try place(.line),
            bar: try place(.bar))
    }

    private static func flags(
        _ field: CSVFields.Field, _ bytes: [UInt8], isHeard: Bool
    ) throws(Problem) -> TimingRow.Flags {
        var flags: TimingRow.Flags = []
        for word in field.text(in: bytes.span).split(separator: " ") {
            guard let known = TimingRow.Flags.words.first(where: { $0.word == word }) else {
                let words = TimingRow.Flags.words.map(\.word).joined(separator: ", ")
                throw Problem(
                    field.whole,
                    TextError(
                        localized("there is no flag \(TextError.shown(String(word)))"),
                        hint: localized("flags are \(words)")))
            }
            flags.insert(known.flag)
        }
        guard flags.contains(.lost) == !isHeard else {
            throw Problem(
                field.whole,
                TextError(localized("a boundary must have the flag lost if heard_s is empty, and only then")))
        }
        return flags
    }
}
