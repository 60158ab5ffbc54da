import Formats
import Foundation
import Scores
import Shared
import Testing
import Timing

/// The bytes of a sample file.
func sample(_ name: String) throws -> [UInt8] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    return Array(try Data(contentsOf: folder.appendingPathComponent("Samples/\(name)")))
}

/// Reads a sample that is a valid score, and its warnings.
func sampleScore(_ name: String) throws -> (score: Score, warnings: [String]) {
    let reading = Score.read(try sample(name), file: name)
    return (try #require(reading.score, "\(reading.diagnostics)"), reading.diagnostics.map { $0.rendered() })
}

/// The starts of the bars of a score, and the end of the last one.
func starts(_ score: Score) -> [Duration] {
    let timeline = Timeline(score)
    return (0...timeline.barCount).map { timeline.start(ofBar: $0) }
}

/// A score as it is played.
func played(_ score: Score) -> PlayedScore { PlayedScore(score, passage: Passage(Timeline(score)), speed: score.speed) }

/// Writes a score in a format, and reads it again.
func again(_ score: Score, _ format: Format) throws -> (score: Score, text: [UInt8], losses: [String]) {
    let writing = try format.write(played(score))
    let reading = Score.read(writing.bytes, file: "written", format: format)
    return (try #require(reading.score, "\(reading.diagnostics)"), writing.bytes, writing.losses)
}

/// The largest distance between corresponding boundaries.
func farthest(_ one: [Duration], _ two: [Duration]) -> Duration {
    zip(one, two).map { $0 > $1 ? $0 - $1 : $1 - $0 }.max() ?? .zero
}

extension Duration {
    /// In seconds.
    var inSeconds: Double { self / .seconds(1) }
}

extension Seeded {
    /// A score of bars of seconds and bars with meters, with tempi, ramps, holds, labels and beats.
    mutating func score() throws -> Score {
        var lines: [Score.Line] = []
        for line in 0..<Int.random(in: 1...4, using: &self) {
            let bars = (0..<Int.random(in: 1...9, using: &self)).map { bar(line, $0) }
            lines.append(Score.Line(passes: Int.random(in: 1...3, using: &self), bars: bars))
        }
        var score = Score(title: "Study \(state % 100)", lines: lines)
        score.beats = Bool.random(using: &self)
        score.grid = [Grid.off, .parts(4), .seconds, .clock][Int.random(in: 0...3, using: &self)]
        return score
    }

    private mutating func bar(_ line: Int, _ index: Int) -> Score.Bar {
        let label = Int.random(in: 0...3, using: &self) == 0 ? "L\(line)-\(index)" : ""
        guard Bool.random(using: &self) else {
            let digits = [Int64(1), 1000, 1_000_000, 1_000_000_000_000][Int.random(in: 0...3, using: &self)]
            let unit = 1_000_000_000_000_000_000 / Int128(digits)
            let count = Int128(Int64.random(in: max(1, digits / 500)...(digits * 40), using: &self))
            return Score.Bar(Duration(attoseconds: max(count * unit, 1_000_000_000_000_000)), label: label)
        }
        let meters = ["4/4", "5/8", "3+2/8", "2/4 + 3/8", "4/6", "3/56", "5/8.5", "2.5/4", "7/16"]
        let text = meters[Int.random(in: 0..<meters.count, using: &self)]
        var bar = Score.Bar((try? Meter(scoreText: text)) ?? Meter(4, over: 4), label: label)
        var details = bar.details
        if Int.random(in: 0...2, using: &self) == 0 {
            details.tempo = .tempo(Tempo(Fraction(1, 4), Fraction(Int64.random(in: 2000...20000, using: &self), 100)))
        }
        if Int.random(in: 0...4, using: &self) == 0 {
            let curve = Ramp.Curve.allCases[Int.random(in: 0...2, using: &self)]
            details.ramp = Ramp(
                to: Tempo(Fraction(1, 4), Fraction(Int64.random(in: 30...200, using: &self))),
                over: .beats(Fraction(Int64.random(in: 1...12, using: &self))), curve: curve)
        }
        if Int.random(in: 0...4, using: &self) == 0 {
            let tempo = Tempo(Fraction(1, 4), Fraction(Int64.random(in: 2000...20000, using: &self), 100))
            details.tempoChanges = [TempoChange(at: Fraction(Int64.random(in: 5...8, using: &self), 3), to: tempo)]
        }
        if Int.random(in: 0...5, using: &self) == 0 {
            details.holds = [Hold(.milliseconds(Int64.random(in: 1...9000, using: &self)), at: .beat(2))]
        }
        bar.details = details
        return bar
    }
}
