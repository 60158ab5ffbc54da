import Running
import Scores
import Testing

struct TextCursorTests {
    @Test(
        "a word consists of letters with single hyphens between them",
        arguments: [
            ("run 1", "run"), ("warm-up:", "warm-up"), ("-up", ""), ("warm-", "warm"), ("warm--up", "warm"), ("1k", ""),
            ("", ""), ("warm-1", "warm"), ("run{", "run"), ("run[", "run"), ("run`", "run"), ("run@", "run"),
            ("azAZ", "azAZ"),
        ])
    func words(text: String, word: String) {
        let scanner = TextCursor(commented: Array(text.utf8))
        #expect(scanner.text(scanner.word()) == word)
    }
}
