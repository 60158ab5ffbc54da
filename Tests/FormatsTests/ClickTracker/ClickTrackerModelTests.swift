import Formats
import Scores
import Shared
import Testing
import Timing

struct ClickTrackerModelTests {
    /// Every combination of a change of tempo, a repeat, a kind of bar and multiples, with random numbers.
    private static let scores: [String] = {
        var numbers = Seeded(state: 16)
        let changes = ["", "tc 132 9\n", "tc 41.5 7 0.31\n", "t 88 8\ntc 50 5.25\n"]
        let bars = [
            ["4/4", "3/8", "2.5/4"], ["2+3/8", "3+2+2/16", "1.5+2/4"], ["2/4 + 3/8", "2+2/8 + 5/16", "3/4"],
            ["1 b", "1", "0.5", "1:3 b", "1:3", "1:3"], ["1/8 b", "0.75 b", "1.25"],
        ]
        var scores: [String] = []
        for change in changes {
            for bars in bars {
                for isMultiple in [false, true] {
                    for isRepeated in [false, true] {
                        var text = "t \([60, 83, 71.25][Int.random(in: 0...2, using: &numbers)])\n4/4\n"
                        if isRepeated { text += "rep \(Int.random(in: 2...5, using: &numbers)) 3\n" }
                        text += change
                        for bar in bars {
                            text += bar + (isMultiple ? " x \(Int.random(in: 2...4, using: &numbers))" : "") + "\n"
                        }
                        if isRepeated { text += "cue B\ntc 200 3\nrep 2 2\n" }
                        text += "1/4 x 3\n3/4\n"
                        scores.append(text)
                    }
                }
            }
        }
        return scores
    }()

    @Test("each click of eighty scores follows the rules of Click Tracker", arguments: scores.indices)
    func clicks(index: Int) throws {
        let text = Self.scores[index]
        let model = ClickTrackerModel(text)
        for name in ["x.txt", "piece"] {
            let score = try #require(Score.read(Array(text.utf8), file: name).score, "\(text)")
            let timeline = Timeline(score)
            #expect(timeline.barCount == model.bars.count, "\(text)")
            let bars = (0..<timeline.barCount).map { timeline.start(ofBar: $0).inSeconds }
            #expect(Self.differences(bars, model.bars).isEmpty, "\(text)")
            let clicks = bars.indices.flatMap { bar -> [Double] in
                let begin = bars[bar]
                let beats = timeline.beats(inBar: bar, InnerSettings(score)).map { begin + $0.offset.inSeconds }
                return [begin] + beats.filter { $0 > begin }
            }
            #expect(Self.differences(clicks, model.events).isEmpty, "\(text)")
            #expect(abs(timeline.total.inSeconds - model.end) < 1e-9)
        }
    }

    /// The times of one list that are not in the other at the same place, to a nanosecond.
    private static func differences(_ times: [Double], _ others: [Double]) -> [(Double, Double)] {
        guard times.count == others.count else { return [(Double(times.count), Double(others.count))] }
        return zip(times, others).filter { abs($0 - $1) > 2e-9 }
    }

    @Test(
        "where Click Tracker continues, a warning says what is assumed; with --strict, it is an error",
        arguments: [
            ("t 90\nrep 8\n4/4 x 2", "2:1: warning: this repeat does not say how many times: it is played once"),
            ("rep 3 2\n2/4\n2/4\n1/4", "1:1: warning: this repeat ends inside an item: it ends with the item"),
            (
                "rep 8 2\n4/4",
                "1:1: warning: the piece ends before the end of this repeat: it repeats all that follows"
            ),
            ("4/4\nrep 8 2", "2:1: warning: the piece ends before the end of this repeat: it repeats nothing"),
            (
                "t40\n4/4",
                "1:1: warning: 't40' is neither a bar, a beat nor a command: the line is skipped"
            ),
            ("4+3e\n4/4", "1:1: warning: '4+3e' is neither a bar, a beat nor a command: the line is skipped"),
            ("4+3e/8\n4/4", "1:1: warning: '4+3e/8' is not a bar: the line is skipped"),
            (
                "4/4\nfirmata 1",
                "2:1: warning: 'firmata' is neither a bar, a beat nor a command: the line is skipped; did you mean 'fermata'?"
            ),
        ])
    func assumptions(text: String, expected: String) throws {
        let reading = Score.read(Array(text.utf8), file: "x.txt", format: .clickTracker)
        let first = reading.diagnostics.first?.rendered().firstLine
        #expect(first == "x.txt:" + expected)
        let (score, model) = (
            try #require(reading.score),
            ClickTrackerModel(
                text.replacing("t40", with: "# ").replacing("4+3e/8", with: "").replacing("4+3e", with: "").replacing(
                    "firmata 1", with: ""))
        )
        #expect(abs(Timeline(score).total.inSeconds - model.end) < 1e-9)

        let strict = Score.read(Array(text.utf8), file: "x.txt", format: .clickTracker, isStrict: true)
        #expect(strict.score == nil)
        #expect(strict.diagnostics.first?.severity == .error)
        #expect(strict.diagnostics.first?.line == reading.diagnostics.first?.line)
    }

    @Test("a cue in the middle of a bar begins no bar, and names the line that begins with this bar")
    func cueInBar() throws {
        let reading = Score.read(
            Array("1 b\n1\n1 b\ncue A\n1\n1\ncue B\n1 b\ncue C\ncue D\n4/4\ncue E".utf8), file: "x.txt")
        let score = try #require(reading.score)
        #expect(score.lines.map(\.label) == ["", "A", "B", "C, D"])
        #expect(starts(score) == [0, 2, 5, 6, 10].map { .seconds($0) })
        #expect(reading.diagnostics.map(\.message) == ["'E' is left out: no music follows this cue"])
    }

    @Test("a bar of more than a thousand quarters has a meter that a written score can have")
    func longBar() throws {
        let score = try #require(Score.read(Array("t 100000\n1 b\n1000\n0.5".utf8), file: "x.txt").score)
        #expect(Score.read(Array(score.yaml.utf8), file: "x.yaml").score == score)
        #expect(Timeline(score).total == .microseconds(600_900))
    }

    @Test("repeats nest, and the passes of an inner one count once in the length of the outer one")
    func nested() throws {
        let score = try #require(
            Score.read(Array("rep 4 2\n1/4\nrep 2 3\n1/4 x 2\n1/4\n2/4".utf8), file: "x.txt").score)
        // Twice: a quarter, three times two quarters, a quarter; then a half.
        #expect(Timeline(score).barCount == 17)
        #expect(Timeline(score).total == .seconds(18))
    }

    @Test("numbers end with a point, and a bar may have the letter of a beat that begins one")
    func spellings() throws {
        let score = try #require(Score.read(Array("t 83.\n1/8 b\n4/4 b x 2".utf8), file: "x.txt").score)
        #expect(abs(Timeline(score).total.inSeconds - 8.5 * 60 / 83) < 1e-12)
        #expect(score.lines[0].bars.count == 3)
    }
}
