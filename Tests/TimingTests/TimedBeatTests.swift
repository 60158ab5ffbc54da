import Foundation
import SampleScores
import Scores
import Shared
import Testing
import Timing

@Suite("Beats in time")
struct TimedBeatTests {
    private func beats(_ score: Score, speed: Speed = .asWritten) -> [[TimedBeat]] {
        let timeline = Timeline(score)
        let passage = Passage(timeline, [Passage.Stretch(0..<timeline.barCount, speed: speed)])
        return (0..<timeline.barCount).map { passage.timedBeats(of: $0, InnerSettings(score)) }
    }

    @Test("a bar with a meter and a grid of its own has the clicks of the grid")
    func grid() {
        var bar = Score.Bar(Meter(7, over: 8))
        bar.details.grid = .parts(4)
        let score = Score(sections: [Score.Section(parts: [.line(Score.Line(bars: [bar]))])])
        let beats = beats(score)[0]
        #expect(beats.map(\.number) == [1, 2, 3, 4])
        #expect(beats.map(\.position) == [0, 875, 1750, 2625].map { .milliseconds($0) })
        #expect(beats.map(\.end) == [875, 1750, 2625, 3500].map { .milliseconds($0) })
    }

    @Test("every bar has a row at its barline, also where a grid of the clock has its first click later")
    func barlines() throws {
        let score = try SampleScores.score("grid: clock\nbars: [0.3, 0.4, 2.5, {meter: 2/4, grid: clock}]")
        let found = beats(score)
        #expect(found.map { $0.map(\.number) } == [[1], [1], [1, 2, 3, 4], [1, 2, 3]])
        #expect(
            found.flatMap { $0.map(\.position) }
                == [0, 300, 700, 1000, 2000, 3000, 3200, 4000, 5000].map { .milliseconds($0) })
    }

    @Test("the beats of bars at a steady tempo are exact, and each ends where the next begins")
    func steady() {
        var random = Seeded(state: 17)
        for _ in 0..<200 {
            let (upper, lower) = (random.int(1...13), random.int(1...16))
            let (rate, over) = (random.int(20...400), random.int(1...9))
            let tempo = Tempo(Fraction(1, 4), Fraction(Int64(rate), Int64(over)))
            let bar = Score.Bar(Meter(Int64(upper), over: Int64(lower)))
            let score = Score(
                tempo: tempo,
                sections: [
                    Score.Section(parts: [.line(Score.Line(passes: 3, bars: [bar]))])
                ])
            /// Beat n of a bar, in attoseconds: n × 4 / lower quarters of 60 × over / rate seconds.
            func time(_ beats: Int) -> Int128 {
                let (above, below) = (
                    Int128(beats * 240 * over) * 1_000_000_000_000_000_000, Int128(lower * rate)
                )
                return (2 * above + below) / (2 * below)
            }
            for (number, beats) in beats(score).enumerated() {
                #expect(beats.map(\.number) == Array(1...upper))
                let start = time(upper) * Int128(number)
                for (index, beat) in beats.enumerated() {
                    #expect(beat.position.attoseconds == start + time(index))
                    #expect(beat.end.attoseconds == start + time(index + 1))
                    #expect(beat.quarters.map { abs($0 - Double(rate) / Double(over)) < 1e-9 } == true)
                    #expect(beat.hold == nil)
                }
            }
        }
    }

    @Test("the tempo at each beat of a ramp is that of its curve, and its time the closed form")
    func ramp() {
        for curve in Ramp.Curve.allCases {
            var first = Score.Bar(Meter(4, over: 4))
            first.details.ramp = Ramp(to: Tempo(Fraction(1, 4), Fraction(120)), over: .bars(2), curve: curve)
            let score = Score(lines: [Score.Line(bars: [first] + [first.plain, first.plain])])
            let found = beats(score).flatMap(\.self)
            #expect(found.count == 12)
            for (index, beat) in found.enumerated() {
                let u = min(Double(index) / 8, 1)
                // From 60 to 120 quarters over eight quarters.
                let tempo: Double
                let seconds: Double
                switch curve {
                case .beats:
                    tempo = 60 * (1 + u)
                    seconds = 8 * log(1 + u)
                case .time:
                    let root = (1 + 3 * u).squareRoot()
                    tempo = 60 * root
                    seconds = 16 * u / (1 + root)
                case .exponential:
                    let growth = exp(u * log(2.0))
                    tempo = 60 * growth
                    seconds = 8 * (1 - 1 / growth) / log(2.0)
                }
                #expect(abs((beat.quarters ?? 0) - tempo) < 1e-9)
                let after = Double(max(index - 8, 0)) * 0.5
                #expect(abs(beat.position / .seconds(1) - seconds - after) < 1e-9)
            }
        }
    }

    @Test("a hold belongs to the beat that it is on or after, at its time")
    func holds() throws {
        var bar = Score.Bar(Meter(4, over: 4))
        bar.details.holds = [
            Hold(.seconds(5), at: .beat(2)), Hold(.seconds(1), at: .offset(.milliseconds(2500))),
            Hold(.seconds(2), at: .offset(.milliseconds(2700)), waits: true), Hold(.zero, waits: true),
        ]
        let score = Score(lines: [Score.Line(bars: [bar, Score.Bar(.seconds(3))])])
        let found = beats(score)
        #expect(found[0].map(\.position) == [0, 1, 7, 11].map { .seconds($0) })
        #expect(
            found[0].map(\.hold) == [
                nil, TimedBeat.Held(position: .seconds(1), length: .seconds(5), waits: false),
                TimedBeat.Held(position: .milliseconds(7500), length: .seconds(3), waits: true),
                TimedBeat.Held(position: .seconds(12), length: .zero, waits: true),
            ])
        #expect(found[1] == [TimedBeat(number: 1, position: .seconds(12), end: .seconds(15))])
        let half = beats(score, speed: try speed(500_000))
        #expect(half[0].map(\.position) == [0, 2, 14, 22].map { .seconds($0) })
        #expect(half[0].map(\.quarters) == [30, 30, 30, 30])
        #expect(half[0][1].hold == TimedBeat.Held(position: .seconds(2), length: .seconds(10), waits: false))
    }

    @Test("the speed of a bar changes the tempo at its beats; bars of seconds have no tempo")
    func speeds() throws {
        var bar = Score.Bar(Meter(2, over: 4))
        bar.details.speed = try speed(1_500_000)
        var pattern = Score.Bar(.seconds(3))
        pattern.details.beats = [Beat(.accent), Beat(.silent), Beat(.beat)]
        let found = beats(Score(lines: [Score.Line(bars: [bar, pattern])]))
        #expect(found[0].map(\.quarters) == [90, 90])
        #expect(found[1].map(\.quarters) == [nil, nil, nil] && found[1].count == 3)
    }
}

extension Score.Bar {
    /// The same bar without its ramp.
    fileprivate var plain: Score.Bar {
        var bar = self
        bar.details.ramp = nil
        return bar
    }
}
