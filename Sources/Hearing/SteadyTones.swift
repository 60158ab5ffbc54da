internal import Glibc

/// Takes a drone out of a recording: tones that do not change, such as those of Barline's own drone.
///
/// Loudspeaker, room and microphone give each partial a level and a phase that nobody knows, and the crystals of the player and
/// of the recorder differ. But both stay as they are for many seconds. In pieces of a quarter of a second, a partial is a point
/// in the complex plane; with the drone alone, the points lie close together. A note of the player at the same pitch is
/// elsewhere each time. Only what most of the points have in common is taken away.
package enum SteadyTones {
    /// A sound without its steady tones of about these frequencies in Hz. Tones that are not steady stay in it.
    package static func removed(_ frequencies: [Double], from samples: [Float]) -> [Float] {
        var samples = samples
        let rate = HeardTake.rate
        for frequency in frequencies where frequency > 0 && frequency < Double(rate) / 2 {
            let nearby = Partial(frequency, of: samples, rate)
            let partial = Partial(frequency + nearby.shift, of: samples, rate)
            guard let levels = partial.levels() else { continue }
            partial.subtract(levels, from: &samples)
        }
        return samples
    }

    /// Whether a drone with these partials sounds through a recording.
    static func areHeard(_ partials: [Double], in samples: [Float], rate: Int) -> Bool {
        partials.prefix(mostPartials).contains { frequency in
            guard frequency > 0, frequency < Double(rate) / 2 else { return false }
            let shift = Partial(frequency, of: samples, rate).shift
            return Partial(frequency + shift, of: samples, rate).levels() != nil
        }
    }

    /// So many partials are looked for.
    private static let mostPartials = 6

    /// The frequencies in Hz of tones that sound through a recording of `HeardTake.rate` samples per second, the loudest first.
    ///
    /// Whether they are steady is not known yet: the notes of a player in a large room may be among them.
    package static func frequencies(in samples: [Float]) -> [Double] {
        let (length, most) = (1 << 15, 160)
        guard samples.count > 4 * length else { return [] }
        let window = Transform.window(length).map { Float($0) }
        let step = max(length / 2, (samples.count - length) / most)
        let starts = Array(stride(from: 0, through: samples.count - length, by: step))
        let half = length / 2 + 1
        var (transform, bins) = (Transform(length: length), [Float](repeating: 0, count: half))
        var all = [Float](repeating: 0, count: half * starts.count)
        for (row, start) in starts.enumerated() {
            let piece = (0..<length).map { samples[start + $0] * window[$0] }
            piece.withUnsafeBufferPointer { if let base = $0.baseAddress { transform.powers(of: base, into: &bins) } }
            for bin in 0..<half { all[bin * starts.count + row] = bins[bin] }
        }
        // What is there nearly all of the time.
        let lasting = (0..<half).map { bin in
            all[bin * starts.count..<(bin + 1) * starts.count].sorted()[starts.count / 4]
        }
        return peaks(lasting).map { Double($0) * Double(HeardTake.rate) / Double(length) }
    }

    /// The bins, with their fractions, that stand out far above those about them.
    private static func peaks(_ powers: [Float]) -> [Double] {
        let (reach, prominence, most) = (60, Float(100), 24)
        let lowest = 30
        var found: [(place: Double, power: Float)] = []
        for bin in lowest..<powers.count - reach
        where powers[bin] == powers[bin - 2...bin + 2].max() && powers[bin] > 1e-6 {
            let about = (powers[max(0, bin - reach)..<bin - 3] + powers[bin + 4...bin + reach]).sorted()
            guard powers[bin] > prominence * about[about.count / 2] else { continue }
            let shift = Parabola.top(
                Double(logf(powers[bin - 1])), Double(logf(powers[bin])), Double(logf(powers[bin + 1])))
            found.append((Double(bin) + shift, powers[bin]))
        }
        return found.sorted { $0.power > $1.power }.prefix(most).map(\.place)
    }
}

/// One tone in a recording, piece by piece: the level and the phase that it would have, as a complex number.
private struct Partial {
    private typealias Point = (re: Double, im: Double)

    private let frequency: Double
    private let rate: Int
    /// Samples that are added at first, and how many of these sums a piece has, and one after which the next begins.
    private let chunk: Int
    private static let (length, step) = (64, 12)
    private static let chunksPerSecond = 250
    private let points: [(re: Double, im: Double)]

    /// Pieces between two levels, and on each side of one from which it is learned: 2 s and 8 s.
    private static let (apart, reach) = (42, 167)
    /// How near the points lie where there is only the drone, as a share of its level.
    private static let radius = 0.25
    /// The least share of the points that must lie there, about each level and in the whole recording.
    private static let (least, leastOfAll) = (0.2, 0.35)
    /// A level above the usual one by this factor is that of the drone and a player together.
    private static let loudest = 1.5

    init(_ frequency: Double, of samples: [Float], _ rate: Int) {
        (self.frequency, self.rate) = (frequency, rate)
        chunk = max(rate / Partial.chunksPerSecond, 1)
        let shape = Transform.window(Partial.length)
        let scale = 2 / (shape.reduce(0, +) * Double(chunk))
        var sums: [Point] = []
        for first in stride(from: 0, through: samples.count - chunk, by: chunk) {
            var sum: Point = (0, 0)
            Partial.turn(frequency, rate, first, chunk) { index, re, im in
                let sample = Double(samples[index])
                sum.re += sample * re
                sum.im -= sample * im
            }
            sums.append(sum)
        }
        points = stride(from: 0, through: sums.count - Partial.length, by: Partial.step).map { first in
            var point: Point = (0, 0)
            for n in 0..<Partial.length {
                point.re += sums[first + n].re * shape[n] * scale
                point.im += sums[first + n].im * shape[n] * scale
            }
            return point
        }
    }

    /// Calls with each sample's index and the cosine and sine of the tone there.
    private static func turn(
        _ frequency: Double, _ rate: Int, _ first: Int, _ count: Int, _ take: (Int, Double, Double) -> Void
    ) {
        let turns = (frequency / Double(rate) * Double(first)).truncatingRemainder(dividingBy: 1)
        var (re, im) = (cos(2 * .pi * turns), sin(2 * .pi * turns))
        let step = 2 * .pi * frequency / Double(rate)
        let (c, s) = (cos(step), sin(step))
        for index in first..<first + count {
            take(index, re, im)
            (re, im) = (re * c - im * s, re * s + im * c)
        }
    }

    /// How much higher the tone is in truth, in Hz: how the points turn, first over a short time, then over longer ones.
    var shift: Double {
        var turns = 0.0
        for lag in [2, 8, 32, 128] where lag < points.count / 2 {
            var sum: Point = (0, 0)
            for index in 0..<points.count - lag {
                let ((a, b), (c, d)) = (points[index], points[index + lag])
                let (size, later) = ((a * a + b * b).squareRoot(), (c * c + d * d).squareRoot())
                // Of a note that begins or ends in between, nothing can be said.
                guard min(size, later) > 0.8 * max(size, later), size > 0 else { continue }
                sum.re += (c * a + d * b) / (size * later)
                sum.im += (d * a - c * b) / (size * later)
            }
            let known = turns * Double(lag)
            let rest = atan2(sum.im, sum.re) / (2 * .pi) - known
            turns += (rest - rest.rounded()) / Double(lag)
        }
        return turns * Double(Partial.chunksPerSecond) / Double(Partial.step)
    }

    /// The levels of what does not change, one for each point; nil if that is nothing. Where it is not heard, the level is 0.
    func levels() -> [(re: Double, im: Double)]? {
        var anchors: [(place: Int, level: Point, share: Double)] = []
        for place in stride(from: 0, to: points.count, by: Partial.apart) {
            let about = points[max(0, place - Partial.reach)..<min(points.count, place + Partial.reach)]
            let (level, share) = Partial.densest(Array(about))
            anchors.append((place, level, share))
        }
        func size(_ point: Point) -> Double { (point.re * point.re + point.im * point.im).squareRoot() }
        anchors.removeAll { $0.share < Partial.least }
        guard !anchors.isEmpty else { return nil }
        let usual = anchors.map { size($0.level) }.sorted()[anchors.count / 2]
        anchors.removeAll { size($0.level) > Partial.loudest * usual }
        var levels: [Point] = []
        var next = 0
        for index in points.indices {
            while next < anchors.count, anchors[next].place < index { next += 1 }
            let (a, b) = (anchors[max(next - 1, 0)], anchors[min(next, anchors.count - 1)])
            let share = b.place > a.place ? min(1, max(0, Double(index - a.place) / Double(b.place - a.place))) : 0
            levels.append(
                (a.level.re + (b.level.re - a.level.re) * share, a.level.im + (b.level.im - a.level.im) * share))
        }
        let near = levels.indices.count { index in
            let rest = (points[index].re - levels[index].re, points[index].im - levels[index].im)
            return size(rest) < Partial.radius * size(levels[index])
        }
        guard Double(near) >= Partial.leastOfAll * Double(levels.count) else { return nil }
        return heard(levels)
    }

    /// The levels without those of stretches in which the recording would become louder without them: the drone is off there.
    private func heard(_ levels: [Point]) -> [Point] {
        let reach = Partial.apart / 2
        var gains = [0.0]
        for (point, level) in zip(points, levels) {
            let (power, most) = (point.re * point.re + point.im * point.im, level.re * level.re + level.im * level.im)
            let rest = (point.re - level.re, point.im - level.im)
            // A loud note in unison tells nothing of the drone.
            let tells = power < Partial.loudest * Partial.loudest * most
            gains.append(gains[gains.count - 1] + (tells ? power - rest.0 * rest.0 - rest.1 * rest.1 : 0))
        }
        return levels.indices.map { index in
            let (first, last) = (max(0, index - reach), min(levels.count, index + reach + 1))
            return gains[last] >= gains[first] ? levels[index] : (0, 0)
        }
    }

    /// Where most points lie close together, and the share of those that do.
    private static func densest(_ points: [Point]) -> (Point, Double) {
        func members(_ center: Point) -> [Point] {
            let most = radius * radius * (center.re * center.re + center.im * center.im)
            return points.filter { point in
                let (x, y) = (point.re - center.re, point.im - center.im)
                return x * x + y * y < most
            }
        }
        func mean(_ points: [Point]) -> Point {
            let count = Double(max(points.count, 1))
            return (points.reduce(0) { $0 + $1.re } / count, points.reduce(0) { $0 + $1.im } / count)
        }
        var best: [Point] = []
        for index in stride(from: 0, to: points.count, by: 8) {
            let near = members(points[index])
            if near.count > best.count { best = near }
        }
        for _ in 0..<3 { best = members(mean(best)) }
        return (mean(best), Double(best.count) / Double(max(points.count, 1)))
    }

    /// Takes the tone out of a sound, with a level for each point and what is between two of them.
    func subtract(_ levels: [(re: Double, im: Double)], from samples: inout [Float]) {
        let (hop, middle) = (Partial.step * chunk, Partial.length * chunk / 2)
        for first in stride(from: 0, to: samples.count, by: hop) {
            let place = Double(first - middle) / Double(hop)
            let at = max(0, min(levels.count - 1, Int(place.rounded(.down))))
            let (a, b) = (levels[at], levels[min(at + 1, levels.count - 1)])
            let offset = place - Double(at)
            Partial.turn(frequency, rate, first, min(hop, samples.count - first)) { index, re, im in
                let share = max(0, min(1, offset + Double(index - first) / Double(hop)))
                let (x, y) = (a.re + (b.re - a.re) * share, a.im + (b.im - a.im) * share)
                samples[index] -= Float(x * re - y * im)
            }
        }
    }
}
