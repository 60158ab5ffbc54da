internal import SampleScores
internal import Screens
internal import Shared
internal import Testing

internal import Playback
internal import Scores
internal import Serving
internal import Timing

/// The page's mathematics is that of the program: both get the same numbers.
@Suite struct PageMathematicsTests {
    /// A number from 0 to 1.
    private static func random(_ generator: inout Seeded) -> Double { Double.random(in: 0...1, using: &generator) }

    @Test(
        "the page's model of a clock gives the same results as the program's", arguments: [0, 133e-6, -200e-6, 900e-6])
    func clockModel(drift: Double) throws {
        var generator = Seeded(state: 5)
        var model = ClockModel(nominalRate: 1_000_000, noise: 50e-6)
        var expected: [(position: Double, ppm: Double)] = []
        var input: [String] = []
        for n in 0..<300 {
            let time = Int64(1_000_000_000_000) + Int64(n) * 3_000_000_000 + Int64(Self.random(&generator) * 1e9)
            let trip = 0.001 + 0.04 * Self.random(&generator)
            // Some answers are late by far, and once the clock jumps.
            var error = (Self.random(&generator) - 0.5) * trip
            if n % 37 == 36 { error += 0.5 }
            if n > 200 { error += 2.5 }
            let passed = (Double(time) * 1e-9 - 1000) * (1 + drift)
            let frame = Int64((passed + 77_000 + error) * 1e6)
            model.observe(ClockObservation(time: time, frame: frame, blur: trip))
            let position = model.position(at: time + 1_234_567_890)
            expected.append((Double(position.frame) + position.fraction, model.deviationPPM))
            input.append(#"{"time": \#(time), "frame": \#(frame), "blur": \#(trip)}"#)
        }
        let found = try PageScript.run(
            """
            import { ClockModel } from "./clock.js";
            const model = new ClockModel(1e6, 50e-6);
            for (const observation of input) {
              model.observe(observation);
              console.log(model.position(observation.time + 1234567890), model.filter.deviation * 1e6);
            }
            """, input: "[" + input.joined(separator: ",") + "]")
        try #require(found.count == expected.count)
        for (line, wanted) in zip(found, expected) {
            let position = try #require(Double(line[0]))
            let ppm = try #require(Double(line[1]))
            #expect(abs(position - wanted.position) < 0.01 && abs(ppm - wanted.ppm) < 1e-6)
        }
    }

    @Test("the page sees the same moment as the program, whatever the state")
    func moments() throws {
        var generator = Seeded(state: 6)
        var expected: [Moment] = []
        var input: [String] = []
        for n in 0..<400 {
            let speed = try #require(Speed(millionths: Int64(generator.int(50_000...3_000_000))))
            var status = ServedMusic.status(bars: 30, speed: speed)
            status.zeroHeard = Int64(generator.int(50...150)) * 1_000_000_007
            status.anchor = Anchor(
                time: .milliseconds(generator.int(0...20_000)), position: .milliseconds(generator.int(0...29_000)),
                speed: speed)
            if n % 4 == 1 { status.pause = Status.Pause(.milliseconds(generator.int(0...29_500))) }
            if n % 6 == 1 {
                status.countsTo = .milliseconds(generator.int(0...20_000))
                status.countInBeats = [.seconds(2), .seconds(1)]
            }
            if n % 3 == 1 {
                // Every bar has a second of music and a hold of 0.8 s that ends by itself.
                var bar = Score.Bar(.seconds(1))
                bar.details.holds = [Hold(.milliseconds(800), at: .offset(.milliseconds(300)))]
                let score = Score(lines: [Score.Line(passes: 16, bars: [bar])])
                status.performance = Performance(of: score, passage: Passage(Timeline(score)))
            }
            if n % 5 == 1 {
                let place = status.performance.passage.position(of: 12) + .milliseconds(150)
                status.held = HeldMusic(boundary: 12, position: place, length: .seconds(1))
            }
            if n % 7 == 1 { status.begins = .milliseconds(generator.int(0...20_000)) }
            if n % 50 == 49 { status.stage = .over(.complete) }
            let now = status.zeroHeard + Int64(generator.int(0...60_000)) * 999_983
            expected.append(status.moment(at: now))
            let window = PageMessage.window(around: status.boundary(at: now), status.performance.passage)
            let timeline = PageMessage.timeline(window, status, ScoreWords())
            let state = PageMessage.state(status, ScoreWords(), at: status.boundary(at: now))
            let seconds = Duration.nanoseconds(now).seconds(decimals: 9)
            input.append(#"{"timeline": \#(timeline), "state": \#(state), "now": \#(seconds)}"#)
        }
        let found = try PageScript.run(
            """
            import { Music } from "./music.js";
            for (const { timeline, state, now } of input) {
              const music = new Music(timeline.timeline, timeline.bars, state.state, state.beats);
              const moment = music.moment(now);
              console.log(moment.kind, moment.bar ? moment.bar.n : -1, moment.left ?? 0, moment.elapsed ?? 0, moment.hold?.left ?? 0,
                moment.waits ? moment.waited : 0);
            }
            """, input: "[" + input.joined(separator: ",") + "]")
        try #require(found.count == expected.count)
        for (line, moment) in zip(found, expected) {
            var (kind, boundary, left, elapsed) = ("end", -1, Duration.zero, Duration.zero)
            var (hold, waited) = (Duration.zero, Duration.zero)
            switch moment {
            case .waiting(let time, let isPaused): (kind, left) = (isPaused ? "paused" : "waiting", time)
            case .countIn(let time, let isPaused): (kind, left) = (isPaused ? "paused" : "countIn", time)
            case .bar(let bar):
                kind = bar.isPaused ? "paused" : bar.isHolding ? "holding" : "playing"
                (boundary, left, elapsed) = (bar.boundary, bar.left, bar.elapsed)
                (hold, waited) = (bar.hold?.left ?? .zero, bar.waited)
            case .end: break
            }
            #expect(line[0] == kind && line[1] == "\(boundary)")
            #expect(abs(try #require(Double(line[2])) - left / .seconds(1)) < 1e-6)
            #expect(abs(try #require(Double(line[3])) - elapsed / .seconds(1)) < 1e-6)
            #expect(abs(try #require(Double(line[4])) - hold / .seconds(1)) < 1e-6)
            #expect(abs(try #require(Double(line[5])) - waited / .seconds(1)) < 1e-6)
        }
        #expect(expected.contains { if case .bar(let bar) = $0 { bar.hold != nil } else { false } })
    }

    @Test("the page of a voice shows the timed holds of that voice, and not those of the leading one")
    func ownHolds() throws {
        let score = try score(
            """
            voices:
              flute: {bars: [2, 2, {duration: 2, hold: 1}, 2]}
              harp: {bars: [2, {duration: 2, hold: 2}, 3]}
            """)
        var status = ServedMusic.status(bars: 1)
        status.performance = Performance(of: score, passage: Passage(Timeline(score)))
        status.zeroHeard = 0
        let window = PageMessage.window(around: 0, status.performance.passage)
        var input: [String] = []
        for (time, paused) in [(3.0, nil), (4.5, nil), (4.5, 4.5), (6.5, nil)] as [(Double, Double?)] {
            status.pause = paused.map { Status.Pause(.milliseconds(Int($0 * 1000))) }
            let timeline = PageMessage.timeline(window, status, ScoreWords())
            let state = PageMessage.state(status, ScoreWords(), at: 0)
            let sounds = PageSounds.message(window, status.performance).text
            input.append(#"{"timeline": \#(timeline), "state": \#(state), "sounds": \#(sounds), "now": \#(time)}"#)
        }
        let found = try PageScript.run(
            """
            import { Music } from "./music.js";
            import { Sounds } from "./clickplan.js";
            import { musicOf } from "./own.js";
            for (const { timeline, state, sounds, now } of input) {
              const music = new Music(timeline.timeline, timeline.bars, state.state, state.beats);
              const moment = musicOf(2, music, new Sounds(sounds)).moment(music.moment(now));
              console.log(moment.kind, moment.bar.bar, moment.hold?.left.toFixed(1), moment.hold?.length.toFixed(1));
            }
            """, input: "[" + input.joined(separator: ",") + "]")
        #expect(
            found.map { $0.joined(separator: " ") } == [
                "playing 2 undefined undefined", "holding 2 1.5 2.0", "paused 2 1.5 2.0",
                "playing 3 undefined undefined",
            ])
    }

    @Test("a page knows the player's clock to 10 ms through a network that delays by 50 ± 20 ms, whatever the drift")
    func delayedNetwork() throws {
        for drift in [0, 200e-6, -200e-6] {
            var generator = Seeded(state: 7)
            var (input, wanted): ([String], [Double]) = ([], [])
            // What the player's clock shows at a time of the page, in s.
            func player(_ time: Double) -> Double { 5000 + time * (1 + drift) }
            for burst in 0..<100 {
                for exchange in 0..<8 {
                    let sent = Double(burst) * 6 + Double(exchange) * 0.2
                    let there = sent + (30 + 40 * Self.random(&generator)) / 1000
                    let back = there + (30 + 40 * Self.random(&generator)) / 1000
                    input.append("[\(sent * 1000), \(back * 1000), \(player(there))]")
                }
                wanted.append(player(Double(burst) * 6 + 4))
            }
            let found = try PageScript.run(
                """
                import { PlayerClock } from "./clock.js";
                const clock = new PlayerClock();
                input.forEach(([sent, received, at], index) => {
                  clock.take(sent, received, at);
                  if (index % 8 === 7) console.log(clock.at((index - 7) / 8 * 6000 + 4000));
                });
                """, input: "[" + input.joined(separator: ",") + "]")
            let errors = try zip(found, wanted).map { abs(try #require(Double($0[0])) - $1) }
            #expect(errors.count == 100)
            let settled = errors.dropFirst(10).sorted()
            #expect(settled[settled.count * 95 / 100] < 0.010, "drift \(drift): \(settled)")
        }
    }
}
