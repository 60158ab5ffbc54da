import Formats
import Scores
import Testing

@Suite("Printable text")
struct PrintableTests {
    @Test("control and bidirectional characters are replaced, and no others")
    func all() {
        let turning: Set<UInt32> = Set([0x061C, 0x200E, 0x200F]).union(0x202A...0x202E).union(0x2066...0x2069)
        let steering: Set<Unicode.GeneralCategory> = [.control, .lineSeparator, .paragraphSeparator]
        // A million expectations would take longer than what they expect.
        let wrong = (UInt32(0)...0x10FFFF).filter { value in
            guard let scalar = Unicode.Scalar(value) else { return false }
            let isReplaced = steering.contains(scalar.properties.generalCategory) || turning.contains(value)
            let text = "a\(Character(scalar))z"
            return text.printable != (isReplaced ? "a\u{FFFD}z" : text)
        }
        #expect(wrong.isEmpty)
    }

    @Test("all characters that Unicode lists as bidirectional controls are replaced")
    func bidirectional() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value), scalar.properties.isBidiControl else { continue }
            #expect(String(Character(scalar)).printable == "\u{FFFD}", "U+\(value)")
        }
    }

    @Test("plain text, accents, other scripts and emoji stay as they are")
    func plain() {
        for text in ["", "Sequenza VII", "Über", "e\u{301}", "日本", "שלום", "👩‍👩‍👧", "a\u{200D}b", "soft\u{AD}hyphen"] {
            #expect(text.printable == text)
        }
    }

    @Test("diagnostics of a file contain no bidirectional characters")
    func diagnostic() {
        let text = Array("title: x\nlines: [[3]]\na\u{202E}b: 1\n".utf8)
        let reading = Score.read(text, file: "in\u{202E}lmay.yaml")
        #expect(reading.diagnostics.count == 1)
        let shown = reading.diagnostics.map { $0.rendered() }.joined()
        #expect(!shown.unicodeScalars.contains { $0.properties.isBidiControl })
        #expect(shown.contains("in\u{FFFD}lmay.yaml:3:1: error: "))
    }
}
