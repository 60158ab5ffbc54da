internal import Playback
internal import Running
internal import Scores
internal import Screens
internal import Shared
internal import Testing
internal import Timing

internal import Serving

/// What the page shows of a plan that plays.
@Suite struct RunPageTests {
    /// A plan that plays since 50 s of the player's clock, at a speed.
    private struct Playing {
        var status: Status
        let words: RunWords

        init(_ text: String, in unit: DistanceUnit = .kilometers, speed: Speed = .asWritten) throws {
            let plan = try Plan(runText: text)
            let score = try plan.score(waits: true)
            let passage = Passage(Timeline(score))
            status = Status(
                performance: Performance(of: score, passage: passage), anchor: Anchor(speed: speed), countsTo: nil,
                pause: nil,
                zeroHeard: 50_000_000_000, sound: .device("test"))
            words = try #require(RunWords(plan, in: unit))
        }

        /// The messages of its timeline and its state.
        var messages: String {
            let window = PageMessage.window(around: 0, status.performance.passage)
            let state = PageMessage.state(status, words, at: 0)
            return #"{"timeline": \#(PageMessage.timeline(window, status, words)), "state": \#(state)}"#
        }
    }

    @Test(
        "the page has the distance and the pace of a run as the terminal has them, at every moment and every speed",
        arguments: [("km", 1_000_000), ("km", 500_000), ("mi", 1_000_000), ("mi", 1_300_000)] as [(String, Int64)])
    func measures(unit: String, millionths: Int64) throws {
        let unit = try #require(DistanceUnit(rawValue: unit))
        let speed = try #require(Speed(millionths: millionths))
        let playing = try Playing(
            "run 1:00 @ 5:00/km, walk 40:00 @ 11:00/km, run 0:30 @ 6:00/km", in: unit, speed: speed)
        let times = stride(from: 50.37, to: 1800, by: 13.77).map { $0 }
        let found = try PageScript.run(
            """
            import { Music, measures } from "./music.js";
            const { timeline, state } = input.messages;
            const music = new Music(timeline.timeline, timeline.bars, state.state, state.beats);
            for (const now of input.times) console.log(measures(music.moment(now), timeline.timeline));
            """, input: #"{"messages": \#(playing.messages), "times": \#(times)}"#)
        try #require(found.count == times.count)
        for (line, time) in zip(found, times) {
            guard case .bar(let heard) = playing.status.moment(at: Int64(time * 1e9)) else {
                Issue.record("no bar at \(time)")
                continue
            }
            let words = playing.words.phrase(heard, playing.status)
            #expect(words.hasSuffix(", " + line.joined(separator: " ")), "\(words) at \(time): \(line)")
        }
    }

    @Test("pages learn the paces of a plan anew after each change of speed, and bars of a score only once")
    func speeds() throws {
        let music = try ServedMusic()
        func timelines(_ words: any PieceWords, _ status: Status, _ faster: Status) -> [Int] {
            var screen = PageScreen(music.server, words)
            return [status, status, faster].map { status in
                _ = screen.show(status, at: status.zeroHeard)
                return music.server.pages.state.withLock { $0.newest[.timeline].number }
            }
        }
        let half = try #require(Speed(millionths: 500_000))
        let (whole, slow) = try (
            Playing("run 1:00 @ 5:00/km, run 1:00 @ 6:00/km"),
            Playing("run 1:00 @ 5:00/km, run 1:00 @ 6:00/km", speed: half)
        )
        let run = timelines(whole.words, whole.status, slow.status)
        #expect(run[1] == run[0] && run[2] == run[1] + 1, "\(run)")
        let newest = music.server.pages.state.withLock { String(decoding: $0.newest[.timeline].text, as: UTF8.self) }
        #expect(newest.contains("pace 10:00/km") && !newest.contains("pace 5:00/km"))
        let score = timelines(ScoreWords(), ServedMusic.status(bars: 8), ServedMusic.status(bars: 8, speed: half))
        #expect(Set(score).count == 1, "\(score)")
    }

    @Test("a sent page has the pace at which an interval is played, in a practice program too")
    func programs() throws {
        let playing = try Playing("run 1:00 @ 5:00/km, walk 0:30")
        let found = try PageScript.run(
            """
            import { Conductor } from "./conductor.js";
            import { Told } from "./told.js";
            import { answer } from "./typed.js";
            const conductor = new Conductor(input, 0);
            const told = new Told(conductor);
            answer(conductor, "program", "ladder 50% 50%", 0);
            console.log(told.messages(0)[0].bars[0].asks);
            conductor.setSpeed(500_000, 0);
            console.log(told.messages(0)[0].bars[0].asks);
            """, input: try SentMusic.json(playing.status.performance, playing.words).line)
        #expect(found == [["pace", "10:00/km"], ["pace", "20:00/km"]], "\(found)")
    }

    @Test("an interval until the lap button has no length on the page, and a plan that has one is told as timed")
    func open() throws {
        let found = try FakePage.run(
            """
            const { connect, on } = await load("connection");
            const { draw } = await load("display");
            const { tell } = await load("live");
            connect();
            open();
            tell("timeline", input.given.timeline);
            tell("state", input.given.state);
            pass(2);
            draw(now);
            for (const id of ["elapsed", "next", "next-left"]) console.log(text(id));
            """, given: try Playing("run 0:05, run until lap, walk 0:10").messages)
        #expect(
            found.map { $0.joined(separator: " ") } == [
                "0:03.0 of 0:15.0 timed", "then run 2 of 2, until lap Run 2 of 3", "-",
            ])
    }
}
