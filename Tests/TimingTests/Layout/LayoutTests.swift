import Foundation
import SampleScores
import Scores
import Shared
import Testing
import Timing

/// A score unfolded bar by bar in floating point, with ramps integrated numerically: slow, and without any closed form.
private struct Unfolded {
    private struct Tempo {
        /// Whole notes a second.
        var speed: Double
        var ramp: (from: Double, to: Double, length: Double, curve: Ramp.Curve, passed: Double)?
    }

    private let score: Score
    private var tempo: Tempo
    /// The durations of all bars in playing order.
    private(set) var durations: [Double] = []

    init(_ score: Score) {
        self.score = score
        tempo = Tempo(speed: score.tempo.wholeNotes.value / 60)
        for section in score.sections {
            take(section.tempo)
            durations += section.parts.flatMap { lay($0) }
        }
    }

    private mutating func lay(_ part: Score.Part) -> [Double] {
        switch part {
        case .line(let line):
            take(line.tempo)
            let bars = line.bars.map { duration($0) }
            return (0..<line.passes).flatMap { _ in bars }
        case .use(let use):
            let parts = score.fragments.first { $0.name == use.fragment }?.parts ?? []
            let bars = parts.flatMap { lay($0) }
            return (0..<use.passes).flatMap { _ in bars }
        case .group(let group):
            let body = group.parts.flatMap { lay($0) }
            let behindBody = tempo
            var behind = behindBody
            let endings = group.endings.map { ending in
                tempo = behindBody
                let bars = ending.parts.flatMap { lay($0) }
                if ending.passes.contains(where: { $0.contains(group.passes) }) { behind = tempo }
                return bars
            }
            tempo = behind
            return (1...group.passes).flatMap { pass in
                let ending = group.endings.firstIndex { $0.passes.contains { $0.contains(pass) } }
                return body + (ending.map { endings[$0] } ?? [])
            }
        }
    }

    private mutating func take(_ mark: TempoMark?) {
        switch mark {
        case nil: return
        case .tempo(let tempo): self.tempo.speed = tempo.wholeNotes.value / 60
        // On a ramp, from the tempo that has been reached; after it, from its target.
        case .modulation(let old, let new): tempo.speed = speedHere * new.value / old.value
        }
        tempo.ramp = nil
    }

    private var speedHere: Double { tempo.ramp.map { speed(at: $0.passed, $0) } ?? tempo.speed }

    private func speed(
        at x: Double, _ ramp: (from: Double, to: Double, length: Double, curve: Ramp.Curve, passed: Double)
    ) -> Double {
        let u = min(x / ramp.length, 1)
        return switch ramp.curve {
        case .beats: ramp.from + (ramp.to - ramp.from) * u
        case .time: (ramp.from * ramp.from * (1 - u) + ramp.to * ramp.to * u).squareRoot()
        case .exponential: ramp.from * pow(ramp.to / ramp.from, u)
        }
    }

    private mutating func duration(_ bar: Score.Bar) -> Double {
        let details = bar.details
        take(details.tempo)
        begin(details.ramp)
        var music = bar.duration / .seconds(1)
        if let meter = details.meter {
            let values = meter.beats.map { $0.value?.value ?? 0 }
            var here = 0.0
            music = 0
            for change in details.tempoChanges {
                let beat = change.beat.value
                let before = Int(beat.rounded(.down)) - 1
                let place = values[..<before].reduce(0, +) + (beat - Double(before + 1)) * values[before]
                music += pass(place - here)
                here = place
                take(change.mark)
                begin(change.ramp)
            }
            music += pass(meter.length.value - here)
        }
        if let speed = details.speed { music /= speed.percent / 100 }
        return music + details.holds.reduce(0) { $0 + $1.length / .seconds(1) }
    }

    private mutating func begin(_ ramp: Ramp?) {
        guard let ramp, case .beats(let count) = ramp.span else { return }
        let target = ramp.target.wholeNotes.value / 60
        tempo.ramp = (speedHere, target, count.value * ramp.target.value.value, ramp.curve, 0)
        tempo.speed = target
    }

    /// The integral of dx/v over `length` whole notes; split in two if a ramp ends within them.
    private mutating func pass(_ length: Double) -> Double {
        guard let ramp = tempo.ramp else { return length / tempo.speed }
        let end = min(length, ramp.length - ramp.passed)
        let steep = integral(ramp.passed, ramp.passed + end, depth: 0) { 1 / self.speed(at: $0, ramp) }
        tempo.ramp?.passed += length
        if ramp.passed + length > ramp.length - 1e-9 { tempo.ramp = nil }
        return steep + max(length - end, 0) / ramp.to
    }

    /// Gauss quadrature with three points; halves the interval until both results agree.
    private func integral(_ a: Double, _ b: Double, depth: Int, _ f: (Double) -> Double) -> Double {
        func gauss(_ a: Double, _ b: Double) -> Double {
            let (middle, half) = ((a + b) / 2, (b - a) / 2)
            let off = half * 0.6.squareRoot()
            return half * (5 * f(middle - off) + 8 * f(middle) + 5 * f(middle + off)) / 9
        }
        let middle = (a + b) / 2
        let (whole, halves) = (gauss(a, b), gauss(a, middle) + gauss(middle, b))
        guard depth < 50, abs(whole - halves) > 1e-12 * max(halves, 1) else { return halves }
        return integral(a, middle, depth: depth + 1, f) + integral(middle, b, depth: depth + 1, f)
    }
}

struct LayoutTests {
    @Test("in any score, the closed form of every boundary equals numeric integration within a microsecond")
    func closedForm() {
        var random = Seeded(state: 17)
        var (bars, worst) = (0, 0.0)
        for _ in 0..<25 {
            let score = Score.randomPage(&random)
            guard score.brackets.isEmpty else { continue }
            let layout = Layout(score)
            guard layout.problems.isEmpty else { continue }
            let unfolded = Unfolded(score).durations
            #expect(layout.barCount == unfolded.count)
            // The sums are exact, so that only the integration can be wrong.
            var sum = Duration.zero
            for (index, duration) in unfolded.enumerated() {
                worst = max(worst, abs((layout.start(ofBar: index) - sum) / .seconds(1)))
                sum += Duration(attoseconds: Int128((duration * 1e18).rounded()))
            }
            worst = max(worst, abs((layout.total - sum) / .seconds(1)))
            bars += unfolded.count
        }
        #expect(bars > 2_000)
        #expect(worst < 1e-6)
    }

    @Test("values that no file can have are clamped: a bar lasts an attosecond to a billion seconds")
    func extremes() {
        let bars = [Duration.zero, .seconds(-1), .seconds(5_000_000_000)].map { Score.Bar($0) }
        let layout = Layout(Score(lines: [Score.Line(bars: bars)]))
        #expect(layout.start(ofBar: 2) == Duration(attoseconds: 2))
        #expect(layout.total == .seconds(1_000_000_000) + Duration(attoseconds: 2))
        let far = Duration.seconds(5_000_000_000)
        let bracket = Bracket(start: .seconds(-9)...(.zero), end: far...far)
        var brackets = Score(lines: [])
        brackets.brackets = [
            bracket, Bracket(start: .zero...(.zero), end: .seconds(1_100_000_000)...(.seconds(1_100_000_000))),
        ]
        #expect(Layout(brackets).total == .seconds(1_000_000_000))
    }

    @Test("a layout reports at most a hundred problems")
    func manyProblems() throws {
        var bar = Score.Bar(.seconds(1))
        bar.details.meter = try Meter(scoreText: "1/64")
        let line = Score.Line(bars: Array(repeating: bar, count: 300))
        // A bar lasts a tenth of a millisecond.
        let tempo = Tempo(Fraction(1, 1), Fraction(10_000))
        let score = Score(tempo: tempo, sections: [Score.Section(parts: [.line(line)])])
        #expect(Layout(score).problems.count == 100)
    }

    @Test("in any score, seeking a bar, a line or a time finds the same as going through all bars")
    func seeking() {
        var random = Seeded(state: 18)
        for _ in 0..<24 {
            let layout = Layout(Score.randomPage(&random))
            guard layout.problems.isEmpty, layout.barCount < 200_000 else { continue }
            var sum = Duration.zero
            var line = -1
            let wrong = (0..<layout.barCount).first { (index: Int) -> Bool in
                let bar = layout.bar(index)
                if bar.bar == 0 { line += 1 }
                var isRight = bar.start == sum && bar.line == line
                // In a score of very many bars, not each is sought.
                if index < 2000 || index % 16 == 0 {
                    isRight = isRight && layout.bar(at: sum) == index && layout.bars(ofLine: line).contains(index)
                }
                sum += layout.duration(bar)
                return !isRight
            }
            #expect(wrong == nil && layout.total == sum)
        }
    }
}
