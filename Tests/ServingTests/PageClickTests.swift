internal import SampleScores
internal import Screens
internal import Shared
internal import Testing

internal import Playback
internal import Scores
internal import Serving
internal import Timing

/// The clicks that a page puts by itself are the program's.
@Suite struct PageClickTests {
    /// Takes clicks, as seconds of the frames.
    private struct Clicks: EventSink {
        var clicks: [(at: Double, sound: ClickSound, amplitude: Double)] = []
        var hasRoom: Bool { true }

        mutating func push(_ event: Event) -> Bool {
            guard case .click(let sound, let amplitude, _) = event.kind else { return true }
            clicks.append((event.position.seconds, sound, amplitude))
            return true
        }
    }

    /// A status of music whose time zero was heard at 100 s, and the messages about it.
    private static func messages(
        _ performance: Performance, _ change: (inout Status) -> Void = { _ in }
    ) -> String {
        let scheduler = Scheduler(performance, rate: 48_000)
        var status = Status(
            performance: performance, anchor: scheduler.anchor, countsTo: scheduler.countsTo?.end,
            pause: nil, zeroHeard: 100_000_000_000, sound: .device("test"))
        status.countInClicks = scheduler.countInClicks
        change(&status)
        let window = PageMessage.window(around: 0, performance.passage)
        return """
            {"timeline": \(PageMessage.timeline(window, status, ScoreWords())), "state": \(PageMessage.state(status, ScoreWords(), at: 0)), \
            "sounds": \(PageSounds.message(window, performance).text)}
            """
    }

    private static let head = """
        import { ClickPlan, Sounds } from "./clickplan.js";
        import { Music } from "./music.js";
        const plans = (input) => input.map(({ timeline, state, sounds }) => {
          const music = new Music(timeline.timeline, timeline.bars, state.state, state.beats, state);
          return { music, sounds: new Sounds(sounds) };
        });

        """

    private static func performance(_ score: Score) -> Performance {
        Performance(of: score, passage: Passage(Timeline(score)))
    }

    @Test("a page's clicks are the scheduler's, in time, sound and level, whatever the score and the settings")
    func scheduler() throws {
        var generator = Seeded(state: 21)
        var wanted: [[(at: Double, sound: ClickSound, amplitude: Double)]] = []
        var input: [String] = []
        for n in 0..<60 {
            var performance = Self.performance(Score.randomPage(&generator))
            performance.speed = try #require(Speed(millionths: Int64(generator.int(200_000...3_000_000))))
            performance.inner.beats = generator.chance(2)
            performance.inner.subdivision = generator.int(1...4)
            performance.cues.lastBar = generator.chance(4)
            if generator.chance(3) { performance.silence = .init(bars: 1, of: 3) }
            if generator.chance(4) { performance.barSounds.areAlike = true }
            performance.isClickMuted = n % 20 == 19
            performance.waits = false
            // Countdowns are the player's alone.
            performance.cues.holdEnd = .off
            var scheduler = Scheduler(performance, rate: 48_000)
            let zero = Double(performance.zeroFrame(rate: 48_000)) / 48_000
            var sink = Clicks()
            _ = scheduler.schedule(before: Int64((zero + 40) * 48_000), into: &sink)
            // Clicks that warn of an entry are the player's alone.
            wanted.append(
                sink.clicks.map { ($0.at - zero + 100, $0.sound, $0.amplitude) }.filter { $0.1 != .warning })
            input.append(Self.messages(performance))
        }
        let found = try PageScript.run(
            Self.head + """
                plans(input).forEach(({ music, sounds }, index) => {
                  const plan = new ClickPlan(music, sounds, { part: "player", voice: 0 });
                  // In steps that overlap, as the page does.
                  const clicks = new Map();
                  for (let from = -4000; from < 140; from += from < 90 ? 200 : 2) {
                    for (const click of plan.between(from, from + (from < 90 ? 200 : 2.5))) clicks.set(click.key, click);
                  }
                  for (const { at, sound, amplitude } of clicks.values()) {
                    if (sound !== "warning") console.log(index, at, sound, amplitude);
                  }
                });
                """, input: "[" + input.joined(separator: ",") + "]")
        for (index, clicks) in wanted.enumerated() {
            let page = try found.filter { $0[0] == "\(index)" }
                .map { (at: try #require(Double($0[1])), sound: $0[2], amplitude: try #require(Double($0[3]))) }
                .filter { $0.at < 139.99 }.sorted { ($0.sound, $0.at) < ($1.sound, $1.at) }
            let own = clicks.filter { $0.at < 139.99 }
                .map { (at: $0.at, sound: Substring($0.sound.rawValue), amplitude: $0.amplitude) }
                .sorted { ($0.sound, $0.at) < ($1.sound, $1.at) }
            try #require(page.count == own.count, "score \(index): \(page.count) of \(own.count)")
            let others = zip(page, own).filter { page, own in
                page.sound != own.sound || abs(page.at - own.at) > 2e-5 || abs(page.amplitude - own.amplitude) > 1e-9
            }
            #expect(others.isEmpty, "score \(index): \(others.prefix(3))")
        }
        #expect(wanted.reduce(0) { $0 + $1.count } > 1000)
    }

    @Test("paused, ended and muted music has no clicks, and a hold none until the player continues")
    func silence() throws {
        var bars = (0..<4).map { _ in Score.Bar(.seconds(1)) }
        bars[1].details.holds = [Hold(.seconds(2), waits: true)]
        var live = Self.performance(Score(lines: [Score.Line(bars: bars)]))
        live.waits = true
        var muted = live
        muted.isClickMuted = true
        let input = [
            Self.messages(live),
            Self.messages(live) {
                $0.held = HeldMusic(boundary: 1, position: .seconds(2), length: .seconds(2))
            },
            Self.messages(live) {
                $0.anchor.position = .seconds(4)
                $0.anchor.time = .seconds(10)
            },
            Self.messages(live) { $0.pause = Status.Pause(.seconds(1)) },
            Self.messages(live) { $0.stage = .over(.complete) },
            Self.messages(muted),
        ]
        let found = try PageScript.run(
            Self.head + """
                for (const { music, sounds } of plans(input)) {
                  const plan = new ClickPlan(music, sounds, { part: "player", voice: 0 });
                  console.log("at", ...plan.between(90, 200).map((click) => click.at));
                }
                """, input: "[" + input.joined(separator: ",") + "]")
        #expect(
            found.map { $0.joined(separator: " ") } == ["at 100 101", "at 100 101", "at 110 111", "at", "at", "at"])
    }

    @Test("a page may choose its own clicks, which sound even where the player's are muted")
    func parts() throws {
        var bars = [Score.Bar(.seconds(3)), Score.Bar(.seconds(1))]
        bars[0].details.beats = [Beat(.accent), Beat(.beat), Beat(.beat)]
        var performance = Self.performance(Score(lines: [Score.Line(bars: bars)]))
        performance.isClickMuted = true
        let found = try PageScript.run(
            Self.head + """
                const [{ music, sounds }] = plans(input);
                for (const part of ["player", "lines", "bars", "beats", "halves", "nonsense"]) {
                  const clicks = new ClickPlan(music, sounds, { part, voice: 0 }).between(90, 200);
                  console.log(part, ...clicks.map((click) => click.at), clicks.every((click) => click.amplitude > 0.4));
                }
                """, input: "[\(Self.messages(performance))]")
        #expect(
            found.map { $0.joined(separator: " ") } == [
                "player true", "lines 100 true", "bars 100 103 true", "beats 100 101 102 103 true",
                "halves 100 100.5 101 101.5 102 102.5 103 103.5 true", "nonsense true",
            ])
    }

    @Test("the clicks of a page are those of the program, sample by sample", arguments: ClickSound.allCases)
    func sounds(sound: ClickSound) throws {
        let (rate, frames) = (48_000, 30_000)
        var engine = try Engine(SoundFormat(rate: rate, channels: 1, samples: .float32))
        engine.push(Event(FramePosition(frame: 0), .click(sound, amplitude: 0.5)))
        engine.commit(horizon: .max)
        engine.decide()
        var bytes = [UInt8](repeating: 0, count: frames * engine.bytesPerFrame)
        bytes.withUnsafeMutableBytes { engine.render(frames, into: $0) }
        let own = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let found = try PageScript.run(
            """
            import { clickSamples } from "./clicksounds.js";
            for (const sample of clickSamples(input, \(rate))) console.log(sample);
            """, input: #""\#(sound.rawValue)""#)
        let page = try found.map { try #require(Double($0[0])) }
        #expect(page.count < frames && own.dropFirst(page.count).allSatisfy { $0 == 0 })
        let error = zip(page, own).map { abs($0 / 2 - Double($1)) }.max() ?? .infinity
        #expect(error < 1e-4, "\(sound): \(error)")
    }

    @Test("a cadence of hours is a short message, and bars with very many clicks are sent in parts")
    func endless() throws {
        var cadence = Self.performance(Score(lines: [Score.Line(bars: [Score.Bar(.seconds(20_000))])]))
        cadence.inner.grid = .perMinute(177)
        let message = Self.messages(cadence)
        #expect(message.utf8.count < 3000)
        let found = try PageScript.run(
            Self.head + """
                const [{ music, sounds }] = plans(input);
                const plan = new ClickPlan(music, sounds, { part: "player", voice: 0 });
                for (const { at } of plan.between(15000.1, 15001.1)) console.log(at);
                """, input: "[\(message)]")
        let times = try found.map { try #require(Double($0[0])) }
        // Each is a whole number of sixtieths of a minute through 177.
        #expect(times.count == 3 && times.allSatisfy { abs((($0 - 100) * 177 / 60).remainder(dividingBy: 1)) < 1e-5 })

        var many = Self.performance(
            Score(lines: [Score.Line(bars: Array(repeating: Score.Bar(.seconds(7200)), count: 100))]))
        many.inner.grid = .perMinute(1000)
        let told = PageSounds.message(0..<100, from: 50, many).told
        #expect(told.contains(50) && told.contains(52) && told.count < 20)
    }

    @Test("runs of equal clicks of a count-in are sent as one, and lose none")
    func counts() {
        let seconds = (1...3600).reversed().map { CountInClick(lead: .seconds($0), sound: .countIn) }
        #expect(PageSounds.counts(seconds).line == #"[[3600.000000000, 1.000000000, 3600, "count-in"]]"#)
        let beats = [(4, ClickSound.line), (3, .countIn), (2, .countIn), (1, .countIn)].map {
            CountInClick(lead: .seconds($0.0), sound: $0.1)
        }
        #expect(
            PageSounds.counts(beats).line
                == #"[[4.000000000, 0.000000000, 1, "line"], [3.000000000, 1.000000000, 3, "count-in"]]"#)
        #expect(PageSounds.counts([]).line == "[]")
    }
}

extension FramePosition {
    fileprivate var seconds: Double { (Double(frame) + fraction) / 48_000 }
}
