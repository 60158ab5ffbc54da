import Scores
import Testing

@Suite("Rows of CSV")
struct CSVTextTests {
    @Test(
        "a row of any texts reads back as the same texts",
        arguments: [
            "plain", "", "a, b", " blanks ", "\"quoted\"", "# no comment", "#\u{20E3}", "5\"\u{301}", "two\nlines",
        ])
    func rows(text: String) {
        let row = [text, "middle", text].map(CSVText.quoted).joined(separator: ",")
        #expect(CSVText.fields(row) == [text, "middle", text])
        // A row that begins with a bare # is a comment.
        #expect(!row.utf8.starts(with: "#".utf8))
    }
}
