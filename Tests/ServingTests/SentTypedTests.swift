internal import Formats
internal import Playback
internal import SampleScores
internal import Screens
internal import Shared
internal import Testing

internal import Running
internal import Scores
internal import Serving
internal import Timing

/// What a player types into a page that plays by itself, and what it shows besides the sound.
@Suite struct SentTypedTests {
    private static let head = """
        import { Conductor } from "./conductor.js";
        import { press } from "./keys.js";
        import { Told } from "./told.js";
        import { answer, Mistake } from "./typed.js";

        """

    /// The bar to which each place leads, or what is wrong with it, by the program and by the page.
    private static func expectSame(_ places: [String], in score: Score) throws {
        let timeline = Timeline(score)
        let performance = Performance(of: score, passage: Passage(timeline))
        let status = Status(
            performance: performance, anchor: Anchor(speed: .asWritten), countsTo: nil, pause: nil, zeroHeard: 0,
            sound: .device("test"))
        let texts = JSON.list(places.map { .text($0) }).line
        let found = try PageScript.run(
            head + """
                for (const text of input.texts) {
                  const conductor = new Conductor(input.music, 0);
                  try {
                    answer(conductor, "place", text, 0);
                    console.log(`bar ${conductor.passage.bar(conductor.here(0))}`);
                  } catch (error) {
                    if (!(error instanceof Mistake)) throw error;
                    console.log(error.message);
                  }
                }
                """,
            input: #"{"texts": \#(texts), "music": \#(try SentMusic.json(performance, ScoreWords()).line)}"#)
        try #require(found.count == places.count)
        for (place, line) in zip(places, found.map { $0.joined(separator: " ") }) {
            var wanted: String
            do throws(TextError) {
                wanted = ""
                for case .jump(let jump) in try StandControls.answer(.place, place, status) {
                    switch jump {
                    case .bar(let bar): wanted = "bar \(bar)"
                    case .time(let time): wanted = "bar \(timeline.bar(at: time))"
                    default: break
                    }
                }
            } catch {
                wanted = error.description
            }
            #expect(line.replacing("; for example", with: ", for example") == wanted, "\(place)")
        }
    }

    @Test("a page finds typed places as the program does, or says the same of them")
    func places() throws {
        func score(_ text: String) throws -> Score {
            try #require(Score.read(Array(text.utf8), file: "x.yaml").score)
        }
        let all = [
            "no. 5 (2)", "no. 5 (1)", "no.5", "No. 5", "no 5", "no. 2", "no. 5 (3)", "no. 99", "2", "5", "57", "1.2",
            "X1", "no. X1", "x", "1:75", "0:99", "2:5", "0:1:00", "0:04", "constructor", "toString", "__proto__", "A",
        ]
        try Self.expectSame(
            all, in: try score("first-bar: 4\nlines:\n- {bars: [2, {duration: 2, label: A}, 2], repeat: 2}\n"))
        try Self.expectSame(
            all, in: try score("bars: [2, 2, {duration: 2, number: X1}, {duration: 2, label: constructor}, 2]\n"))
        try Self.expectSame(all, in: try score("lines:\n- [1, 1, 1]\n- [1, 1, 1]\n"))
    }

    @Test("a practice program whose values are wrong is not said to be unknown")
    func programs() throws {
        let score = Score(lines: [Score.Line(bars: [Score.Bar(.seconds(4))])])
        let performance = Performance(of: score, passage: Passage(Timeline(score)))
        let found = try PageScript.run(
            Self.head + """
                for (const text of ["ladder 60% 5% 60%", "silent 9 of 2", "rise", "constructor"]) {
                  try {
                    answer(new Conductor(input, 0), "program", text, 0);
                  } catch (error) {
                    console.log(error.message.split(";")[0]);
                  }
                }
                """, input: try SentMusic.json(performance, ScoreWords()).line
        ).map { $0.joined(separator: " ") }
        #expect(
            found == [
                "a value of the practice program 'ladder 60% 5% 60%' is not valid",
                "a value of the practice program 'silent 9 of 2' is not valid",
                "there is no practice program 'rise'", "there is no practice program 'constructor'",
            ])
    }

    @Test("a page takes the drones that the program takes, and refuses those that it refuses")
    func drones() throws {
        let score = Score(lines: [Score.Line(bars: [Score.Bar(.seconds(4))])])
        let performance = Performance(of: score, passage: Passage(Timeline(score)))
        let texts = [
            "A4", "A4 -6dB", "A4 6dB", "A4 0dB", "A4 -120dB", "A4 -121dB", "A4+14c", "A4+14 c", "A4 +14cents",
            "A4+14 cents", "3/2 of E4", "3/2of E4", "3 / 2 of E4", "3/ 2 of E4", "442.5 Hz", "A4 L50", "A4 L101",
            "A4 C",
        ]
        let input = JSON.list(texts.map { .text($0) }).line
        let found = try PageScript.run(
            Self.head + """
                for (const text of input.texts) {
                  const conductor = new Conductor(input.music, 0);
                  try {
                    answer(conductor, "pitch", text, 0);
                    console.log("yes");
                  } catch (error) {
                    if (!(error instanceof Mistake)) throw error;
                    console.log("no");
                  }
                }
                """,
            input: #"{"texts": \#(input), "music": \#(try SentMusic.json(performance, ScoreWords()).line)}"#)
        try #require(found.count == texts.count)
        for (text, line) in zip(texts, found) {
            #expect((line == ["yes"]) == ((try? Score.Drone.notes(scoreText: text)) != nil), "\(text)")
        }
    }

    @Test("all brackets of a piece are in the file")
    func brackets() throws {
        var score = Score(lines: [Score.Line(bars: [Score.Bar(.seconds(6000))])])
        score.brackets = (0..<300).map { (n: Int) -> Bracket in
            let (start, end): (Duration, Duration) = (.seconds(20 * n), .seconds(20 * n + 20))
            return Bracket(start: start...start, end: end...end)
        }
        let performance = Performance(of: score, passage: Passage(Timeline(score)))
        let found = try PageScript.run(
            "console.log(input.brackets.length);", input: try SentMusic.json(performance, ScoreWords()).line)
        #expect(found == [["300"]])
    }

    @Test("what an interval asks is shown in a loop, and what of it holds at another speed")
    func asks() throws {
        let plan = try Plan(
            runText: "threshold: 5:00/km\nrun 1:00 @ 95%\nrun 1:00 @ Z2 HR\nrun 1:00 @ 140-150 bpm\n")
        let score = try plan.score()
        let performance = Performance(of: score, passage: Passage(Timeline(score)))
        let words = try #require(RunWords(plan, in: .kilometers))
        let found = try PageScript.run(
            Self.head + """
                const show = (key) => {
                  const conductor = new Conductor(input, 0);
                  press(conductor, key, 0);
                  console.log(new Told(conductor).messages(0)[0].bars.slice(0, 3).map(({ asks }) => asks).join("|"));
                  console.log(new Told(conductor).messages(0)[0].bars[0].place);
                };
                show("l");
                show("-");
                """, input: try SentMusic.json(performance, words).line
        ).map { $0.joined(separator: " ") }
        let asked = "95%, pace 5:16/km"
        #expect(
            found == [
                "\(asked)|\(asked)|\(asked)", "run 1 of 3, \(asked)", "pace 5:32/km|Z2 HR|140-150 bpm",
                "run 1 of 3, pace 5:32/km",
            ])
    }
}
