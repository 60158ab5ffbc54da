import Formats
import SampleScores
import Scores
import Testing
import Timing

@Suite("Hit points")
struct HitTests {
    private func timeline(_ text: String) throws -> Timeline { Timeline(try score(text)) }

    /// The time of a hit as it is laid out.
    private func laid(_ hit: HitPoint, _ timeline: Timeline) -> Duration { timeline.start(ofBar: hit.bar) + hit.offset }

    @Test("in random cues of 40 bars with 8 hits, every beat is where exact fractions have it, to a femtosecond")
    func model() throws {
        var random = Seeded(state: 16)
        for _ in 0..<200 {
            let model = HitModel(bars: 40, hits: 8, &random)
            let layout = Layout(model.score)
            try #require(layout.problems.isEmpty, "\(layout.problems)")
            let timeline = Timeline(model.score)
            #expect(timeline.hits.count == model.score.lines[0].bars.count { !$0.details.hits.isEmpty })
            for (index, times) in model.times.enumerated() {
                let start = timeline.start(ofBar: index)
                #expect(abs(times[0].distance(from: start)) < 1000)
                let beats = timeline.beats(inBar: index, InnerSettings(model.score))
                for (beat, time) in zip(beats, times) { #expect(abs(time.distance(from: start + beat.offset)) < 1000) }
                #expect(beats.isEmpty || beats.count == times.count)
            }
            for hit in timeline.hits {
                let error = laid(hit, timeline) - hit.time
                #expect(error.attoseconds.magnitude < 1000)
            }
        }
    }

    @Test("a cue with hits reads back from YAML as the same score, with the same times")
    func roundTrip() throws {
        var random = Seeded(state: 3)
        for _ in 0..<50 {
            var score = HitModel(bars: 40, hits: 8, &random).score
            score.timecode = Timecode(
                hundredths: Int64(random.int(0...8_000_000)), rate: random.chance(2) ? .fps24 : .fps29_97DropFrame)
            let reading = Score.read(Array(score.yaml.utf8), file: "x.yaml")
            #expect(reading.score == score, "\(reading.diagnostics.map { $0.rendered() })")
        }
    }

    @Test("a steady tempo is fitted as an exact fraction")
    func exactTempo() throws {
        let timeline = try timeline("tempo: 96\nbars: [4/4 x 10, {meter: 4/4, hit: 0:26}, 4/4]")
        // 40 quarters in 26 s.
        let tempi = try #require(timeline.hits[0].tempi)
        #expect(abs(tempi.last.rate.value - 40.0 / 26 * 60) < 1e-9)
        for index in 0...10 {
            #expect(abs(timeline.start(ofBar: index).attoseconds - Int128(index) * 2_600_000_000_000_000_000) < 20)
        }
        // After the hit, the tempo is as written.
        #expect(timeline[10].duration == .milliseconds(2500))
    }

    @Test("several tempi keep their ratios, and a ramp keeps its shape")
    func ratios() throws {
        let bars = """
            [4/4 x 2, {meter: 4/4, ramp: {to: 132, over: 4 bars, curve: CURVE}}, 4/4 x 5, {meter: 6/8, tempo: 1/4. = 80},
             {meter: 2/4, tempo: 1/4. = 1/4},
            """
        for curve in ["beats", "time", "exponential"] {
            let text = "tempo: 96\nbars: \(bars.replacing("CURVE", with: curve))"
            let written = try timeline(text + "4/4 x 2]")
            let fitted = try timeline(text + "{meter: 4/4, hit: 0:21}, 4/4]")
            let factor = .milliseconds(21_000) / written.start(ofBar: 10)
            #expect(abs(factor - 1) > 0.01)
            for index in 0...10 {
                let error =
                    fitted.start(ofBar: index) / .seconds(1) - written.start(ofBar: index) / .seconds(1) * factor
                #expect(abs(error) < 1e-12)
            }
            #expect(fitted[10].duration == written[10].duration)
        }
    }

    /// The tempo at a place, from the time of a very short note.
    private func tempo(_ curve: TempoCurve?, at place: Fraction?) throws -> Double {
        let short = Fraction(1, 1_000_000)
        let curve = try #require(curve)
        let before = place.map(curve.duration(of:)) ?? .zero
        let after = curve.duration(of: place.map { $0 + short } ?? short)
        return short.value * 60 / ((after - before) / .seconds(1))
    }

    @Test(
        "by ramps, hits are met to a picosecond, and the tempo has no steps at hits", arguments: Ramp.Curve.allCases)
    func ramps(curve: Ramp.Curve) throws {
        var random = Seeded(state: 8)
        for _ in 0..<50 {
            var bars: [Score.Bar] = []
            var time = 0.0
            for number in 1...6 {
                bars += Array(repeating: Score.Bar(Meter(4, over: 4)), count: random.int(3...8))
                let beat = Int64(random.int(1...4))
                // Around 96 quarters a minute; what the tempo did before has to be made up for.
                let quarters = Double(4 * bars.count) + Double(beat - 1)
                time = quarters * 0.625 + Double(random.int(-150...150)) / 1000
                var bar = Score.Bar(Meter(4, over: 4))
                bar.details.hits = [
                    Hit(
                        .position(.milliseconds(Int64(time * 1000))), beat: Fraction(beat),
                        ramp: number == 1 ? nil : curve)
                ]
                bars.append(bar)
            }
            var score = Score(lines: [Score.Line(bars: bars)])
            score.tempo = Tempo(Fraction(1, 4), Fraction(96))
            let layout = Layout(score)
            try #require(layout.problems.isEmpty, "\(layout.problems)")
            let timeline = Timeline(score)
            for (hit, next) in zip(timeline.hits, timeline.hits.dropFirst() + [timeline.hits[0]]) {
                #expect(abs((laid(hit, timeline) - hit.time) / .milliseconds(1)) < 1e-9)
                guard next.bar > hit.bar, let position = hit.position else { continue }
                let here = layout.curve(layout.bar(hit.bar))
                let before = try #require(position - Fraction(1, 1_000_000) as Fraction?)
                #expect(abs(try tempo(here, at: before) / tempo(here, at: position) - 1) < 1e-4)
            }
        }
    }

    @Test("a ramp to a hit has the shape that its curve says, by numerical integration")
    func rampShape() throws {
        let timeline = try timeline("tempo: 96\nbeats: on\nbars: [4/4 x 8, {meter: 4/4, hit: 0:19.2 by ramp}]")
        // v(x) = 24 + ax whole notes per minute; a from the time of all 8 whole notes.
        func seconds(_ a: Double, to x: Double) -> Double {
            let step = x / 20_000
            var sum = 0.0
            for number in 0..<20_000 {
                let middle = (Double(number) + 0.5) * step
                sum += 60 * step / (24 + a * middle)
            }
            return sum
        }
        var (slow, fast) = (-2.0, 2.0)
        for _ in 0..<60 {
            let middle = (slow + fast) / 2
            if seconds(middle, to: 8) > 19.2 { slow = middle } else { fast = middle }
        }
        for index in 0..<8 {
            for beat in timeline.beats(inBar: index, InnerSettings(try score("bars: [1]"))) {
                let x = Double(index) + (beat.position?.value ?? 0)
                let time = (timeline.start(ofBar: index) + beat.offset) / .seconds(1)
                #expect(abs(time - (x == 0 ? 0 : seconds(slow, to: x))) < 1e-6)
            }
        }
    }

    @Test("repeats, fragments and bars with a speed between hits are fitted by the same factor")
    func repeats() throws {
        let text = """
            tempo: 96
            fragments: {sigh: {lines: [{repeat: 2, bars: [3/4]}]}}
            lines:
              - {repeat: 3, bars: [4/4, {duration: 1, label: x}]}
              - {use: sigh, repeat: 2}
              - lines: [[{meter: 2/4, speed: 50%}], [4/4]]
                repeat: 2
                endings: [{passes: 2, bars: [5/8]}]
              - [{meter: 4/4, hit: 0:31 at beat 2}, 4/4]
            """
        let timeline = try timeline(text)
        let hit = timeline.hits[0]
        #expect(hit.bar == 15 && timeline[15].written.details.hits.count == 1)
        #expect((laid(hit, timeline) - hit.time).attoseconds.magnitude < 1000)
        // 3 x 4 + 4 x 3 + 2 x (4 + 4) + 2.5 + 1 quarters beside 3 s.
        let quarter = 28 / 43.5
        #expect(abs(timeline[0].duration / .seconds(1) - 4 * quarter) < 1e-12)
        #expect(timeline[1].duration == .seconds(1))
        #expect(abs(timeline[10].duration / .seconds(1) - 4 * quarter) < 1e-12)
    }

    @Test("a hit on a beat with a hold comes before the hold")
    func holds() throws {
        let timeline = try timeline(
            "tempo: 60\nbars: [4/4, {meter: 4/4, hold: [2 at beat 2, 3 at beat 3, 1], hit: 0:08 at beat 3}, {meter: 4/4, hit: 0:14}]"
        )
        // Up to the hit: six quarters, and the hold at beat 2; then the holds at beat 3 and at the end, and two quarters.
        #expect(timeline.hits.map { laid($0, timeline) } == [.seconds(8), .seconds(14)])
        #expect(timeline[0].duration == .seconds(4))
        #expect(timeline[1].duration == .seconds(10))
        let waits = timeline.beats(inBar: 1, InnerSettings(try score("bars: [1]"))).map(\.offset)
        #expect(waits == [.zero, .seconds(1), .seconds(4), .seconds(8)])
    }

    @Test("a score with hostile hits from a program has a timeline")
    func hostile() {
        let times: [Duration] = [
            .zero, .seconds(Int64.max), .seconds(Int64.min), Duration(attoseconds: 1), .seconds(5),
        ]
        for time in times {
            for beat in [Fraction(1), Fraction(5), Fraction(.max), Fraction(1, .max)] {
                var bar = Score.Bar(Meter(4, over: 4))
                bar.details.hits = [Hit(.position(time), beat: beat), Hit(.position(time), beat: beat, ramp: .time)]
                bar.details.holds = [Hold(.seconds(Int64.max), at: .offset(.seconds(Int64.min)))]
                let timeline = Timeline(Score(lines: [Score.Line(bars: [bar, bar])]))
                #expect(timeline.barCount == 2)
                _ = timeline.hits(inBar: 1)
                // A bar of centuries, with many hits.
                bar = Score.Bar(Meter(1000, over: 1))
                bar.details.hits = (1...100).map { Hit(.position(time), beat: Fraction(Int64($0))) }
                var slow = Score(lines: [Score.Line(passes: .max, bars: [bar, bar]), Score.Line(bars: [bar, bar])])
                slow.tempo = Tempo(Fraction(1, .max), Fraction(1, .max))
                #expect(Timeline(slow).barCount > 0)
            }
        }
    }
}
