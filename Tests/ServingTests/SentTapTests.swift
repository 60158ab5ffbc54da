internal import Screens
internal import Shared
internal import Testing

internal import Scores
internal import Serving
internal import Timing

/// The player's taps in a page that plays by itself.
@Suite struct SentTapTests {
    /// Taps and presses keys at times after the start; prints what is said of each tap, then the log.
    private static let script = """
        import { Conductor } from "./conductor.js";
        import { press } from "./keys.js";
        import { Taps } from "./taps.js";

        const conductor = new Conductor(input.file, 0);
        const taps = new Taps(conductor);
        let watched = 0;
        for (const [at, name] of input.events) {
          for (; watched < at; watched += 0.25) taps.follow(watched);
          if (name === "tap") {
            taps.tap(at);
            console.log(taps.count, taps.said);
            continue;
          }
          taps.follow(at);
          press(conductor, name, at);
          taps.change(at);
        }
        console.log(taps.log);
        """

    private static var bars: [Score.Bar] {
        var bars = (0..<4).map { Score.Bar(.milliseconds(2000 + 500 * $0)) }
        bars[1].label = "a \"b\", c"
        return bars
    }

    private static func play(
        _ events: [(Double, String)], of bars: [Score.Bar] = bars
    ) throws -> (said: [String], bars: TappedBars) {
        let score = Score(lines: [Score.Line(passes: 3, bars: bars)])
        var performance = Performance(of: score, passage: Passage(Timeline(score)))
        performance.waits = true
        let file = try SentMusic.json(performance, ScoreWords()).line
        let list = events.map { "[\($0.0), \"\($0.1)\"]" }.joined(separator: ", ")
        let lines = try PageScript.run(script, input: "{\"file\": \(file), \"events\": [\(list)]}")
            .map { $0.joined(separator: " ") }
        let head = try #require(lines.firstIndex(of: TimingRow.header))
        let log = lines[head...].joined(separator: "\n") + "\n"
        let (rows, diagnostics) = TimingLog.read(Array(log.utf8), file: "taps.csv")
        #expect(diagnostics.isEmpty, "\(diagnostics)\n\(log)")
        return (Array(lines[..<head]), TappedBars(rows))
    }

    @Test(
        "taps in a page become a timing log with the boundaries from the first tap on, which tells how long bars were held"
    )
    func held() throws {
        // Bars begin at 0, 2, 4.5, 7.5, 11 and 13 s.
        let (said, bars) = try Self.play([
            (2.1, "tap"), (4.4, "tap"), (7.75, "tap"), (11, "tap"), (13.5, "tap"), (15.6, "l"),
        ])
        #expect(
            said == [
                "1 1.2: 100 ms late", "2 1.3: 100 ms early", "3 1.4: 250 ms late", "4 2.1: 0 ms late",
                "5 2.2: 500 ms late",
            ])
        #expect(bars.bars.map(\.row.index) == [2, 3, 4, 5, 6] && bars.bars.first?.row.label == "a \"b\", c")
        #expect(bars.bars.map { $0.held.map { $0 / 1_000_000 } } == [2300, 3350, 3250, 2500, nil])
        #expect(bars.bars.map { $0.written.map { $0 / 1_000_000 } } == [2500, 3000, 3500, 2000, 2500])
        #expect(bars.bars.map(\.row.line) == [1, 1, 1, 2, 2] && bars.bars.map(\.row.bar) == [2, 3, 4, 1, 2])
    }

    @Test("a bar that a pause or a jump interrupts has no written duration, and taps while the music stands are none")
    func anew() throws {
        let (said, bars) = try Self.play([
            (0, "tap"), (2, "tap"), (3, "Space"), (4, "tap"), (5, "Space"), (6.5, "tap"), (8, "↓"), (8.1, "tap"),
            (10, "tap"), (12, "l"),
        ])
        #expect(said.map { $0.prefix(1) } == ["1", "2", "2", "3", "4", "5"])
        // At 8 s the music jumps from 1.3 to 2.1.
        #expect(said.suffix(3) == ["3 1.3: 0 ms late", "4 2.1: 100 ms late", "5 2.2: 0 ms late"])
        #expect(bars.bars.map { $0.written.map { $0 / 1_000_000 } } == [2000, nil, nil, 2000, nil])
        #expect(bars.bars.map(\.isRestart) == [false, false, true, true, false])
    }

    @Test("a bar in which the music waited at a hold until a cue has no written duration")
    func hold() throws {
        var held = Score.Bar(.seconds(1))
        held.details.holds = [Hold(.seconds(1), waits: true)]
        let (_, bars) = try Self.play(
            [(0, "tap"), (2, "tap"), (7, "Enter"), (7.2, "tap"), (9.7, "tap"), (12, "l")],
            of: [Score.Bar(.seconds(2)), held, Score.Bar(.seconds(2)), Score.Bar(.seconds(2))])
        #expect(bars.bars.map { $0.written.map { $0 / 1_000_000 } } == [2000, nil, 2000, 2000])
        #expect(bars.bars.allSatisfy { !$0.isRestart })
    }

    @Test("another speed changes how long bars should last")
    func speed() throws {
        let (said, bars) = try Self.play([(0.02, "tap"), (1, "-"), (1, "-"), (2.25, "tap"), (5.375, "tap"), (6, "l")])
        // At 90 % from 1 s on, bars begin at 2.11 and 4.89 s.
        #expect(said == ["1 1.1: 20 ms late", "2 1.2: 139 ms late", "3 1.3: 486 ms late"])
        let milliseconds = bars.bars.map { bar -> Int64? in bar.written.map { ($0 + 500_000) / 1_000_000 } }
        #expect(milliseconds.prefix(2) == [2111, 2778])
    }
}
