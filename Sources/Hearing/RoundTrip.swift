internal import Glibc

/// The time from a sound output to an input, measured by bursts of a maximum length sequence.
///
/// Where a recording is like a burst, the correlation of the two has a peak, 45 dB above what any other sound makes of it. A
/// peak is believed only if it stands out, if no other peak is nearly as high, and if all bursts agree.
package struct RoundTrip: Sendable, Equatable {
    /// The median delay in seconds.
    package let delay: Double
    /// The difference of the longest and the shortest delay, in seconds.
    package let spread: Double
    /// The delay of each burst.
    package let delays: [Double]

    /// Why no delay is told.
    package enum Fault: Error, Equatable {
        /// The input gave silence.
        case silent
        /// Something was heard, but no burst.
        case notHeard
        /// A burst was heard several times, almost equally loud, this far apart in seconds.
        case echo(Double)
        /// The delays of the bursts differ by this many seconds.
        case disagree(Double)
    }

    /// A burst as it was played: when it would be in the recording without any delay, in frames of that.
    package struct Burst: Sendable, Equatable {
        package var frame: Double
        package init(frame: Double) { self.frame = frame }
    }

    /// The order of the sequence: 2¹⁵ - 1 samples.
    package static let order = 15
    /// The delays that are looked for, in seconds: a wireless loudspeaker takes up to a second.
    package static let range = -0.1...1.5
    /// By how much the highest value must stand out above the root mean square of all others.
    private static let leastProminence = 8.0
    /// How high, compared with the highest, another peak makes it doubtful which one is the sound's own way, and how near the
    /// highest it still belongs to that, in seconds.
    private static let (rival, width) = (0.5, 0.001)
    /// How far the delays of the bursts may be from a straight line, in seconds, and how steep that may be: the rates of two
    /// crystals are not known better after a few seconds, but a wrong peak does not lie on it.
    private static let (mostSpread, mostSlope) = (0.00025, 200e-6)
    /// A recording below this is silence: less than half of the smallest step of 16 bits.
    private static let leastPeak: Float = 1.2e-5

    /// The samples of a burst: ±1, by a shift register with the feedback x¹⁵ + x¹⁴ + 1.
    package static let sequence: [Float] = {
        var register: UInt32 = 1
        return (0..<(1 << order) - 1).map { _ in
            let bit = (register >> 14 ^ register >> 13) & 1
            register = (register << 1 | bit) & 0x7fff
            return bit == 1 ? 1 : -1
        }
    }()

    /// Looks for bursts in a recording of `rate` frames per second. `pace` is how many samples of a burst are played in a
    /// frame of the recording: 1 if both devices have one clock and one rate.
    package init(_ samples: [Float], rate: Double, pace: Double, bursts: [Burst]) throws(Fault) {
        let peak = samples.reduce(Float(0)) { max($0, abs($1)) }
        guard peak > RoundTrip.leastPeak else { throw .silent }
        let reference = RoundTrip.resampled(RoundTrip.sequence, pace: pace)
        let correlator = Correlator(
            reference, lags: Int(rate * (RoundTrip.range.upperBound - RoundTrip.range.lowerBound)))
        var delays: [Double] = []
        for burst in bursts {
            let first = (burst.frame + RoundTrip.range.lowerBound * rate).rounded(.down)
            let values = correlator.values(of: samples, from: Int(first))
            let found = try RoundTrip.peak(values, rate) { lag in
                let span = (Int(first) + lag..<Int(first) + lag + reference.count).clamped(to: samples.indices)
                var energy = 0.0
                for sample in samples[span] { energy += Double(sample) * Double(sample) }
                return energy.squareRoot() / Double(reference.count)
            }
            delays.append((first + found - burst.frame) / rate)
        }
        guard let least = delays.min(), let most = delays.max() else { throw .notHeard }
        guard RoundTrip.agree(delays, at: bursts.map { $0.frame / rate }) else { throw .disagree(most - least) }
        self.delays = delays
        delay = delays.sorted()[delays.count / 2]
        spread = most - least
    }

    /// Whether the delays of bursts at these times, in seconds, can be those of one way.
    private static func agree(_ delays: [Double], at times: [Double]) -> Bool {
        let count = Double(delays.count)
        let (time, delay) = (times.reduce(0, +) / count, delays.reduce(0, +) / count)
        let along = times.reduce(0) { $0 + ($1 - time) * ($1 - time) }
        let slope = along > 0 ? zip(times, delays).reduce(0) { $0 + ($1.0 - time) * ($1.1 - delay) } / along : 0
        let off = zip(times, delays).map { $1 - delay - slope * ($0 - time) }
        return abs(slope) <= mostSlope && (off.max() ?? 0) - (off.min() ?? 0) <= mostSpread
    }

    /// The place of the one peak of a correlation, with its fraction. `chance` is the root mean square that noise as loud as
    /// the recording from a lag on would have there: a peak must stand out above that, too, because a recording that ends early
    /// has hardly any other values.
    private static func peak(_ values: [Float], _ rate: Double, chance: (Int) -> Double) throws(Fault) -> Double {
        let sizes = values.map(abs)
        guard let best = sizes.indices.max(by: { sizes[$0] < sizes[$1] }), sizes[best] > 0 else { throw .notHeard }
        let reach = max(Int(rate * width), 4)
        var (sum, count, rival) = (0.0, 0, 0)
        for index in sizes.indices where abs(index - best) > reach {
            sum += Double(sizes[index]) * Double(sizes[index])
            count += 1
            if count == 1 || sizes[index] > sizes[rival] { rival = index }
        }
        let height = Double(sizes[best])
        let others = (sum / Double(max(count, 1))).squareRoot()
        guard height > leastProminence * max(others, chance(best)) else { throw .notHeard }
        if Double(sizes[rival]) > RoundTrip.rival * height { throw .echo(abs(Double(rival - best)) / rate) }
        guard best > 0, best + 1 < sizes.count else { return Double(best) }
        return Double(best) + Parabola.top(Double(sizes[best - 1]), height, Double(sizes[best + 1]))
    }

    /// The samples at another pace, band-limited.
    static func resampled(_ samples: [Float], pace: Double) -> [Float] {
        guard pace != 1, pace > 0 else { return samples }
        let (reach, cutoff) = (16, min(1 / pace, 1))
        let half = Double(reach) / cutoff
        return (0..<Int(Double(samples.count) / pace)).map { index in
            let place = Double(index) * pace
            var sum = 0.0
            for n in max(Int((place - half).rounded(.up)), 0)...min(Int(place + half), samples.count - 1) {
                let x = (place - Double(n)) * cutoff
                let sinc = abs(x) < 1e-9 ? 1 : sin(.pi * x) / (.pi * x)
                sum += Double(samples[n]) * sinc * (0.5 + 0.5 * cos(.pi * (place - Double(n)) / half)) * cutoff
            }
            return Float(sum)
        }
    }
}

/// Correlates stretches of a recording with one reference, by the Fourier transform.
private struct Correlator {
    private let lags: Int
    private let length: Int
    private let spectrum: [(Double, Double)]
    private let count: Int

    init(_ reference: [Float], lags: Int) {
        self.lags = max(lags, 1)
        count = reference.count
        var length = 8
        while length < self.lags + count { length *= 2 }
        self.length = length
        var values = [(Double, Double)](repeating: (0, 0), count: length)
        for (index, sample) in reference.enumerated() { values[index].0 = Double(sample) }
        Correlator.transform(&values)
        spectrum = values
    }

    /// The correlation of the reference with what begins at each of the frames from `first` on.
    func values(of samples: [Float], from first: Int) -> [Float] {
        var values = [(Double, Double)](repeating: (0, 0), count: length)
        for index in 0..<lags + count where samples.indices.contains(first + index) {
            values[index].0 = Double(samples[first + index])
        }
        Correlator.transform(&values)
        // The transform of the product with the conjugate, backward by swapping the parts.
        for index in values.indices {
            let ((a, b), (c, d)) = (values[index], spectrum[index])
            values[index] = (b * c - a * d, a * c + b * d)
        }
        Correlator.transform(&values)
        return values.prefix(lags).map { Float($0.1 / Double(length * count)) }
    }

    /// The Fourier transform in place; the length is a power of two.
    private static func transform(_ values: inout [(Double, Double)]) {
        let length = values.count
        let bits = length.trailingZeroBitCount
        for index in values.indices {
            var (rest, reversed) = (index, 0)
            for _ in 0..<bits { (reversed, rest) = (reversed << 1 | rest & 1, rest >> 1) }
            if reversed > index { values.swapAt(index, reversed) }
        }
        values.withUnsafeMutableBufferPointer { values in
            var size = 2
            while size <= length {
                let half = size / 2
                let turns = (0..<half).map { n in
                    (cos(2 * .pi * Double(n) / Double(size)), -sin(2 * .pi * Double(n) / Double(size)))
                }
                for start in stride(from: 0, to: length, by: size) {
                    for n in 0..<half {
                        let (c, s) = turns[n]
                        let (re, im) = values[start + n + half]
                        let (x, y) = (re * c - im * s, re * s + im * c)
                        let (a, b) = values[start + n]
                        values[start + n] = (a + x, b + y)
                        values[start + n + half] = (a - x, b - y)
                    }
                }
                size *= 2
            }
        }
    }
}
