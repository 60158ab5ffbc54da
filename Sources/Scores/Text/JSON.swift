/// A JSON value (RFC 8259), written on one line; the names in an object keep their order.
package enum JSON: ExpressibleByStringLiteral {
    case null
    /// The text of a number, written unchanged.
    case number(String)
    case whole(Int)
    /// Seconds with so many decimals.
    case time(Duration, decimals: Int)
    case text(String)
    case list([JSON])
    case object(KeyValuePairs<String, JSON>)
    /// An object whose names are computed at run time.
    case fields([(String, JSON)])

    package init(stringLiteral text: String) { self = .text(text) }

    package static func number(_ value: some BinaryInteger) -> JSON {
        Int(exactly: value).map { .whole($0) } ?? .number(value.description)
    }

    package static func bool(_ value: Bool) -> JSON { .number(value ? "true" : "false") }

    /// The number of a bar: as a number, or as a text if it is not a whole number.
    package static func number(_ number: BarNumber) -> JSON {
        switch number {
        case .counted(let count): .whole(count)
        case .named(let text): .text(text)
        }
    }

    /// Seconds with `decimals` decimals; null if there is no time.
    package static func seconds(_ time: Duration?, decimals: Int) -> JSON {
        time.map { .time($0, decimals: decimals) } ?? .null
    }

    /// The text; null if there is none.
    package static func text(orNull text: String?) -> JSON { text.map { .text($0) } ?? .null }

    /// The value, without a line end.
    package var line: String {
        switch self {
        case .null: "null"
        case .number(let number): number
        case .whole(let number): number.description
        case .time(let time, let decimals): time.seconds(decimals: decimals)
        case .text(let text): JSON.quoted(text)
        case .list(let values): "[" + values.map(\.line).joined(separator: ", ") + "]"
        case .object(let fields): JSON.line(fields.lazy.map { ($0.key, $0.value) })
        case .fields(let fields): JSON.line(fields)
        }
    }

    /// The text of an object whose names are computed at run time.
    package static func line(_ fields: some Sequence<(String, JSON)>) -> String {
        "{" + fields.map { quoted($0) + ": " + $1.line }.joined(separator: ", ") + "}"
    }

    /// An array with one value per line.
    package static func array(_ lines: [String]) -> String {
        lines.isEmpty ? "[]\n" : "[\n" + lines.map { "  " + $0 }.joined(separator: ",\n") + "\n]\n"
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20:
                result += "\\u" + String(scalar.value, radix: 16).zeroPadded(to: 4)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
