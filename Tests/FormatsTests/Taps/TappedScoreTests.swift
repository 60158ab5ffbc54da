import Formats
import SampleScores
import Scores
import Shared
import Testing
import Timing

@Suite("Scores from taps")
struct TappedScoreTests {
    /// Taps of bars with given lengths in seconds, `beats` in each, and the tap that ends the last one.
    private func taps(_ bars: [Double], beats: Int) -> [Double] {
        var (taps, start) = ([Double](), 0.0)
        for bar in bars {
            taps += (0..<beats).map { start + bar * Double($0) / Double(beats) }
            start += bar
        }
        return taps + [start]
    }

    private func durations(_ seconds: [Double], from start: Double = 5) -> [Duration] {
        seconds.map { .nanoseconds(Int64((($0 + start) * 1e9).rounded())) }
    }

    private func fit(_ seconds: [Double], beats: Int) -> [Double] {
        let series = TapSeries(durations(seconds))
        let last = series.taps.last?.beat ?? 0
        return TapFit(series.taps, beats: beats, bars: (last + beats - 1) / beats).barlines
    }

    private func isClose(_ one: [Double], _ other: [Double], within limit: Double) -> Bool {
        one.count == other.count && zip(one, other).allSatisfy { abs($0 - $1) <= limit }
    }

    private func barlines(_ bars: [Double]) -> [Double] { bars.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) } }

    @Test("steady taps give a score with one tempo, and the last tap ends the last bar")
    func steady() throws {
        let tapped = try TappedScore((0...8).map { .milliseconds($0 * 500 + 12_345) }, beats: 4)
        #expect(tapped.notes == [])
        #expect(tapped.score.yaml == "tempo: 1/4 = 120\nbeats: on\nbars: [4/4 x 2]\n")
    }

    @Test("jitter without a trend within its bar is removed exactly")
    func jitter() {
        var random = Seeded(state: 71)
        for _ in 0..<50 {
            let bars = (0..<random.int(1...40)).map { _ in Double(random.int(1600...2400)) / 1000 }
            var jittered = taps(bars, beats: 4)
            for bar in bars.indices {
                // (a, -2a, a) at the inner taps adds nothing to the equations of the least squares.
                let a = random.chance(2) ? 0.012 : -0.012
                for (beat, off) in [a, -2 * a, a].enumerated() { jittered[bar * 4 + beat + 1] += off }
            }
            #expect(isClose(fit(jittered, beats: 4), barlines(bars), within: 1e-8))
        }
    }

    @Test("no other barlines have a smaller sum of squares, whatever the jitter")
    func leastSquares() {
        var random = Seeded(state: 72)
        var compared = 0
        for _ in 0..<60 {
            let (beats, count) = (random.int(2...6), random.int(1...12))
            let bars = (0..<count).map { _ in Double(random.int(1600...2400)) / 1000 }
            let seconds = taps(bars, beats: beats).map { $0 + Double(random.int(-9...9)) / 1000 }
            let start = seconds[0]
            let fit = TapFit(TapSeries(durations(seconds)).taps, beats: beats, bars: count)
            // With few taps, one of them can look like a mistake.
            guard fit.weights.allSatisfy({ $0 == 1 }) else { continue }
            compared += 1
            let found = fit.barlines
            func error(_ lines: [Double]) -> Double {
                seconds.enumerated().reduce(0) { sum, tap in
                    let bar = min(tap.offset / beats, count - 1)
                    let share = Double(tap.offset - bar * beats) / Double(beats)
                    let off = tap.element - start - (1 - share) * lines[bar] - share * lines[bar + 1]
                    return sum + off * off
                }
            }
            let least = error(found)
            for i in found.indices {
                for step in [1e-4, -1e-4] {
                    var other = found
                    other[i] += step
                    #expect(error(other) > least)
                }
            }
        }
        #expect(compared > 30)
    }

    @Test("double taps are left out, missed taps are counted, and far taps hardly count")
    func mistakes() {
        var random = Seeded(state: 73)
        for _ in 0..<50 {
            let bars = (0..<random.int(6...30)).map { _ in Double(random.int(1800...2200)) / 1000 }
            let exact = taps(bars, beats: 4)
            var wrong = exact
            // One mistake in every third bar, far from others; the first and last taps are right.
            for bar in stride(from: 1, to: bars.count - 1, by: 3).reversed() {
                let tap = bar * 4 + random.int(0...3)
                switch random.int(1...3) {
                case 1: wrong.remove(at: tap)
                case 2: wrong.insert(exact[tap] + 0.08, at: tap + 1)
                default: wrong[tap] += random.chance(2) ? 0.12 : -0.12
                }
            }
            let found = fit(wrong, beats: 4)
            #expect(isClose(found, barlines(bars), within: 1e-5), "\(zip(found, barlines(bars)).map { $0 - $1 })")
        }
    }

    @Test("the player learns what was left out or assumed")
    func notes() throws {
        var seconds = taps(Array(repeating: 2, count: 6), beats: 4)
        seconds[17] += 0.15
        seconds.remove(at: 10)
        seconds.insert(1.05, at: 3)
        seconds.removeLast(2)
        let tapped = try TappedScore(durations(seconds), beats: 4)
        #expect(
            tapped.notes == [
                "the tap at 0:06.050 is a double one and left out",
                "1 beat without a tap after 0:09.500: its time is estimated",
                "the last bar has 3 of 4 taps and is written as a whole bar",
                "the tap at 0:13.650 is far from its beat and hardly counts",
            ])
        #expect(tapped.score.yaml == "tempo: 1/4 = 120\nbeats: on\nbars: [4/4 x 6]\n")
    }

    @Test("a tempo that doubles or halves is not mistaken for missed or double taps")
    func suddenTempo() throws {
        for bars in [[2.0, 2, 2, 1, 1, 1], [1, 1, 1, 2, 2, 2]] {
            let tapped = try TappedScore(durations(taps(bars, beats: 4)), beats: 4)
            #expect(tapped.notes == [] && tapped.score.lines[0].bars.count == 6)
            #expect(Timeline(tapped.score).start(ofBar: 3) == .seconds(bars[0] * 3))
        }
    }

    @Test("bars begin within a millisecond of the barlines, however many there are, and the score reads back")
    func noDrift() throws {
        var random = Seeded(state: 74)
        for beats in [1, 2, 3, 4, 7] {
            let bars = (0..<200).map { _ in Double(random.int(1_600_000...2_400_000)) / 1e6 }
            let times = durations(taps(bars, beats: beats))
            let tapped = try TappedScore(times, beats: beats)
            let timeline = Timeline(tapped.score)
            for (i, line) in barlines(bars).enumerated() {
                #expect(abs(timeline.start(ofBar: i) / .seconds(1) - line) < 0.0011, "bar \(i)")
            }
            #expect(try score(tapped.score.yaml) == tapped.score)
            let seconds = try TappedScore(times, beats: beats, .seconds).score
            #expect(abs(Timeline(seconds).total / .seconds(1) - bars.reduce(0, +)) < 0.00051)
            #expect(try score(seconds.yaml) == seconds)
        }
    }

    @Test("taps can stand for other note values than quarters")
    func meters() throws {
        let times = (0...4).map { Duration.seconds($0) }
        let jig = try TappedScore(times, beats: 2, .meter(Meter(scoreText: "6/8")))
        #expect(
            jig.score.yaml == "tempo: 1/8. = 120\nbeats: on\nbars: [6/8 x 2]\n" || jig.score.tempo.text == "1/4. = 60")
        #expect(Timeline(jig.score).total == .seconds(4))
        #expect(try TappedScore(times, beats: 2, .seconds).score.yaml == "bars: [2, 2]\n")
    }

    @Test(
        "taps that do not make a score are refused with a reason",
        arguments: [
            ("", "there are fewer than two taps; tap on every beat, and once more where the last bar ends"),
            ("1.5", "there are fewer than two taps; tap on every beat, and once more where the last bar ends"),
            ("1\n2\nx", "line 3: 'x' is not a duration, for example 2.7 or 1:30"),
            ("1\n3\n# no\n2", "line 4: this tap is not after the one before; the times must rise"),
        ])
    func refused(text: String, expected: String) {
        let said = message { try TappedScore(TappedScore.times(text: text), beats: 4) }
        #expect(said.hasPrefix(expected.prefix(20)) && said == expected, "\(said)")
    }

    @Test("times are seconds or clock times, or the first column of a label track")
    func texts() throws {
        #expect(
            try TappedScore.times(text: "# taps\n0.5\n\n1:01.25\r\n62.125000\t62.125000\tA\n63,64\n")
                == [.milliseconds(500), .milliseconds(61_250), .milliseconds(62_125), .milliseconds(63_640)])
    }

    @Test("a comma between two digits is a decimal sign, and other text after a time is an error with its line")
    func commas() throws {
        let expected = [1390, 2030, 3480, 64_990].map { Duration.milliseconds($0) }
        for text in ["1,39\n2,03\n3,48\n1:04,99\n", "1,39\t1,39\t1\n2,03\t2,03\n3,48 3,5 A, B\n64,99\n"] {
            #expect(try TappedScore.times(text: text) == expected, "\(text)")
        }
        #expect(try TappedScore.times(text: "500 ms\n1.5 s\n") == [.milliseconds(500), .milliseconds(1500)])
        for line in ["2.03,1", "2,03,1", "2, 03", "2,A", "2 A", "2\tA"] {
            let said = message { _ = try TappedScore.times(text: "1,39\n\(line)\n") }
            #expect(said.hasPrefix("line 2: '"), "\(said)")
        }
    }

    @Test("any increasing times give a score, or are refused with a reason")
    func hostile() {
        var random = Seeded(state: 75)
        for _ in 0..<300 {
            var (time, times) = (Int64(0), [Duration]())
            for _ in 0..<random.int(0...60) {
                time += [1, 1000, 1_000_000, 500_000_000, 600_000_000, 3_600_000_000_000][random.int(0...5)]
                times.append(.nanoseconds(time))
            }
            let beats = random.int(1...8)
            guard let tapped = try? TappedScore(times, beats: beats) else { continue }
            #expect((try? score(tapped.score.yaml)) == tapped.score)
        }
    }
}
