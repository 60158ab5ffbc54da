internal import CLanguages

/// The translations into a language, read from a PO file: the format of GNU gettext, which translators' programs edit.
/// https://www.gnu.org/software/gettext/manual/html_node/PO-Files.html
///
/// It reads what Barline's files have: comments, `msgctxt`, and `msgid` and `msgstr` of one or more quoted lines.
package struct Catalog: Sendable {
    private let texts: [String: String]

    /// The catalog that the program carries; empty for English, whose texts stand in the sources.
    package init(_ language: Language) {
        var length = 0
        let bytes = clanguages_catalog(language.rawValue, &length)
        self.init(UnsafeBufferPointer(start: bytes, count: length))
    }

    /// Reads a PO file. Lines that are none of it are ignored: `docs/phrases` reads each file strictly.
    package init(_ file: some Collection<UInt8>) {
        var texts: [String: String] = [:]
        var (context, key, text) = ("", "", "")
        var isKey = true
        func keep() {
            if !key.isEmpty, !text.isEmpty { texts[context.isEmpty ? key : Catalog.key(context, key)] = text }
            (context, key, text) = ("", "", "")
        }
        for line in file.split(separator: UInt8(ascii: "\n")) {
            // A text ends where the next one begins, with its context or its key.
            if line.starts(with: "msgctxt ".utf8) {
                keep()
                (context, isKey) = (Catalog.quoted(line), true)
            } else if line.starts(with: "msgid ".utf8) {
                if !isKey { keep() }
                (key, isKey) = (Catalog.quoted(line), true)
            } else if line.starts(with: "msgstr ".utf8) {
                (text, isKey) = (Catalog.quoted(line), false)
            } else if line.first == UInt8(ascii: "\"") {
                if isKey { key += Catalog.quoted(line) } else { text += Catalog.quoted(line) }
            }
        }
        keep()
        self.texts = texts
    }

    /// The key of a text that has another translation in a context: as in a MO file of GNU gettext.
    static func key(_ context: String, _ key: String) -> String { context + "\u{4}" + key }

    /// The translation of a phrase; nil if the catalog lacks it.
    package func translation(_ key: String) -> String? { texts[key] }

    /// Every key that has a translation.
    package var keys: Set<String> { Set(texts.keys) }

    /// The text between the quotes of a line, without its escapes.
    private static func quoted(_ line: some Collection<UInt8>) -> String {
        let quote = UInt8(ascii: "\"")
        let inner = line.drop { $0 != quote }.dropFirst()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(inner.count)
        var isEscaped = false
        for byte in inner {
            if isEscaped {
                bytes.append(byte == UInt8(ascii: "n") ? UInt8(ascii: "\n") : byte)
                isEscaped = false
            } else if byte == quote {
                break
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
