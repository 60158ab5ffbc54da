internal import Screens
internal import Shared
internal import Testing

internal import Playback
internal import Scores
internal import Serving
internal import Timing

/// A count-in that a device gives itself.
@Suite struct PageEntryTests {
    private static let head = """
        import { Sounds } from "./clickplan.js";
        import { ownCounts } from "./entries.js";
        import { Music } from "./music.js";
        const music = new Music(input.timeline.timeline, input.timeline.bars, input.state.state, input.state.beats, input.state);
        const sounds = new Sounds(input.sounds);
        // In steps that overlap, as the page does.
        const counts = (choice, joined, from, until) => {
          const found = new Map();
          for (let at = from; at < until; at += 1) {
            for (const click of ownCounts(music, sounds, choice, joined, at, at + 2.5)) found.set(click.key, click.at);
          }
          return [...found.values()].sort((one, other) => one - other).map((at) => Number(at.toFixed(3)));
        };

        """

    private static func input(_ score: Score) -> String {
        let performance = Performance(of: score, passage: Passage(Timeline(score)))
        let scheduler = Scheduler(performance, rate: 48_000)
        var status = Status(
            performance: performance, anchor: scheduler.anchor, countsTo: scheduler.countsTo?.end, pause: nil,
            zeroHeard: 100_000_000_000, sound: .device("test"))
        status.countInClicks = scheduler.countInClicks
        let window = PageMessage.window(around: 0, performance.passage)
        return """
            {"timeline": \(PageMessage.timeline(window, status, ScoreWords())), "state": \(PageMessage.state(status, ScoreWords(), at: 0)), \
            "sounds": \(PageSounds.message(window, performance).text)}
            """
    }

    /// Bars of 2 s; those of each list are silent.
    private static func score(_ count: Int, silent: Range<Int>, beats: Int = 0) -> Score {
        let bars = (0..<count).map { n in
            var bar = Score.Bar(.seconds(2))
            if silent.contains(n) { bar.details.click = BarClick(isSilent: true) }
            if beats > 0 { bar.details.beats = Array(repeating: Beat(.beat), count: beats) }
            return bar
        }
        return Score(lines: [Score.Line(bars: bars)])
    }

    @Test(
        "after a long silence of its voice, a device counts itself in, a second or a beat apart, and the music stays as it is"
    )
    func entries() throws {
        let found = try PageScript.run(
            Self.head + """
                const choice = { part: "player", voice: 0 };
                console.log("three", ...counts({ ...choice, counts: 3 }, -1000, 95, 150));
                console.log("off", ...counts({ ...choice, counts: 0 }, -1000, 95, 150));
                """, input: Self.input(Self.score(12, silent: 4..<8)))
        // The music begins at 100 s, and the silence is from 108 to 116 s.
        #expect(found == [["three", "97", "98", "99", "113", "114", "115"], ["off"]])
        let beaten = try PageScript.run(
            Self.head + #"console.log(...counts({ part: "player", voice: 0, counts: 2 }, -1000, 95, 150));"#,
            input: Self.input(Self.score(12, silent: 4..<8, beats: 4)))
        #expect(beaten == [["99", "99.5", "115", "115.5"]])
    }

    @Test(
        "a device whose sound joins is counted in to the next line, or to a bar if that is far, whole, and not before it joined"
    )
    func joins() throws {
        let lines = Score(
            lines: (0..<6).map { _ in Score.Line(bars: (0..<3).map { _ in Score.Bar(.seconds(2)) }) })
        let found = try PageScript.run(
            Self.head + """
                const choice = { part: "player", voice: 0, counts: 4 };
                console.log(...counts(choice, 107, 107, 130));
                console.log(...counts(choice, 109.5, 109.5, 130));
                """, input: Self.input(lines))
        // Lines begin at 106, 112 and 118 s.
        #expect(found == [["108", "109", "110", "111"], ["114", "115", "116", "117"]])
        let far = try PageScript.run(
            Self.head + #"console.log(...counts({ part: "player", voice: 0, counts: 2 }, 101, 101, 130));"#,
            input: Self.input(Self.score(40, silent: 0..<0)))
        #expect(far == [["102", "103"]])
    }

    @Test("what the leader counts in has no second count-in, and paused music none")
    func leader() throws {
        var score = Self.score(12, silent: 0..<0)
        score.countIn = .time(.seconds(8))
        let found = try PageScript.run(
            Self.head + """
                const choice = { part: "player", voice: 0, counts: 3 };
                console.log("counted", ...counts(choice, -1000, 90, 99));
                // Another speed is no entry.
                Object.assign(music.state, { position: 5, time: 4, speed: 1.25, countsTo: null });
                console.log("faster", ...counts(choice, -1000, 104, 120));
                Object.assign(music.state, { paused: 4, pausedAt: 4 });
                console.log("paused", ...counts(choice, 100, 100, 120));
                """, input: Self.input(score))
        #expect(found == [["counted"], ["faster"], ["paused"]])
    }
}
