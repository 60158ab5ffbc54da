import Foundation
import Scores
import Testing
import Timing

/// The time from the beginning of a ramp to `x`, by integrating dx/v in small steps of two Gauss points each.
private func integrated(_ v0: Double, _ v1: Double, _ length: Double, to x: Double, _ curve: Ramp.Curve) -> Double {
    let v: (Double) -> Double =
        switch curve {
        case .beats: { v0 + (v1 - v0) * $0 / length }
        case .exponential: { v0 * pow(v1 / v0, $0 / length) }
        // v(t) is linear; as a function of x it solves v dv = a dx.
        case .time: { (v0 * v0 + (v1 * v1 - v0 * v0) * $0 / length).squareRoot() }
        }
    let steps = 2_000
    let h = min(x, length) / Double(steps)
    var sum = 0.0
    for i in 0..<steps {
        let middle = (Double(i) + 0.5) * h
        let off = h / (2 * 3.0.squareRoot())
        sum += h / 2 * (1 / v(middle - off) + 1 / v(middle + off))
    }
    return sum + max(x - length, 0) / v1
}

@Suite("Meters and tempi")
struct MeterTests {
    private func timeline(_ bars: [Score.Bar], tempo: String = "60") throws -> Timeline {
        Timeline(Score(tempo: try Tempo(scoreText: tempo), sections: [.init(parts: [.line(.init(bars: bars))])]))
    }

    private func bar(_ meter: String, _ change: (inout Score.Details) -> Void = { _ in }) throws -> Score.Bar {
        var bar = Score.Bar(try Meter(scoreText: meter))
        change(&bar.details)
        return bar
    }

    @Test(
        "a bar with a meter lasts its note values at its tempo",
        arguments: [
            ("4/4", "60", Duration.seconds(4)), ("5/8", "1/8 = 120", .milliseconds(2500)),
            ("3+2/8", "1/4 = 60", .milliseconds(2500)), ("2/4 + 3/8", "quarter = 60", .milliseconds(3500)),
            ("4/6", "1/6 = 60", .seconds(4)), ("3/56", "1/4 = 60", Duration(attoseconds: 214_285_714_285_714_286)),
            ("5/8.5", "1/4 = 60", Duration(attoseconds: 2_352_941_176_470_588_235)),
            ("6/8", "1/4. = 60", .seconds(2)),
            ("1/8", "dotted eighth = 90", Duration(attoseconds: 444_444_444_444_444_444)),
            ("3/12", "1/8 3:2 = 180", .seconds(1)), ("2.5/4", "60", .milliseconds(2500)),
        ])
    func lengths(meter: String, tempo: String, expected: Duration) throws {
        #expect(try timeline([bar(meter)], tempo: tempo).total == expected)
    }

    @Test("a modulation makes the new note as long as the old one was")
    func modulation() throws {
        let timeline = try timeline([
            bar("6/8"), bar("2/4") { $0.tempo = try? TempoMark(scoreText: "1/4. = 1/4") }, bar("4/4"),
        ])
        // A dotted quarter at quarter = 60 is 1.5 s, and so is the quarter after it.
        #expect(timeline.start(ofBar: 1) == .seconds(3))
        #expect(timeline.start(ofBar: 2) == .seconds(6))
        #expect(timeline.total == .seconds(12))
    }

    @Test("a ramp's boundaries equal a numeric integration within a nanosecond", arguments: Ramp.Curve.allCases)
    func ramps(curve: Ramp.Curve) throws {
        var random = Seeded(state: 61)
        for _ in 0..<30 {
            let (from, to) = (random.int(20...300), random.chance(5) ? 60 : random.int(20...300))
            let beats = random.int(1...200)
            let ramp = Ramp(
                to: Tempo(Fraction(1, 4), Fraction(Int64(to))), over: .beats(Fraction(Int64(beats))), curve: curve)
            var bars = [try bar("\(random.int(1...9))/8") { $0.ramp = ramp }]
            for _ in 0..<40 { bars.append(try bar("\(random.int(1...9))/\(random.pick([4, 6, 7, 8, 16]))")) }
            let timeline = try timeline(bars, tempo: "\(from)")
            var notes = 0.0
            for (index, bar) in bars.enumerated() {
                notes += bar.meter?.length.value ?? 0
                let expected = integrated(
                    Double(from) / 240, Double(to) / 240, Double(beats) / 4, to: notes, curve)
                #expect(abs(timeline.start(ofBar: index + 1) / .seconds(1) - expected) < 1e-9)
            }
        }
    }

    @Test("a ramp over bars ends with them, and its tempo stays; bars in seconds do not count")
    func rampOverBars() throws {
        let ramp = Ramp(to: Tempo(Fraction(1, 4), Fraction(120)), over: .bars(2))
        let bars = [try bar("4/4") { $0.ramp = ramp }, Score.Bar(.seconds(7)), try bar("4/4"), try bar("4/4")]
        let timeline = try timeline(bars)
        // Linear in beats from 60 to 120 over 8 beats: 8 ln 2 s.
        let music = timeline.start(ofBar: 3) - .seconds(7)
        #expect(abs(music / .seconds(1) - 8 * log(2)) < 1e-12)
        #expect(timeline.total - timeline.start(ofBar: 3) == .seconds(2))
        #expect(timeline.start(ofBar: 2) - timeline.start(ofBar: 1) == .seconds(7))
    }

    @Test("a ramp over bars goes on through later lines, up to one with a tempo of its own")
    func rampOverLines() throws {
        let ramp = Ramp(to: Tempo(Fraction(1, 4), Fraction(120)), over: .bars(3))
        let first = Score.Line(bars: [try bar("4/4") { $0.ramp = ramp }])
        var second = Score.Line(bars: [try bar("4/4"), try bar("4/4")])
        let layout = Layout(Score(lines: [first, second]))
        #expect(layout.problems.isEmpty)
        // Linear in beats from 60 to 120 over 12 beats.
        #expect(abs(layout.total / .seconds(1) - 12 * log(2)) < 1e-12)
        second.tempo = try TempoMark(scoreText: "90")
        let problems = Layout(Score(lines: [first, second])).problems
        #expect(problems.map(\.error) == [.rampTooLong(over: 3, reach: 1)])
    }

    @Test("the tempo depends on the place in the score: each pass of a repeat has the same bars")
    func tempoOfThePage() throws {
        let faster = try bar("4/4") { $0.tempo = try? TempoMark(scoreText: "120") }
        let group = Score.Group(
            passes: 3, parts: [.line(.init(bars: [try bar("4/4"), faster]))],
            endings: [.init(passes: [1...2], parts: [.line(.init(bars: [try bar("1/4")]))])])
        let timeline = Timeline(
            Score(sections: [.init(parts: [.group(group), .line(.init(bars: [try bar("4/4")]))])]))
        let lengths: [Duration] = (0..<timeline.barCount).map { timeline[$0].duration }
        let pass: [Duration] = [.seconds(4), .seconds(2), .milliseconds(500)]
        #expect(lengths == pass + pass + [.seconds(4), .seconds(2), .seconds(2)])
        #expect((0..<9).map { timeline[$0].number } == [1, 2, 3, 1, 2, 3, 1, 2, 4])
    }

    @Test("a fragment takes the tempo of the place where it is used")
    func fragments() throws {
        var score = Score(sections: [
            .init(tempo: .tempo(.standard), parts: [.use(.init("f")), .use(.init("f", passes: 2))]),
            .init(tempo: try TempoMark(scoreText: "120"), parts: [.use(.init("f", label: "fast"))]),
        ])
        score.fragments = [.init(name: "f", parts: [.line(.init(bars: [try bar("4/4"), Score.Bar(.seconds(1))]))])]
        let timeline = Timeline(score)
        #expect((0..<8).map { timeline[$0].duration } == [4, 1, 4, 1, 4, 1, 2, 1].map { .seconds($0) })
        #expect(timeline[6].label == "fast")
        #expect((0..<8).map { timeline[$0].number } == [1, 2, 3, 4, 3, 4, 5, 6])
    }

    @Test("holds lengthen their bars, and the speed of a bar does not stretch them")
    func holds() throws {
        var bar = Score.Bar(.seconds(3))
        bar.details.holds = [Hold(.seconds(5), at: .offset(.seconds(1))), Hold(.seconds(2), waits: true)]
        bar.details.speed = try speed(500_000)
        #expect(try timeline([bar]).total == .seconds(13))
    }
}

extension Seeded {
    mutating func pick<Value>(_ values: [Value]) -> Value { values[int(0...values.count - 1)] }
}
