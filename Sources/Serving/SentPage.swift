internal import CWeb
internal import Languages
package import Scores
package import Screens
package import Timing

/// The stand as one file that plays by itself in a browser: the modules of the served page, and the music. In the place of
/// the connection is a conductor.
package enum SentPage {
    /// Frames per second of the words of the voice, if the page has some.
    package static let wordRate = SentSpeech.rate

    /// The file of a performance, in the words of its piece.
    ///
    /// Errors: the music has no end, or too many bars, or its words are too long.
    package static func bytes(
        _ performance: Performance, _ words: any PieceWords, _ choices: StandChoices = StandChoices()
    ) throws(TextError) -> [UInt8] {
        let music = try SentMusic.json(performance, words).line
        let welcome = PageMessage.welcome(mayControl: true, choices, isServed: false)
        // Of the words for runners, only those of the choices of the device are shown.
        let shown = PageWords.running.filter { $0.name.hasPrefix("vibrate") }
        let running = JSON.line(shown.map { ($0.name, .text($0.text)) })
        let data = SentScript.compact("{\"welcome\": \(welcome), \"words\": \(running), \"music\": \(music)}")
        let script = SentScript.text
        // Only this script may run; nothing may be fetched, and no form be sent.
        let nonce = (script + data).stableHash
        let rules =
            "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; img-src data:; "
            + "base-uri 'none'; form-action 'none'"
        let styles = ["/page.css", "/sheet.css"].map { SentScript.squeezed(file($0)) }.joined()
        let icon = "data:image/svg+xml," + escaped(file("/icon.svg"))
        let page = file("/")
        var html = "<!doctype html>\n<html lang=\"\(Language.ofMessages.rawValue)\">\n<head>\n"
        html += "<meta charset=\"utf-8\">\n"
        html += "<meta http-equiv=\"Content-Security-Policy\" content=\"\(rules)\">\n"
        html += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1, viewport-fit=cover\">\n"
        html += "<meta name=\"color-scheme\" content=\"dark light\">\n"
        html += "<title>\(Wording.title(performance).escapedForXML)</title>\n<link rel=\"icon\" href=\"\(icon)\">\n"
        html += "<style nonce=\"\(nonce)\">\n\(styles)</style>\n</head>\n"
        html += body(of: page)
        html += "<script type=\"application/json\" id=\"sent\">\(data.replacing("<", with: "\\u003c"))</script>\n"
        html += "<script nonce=\"\(nonce)\">\n\(script)</script>\n</body>\n</html>\n"
        return Array(html.utf8)
    }

    /// A file of the page as text.
    static func file(_ path: String) -> String {
        guard let file = cweb_file_at(path)?.pointee else { return "" }
        return String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.length), as: UTF8.self)
    }

    /// The body of the page without its end, with a word of its own for where no script runs.
    private static func body(of page: String) -> String {
        let begin = page.firstRange(of: "<body>")?.lowerBound ?? page.startIndex
        let end = page.firstRange(of: "<noscript>")?.lowerBound ?? page.endIndex
        return page[begin..<end] + "<noscript>\(SentTexts.needsScripts.escapedForXML)</noscript>\n"
    }

    /// The text as an address has it.
    private static func escaped(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            let isPlain = byte < 0x80 && (0x41...0x5A).contains(byte & 0x5F) || (0x30...0x39).contains(byte)
            let digits = String(byte, radix: 16)
            result += isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
        }
    }
}
