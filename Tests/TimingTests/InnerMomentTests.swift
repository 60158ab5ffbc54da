import Formats
import SampleScores
import Scores
import Shared
import Testing
import Timing

@Suite("Inside bars")
struct InnerMomentTests {
    private func moments(_ text: String, bar: Int = 0, _ location: SourceLocation = #_sourceLocation) throws -> [String]
    {
        let reading = Score.read(Array(text.utf8), file: "x.yaml")
        let score = try #require(
            reading.score, "\(reading.diagnostics.map { $0.rendered() })", sourceLocation: location)
        return Timeline(score).moments(inBar: bar, InnerSettings(score)).map {
            let kind =
                switch $0.kind {
                case .click(let stress): stress.rawValue
                case .wait(let length): length == .zero ? "wait" : "wait \(length.exactSeconds)"
                }
            return "\($0.offset.seconds(decimals: 3)) \(kind)"
        }
    }

    @Test(
        "clicks and waits inside a bar follow the score",
        arguments: [
            ("bars: [4/4]", []), ("beats: on\nbars: [4/4]", ["1.000 x", "2.000 x", "3.000 x"]),
            ("beats: on\nbars: [3+2/8]", ["0.500 x", "1.000 x", "1.500 X", "2.000 x"]),
            ("beats: on\nbars: [1/4 + 3/8]", ["1.000 X", "1.500 x", "2.000 x"]),
            ("beats: on\nbars: [2.5/4]", ["1.000 x", "2.000 x"]),
            ("beats: on\nbars: [{meter: 4/4, beats: off}]", ["1.000 .", "2.000 .", "3.000 ."]),
            ("bars: [{meter: 4/4, beats: on}]", ["1.000 x", "2.000 x", "3.000 x"]),
            ("bars: [{meter: 4/4, beats: X.sX}]", ["1.000 .", "2.000 s", "3.000 X"]),
            ("bars: [{meter: 4/4, beats: .xxx}]", ["0.000 .", "1.000 x", "2.000 x", "3.000 x"]),
            (
                "bars: [{meter: 2/4, beats: [1/8 3:2, 1/8 3:2 s, 1/8 3:2 s, 1/4 X]}]",
                ["0.333 s", "0.667 s", "1.000 X"]
            ),
            ("bars: [{duration: 3, beats: Xsx}]", ["1.000 s", "2.000 x"]),
            ("bars: [{duration: 3, beats: [1/4, 1/8]}]", ["2.000 x"]),
            ("grid: seconds\nbars: [2.7]", ["1.000 x", "2.000 x"]), ("grid: seconds\nbars: [2]", ["1.000 x"]),
            ("grid: 4 parts\nbars: [2]", ["0.500 x", "1.000 x", "1.500 x"]),
            ("grid: 4 parts\nbars: [4/4]", []), ("grid: seconds\nbars: [{duration: 2, grid: off}]", []),
            ("grid: seconds\nbars: [{duration: 4, speed: 200%}]", ["1.000 x"]),
            ("beats: on\ntempo: 120\nbars: [{meter: 2/4, hold: 5 at beat 2}]", ["0.500 x"]),
            ("beats: on\nbars: [{meter: 3/4, hold: 5 at beat 2}]", ["1.000 x", "7.000 x"]),
            ("grid: seconds\nbars: [{duration: 3, hold: 5 at 1.5}]", ["1.000 x", "7.000 x"]),
            (
                "grid: seconds\nbars: [{duration: 3, hold: [until cue at 1.5, 2 at 2.5]}]",
                ["1.000 x", "1.500 wait", "2.000 x"]
            ),
            ("bars: [{duration: 3, hold: {until: cue, length: 9}}]", ["3.000 wait 9"]),
            // Parts of beats.
            ("subdivide: 2\nbars: [2/4]", ["0.500 s", "1.000 x", "1.500 s"]),
            ("beats: off\nsubdivide: 2\nbars: [2/4]", []),
            ("beats: off\nsubdivide: 2\nbars: [{meter: 2/4, beats: on}]", ["0.500 s", "1.000 x", "1.500 s"]),
            ("subdivide: 4\nbars: [{meter: 2/4, subdivide: 1}]", ["1.000 x"]),
            ("bars: [{meter: 2/4, subdivide: 2}]", ["0.500 s", "1.000 x", "1.500 s"]),
            ("subdivide: 2\nbars: [{meter: 3/4, beats: Xx.}]", ["1.000 x", "2.000 ."]),
            ("bars: [{meter: 3/4, beats: X.x, subdivide: 2}]", ["0.500 s", "1.000 .", "2.000 x", "2.500 s"]),
            ("subdivide: 2\nbars: [2.5/4]", ["0.500 s", "1.000 x", "1.500 s", "2.000 x"]),
            ("subdivide: 4\nbars: [1.5/4]", ["0.250 s", "0.500 s", "0.750 s", "1.000 x", "1.250 s"]),
            (
                "bars: [{meter: 2/4, beats: [1/8 3:2, 1/4 3:2, 1/4 .], subdivide: 2}]",
                ["0.167 s", "0.333 x", "0.667 s", "1.000 ."]
            ),
            ("bars: [{duration: 4, beats: Xx, subdivide: 2}]", ["1.000 s", "2.000 x", "3.000 s"]),
            ("bars: [{duration: 3, beats: [1/4, 1/8 s], subdivide: 2}]", ["1.000 s", "2.000 s", "2.500 s"]),
            (
                "subdivide: 2\nbars: [{meter: 2/4, hold: 5 at beat 2}]", ["0.500 s", "1.000 x", "6.500 s"]
            ),
            (
                "subdivide: 2\nbars: [{meter: 2/4, speed: 50%}]", ["1.000 s", "2.000 x", "3.000 s"]
            ),
            // The grid of a bar with a meter.
            ("bars: [{meter: 3/4, grid: 4 parts}]", ["0.750 x", "1.500 x", "2.250 x"]),
            ("beats: on\nbars: [{meter: 3/4, grid: 2 parts}]", ["1.500 x"]),
            ("subdivide: 2\nbars: [{meter: 3/4, grid: off, subdivide: 1}]", ["1.000 x", "2.000 x"]),
            ("tempo: 40\nbars: [{meter: 2/4, grid: seconds}]", ["1.000 x", "2.000 x"]),
            ("bars: [{meter: 2/4, grid: 90/min}]", ["0.667 x", "1.333 x"]),
            ("bars: [{meter: 3/4, grid: 2 parts, hold: 5 at beat 2}]", ["6.500 x"]),
            ("bars: [{meter: 4/4, grid: 2 parts, hold: 5 at beat 3}]", ["2.000 x"]),
        ] as [(String, [String])])
    func inside(text: String, expected: [String]) throws {
        #expect(try moments(text) == expected)
    }

    @Test(
        "every point of a grid lies at the attosecond nearest to its exact place",
        arguments: [7, 13, 60, 97])
    func nearest(perMinute: Int) throws {
        let score = Score(lines: [Score.Line(bars: [Score.Bar(.seconds(60))])])
        var settings = InnerSettings(score)
        settings.grid = .parts(1)
        #expect(Timeline(score).moments(inBar: 0, settings).isEmpty)
        for grid in [Grid.perMinute(perMinute), .parts(perMinute)] {
            settings.grid = grid
            let offsets = Timeline(score).moments(inBar: 0, settings).map(\.offset)
            #expect(offsets.count == perMinute - 1)
            for (i, offset) in offsets.enumerated() {
                let error = offset.attoseconds * Int128(perMinute) - Duration.seconds(60).attoseconds * Int128(i + 1)
                #expect(2 * error.magnitude <= perMinute, "point \(i + 1) is \(error)/\(perMinute) attoseconds off")
            }
        }
    }

    @Test("a grid has a point two nanoseconds before the end of a bar, and none where rounding makes a bar too long")
    func lastPoint() {
        for (longer, points) in [(Duration.nanoseconds(2), [Duration.seconds(60)]), (Duration(attoseconds: 1), [])] {
            let score = Score(lines: [Score.Line(bars: [Score.Bar(.seconds(60) + longer)])])
            var settings = InnerSettings(score)
            settings.grid = .perMinute(1)
            #expect(Timeline(score).moments(inBar: 0, settings).map(\.offset) == points)
        }
    }

    @Test("a grid of whole clock seconds continues through bars of any length")
    func clock() throws {
        let text = "grid: clock\nbars: [2.7, 0.2, 1.1, 2]"
        #expect(try moments(text, bar: 0) == ["1.000 x", "2.000 x"])
        #expect(try moments(text, bar: 1) == [])
        #expect(try moments(text, bar: 2) == ["0.100 x"])
        #expect(try moments(text, bar: 3) == ["1.000 x"])
        // The clock goes on during holds: they are at 2 to 2.5, 4 to 5 and 5.5 to 6.3 of the piece, and each end has its own click.
        let held = "grid: clock\nbars: [{duration: 4, hold: [0.5 at 2, 1 at 3.5, 0.8]}, 2]"
        #expect(try moments(held) == ["1.000 x", "2.000 x", "3.000 x", "4.000 x"])
        #expect(try moments(held, bar: 1) == ["0.700 x", "1.700 x"])
        let one = "{duration: 4, hold: 0.5 at 1.2}"
        #expect(try moments("grid: clock\nbars: [\(one), 3]") == ["1.000 x", "2.000 x", "3.000 x", "4.000 x"])
        #expect(
            try moments("bars: [{meter: 4/4, grid: clock, hold: 0.5 at beat 2}]") == [
                "1.000 x", "2.000 x", "3.000 x", "4.000 x",
            ])
    }

    @Test("subdivisions of beats and of a bar follow a ramp")
    func partsOnARamp() throws {
        let ramp = "meter: 4/4, ramp: {to: 1/4 = 120, over: 2 bars}"
        let eighths = try moments("bars: [{\(ramp), subdivide: 2}, 4/4]")
        #expect(eighths[0] == "0.485 s" && eighths[1] == "0.942 x")
        #expect(try moments("bars: [{\(ramp), grid: 4 parts}, 4/4]") == ["0.942 x", "1.785 x", "2.548 x"])
    }

    @Test("a bar divided into parts has each part where a bar of as many shorter beats has its beat")
    func model() throws {
        var random = Seeded(state: 22)
        for _ in 0..<100 {
            let (beats, parts, rate) = (random.int(1...12), random.int(1...16), random.int(20...300))
            let ramp = random.chance(2) ? ", ramp: {to: 1/4 = \(rate * 2), over: 1 bar}" : ""
            let text = "tempo: \(rate)\nbeats: on\n"
            func offsets(_ bar: String) throws -> [Duration] {
                let score = try score(text + "bars: [\(bar)]")
                return Timeline(score).moments(inBar: 0, InnerSettings(score)).map(\.offset)
            }
            let divided = try offsets("{meter: \(beats)/4, subdivide: \(parts)\(ramp)}")
            #expect(divided == (try offsets("{meter: \(beats * parts)/\(4 * parts)\(ramp)}")))
            guard beats * parts > 1 else { continue }
            #expect(divided == (try offsets("{meter: \(beats)/4, grid: \(beats * parts) parts\(ramp)}")))
        }
    }

    @Test("beats are numbered, whatever clicks are between them")
    func numbers() throws {
        func numbers(_ bar: String) throws -> [String] {
            let score = try score("bars: [\(bar)]")
            return Timeline(score).beats(inBar: 0, InnerSettings(score))
                .map { ($0.number.map(String.init) ?? "-") + ($0.isHeard ? "" : "?") }
        }
        #expect(try numbers("{meter: 2/4, subdivide: 3}") == ["1", "-", "-", "2", "-", "-"])
        #expect(try numbers("{meter: 4/4, grid: 6 parts, hold: 1}") == ["1", "-", "2?", "-", "3", "-", "4?", "-"])
        #expect(try numbers("{meter: 4/4, grid: 6 parts}") == ["1", "-", "-", "3", "-", "-"])
        #expect(try numbers("{duration: 2, beats: Xx.}") == ["1", "2", "3"])
        #expect(try numbers("{meter: 2/4, label: A}") == ["1?", "2?"])
    }

    @Test("beats on a ramp follow its tempo, and end with the bar")
    func ramp() throws {
        let text = "beats: on\nbars: [{meter: 4/4, ramp: {to: 1/4 = 120, over: 2 bars}}, 4/4]"
        // 8 ln(1 + x/8) s for x quarters.
        #expect(try moments(text) == ["0.942 x", "1.785 x", "2.548 x"])
        #expect(try moments(text, bar: 1) == ["0.640 x", "1.233 x", "1.785 x"])
    }
}

@Suite("Scheduling of clicks inside bars, drone and holds")
struct InnerEventTests {
    private static func performance(_ text: String) throws -> Performance {
        let reading = Score.read(Array(text.utf8), file: "x.yaml")
        let score = try #require(reading.score, "\(reading.diagnostics.map { $0.rendered() })")
        return Performance(of: score, passage: Passage(Timeline(score)))
    }

    @Test("beats have their own sounds, and a bar can have its own sound and level")
    func sounds() throws {
        let performance = try Self.performance(
            """
            beats: on
            sections:
              - label: A
                bars: [{meter: 3/4, beats: Xs.}, {meter: 2+2/4, click: {sound: warning, level: -6 dB}}, {duration: 1, click: off}]
            """)
        let recorder = events(performance, rate: 1000)
        #expect(
            recorder.clicks.map { "\($0.position.frame) \($0.sound)" }
                == ["0 section", "1000 subdivision", "3000 warning", "4000 beat", "5000 accent", "6000 beat"])
        let amplitudes = recorder.events.compactMap { if case .click(_, let level, _) = $0.kind { level } else { nil } }
        #expect(amplitudes[0] == performance.clickLevel.amplitude)
        #expect(amplitudes[2] == Level(decibels: performance.clickLevel.decibels - 6).amplitude)
    }

    @Test("any horizons and refusals give the same events as a single call, with beats, drone and holds")
    func horizons() throws {
        let performance = try Self.performance(
            """
            beats: on
            drone: B4
            count-in: 2
            grid: 3 parts
            lines:
              - repeat: 3
                bars: [5/8, {duration: 1.3, drone: off}, {meter: 3/7, drone: C4, hold: 0.7 at beat 2}, 2, {duration: 1, drone: on}]
            """)
        let whole = events(performance, rate: 48000)
        #expect(whole.disorders == [])
        var random = Seeded(state: 90)
        for seed in 0..<60 {
            var scheduler = Scheduler(performance, rate: 48000)
            var recorder = Recorder(refusals: UInt64(seed))
            let end = try #require(scheduler.endFrame)
            var horizon: Int64 = 0
            while horizon <= end {
                horizon += Int64(random.int(1...100_000))
                _ = scheduler.schedule(before: horizon, into: &recorder)
            }
            scheduler.scheduleAll(before: horizon, into: &recorder)
            #expect(recorder.events == whole.events)
        }
    }

    @Test("a jump to any bar sounds the same as playing through to it")
    func seeking() throws {
        let performance = try Self.performance(
            """
            beats: on
            drone: {pitch: B4}
            bars: [5/8, {meter: 2/4, ramp: {to: 1/4 = 97, over: 3 bars}}, {meter: 3/4, drone: A4}, {duration: 2, drone: off}, 3/4, {meter: 4/4, drone: {level: -12 dB}}, 1]
            """)
        let whole = events(performance, rate: 48000)
        for n in 0..<7 {
            var scheduler = Scheduler(performance, rate: 48000)
            let begin = scheduler.position(ofBoundary: n)
            var recorder = Recorder()
            // The jump starts from the very end, where the drone is different.
            scheduler.scheduleAll(before: .max, into: &recorder)
            recorder.cut(at: begin.frame)
            scheduler.jump(to: n, at: begin.frame)
            scheduler.scheduleAll(before: .max, into: &recorder)
            let expected = whole.clicks.filter { $0.position >= begin }
            let sought = recorder.clicks.filter { $0.position.frame >= begin.frame }
            #expect(sought.map(\.sound) == expected.map(\.sound))
            for (seek, play) in zip(sought, expected) {
                // The jump is to a whole frame.
                #expect(abs(seek.position.distance(from: play.position) + begin.fraction) < 1e-6)
            }
            let drone = whole.drones.last { $0.frame <= begin.frame }
            #expect(recorder.drones.last { $0.frame <= begin.frame }?.amplitude == drone?.amplitude)
        }
    }

    @Test("a pause of any length at any frame loses no beat and plays none twice")
    func pauses() throws {
        let performance = try Self.performance("beats: on\ngrid: 3 parts\ndrone: B4\nbars: [5/8, 1.3, 3/7, 2, 4/4]")
        let whole = events(performance, rate: 48000)
        var random = Seeded(state: 91)
        for _ in 0..<100 {
            var scheduler = Scheduler(performance, rate: 48000)
            var recorder = Recorder()
            scheduler.scheduleAll(before: .max, into: &recorder)
            let end = try #require(scheduler.endFrame)
            let (frame, length) = (Int64(random.int(0...Int(end))), Int64(random.int(0...200_000)))
            recorder.cut(at: frame)
            scheduler.pause(at: frame)
            scheduler.scheduleAll(before: .max, into: &recorder)
            scheduler.resume(at: frame + length)
            scheduler.scheduleAll(before: .max, into: &recorder)
            #expect(recorder.clicks.map(\.sound) == whole.clicks.map(\.sound))
            for (old, new) in zip(whole.clicks, recorder.clicks) {
                let shift = old.position.frame < frame ? 0 : length
                #expect(abs(new.position.distance(from: old.position) - Double(shift)) < 1e-6)
            }
        }
    }

    @Test("live music waits at a hold until a command continues it, while the drone keeps sounding")
    func waiting() throws {
        var performance = try Self.performance(
            "drone: B4\nbars: [1, {duration: 2, hold: {until: cue, length: 9, at: 0.5}}, 1, {duration: 1, hold: until cue}]"
        )
        performance.cues.holdEnd = .off
        // Without a player, a hold lasts as long as it says.
        let alone = events(performance, rate: 1000)
        #expect(alone.clicks.map(\.position.frame) == [0, 1000, 12_000, 13_000])
        #expect(Scheduler(performance, rate: 1000).endFrame == 14_000)
        performance.waits = true
        var scheduler = Scheduler(performance, rate: 1000)
        var recorder = Recorder()
        scheduler.scheduleAll(before: 50_000, into: &recorder)
        #expect(recorder.clicks.map(\.position.frame) == [0, 1000])
        #expect(scheduler.endFrame == nil)
        #expect(scheduler.state(at: 1400) == .playing)
        #expect(scheduler.state(at: 1500).isHolding)
        #expect(scheduler.position(at: 40_000) == .milliseconds(1500))
        #expect(recorder.drones.map(\.amplitude) == [Score.Drone.standardLevel.amplitude])
        // A command to go on that comes too early has no effect.
        scheduler.proceed(at: 1200)
        #expect(scheduler.state(at: 1500).isHolding)
        recorder.cut(at: 30_000)
        scheduler.proceed(at: 30_000)
        scheduler.scheduleAll(before: 50_000, into: &recorder)
        #expect(recorder.clicks.map(\.position.frame) == [0, 1000, 31_500, 32_500])
        #expect(scheduler.state(at: 33_500).isHolding)
        #expect(scheduler.state(at: 33_499) == .playing)
        #expect(scheduler.endFrame == nil)
        recorder.cut(at: 40_000)
        scheduler.proceed(at: 40_000)
        #expect(scheduler.endFrame == 40_000)
    }

    @Test("a jump leaves a hold, and a speed change does not")
    func leaving() throws {
        var performance = try Self.performance("bars: [1, {duration: 1, hold: until cue}, 1, 1]")
        performance.waits = true
        var scheduler = Scheduler(performance, rate: 1000)
        var recorder = Recorder()
        scheduler.scheduleAll(before: 10_000, into: &recorder)
        recorder.cut(at: 10_000)
        scheduler.change(speed: try speed(500_000), at: 10_000)
        scheduler.scheduleAll(before: 20_000, into: &recorder)
        #expect(scheduler.state(at: 11_000).isHolding)
        #expect(recorder.clicks.count == 2)
        recorder.cut(at: 20_000)
        scheduler.jump(to: 3, at: 20_000)
        #expect(scheduler.state(at: 20_000) == .playing)
        scheduler.scheduleAll(before: 50_000, into: &recorder)
        #expect(recorder.clicks.map(\.position.frame) == [0, 1000, 20_000])
        #expect(scheduler.endFrame == 22_000)
    }
}
