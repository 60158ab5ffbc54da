internal import Languages

/// The bytes of a score file, and its name in messages.
package struct SourceText: Sendable {
    /// UTF-8 without a byte order mark.
    package let bytes: [UInt8]
    /// The name of the file.
    package let file: String
    /// The folder to which names of files in the text are relative; nil if the text may not name files.
    package var folder: String?
    /// Whether all characters are ASCII.
    private(set) var isASCII = true
    /// Whether the file is binary: places in it are counted in bytes.
    package var isBinary = false
    /// The bars for which a file of tempi beside the score has some; nil without such a file. With one, the reader keeps also a
    /// tempo that only repeats the one before.
    package var barsWithTempi: Set<BarNumber>?
    /// The kind of file, for messages.
    package var kind = Kind.score

    /// A kind of file.
    package enum Kind {
        case score, settings

        var noun: String { self == .score ? localized("a score") : localized("a settings file") }
        var file: String { self == .score ? localized("a score file") : localized("a settings file") }
        var example: String { self == .score ? "title: Sequenza VII" : "a4: 442" }
    }

    /// The byte order of UTF-16.
    package enum ByteOrder: String { case little, big }

    /// The maximum size of a score file in bytes: 64 MiB.
    package static let byteLimit = 64 << 20

    package init(_ bytes: [UInt8], file: String) {
        self.bytes = bytes.unmarked
        self.file = file
    }

    /// The text of a range of bytes.
    package func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// Reports a file that is too large, and returns whether the size is valid.
    package func checkSize(_ log: inout DiagnosticLog) -> Bool {
        if bytes.count > Self.byteLimit { log.error(at: 0..<0, localized("a score file has at most 64 MiB")) }
        return bytes.count <= Self.byteLimit
    }

    /// Reports text that no text format can read: invalid UTF-8, or control characters. Reports at most one error.
    package mutating func check(_ log: inout DiagnosticLog) {
        if let order = utf16ByteOrder {
            return log.error(
                at: 0..<0, localized("the file is UTF-16 (\(order.rawValue) endian), but \(kind.noun) is UTF-8"),
                hint: localized("save it as UTF-8"))
        }
        do throws(UTF8.ValidationError) {
            var text = try UTF8Span(validating: bytes.span)
            isASCII = text.checkForASCII()
        } catch {
            let start = error.byteOffsets.lowerBound
            // Every invalid byte is above 0x7F, so that it has two digits.
            let code = String(bytes[start], radix: 16, uppercase: true)
            return log.error(
                at: start..<(start + 1), localized("the byte 0x\(code) is not UTF-8"),
                hint: localized("save the file as UTF-8"))
        }
        if let control = firstControl {
            let code = String(bytes[control], radix: 16, uppercase: true).zeroPadded(to: 4)
            log.error(
                at: control..<(control + 1),
                bytes[control] == 0
                    ? localized("a NUL byte is not allowed in \(kind.noun)")
                    : localized("the control character U+\(code) is not allowed in \(kind.noun)"))
        }
    }

    package var utf16ByteOrder: ByteOrder? {
        if bytes.starts(with: [0xFF, 0xFE]) { return .little }
        if bytes.starts(with: [0xFE, 0xFF]) { return .big }
        guard bytes.count >= 4, bytes.count.isMultiple(of: 2) else { return nil }
        if bytes[0] != 0, bytes[1] == 0, bytes[2] != 0, bytes[3] == 0 { return .little }
        return bytes[0] == 0 && bytes[1] != 0 && bytes[2] == 0 && bytes[3] != 0 ? .big : nil
    }

    private var firstControl: Int? {
        bytes.firstIndex { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D || $0 == 0x7F }
    }
}

/// Finds the lines at ascending positions of a text in one pass; LF, CRLF and CR end a line.
package struct LineFinder {
    private let bytes: [UInt8]
    /// The current line, from 1.
    package private(set) var line = 1
    /// The position where the current line begins.
    package private(set) var start = 0
    /// The end of the current line, without its line end.
    package private(set) var end = 0

    /// Begins at the first line.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        findEnd()
    }

    /// Moves to the line that contains `position`, which must not be before the current line.
    package mutating func advance(to position: Int) {
        while end < bytes.count {
            let isCRLF = bytes[end] == 0x0D && end + 1 < bytes.count && bytes[end + 1] == 0x0A
            let next = end + (isCRLF ? 2 : 1)
            guard next <= position else { return }
            (line, start) = (line + 1, next)
            findEnd()
        }
    }

    private mutating func findEnd() {
        end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
    }
}

extension [UInt8] {
    /// The bytes of a text without the byte order mark that some programs write before UTF-8.
    package var unmarked: [UInt8] { starts(with: [0xEF, 0xBB, 0xBF]) ? Array(dropFirst(3)) : self }
}
