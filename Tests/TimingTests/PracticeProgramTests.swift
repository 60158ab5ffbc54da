import Scores
import Testing
import Timing

@Suite("Practice program")
struct PracticeProgramTests {
    private let timeline = Timeline(.sequenza)

    private func stretches(_ text: String, bars: Range<Int> = 0..<169) throws -> [Passage.Stretch] {
        try PracticeProgram(scoreText: text).stretches(of: timeline, bars: bars)
    }

    @Test("a ladder goes up by its step, and ends at its last speed")
    func ladder() throws {
        let ladder = try stretches("ladder 60% 15%")
        #expect(ladder.map(\.speed.percent) == [60, 75, 90, 100])
        #expect(ladder.allSatisfy { $0.bars == 0..<169 })
        #expect(ladder.map(\.label) == ["at 60%", "at 75%", "at 90%", "at 100%"])
        #expect(try stretches("ladder 50 25 125").map(\.speed.percent) == [50, 75, 100, 125])
        // A bar of 3 s takes 5 s at 60 %.
        let passage = Passage(timeline, ladder)
        #expect(passage.bar(of: 0).duration == .seconds(5))
        #expect(passage.position(of: 169) == Speed(millionths: 600_000)?.realDuration(of: timeline.total))
    }

    @Test("each line is repeated before the next one begins")
    func each() throws {
        let each = try stretches("each 3", bars: 5..<30)
        #expect(each.map(\.bars) == [5..<13, 5..<13, 5..<13, 13..<26, 13..<26, 13..<26, 26..<30, 26..<30, 26..<30])
        #expect(each.prefix(3).map(\.label) == ["1 of 3", "2 of 3", "3 of 3"])
    }

    @Test("a column is the same bars of every line that has them")
    func column() throws {
        #expect(try stretches("column 7").map(\.bars) == (0..<13).map { $0 * 13 + 6..<$0 * 13 + 7 })
        #expect(try stretches("column 12-13").map(\.bars) == (0..<13).map { $0 * 13 + 11..<$0 * 13 + 13 })
        // Bars keep their numbers in a line that is played in part.
        #expect(try stretches("column 3-5", bars: 3..<17).map(\.bars) == [3..<5, 15..<17])
        for (text, bar) in [
            ("14", 14), ("\(Int.max)", .max), ("14-\(Int.max)", 14), ("1-99", 99), ("1-\(Int.max)", .max),
            ("13-14", 14),
        ] {
            #expect(throws: TextError("no line has a bar \(bar)")) { try stretches("column \(text)") }
        }
        // Of lines that are played in part, only that part counts.
        #expect(try stretches("column 6-13", bars: 5..<13).map(\.bars) == [5..<13])
        #expect(throws: TextError("no line has a bar 5")) { try stretches("column 5-13", bars: 5..<13) }
    }

    @Test("a random order has every line once, and is the same for the same seed")
    func random() throws {
        let random = try stretches("random 42")
        #expect(random == (try stretches("random 42")))
        #expect(random.allSatisfy { $0.label == "random 42" })
        #expect(random.map(\.bars) != (try stretches("random 43")).map(\.bars))
        #expect(random.map(\.bars.lowerBound).sorted() == (0..<13).map { $0 * 13 })
    }

    @Test(
        "the error about an invalid program says what is valid",
        arguments: [
            (
                "",
                "there is no practice program '', for example ladder 60% 5%, faster 2% every 3, each 3, column 7, random, weak"
            ),
            ("eech 3", "there is no practice program 'eech'; did you mean 'each'?"),
            ("each", "each line must be played 1 to 1000 times, for example each 3"),
            ("each 0", "each line must be played 1 to 1000 times, for example each 3"),
            (
                "column 3-2",
                "a column must be a bar, or a range of bars, of every line, for example column 7 or column 5-7"
            ),
            ("column", "a column must be a bar, or a range of bars, of every line, for example column 7 or column 5-7"),
            (
                "ladder 60%",
                "a ladder needs a first speed and a step, and can have a last speed, for example ladder 60% 5% 100%"
            ),
            ("ladder 60% 0%", "the step of a ladder must be 0.1 % to 500 %, for example ladder 60% 5% 100%"),
            ("ladder 60% nan", "the step of a ladder must be 0.1 % to 500 %, for example ladder 60% 5% 100%"),
            ("ladder 100% 5%", "a ladder must go up, from its first speed to its last, for example ladder 60% 5% 100%"),
            ("each 1001", "each line must be played 1 to 1000 times, for example each 3"),
            ("each 3 4", "each line must be played 1 to 1000 times, for example each 3"),
            (
                "column 0-2",
                "a column must be a bar, or a range of bars, of every line, for example column 7 or column 5-7"
            ),
            (
                "column 1-2-3",
                "a column must be a bar, or a range of bars, of every line, for example column 7 or column 5-7"
            ),
            (
                "ladder 60% 5% 90% 5%",
                "a ladder needs a first speed and a step, and can have a last speed, for example ladder 60% 5% 100%"
            ),
            ("ladder 60% 0.09%", "the step of a ladder must be 0.1 % to 500 %, for example ladder 60% 5% 100%"),
            ("ladder 60% 501%", "the step of a ladder must be 0.1 % to 500 %, for example ladder 60% 5% 100%"),
            ("ladder 101% 5%", "a ladder must go up, from its first speed to its last, for example ladder 60% 5% 100%"),
            ("random 1 2", "the seed of a random order must be a whole number, for example random 42"),
            ("random x", "the seed of a random order must be a whole number, for example random 42"),
        ])
    func errors(text: String, message: String) {
        #expect { try PracticeProgram(scoreText: text) } throws: { "\($0)" == message }
    }

    @Test("each example in hints and help can be typed, and `weak` is one where there is a log")
    func examples() throws {
        let examples = PracticeProgram.examples().split(separator: ", ").map(String.init)
        let explained = PracticeProgram.help.matches(of: /'([^']+)' \(/).map { String($0.output.1) }
        for example in examples + explained { _ = try PracticeProgram(scoreText: example) }
        #expect(examples.count == explained.count && examples.contains("weak"))
        #expect(!PracticeProgram.examples(hasLog: false).contains("weak"))
    }

    @Test("the limits of a program's ranges are allowed")
    func ends() throws {
        #expect(try PracticeProgram(scoreText: "each 1") == .eachLine(times: 1))
        #expect(try PracticeProgram(scoreText: "each 1000") == .eachLine(times: 1000))
        #expect(try PracticeProgram(scoreText: "column 1-1") == .column(1...1))
        // Without a number, the order is new each time, and its seed is shown.
        let drawn = try PracticeProgram(scoreText: "random", newSeed: 77)
        #expect(drawn == .random(seed: 77))
        let seeds = try (0..<100).map { _ in "\(try PracticeProgram(scoreText: "random"))" }
        #expect(Set(seeds).count > 50)
        let (first, last) = (try speed(990_000), Speed.asWritten)
        #expect(try PracticeProgram(scoreText: "ladder 99% 0.1%") == .ladder(from: first, step: 1000, to: last))
        #expect(try PracticeProgram(scoreText: "ladder 99% 500") == .ladder(from: first, step: 5_000_000, to: last))
        let long = Timeline(Score(lines: [Score.Line(passes: 10_000, bars: [Score.Bar(.seconds(1))])]))
        #expect(try PracticeProgram(scoreText: "each 10").stretches(of: long, bars: 0..<10_000).count == 100_000)
        #expect(try Performance.Silence(scoreText: "silent 1 of 10000") == Performance.Silence(bars: 1, of: 10_000))
    }

    @Test("a program with too many stretches is refused")
    func limit() throws {
        let long = Timeline(Score(lines: [Score.Line(passes: 10_000, bars: [Score.Bar(.seconds(1))])]))
        #expect(throws: TextError("a practice program has at most 100000 stretches")) {
            try PracticeProgram(scoreText: "each 11").stretches(of: long, bars: 0..<10_000)
        }
        let endless = Timeline(Score(lines: [Score.Line(passes: 1_000_000, bars: [Score.Bar(.seconds(1))])]))
        for program in ["each 1", "random", "column 7"] {
            #expect(throws: TextError("a practice program goes through at most 100000 lines")) {
                try PracticeProgram(scoreText: program).stretches(of: endless, bars: 0..<1_000_000)
            }
        }
    }

    @Test("the last bars of every group are silent")
    func silence() throws {
        let silence = try Performance.Silence(scoreText: "2 of 5")
        #expect((0..<10).map { silence.isSilent($0) } == [0, 0, 0, 1, 1, 0, 0, 0, 1, 1].map { $0 == 1 })
        for text in ["", "2", "0 of 3", "3 of 3", "1 of 10001", "x of 3", "1 off 3"] {
            #expect(throws: TextError.self) { try Performance.Silence(scoreText: text) }
        }
        var performance = Performance(of: .sequenza, passage: Passage(timeline, bars: 0..<10))
        performance.silence = silence
        performance.countIn = .off
        #expect(events(performance, rate: 48000).clicks.count == 6)
    }
}
