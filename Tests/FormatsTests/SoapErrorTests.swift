import Formats
import Scores
import Testing
import Timing

struct SoapErrorTests {
    static let start = "BAR 1 [4/4] TEMPO [1/4]=60 "
    static let example = ", for example BAR 1 [4/4] TEMPO [1/4]=60"

    @Test(
        "an error is reported once, with its place and a correction",
        arguments: [
            ("", "1:1: error: the score has no bars" + example),
            ("Bar 1 [4/4]", "1:1: error: a line begins with BAR or |, not with 'Bar'; did you mean 'BAR'?"),
            ("4/4", "1:1: error: a line begins with BAR or |, not with '4/4'" + example),
            ("BAR [4/4]", "1:5: error: BAR needs a number from 1 to 1 000 000" + example),
            ("BAR 0 [4/4]", "1:5: error: BAR needs a number from 1 to 1 000 000" + example),
            ("BAR 1000001", "1:5: error: BAR needs a number from 1 to 1 000 000" + example),
            ("BAR", "1:1: error: BAR needs a number from 1 to 1 000 000" + example),
            ("|2 \"x\"", "1:1: error: there is no BAR before this line" + example),
            (
                start + "\n|0 \"x\"",
                "2:1: error: a beat is a number from 1, with at most 6 decimals, for example |3 or |2.5"
            ),
            (
                start + "\n|2.1234567 \"x\"",
                "2:1: error: a beat is a number from 1, with at most 6 decimals, for example |3 or |2.5"
            ),
            (start + "FERMETA [1/1]=10s", "1:28: error: 'FERMETA' does not belong to a bar; did you mean 'FERMATA'?"),
            (start + "piano", "1:28: error: 'piano' does not belong to a bar" + example),
            ("BAR 1 [4]", "1:7: error: '[4]' is not a signature, for example [4/4] or [3+2+2/8]"),
            ("BAR 1 [3+/8]", "1:7: error: '[3+/8]' is not a signature, for example [4/4] or [3+2+2/8]"),
            ("BAR 1 [0/4]", "1:7: error: '[0/4]' is not a signature, for example [4/4] or [3+2+2/8]"),
            ("BAR 1 [1001/4]", "1:7: error: a signature must be [1/1] to [1000/10000]"),
            ("BAR 1 [9223372036854775807+1/4]", "1:7: error: a signature must be [1/1] to [1000/10000]"),
            ("BAR 1 [4/10001]", "1:7: error: a signature must be [1/1] to [1000/10000]"),
            ("BAR 1 [4/4", "1:7: error: '[4/4' is not in brackets, for example [1/4]"),
            ("BAR 1 10", "1:7: error: '10' has no unit; write h, m, s or ms, for example 10s"),
            ("BAR 1 10x", "1:7: error: '10x' is not a length of time, for example 10s, 7.5s or 2m30s"),
            ("BAR 1 1.2.3s", "1:7: error: '1.2.3s' is not a length of time, for example 10s, 7.5s or 2m30s"),
            ("BAR 1 25h", "1:7: error: a bar lasts 1 ms to 24 h"),
            ("BAR 1 0s", "1:7: error: a bar lasts 1 ms to 24 h"),
            (
                "BAR 1",
                "1:1: error: the first bar needs a signature or a length of time, for example BAR 1 [4/4] or BAR 1 10s"
            ),
            ("BAR 1 [4/4]", "1:1: error: the first bar with a signature needs a tempo, for example TEMPO [1/4]=60"),
            (
                "BAR 1 [4/4]\n|2 TEMPO [1/4]=60",
                "1:1: error: the first bar with a signature needs a tempo, for example TEMPO [1/4]=60"
            ),
            (
                "BAR 1 [4/4] TEMPO",
                "1:13: error: TEMPO needs a note and a number, for example TEMPO [1/4]=60 or TEMPO [3/8]=[1/4]"
            ),
            (
                "BAR 1 [4/4] TEMPO 60 [1/4]",
                "1:19: error: '60' is not a tempo, for example TEMPO [1/4]=60 or TEMPO [3/8]=[1/4]"
            ),
            ("BAR 1 [4/4] TEMPO 1/4=60", "1:19: error: '1/4' is not in brackets, for example [1/4]"),
            (
                "BAR 1 [4/4] TEMPO [1/4]=0",
                "1:19: error: a tempo must be a number from 0.001 to 100 000, for example TEMPO [1/4]=60"
            ),
            (
                "BAR 1 [4/4] TEMPO [1/4]=100001",
                "1:19: error: a tempo must be a number from 0.001 to 100 000, for example TEMPO [1/4]=60"
            ),
            ("BAR 1 [4/4] TEMPO [1/0]=60", "1:19: error: '[1/0]' is not a note, for example [1/4] or [3/8]"),
            ("BAR 1 [4/4] TEMPO [1/4]=[1/8]", "1:13: error: there is no tempo before this one; write [1/4]=60"),
            (
                "BAR 1 [4/4] TEMPO [1/4]=100000\nBAR 2 TEMPO [1/4]=[1/10000]",
                "2:7: error: with this equivalence, the tempo is not 0.001 to 100 000 per minute"
            ),
            (
                start + "curve",
                "1:13: error: this curve has no end; write the tempo to which it leads, for example TEMPO [1/4]=120"
            ),
            (start + "curve 0", "1:34: error: a curve must be a number from 0.01 to 100, for example curve 1.5"),
            ("BAR 1 10s TEMPO [1/4]=60 curve 1", "1:11: error: a curve begins in a bar with a signature"),
            (
                start + "curve 1\nBAR 2 TEMPO [1/4]=[1/8] curve 1\nBAR 3 TEMPO [1/4]=60",
                "2:7: error: a curve that begins inside another needs a tempo with a number, for example TEMPO [1/4]=60 curve 1"
            ),
            (
                start + "FERMATA",
                "1:28: error: FERMATA needs a note and a length, for example FERMATA [1/2]=10s, FERMATA [1/2]=2* or FERMATA [1/2]=?"
            ),
            (
                start + "FERMATA 10s",
                "1:36: error: '10s' is not a fermata, for example FERMATA [1/2]=10s, FERMATA [1/2]=2* or FERMATA [1/2]=?"
            ),
            (start + "FERMATA [1/4]=10", "1:36: error: '10' has no unit; write h, m, s or ms, for example 10s"),
            (
                start + "FERMATA [1/4]=0*",
                "1:36: error: a fermata is 0.01 to 1000 times as long as its note, for example FERMATA [1/2]=2*"
            ),
            (
                start + "FERMATA [1/4]=99999999999999999999*",
                "1:36: error: a fermata is 0.01 to 1000 times as long as its note, for example FERMATA [1/2]=2*"
            ),
            (
                "BAR 1 [1000/4] TEMPO [1/4]=60 |3 FERMATA [1/4]=3*",
                "1:1: error: with the beats after its fermatas, this bar has more than 1000 beats"
            ),
            (start + "FERMATA [1/4]=25h", "1:36: error: a fermata lasts 1 ms to 24 h"),
            (start + "FERMATA [1000/1]=1000*", "1:28: error: a fermata lasts 1 ms to 24 h"),
            (
                start + "|2 FERMATA [1/2]=5s |3 FERMATA [1/4]=5s",
                "1:51: error: this fermata begins before the note of the last one ends; a shorter note there leaves room for it"
            ),
            (
                "BAR 1 10s FERMATA [1/4]=5s",
                "1:11: error: a bar of seconds has no notes for a fermata; give the bar its whole length"
            ),
            (
                start + "\n|5 \"x\"",
                "2:4: error: bar 1 has 4 beats; each term of a signature is a beat, and so are three eighths"
            ),
            (
                "BAR 1 [3/8] TEMPO [1/4]=60\n|2 \"x\"",
                "2:4: error: bar 1 has one beat; each term of a signature is a beat, and so are three eighths"
            ),
            (start + "\n|2 [3/4]", "2:4: error: a signature or a length stands at the beginning of its bar"),
            (start + "[3/4]", "1:28: error: a bar has one signature or one length"),
            (start + "\"A", "1:28: error: this label does not end on its line; write \" after it"),
            (start + "LABEL A", "1:34: error: LABEL needs a text in quotes, for example \"A\""),
            (start + "\"\(String(repeating: "x", count: 201))\"", "1:28: error: a label has at most 200 characters"),
            (start + "\nBAR 3\nBAR 2", "3:1: error: BAR 2 comes after BAR 3; list the bars in order"),
            (start + "END\nBAR 2", "2:1: error: there is an END before this bar"),
            ("BAR 1 [1/10000] TEMPO [1/1]=100000", "1:1: error: bar 1 lasts less than 1 ms or more than 24 h"),
            ("BAR 1 [1000/1] TEMPO [1/10000]=0.001", "1:1: error: bar 1 lasts less than 1 ms or more than 24 h"),
            ("BAR 1 24h\nBAR 1000 END", "1:1: error: the piece lasts more than 10 000 h with its repeats"),
            (
                "BAR 1 [2/4] TEMPO [1/4]=60 curve 1\nBAR 999999 TEMPO [1/4]=600 END",
                "1:1: error: the piece has more than 200 000 bars with their own tempi, beats or cues"
            ),
        ])
    func errors(text: String, expected: String) {
        let reading = Score.read(Array(text.utf8), file: "x", format: .soap)
        #expect(reading.score == nil)
        let errors = reading.diagnostics.filter { $0.severity == .error }
        #expect(errors.map { $0.rendered().firstLine } == ["x:" + expected])
    }

    @Test("all lines with errors are reported at once")
    func several() {
        let text = "BAR 1 [4/4\nBAR 2 TEMP\n\"x\"\n|2 FERMATA"
        #expect(Score.read(Array(text.utf8), file: "x.soap").diagnostics.map(\.line) == [1, 2, 3, 4])
    }

    @Test("a score that breaks off anywhere is read or has errors", arguments: SoapScores.all)
    func truncated(text: String) throws {
        let bytes = Array(text.utf8)
        for count in bytes.indices { check(Array(bytes.prefix(count)), "\(count)") }
    }

    @Test("a score in which a byte is missing or changed is read or has errors")
    func damaged() throws {
        let bytes = try sample("study.soap")
        for place in bytes.indices {
            var missing = bytes
            missing.remove(at: place)
            check(missing, "without \(place)")
            for byte in Array("|\"[]=*?./+0 9\n".utf8) + [0xFF] {
                var other = bytes
                other[place] = byte
                check(other, "\(byte) at \(place)")
            }
        }
    }

    private func check(_ bytes: [UInt8], _ what: String) {
        let reading = Score.read(bytes, file: "x", format: .soap)
        let hasErrors = reading.diagnostics.contains { $0.severity == .error }
        #expect((reading.score == nil) == hasErrors, "\(what)")
        guard let score = reading.score else { return }
        let timeline = Timeline(score)
        for bar in 0..<min(timeline.barCount, 100) {
            let offsets = timeline.moments(inBar: bar, InnerSettings(score)).map(\.offset)
            #expect(offsets == offsets.sorted() && offsets.allSatisfy { $0 <= timeline[bar].duration }, "\(what)")
        }
    }

    @Test("a score of many items, or with a very long line, is read or refused in a moment", .timeLimit(.minutes(60)))
    func large() {
        let many = "BAR 1 [1000/4] TEMPO [1/4]=9000\n" + String(repeating: "|7 \"x\"\n", count: 8_000)
        #expect(Score.read(Array(many.utf8), file: "x", format: .soap).diagnostics.count == 1)
        let quotes = "BAR 1 [4/4] TEMPO [1/4]=60 \"" + String(repeating: "x", count: 1_000_000)
        #expect(Score.read(Array(quotes.utf8), file: "x", format: .soap).diagnostics.count == 1)
        let plus = "BAR 1 [" + String(repeating: "1+", count: 500_000) + "1/4]"
        #expect(Score.read(Array(plus.utf8), file: "x", format: .soap).diagnostics.count == 1)
        let tempi = Self.start + String(repeating: "TEMPO [1/4]=60 curve 1 ", count: 8_000) + "TEMPO [1/4]=90 END"
        #expect(Score.read(Array(tempi.utf8), file: "x", format: .soap).score != nil)
        let bars =
            "BAR 1 [1000/4] TEMPO [1/4]=9000 curve 1\n"
            + (2...1_200).map { "BAR \($0) [\(900 + $0 % 100)/4]\n" }.joined() + "BAR 1201 TEMPO [1/4]=9\n"
        #expect(Score.read(Array(bars.utf8), file: "x", format: .soap).diagnostics.contains { $0.severity == .error })
    }
}
