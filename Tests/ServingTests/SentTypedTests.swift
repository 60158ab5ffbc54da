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
        import { Conductor } from "./conductor.mjs";
        import { press } from "./keys.mjs";
        import { Told } from "./told.mjs";
        import { answer, Mistake } from "./typed.mjs";

        """

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
