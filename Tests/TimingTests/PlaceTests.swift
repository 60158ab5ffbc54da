import Scores
import Testing
import Timing

@Suite("Place")
struct PlaceTests {
    private let timeline = Timeline(
        Score(lines: [
            .init(passes: 4, bars: (0..<13).map { _ in .init(.seconds(1)) }),
            .init(label: "chorus", passes: 2, bars: (0..<8).map { .init(.seconds(1), label: $0 == 3 ? "bell" : "") }),
            .init(label: "Coda 2.5", bars: [.init(.seconds(1))]),
        ]))

    @Test(
        "a place names its bars",
        arguments: [
            ("1", 0..<1), ("57", 56..<57), ("69", 68..<69), ("1.1", 0..<1), ("5.7", 58..<59), ("7.1", 68..<69),
            ("  2.13\t", 25..<26), ("007", 6..<7), ("chorus", 52..<60), (" bell ", 55..<56), ("Coda 2.5", 68..<69),
        ])
    func found(text: String, bars: Range<Int>) throws {
        #expect(try Place(text, in: timeline).bars == bars)
    }

    @Test(
        "several labels of a bar, as it shows them, are a place",
        arguments: [("A, B", 0..<1), ("A, C", 4..<5), ("C, B", nil)])
    func together(text: String, bars: Range<Int>?) {
        let line = { (label: String, first: String, count: Int) in
            Score.Line(label: label, bars: (0..<count).map { .init(.seconds(1), label: $0 == 0 ? first : "") })
        }
        let parts = [line("A", "B", 2), line("", "B", 2), line("A", "C", 3)]
        let timeline = Timeline(Score(lines: parts))
        #expect((try? Place(text, in: timeline))?.bars == bars)
    }

    @Test("a part of a label that shows several is a place if no other label has it")
    func part() throws {
        let seconds = { (start: Int) in Duration.seconds(start)...Duration.seconds(start) }
        var score = Score(sections: [])
        score.brackets = [
            Bracket(label: "V", start: seconds(1), end: seconds(2), player: "vn"),
            Bracket(label: "F", start: seconds(3), end: seconds(4), player: "fl"),
            Bracket(label: "W", start: seconds(5), end: seconds(6), player: "vn"),
        ]
        let timeline = Timeline(score)
        for (text, bar) in [("V", 1), ("fl", 3), ("F", 3), ("vn, W", 5)] {
            #expect(try Place(text, in: timeline).bars == bar..<bar + 1)
        }
        #expect(throws: TextError.self) { try Place("vn", in: timeline) }
    }

    @Test("a label in another voice is no place; the error says which voice has to lead")
    func otherVoice() {
        let page = { (label: String) in Score(lines: [.init(bars: [.init(.seconds(1), label: label)])]) }
        var score = page("A")
        score.voice = Score.VoiceMark("one")
        score.companions = [.init(.init("two"), page("B")), .init(.init("three"), page("C"))]
        let message = "the label 'B' is in voice 'two'; --voice two,one,three lets this voice lead"
        #expect(throws: TextError.self) { try Place("B", in: Timeline(score)) }
        do { _ = try Place("B", in: Timeline(score)) } catch { #expect(error.description == message) }
    }

    @Test("every bar number and every line.bar names exactly that bar")
    func everyBar() throws {
        for index in 0..<timeline.barCount {
            let bar = timeline[index]
            #expect(try Place("\(index + 1)", in: timeline).bars == index..<index + 1)
            #expect(try Place("\(bar.line).\(bar.bar)", in: timeline).bars == index..<index + 1)
        }
    }

    @Test(
        "the error about a missing place says which places the piece has",
        arguments: [
            ("0", "there is no bar 0: the piece has bars 1 to 69"),
            ("70", "there is no bar 70: the piece has bars 1 to 69"),
            ("0.1", "there is no line 0: the piece has lines 1 to 7"),
            ("8.1", "there is no line 8: the piece has lines 1 to 7"),
            ("5.0", "there is no bar 0 in line 5: it has bars 1 to 8"),
            ("5.9", "there is no bar 9 in line 5: it has bars 1 to 8"),
            ("7.2", "there is no bar 2 in line 7: it has bars 1 to 1"),
            ("2.9223372036854775807", "there is no bar 9223372036854775807 in line 2: it has bars 1 to 13"),
            ("9223372036854775807.1", "there is no line 9223372036854775807: the piece has lines 1 to 7"),
            ("9223372036854775807", "there is no bar 9223372036854775807: the piece has bars 1 to 69"),
            ("99999999999999999999", "there is no bar 99999999999999999999: the piece has 69 bars"),
            ("1.99999999999999999999", "there is no bar 1.99999999999999999999: the piece has 69 bars"),
            ("belt", "there is no label 'belt' in the piece; did you mean 'bell'?"),
            ("Chorus", "there is no label 'Chorus' in the piece; did you mean 'chorus'?"),
            ("intermezzo", "there is no label 'intermezzo' in the piece"),
            ("", "there is no label '' in the piece"),
            ("5.", "there is no label '5.' in the piece"),
            (".7", "there is no label '.7' in the piece"),
            ("-1", "there is no label '-1' in the piece"),
            ("5.7.1", "there is no label '5.7.1' in the piece"),
            ("99999999:00:00", "a time is at most 10 000 h"),
            (
                "1:75",
                "the minutes and seconds after a colon must be two digits, 00 to 59, for example 1:30 or 1:02:03.5"
            ),
            ("٥", "there is no label '٥' in the piece"),
        ])
    func missing(text: String, sentence: String) {
        let error = #expect(throws: TextError.self) { try Place(text, in: timeline) }
        #expect(error?.description == sentence)
    }
}
