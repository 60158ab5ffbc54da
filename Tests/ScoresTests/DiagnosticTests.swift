import Formats
import SampleScores
import Scores
import Testing

struct DiagnosticTests {
    @Test("the caret is under the error after Japanese text, a tab, CRLF and a byte order mark")
    func carets() {
        #expect(
            rendered("bars: [日本, \"x\ty\"]\n") == """
                x.yaml:1:8: error: '日本' is not a duration, for example 2.7 or 1:30
                bars: [日本, "x\ty"]
                       ^~~~
                x.yaml:1:12: error: 'x\u{FFFD}y' is not a duration, for example 2.7 or 1:30
                bars: [日本, "x\ty"]
                             ^~~~~
                """)
        #expect(
            rendered("bars: [\"日本\t\", 2x]\n").hasSuffix(
                "\nx.yaml:1:15: error: 'x' is not a unit of time; write s, min, h or ms\nbars: [\"日本\t\", 2x]\n            \t   ^~"
            ))
        #expect(
            rendered("\u{FEFF}bars: [2x]\r\ntitle: ''\r\n") == """
                x.yaml:1:8: error: 'x' is not a unit of time; write s, min, h or ms
                bars: [2x]
                       ^~
                x.yaml:2:8: error: a title cannot be empty; leave it out
                title: ''
                       ^~
                """)
    }

    @Test("a long line is cut around the error")
    func longLine() throws {
        let text =
            "bars: [" + String(repeating: "1, ", count: 3_000_00) + "2x, " + String(repeating: "日, ", count: 300) + "]"
        let first = try #require(Score.read(Array(text.utf8), file: "x.yaml").diagnostics.first)
        #expect(first.column == 900_008)
        #expect(first.excerpt.text.unicodeScalars.count <= 102)
        #expect(first.excerpt.text.hasPrefix("…") && first.excerpt.text.hasSuffix("…"))
        let mark = first.excerpt.text.unicodeScalars.dropFirst(first.excerpt.start).prefix(first.excerpt.length)
        #expect(String(String.UnicodeScalarView(mark)) == "2x")
    }

    @Test("errors are sorted by position; after a hundred, only their number follows")
    func cap() {
        let reading = Score.read(Array(("bars: [" + String(repeating: "x, ", count: 250) + "]").utf8), file: "x.yaml")
        #expect(reading.diagnostics.count == 101)
        #expect(reading.diagnostics.last?.message == "and 150 more errors")
        #expect(reading.diagnostics.map(\.column) == reading.diagnostics.map(\.column).sorted())
    }

    @Test("an error is reported even after a hundred warnings")
    func warnings() {
        let text = "bars: [" + String(repeating: "!a 1, ", count: 250) + "x]"
        let reading = Score.read(Array(text.utf8), file: "x.yaml")
        #expect(reading.score == nil)
        #expect(reading.diagnostics.count { $0.severity == .error } == 1)
        #expect(reading.diagnostics.count == 101)
        #expect(reading.diagnostics.last?.message == "and 151 more warnings")
    }

    @Test("color adds escapes and nothing else")
    func color() {
        let diagnostic = Diagnostic(.error, "wrong", hint: "write it right", file: "a\u{1B}b.yaml", line: 2, column: 3)
        #expect(diagnostic.rendered() == "a\u{FFFD}b.yaml:2:3: error: wrong; write it right")
        let plain = diagnostic.rendered(color: true).replacing(/\u{1B}\[[0-9;]*m/, with: "")
        #expect(plain == diagnostic.rendered())
    }
}
