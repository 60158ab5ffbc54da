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
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the value in UTF-8, without a line end; makes no texts on the way, since there may be millions of values.
    package func append(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .number(let number): bytes.append(contentsOf: number.utf8)
        case .whole(let number): bytes.append(decimal: number)
        case .time(let time, let decimals): time.append(secondsTo: &bytes, decimals: decimals)
        case .text(let text): JSON.append(quoted: text, to: &bytes)
        case .list(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(contentsOf: ", ".utf8) }
                value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let fields): JSON.append(object: fields, to: &bytes)
        case .fields(let fields): JSON.append(object: fields.map { (key: $0, value: $1) }, to: &bytes)
        }
    }

    /// The text of an object whose names are computed at run time.
    package static func line(_ fields: [(String, JSON)]) -> String { JSON.fields(fields).line }

    private static func append(object fields: some Sequence<(key: String, value: JSON)>, to bytes: inout [UInt8]) {
        var isFirst = true
        for (name, value) in fields {
            append(field: name, value, isFirst: isFirst, to: &bytes)
            isFirst = false
        }
        bytes.append(contentsOf: (isFirst ? "{}" : "}").utf8)
    }

    /// Appends a field of an object, with the brace or the comma before it.
    package static func append(field name: String, _ value: JSON, isFirst: Bool, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: (isFirst ? "{" : ", ").utf8)
        append(quoted: name, to: &bytes)
        bytes.append(contentsOf: ": ".utf8)
        value.append(to: &bytes)
    }

    /// An array with one value per line.
    package static func array(_ lines: [String]) -> String {
        lines.isEmpty ? "[]\n" : "[\n" + lines.map { "  " + $0 }.joined(separator: ",\n") + "\n]\n"
    }

    private static func append(quoted text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
            case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
            case 0..<0x20: bytes.append(contentsOf: ("\\u" + String(byte, radix: 16).zeroPadded(to: 4)).utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
