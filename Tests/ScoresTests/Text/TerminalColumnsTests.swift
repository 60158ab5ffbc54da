import Scores
import Testing

@Suite("Columns of a terminal")
struct TerminalColumnsTests {
    @Test("a cut text is as much of the beginning as fits")
    func cut() {
        #expect("abc".cut(toColumns: 2) == "ab")
        #expect("abc".cut(toColumns: 3) == "abc")
        #expect("日本語".cut(toColumns: 3) == "日")
        #expect("日本語".cut(toColumns: 4) == "日本")
        #expect("a🎵b".cut(toColumns: 2) == "a")
        #expect("a🎵b".cut(toColumns: 3) == "a🎵")
        #expect("e\u{301}e\u{301}".cut(toColumns: 1) == "e\u{301}")
        #expect("".cut(toColumns: 5) == "")
        #expect("a日🎵e\u{301}".columns == 6)
        #expect("\u{301}".columns == 0)
    }

    @Test("a field is padded by columns, not by letters, and a text that is too long is not cut")
    func field() {
        #expect("日本".padding(to: 6) == "日本  ")
        #expect("日本".padding(before: 6) == "  日本")
        #expect("abcd".padding(before: 4) == "abcd")
        #expect("abcde".padding(to: 4) == "abcde")
    }
}
