/// The line through taps that is straight within each bar, so that a bar has one tempo: least squares, in which taps far
/// off the line lose their weight.
///
/// The unknowns are the times of the barlines. A tap at the share u of a bar adds (t - (1 - u) y₀ - u y₁)² to the sum, so
/// the equations for its minimum have three diagonals.
package struct TapFit {
    /// The times of the barlines, in seconds after the first tap; one more than there are bars.
    package private(set) var barlines: [Double]
    /// How much the taps count, 0 ... 1.
    package private(set) var weights: [Double]

    /// A tap counts fully up to this many times the spread of all taps, and not at all from twice as many on.
    private static let limit = 3.0
    /// The spread of taps is at least this, in seconds: nobody taps better, and clocks are no finer.
    private static let leastSpread = 0.001
    /// The weight of a tap that does not count; more than 0, so that every barline is determined.
    private static let least = 1e-6

    /// Fits bars of `beats` beats, 1 or more, to at least two taps. Missing beats are filled in with the least weight.
    package init(_ taps: [TapSeries.Tap], beats: Int, bars: Int) {
        var taps = taps
        var base: [Double] = Array(repeating: 1, count: taps.count)
        for (one, next) in zip(taps, taps.dropFirst()) where next.beat - one.beat > 1 {
            for beat in one.beat + 1..<next.beat {
                let share = Double(beat - one.beat) / Double(next.beat - one.beat)
                taps.append(TapSeries.Tap(beat: beat, time: one.time + share * (next.time - one.time)))
                base.append(TapFit.least)
            }
        }
        let real = base.count { $0 == 1 }
        weights = base
        barlines = TapFit.solve(taps, weights, beats, bars)
        for round in 0..<20 {
            // How far the taps are off the line, in seconds.
            let residuals = taps[..<real].map { abs($0.time - TapFit.time(of: $0.beat, barlines, beats)) }
            let spread = max(1.4826 * TapFit.median(residuals), TapFit.leastSpread)
            let before = weights
            for i in 0..<real {
                let off = residuals[i] / (TapFit.limit * spread)
                // The first rounds only bend the weights, so that one far tap cannot make its neighbors look wrong.
                weights[i] = off <= 1 ? 1 : round < 5 ? 1 / off : max(2 - off, TapFit.least)
            }
            barlines = TapFit.solve(taps, weights, beats, bars)
            if round >= 5, weights == before { break }
        }
        weights.removeLast(weights.count - real)
    }

    /// The time of a beat on the line.
    private static func time(of beat: Int, _ barlines: [Double], _ beats: Int) -> Double {
        let bar = min(beat / beats, barlines.count - 2)
        let share = Double(beat - bar * beats) / Double(beats)
        return (1 - share) * barlines[bar] + share * barlines[bar + 1]
    }

    private static func median(_ values: [Double]) -> Double { values.isEmpty ? 0 : values.sorted()[values.count / 2] }

    /// Solves the equations by elimination from both neighbors of the diagonal (Thomas).
    private static func solve(_ taps: [TapSeries.Tap], _ weights: [Double], _ beats: Int, _ bars: Int) -> [Double] {
        var diagonal = Array(repeating: 0.0, count: bars + 1)
        var beside = Array(repeating: 0.0, count: bars + 1)
        var right = Array(repeating: 0.0, count: bars + 1)
        for (tap, weight) in zip(taps, weights) {
            let bar = min(tap.beat / beats, bars - 1)
            let share = Double(tap.beat - bar * beats) / Double(beats)
            diagonal[bar] += weight * (1 - share) * (1 - share)
            diagonal[bar + 1] += weight * share * share
            beside[bar] += weight * share * (1 - share)
            right[bar] += weight * (1 - share) * tap.time
            right[bar + 1] += weight * share * tap.time
        }
        for i in 1...bars {
            let factor = beside[i - 1] / diagonal[i - 1]
            diagonal[i] -= factor * beside[i - 1]
            right[i] -= factor * right[i - 1]
        }
        right[bars] /= diagonal[bars]
        for i in stride(from: bars - 1, through: 0, by: -1) {
            right[i] = (right[i] - beside[i] * right[i + 1]) / diagonal[i]
        }
        return right
    }
}
