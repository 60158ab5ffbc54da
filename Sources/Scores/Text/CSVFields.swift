internal import Languages

/// Takes the fields of a CSV text one by one, according to RFC 4180; LF, CRLF and CR end a row. Where the comma is a decimal
/// sign, spreadsheets separate fields by semicolons.
package struct CSVFields {
    /// A field: the bytes between its blanks or quotes.
    package struct Field {
        package var content: Range<Int>
        /// The field with its quotes, for messages.
        package var whole: Range<Int>
        /// Whether the content contains doubled quotes.
        package var hasDoubledQuotes = false
        /// Whether this is the last field of its row.
        package var endsRow: Bool

        /// The content, in which each doubled quote becomes one quote.
        package func text(in bytes: Span<UInt8>) -> String {
            let text = String(decoding: bytes.extracting(content))
            guard hasDoubledQuotes else { return text }
            return String(text.unicodeScalars.replacing("\"\"".unicodeScalars, with: "\"".unicodeScalars))
        }
    }

    /// A fault in the quotes of a field, with the byte where it is.
    package enum Fault: Error {
        case unclosedQuote(at: Int)
        case textAfterQuote(at: Int)
        case strayQuote(at: Int)

        /// The byte that a message marks.
        package var place: Range<Int> {
            switch self {
            case .unclosedQuote(let place), .textAfterQuote(let place), .strayQuote(let place): place..<place + 1
            }
        }

        /// The message and a hint.
        package var error: TextError {
            switch self {
            case .unclosedQuote: TextError(localized("the quote that opens here is never closed"))
            case .textAfterQuote:
                TextError(
                    localized("expected a comma or the end of the row after a closing quote"),
                    hint: localized("a quote inside quotes is written twice"))
            case .strayQuote:
                TextError(
                    localized("there is a quote inside a field without quotes"),
                    hint: localized("put the whole field in quotes and write this one twice"))
            }
        }
    }

    /// Where the next field begins.
    package private(set) var position = 0

    /// Starts at the beginning of a text.
    package init(separator: UInt8 = UInt8(ascii: ",")) { self.separator = separator }

    private let separator: UInt8

    /// Skips rows without content and rows that begin with `#`; false at the end of the text.
    package mutating func skipToRow(_ bytes: Span<UInt8>) -> Bool {
        while position < bytes.count {
            var start = position
            while start < bytes.count, bytes[start].isBlank { start += 1 }
            guard start < bytes.count else { break }
            if bytes[start] == UInt8(ascii: "#") {
                skipRow(bytes)
            } else if Self.isLineEnd(bytes[start]) {
                position = start + 1
            } else {
                return true
            }
        }
        position = bytes.count
        return false
    }

    /// The separator of the fields of a table: a semicolon if its header has one and no comma.
    package static func separator(_ bytes: Span<UInt8>) -> UInt8 {
        var reader = CSVFields()
        guard reader.skipToRow(bytes) else { return UInt8(ascii: ",") }
        var hasSemicolon = false
        for index in reader.position..<bytes.count {
            if isLineEnd(bytes[index]) { break }
            if bytes[index] == UInt8(ascii: ",") { return UInt8(ascii: ",") }
            hasSemicolon = hasSemicolon || bytes[index] == UInt8(ascii: ";")
        }
        return UInt8(ascii: hasSemicolon ? ";" : ",")
    }

    /// Moves past the next line end.
    package mutating func skipRow(_ bytes: Span<UInt8>) {
        while position < bytes.count, !Self.isLineEnd(bytes[position]) { position += 1 }
        skipLineEnd(bytes)
    }

    /// Takes the next field and the separator or line end after it.
    package mutating func next(_ bytes: Span<UInt8>) throws(Fault) -> Field {
        var start = position
        while start < bytes.count, bytes[start].isBlank { start += 1 }
        if start < bytes.count, bytes[start] == UInt8(ascii: "\"") { return try quoted(bytes, from: start) }
        var end = position
        while end < bytes.count, bytes[end] != separator, !Self.isLineEnd(bytes[end]) {
            if bytes[end] == UInt8(ascii: "\"") { throw .strayQuote(at: end) }
            end += 1
        }
        let content = bytes.trimmed(position..<end)
        position = end
        return Field(content: content, whole: content, endsRow: finish(bytes))
    }

    private mutating func quoted(_ bytes: Span<UInt8>, from quote: Int) throws(Fault) -> Field {
        var end = quote + 1
        var hasDoubledQuotes = false
        while true {
            guard end < bytes.count else { throw .unclosedQuote(at: quote) }
            if bytes[end] == UInt8(ascii: "\"") {
                guard end + 1 < bytes.count, bytes[end + 1] == UInt8(ascii: "\"") else { break }
                hasDoubledQuotes = true
                end += 1
            }
            end += 1
        }
        position = end + 1
        while position < bytes.count, bytes[position].isBlank { position += 1 }
        guard position == bytes.count || bytes[position] == separator || Self.isLineEnd(bytes[position]) else {
            throw .textAfterQuote(at: position)
        }
        let (content, whole) = ((quote + 1)..<end, quote..<(end + 1))
        return Field(content: content, whole: whole, hasDoubledQuotes: hasDoubledQuotes, endsRow: finish(bytes))
    }

    /// Steps over the separator (returns false) or the end of the row (returns true).
    private mutating func finish(_ bytes: Span<UInt8>) -> Bool {
        if position < bytes.count, bytes[position] == separator {
            position += 1
            return false
        }
        skipLineEnd(bytes)
        return true
    }

    private mutating func skipLineEnd(_ bytes: Span<UInt8>) {
        guard position < bytes.count else { return }
        let isCRLF = bytes[position] == 0x0D && position + 1 < bytes.count && bytes[position + 1] == 0x0A
        position += isCRLF ? 2 : 1
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
