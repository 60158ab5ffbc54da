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

    @Test("a text that is too long ends with … after a word, or between two characters of Chinese or Japanese")
    func words() {
        #expect(
            "one two three".cutAtWord(toColumns: 9) == "one two …" && "one two three".cutAtWord(toColumns: 8) == "one …"
        )
        #expect("one two".cutAtWord(toColumns: 7) == "one two")
        #expect("ゆっくり、静かに".cutAtWord(toColumns: 9) == "ゆっくり…" && "ゆっくり、静かに".cutAtWord(toColumns: 8) == "ゆっく…")
        #expect("bar 🎵 ここで".cutAtWord(toColumns: 11) == "bar 🎵 こ…")
        #expect("Donaudampfschiff".cutAtWord(toColumns: 8) == "Donauda…" && "493.88 Hz".cutAtWord(toColumns: 4) == "…")
        #expect("one two three".cutAtStart(toColumns: 8) == "…o three" && "one".cutAtStart(toColumns: 3) == "one")
        for text in ["one two three", "ゆっくり、静かに", "a 日b本 c", "1:02.5 of 日本", "x"] {
            for width in 0...20 {
                #expect(
                    text.cutAtWord(toColumns: width).columns <= width
                        && text.cutAtStart(toColumns: width + 1).columns <= width + 1)
            }
        }
    }

    @Test("a field is padded by columns, not by letters, and a text that is too long is not cut")
    func field() {
        #expect("日本".padding(to: 6) == "日本  ")
        #expect("日本".padding(before: 6) == "  日本")
        #expect("abcd".padding(before: 4) == "abcd")
        #expect("abcde".padding(to: 4) == "abcde")
    }
}
