internal import Formats
internal import SampleScores
internal import Scores
internal import Testing
internal import Timing

/// Bars with meters whose tempo changes inside of them, and the times of their beats by exact fractions: an independent
/// model that walks from one place to the next.
private struct TempoModel {
    private(set) var bars: [Score.Bar] = []
    /// The places of the beats of each bar, and its end, in seconds from its beginning.
    private(set) var times: [[Rational]] = []

    init(bars count: Int, _ random: inout Seeded) throws {
        // Whole notes a minute.
        var tempo = Rational(24)
        for _ in 0..<count {
            let (beats, unit) = [(4, 4), (3, 4), (7, 8), (2, 2)][random.int(0...3)]
            var bar = Score.Bar(Meter(Int64(beats), over: Int64(unit)))
            let rate = random.int(40...160)
            bar.details.tempo = .tempo(Tempo(Fraction(1, 4), Fraction(Int64(rate))))
            tempo = Rational(Int128(rate), 4)
            if random.chance(4) { bar.details.speed = try speed(500_000) }
            let slow = Rational(bar.details.speed == nil ? 1 : 2)
            let hold = random.chance(5) ? random.int(1...beats) : nil
            if let hold { bar.details.holds = [Hold(.seconds(1), at: .beat(hold))] }
            var (now, places) = (Rational(0), [Rational]())
            for beat in 1...beats {
                places.append(now)
                if hold == beat { now = now + Rational(1) }
                let length = Rational(1, Int128(unit))
                var parts = [Rational(0), Rational(1)]
                let isInside = random.chance(3)
                let isChange = random.chance(3) && (beat > 1 || isInside) && bar.details.tempoChanges.count < 3
                if isChange {
                    let part = isInside ? Rational(Int128(random.int(1...6)), 7) : Rational(0)
                    parts = isInside ? [Rational(0), part, Rational(1)] : parts
                    let place = Fraction(Int64(beat) * 7 + (isInside ? Int64(part.above * 7 / part.below) : 0), 7)
                    let rate = random.int(40...160)
                    let next: (mark: TempoMark, tempo: Rational) =
                        random.chance(4)
                        ? (.modulation(old: Fraction(1, 4), new: Fraction(3, 8)), tempo * Rational(3, 2))
                        : (.tempo(Tempo(Fraction(1, 8), Fraction(Int64(rate)))), Rational(Int128(rate), 8))
                    bar.details.tempoChanges.append(TempoChange(at: place, .tempo(next.mark)))
                    if isInside { now = now + slow * length * part * Rational(60) / tempo }
                    tempo = next.tempo
                    now = now + slow * length * (Rational(1) - part) * Rational(60) / tempo
                } else {
                    now = now + slow * length * Rational(60) / tempo
                }
            }
            bars.append(bar)
            times.append(places + [now])
        }
    }
}

@Suite("Tempi inside bars")
struct InnerTempoTests {
    private func timeline(_ text: String) throws -> Timeline { Timeline(try score(text)) }

    /// Reads a score that may have warnings.
    private func warned(_ text: String) throws -> Timeline {
        Timeline(try #require(Score.read(Array(text.utf8), file: "x.yaml").score))
    }

    private func isNear(_ one: Duration, _ other: Duration) -> Bool { (one - other).attoseconds.magnitude < 1000 }

    @Test("every beat is where exact fractions have it, in every pass of a repeat and after a jump")
    func model() throws {
        var random = Seeded(state: 34)
        for _ in 0..<200 {
            let model = try TempoModel(bars: 12, &random)
            var bars = model.bars
            bars[0].label = "A"
            bars[11].details.jump = Jump(to: .label("A"))
            var score = Score(lines: [Score.Line(passes: 2, bars: bars)])
            score.beats = true
            #expect(Layout(score).problems.isEmpty)
            let timeline = Timeline(score)
            try #require(timeline.barCount == 48)
            for index in 0..<timeline.barCount {
                let times = model.times[index % 12]
                #expect(abs(times[times.count - 1].distance(from: timeline[index].duration)) < 10)
                let beats = timeline.beats(inBar: index, InnerSettings(score))
                try #require(beats.count == times.count - 1)
                for (beat, time) in zip(beats, times) { #expect(abs(time.distance(from: beat.offset)) < 10) }
            }
            #expect(Score.read(Array(score.yaml.utf8), file: "x.yaml").score == score)
        }
    }

    @Test("a ramp from a beat has the times of its formula, and the tempo stays after it")
    func ramp() throws {
        let timeline = try timeline(
            "tempo: 120\nbars: [{meter: 4/4, ramp: {to: 60, from: beat 2, over: 2 beats}}, 4/4]")
        // One beat at 120, a ramp over two beats, and one at 60.
        let shape = RampShape(from: Fraction(30), to: Fraction(15), length: 0.5, curve: .beats)
        #expect(isNear(timeline[0].duration, .milliseconds(1500) + shape.moment(at: 0.5)))
        #expect(timeline[1].duration == .seconds(4))
        let beats = timeline.beats(inBar: 0, InnerSettings(try score("beats: on\nbars: [4/4]"))).map(\.offset)
        #expect(beats[1] == .milliseconds(500) && isNear(beats[2], .milliseconds(500) + shape.moment(at: 0.25)))
    }

    @Test("a ramp counted in bars ends at a bar line, and leads through bars without tempi")
    func rampOverBars() throws {
        let timeline = try timeline(
            "tempo: 120\nbars: [{meter: 4/4, ramp: {to: 60, from: beat 3, over: 2 bars}}, 4/4, 4/4]")
        let shape = RampShape(from: Fraction(30), to: Fraction(15), length: 1.5, curve: .beats)
        #expect(isNear(timeline[0].duration, .seconds(1) + shape.moment(at: 0.5)))
        #expect(isNear(timeline.start(ofBar: 2), .seconds(1) + shape.moment(at: 1.5)))
        #expect(timeline[2].duration == .seconds(4))
    }

    @Test("a tempo inside a bar ends a ramp, and one that needs all its bars is an error")
    func cut() throws {
        let timeline = try timeline(
            "tempo: 120\nbars: [{meter: 4/4, ramp: {to: 60, over: 8 beats}}, {meter: 4/4, tempo: 100 at beat 3}]")
        let shape = RampShape(from: Fraction(30), to: Fraction(15), length: 2, curve: .beats)
        #expect(isNear(timeline.total, shape.moment(at: 1.5) + .milliseconds(1200)))
        let expected =
            "the ramp goes over 2 bars with a meter, but the section has only 1 from here to its end or to another tempo"
        for text in [
            "bars: [{meter: 4/4, ramp: {to: 60, over: 2 bars}}, {meter: 4/4, tempo: 100 at beat 3}]",
            "bars: [{meter: 4/4, ramp: {to: 60, from: beat 3, over: 2 bars}}, {meter: 4/4, tempo: 100}]",
        ] {
            #expect(rendered(text).contains("error: \(expected)"), "\(rendered(text))")
        }
    }

    @Test("a hit is met where the tempo changes inside bars, and the tempi keep their ratio")
    func hits() throws {
        let timeline = try warned(
            "tempo: 60\nbars: [{meter: 4/4, tempo: 120 at beat 3}, {meter: 4/4, tempo: 60 at beat 3, hit: 0:05 at beat 4}, 4/4]"
        )
        #expect(Layout(try score("tempo: 60\nbars: [4/4]")).problems.isEmpty)
        let hit = try #require(timeline.hits.first)
        #expect((timeline.start(ofBar: hit.bar) + hit.offset - .seconds(5)).attoseconds.magnitude < 1000)
        // As written, 2 + 1 + 1 + 1 seconds: the hit is met by the factor 1.
        #expect(timeline[0].duration == .seconds(3))
        let faster = try warned(
            "tempo: 60\nbars: [{meter: 4/4, tempo: 120 at beat 3}, {meter: 4/4, tempo: 60 at beat 3, hit: 0:04 at beat 4}, 4/4]"
        )
        #expect((faster[0].duration - .milliseconds(2400)).attoseconds.magnitude < 1000)
        // After the hit the tempo is as written.
        #expect((faster[1].duration - .milliseconds(2600)).attoseconds.magnitude < 1000)
        #expect(faster[2].duration == .seconds(4))
    }

    @Test("a ramp to a hit cannot lead through a tempo inside a bar")
    func rampToHit() {
        let text = "tempo: 60\nbars: [{meter: 4/4, tempo: 120 at beat 3}, {meter: 4/4, hit: 0:04 at beat 4 by ramp}]"
        let expected = "a ramp to a hit cannot lead through repeats, other tempi or bars with their own speed"
        #expect(rendered(text).contains(expected), "\(rendered(text))")
    }

    @Test("voices have tempi inside their bars, and a count-in has the tempo of the beginning")
    func voicesAndCountIn() throws {
        let text = """
            count-in: 1 bar
            voices:
              a: {tempo: 60, lines: [[{meter: 4/4, tempo: 120 at beat 3}, 4/4]]}
              b: {tempo: 120, lines: [[{meter: 4/4, tempo: 60 at beat 2}, 4/4]]}
            """
        let score = try score(text)
        let timeline = Timeline(score)
        #expect(timeline[0].duration == .seconds(3))
        #expect(timeline.companions[0][0].duration == .milliseconds(3500))
        #expect(Performance(of: score, passage: Passage(timeline)).countInLength == .seconds(4))
    }

    @Test("a program's tempi at beats that a bar does not have are passed over")
    func programs() {
        var bar = Score.Bar(Meter(4, over: 4))
        bar.details.tempoChanges = [
            TempoChange(at: Fraction(1, 2), to: Tempo(Fraction(1, 4), Fraction(30))),
            TempoChange(at: .one, to: Tempo(Fraction(1, 4), Fraction(120))),
            TempoChange(at: Fraction(9), to: Tempo(Fraction(1, 4), Fraction(30))),
        ]
        #expect(Timeline(Score(lines: [Score.Line(bars: [bar, bar])])).total == .seconds(4))
    }

    @Test("timed beats tell the tempo at each beat")
    func timedBeats() throws {
        let score = try score("beats: on\ntempo: 60\nbars: [{meter: 4/4, tempo: 120 at beat 3}]")
        let beats = Passage(Timeline(score)).timedBeats(of: 0, InnerSettings(score))
        #expect(beats.map(\.quarters) == [60, 60, 120, 120])
    }
}
