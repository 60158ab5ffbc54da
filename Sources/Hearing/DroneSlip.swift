internal import Glibc

/// A moment of sound in which a drone may be heard as it was learned, but earlier or later: after a gap in playing or recording.
struct DroneSlip {
    /// How loud a tone is in phase, and a quarter of a turn away.
    typealias Level = (real: Double, imaginary: Double)

    /// A partial of the drone.
    struct Partial {
        /// Its frequency in Hz.
        var hertz: Double
        /// How it turns with each sample, and its phase after the last one, as cosine and sine.
        var turn, phase: (real: Double, imaginary: Double)
        /// As it was learned.
        var level: Level

        var power: Double { level.real * level.real + level.imaginary * level.imaginary }
    }

    /// How far a drone slips at most, in seconds. A single note repeats itself sooner.
    private static let range = 0.25
    /// The place is found by the partials below this frequency in Hz, at least by the lowest two of a note, and then by all.
    private static let low = 700.0
    /// Values in a period of the highest partial.
    private static let dense = 8.0
    /// A partial that is softer than the loudest by this power tells nothing: 60 dB. And so many places are looked at closely.
    private static let (quiet, most) = (1e-6, 12)
    /// So many places are compared with the sound.
    private static let compared = 3

    private let partials: [Partial]
    private let (sound, window): ([Float], [Double])
    /// How the sound correlates with each partial as it was learned, and with the same a quarter of a turn later.
    private var common: [(cosine: Double, sine: Double)] = []

    init(_ partials: [Partial], in sound: [Float]) {
        let loudest = partials.map(\.power).max() ?? 0
        self.partials = partials.filter { $0.power > DroneSlip.quiet * loudest }
        self.sound = sound
        window = Transform.window(sound.count)
        common = self.partials.map { partial in
            var (real, imaginary) = (0.0, 0.0)
            partial.each(sound.count) { n, x, y in
                let sample = Double(sound[n]) * window[n]
                real += sample * x
                imaginary += sample * y
            }
            let (a, b) = partial.level
            return (a * real + b * imaginary, a * imaginary - b * real)
        }
    }

    /// The power of another sound of this length, by the same window.
    func power<Sample: BinaryFloatingPoint>(_ other: [Sample]) -> Double {
        zip(other, window).reduce(0) { $0 + Double($1.0) * Double($1.0) * $1.1 } / window.reduce(0, +)
    }

    /// A level, `delay` seconds late.
    static func late(_ level: Level, _ hertz: Double, by delay: Double) -> Level {
        let (c, s) = (cos(2 * .pi * hertz * delay), sin(2 * .pi * hertz * delay))
        return (level.real * c - level.imaginary * s, level.imaginary * c + level.real * s)
    }

    /// The power that is left without the drone, `delay` seconds late.
    func left(_ delay: Double) -> Double {
        var rest = sound.map { Double($0) }
        for partial in partials {
            let (a, b) = DroneSlip.late(partial.level, partial.hertz, by: delay)
            partial.each(rest.count) { n, x, y in rest[n] -= a * x + b * y }
        }
        return power(rest)
    }

    /// The delay in seconds after which least is left; nil if there are no partials.
    func best() -> Double? {
        guard let lowest = partials.map(\.hertz).min(), let highest = partials.map(\.hertz).max() else { return nil }
        let top = max(DroneSlip.low, 2.1 * lowest)
        let step = 1 / (DroneSlip.dense * top)
        let low = partials.indices.filter { partials[$0].hertz <= top }
        let count = Int(DroneSlip.range / step)
        let values = likeness(low, from: -Double(count) * step, step, 2 * count + 1)
        let peaks = values.indices.dropFirst().dropLast().filter { n in
            values[n] >= values[n - 1] && values[n] > values[n + 1]
        }.sorted { values[$0] > values[$1] }
        let fine = 1 / (DroneSlip.dense * highest)
        let reach = Int(step / fine) + 1
        let places = peaks.prefix(DroneSlip.most).map { peak -> (delay: Double, value: Double) in
            let first = Double(peak - count) * step - Double(reach) * fine
            let values = likeness(Array(partials.indices), from: first, fine, 2 * reach + 1)
            let best = values.indices.max { values[$0] < values[$1] } ?? reach
            return (refined(first + Double(best) * fine), values[best])
        }.sorted { $0.value > $1.value }
        return places.prefix(DroneSlip.compared).map { (delay: $0.delay, left: left($0.delay)) }
            .min { $0.left < $1.left }?.delay
    }

    /// How alike the sound and the drone are at `count` delays, by some of the partials.
    private func likeness(_ which: [Int], from first: Double, _ step: Double, _ count: Int) -> [Double] {
        var values = [Double](repeating: 0, count: count)
        for k in which {
            let speed = 2 * .pi * partials[k].hertz
            var (x, y) = (cos(speed * first), sin(speed * first))
            let (c, s) = (cos(speed * step), sin(speed * step))
            let (cosine, sine) = common[k]
            for n in values.indices {
                values[n] += cosine * x + sine * y
                (x, y) = (x * c - y * s, y * c + x * s)
            }
        }
        return values
    }

    /// The delay near this one at which they are most alike, by Newton's method.
    private func refined(_ delay: Double) -> Double {
        var delay = delay
        for _ in 0..<3 {
            var (slope, bend) = (0.0, 0.0)
            for (partial, (cosine, sine)) in zip(partials, common) {
                let speed = 2 * .pi * partial.hertz
                let (x, y) = (cos(speed * delay), sin(speed * delay))
                slope += speed * (sine * x - cosine * y)
                bend -= speed * speed * (cosine * x + sine * y)
            }
            guard bend < 0 else { break }
            delay -= slope / bend
        }
        return delay
    }
}

extension DroneSlip.Partial {
    /// Calls with the phase at each of the last `count` samples, from the last one back.
    fileprivate func each(_ count: Int, _ take: (Int, Double, Double) -> Void) {
        var (x, y) = phase
        for n in stride(from: count - 1, through: 0, by: -1) {
            (x, y) = (x * turn.real + y * turn.imaginary, y * turn.real - x * turn.imaginary)
            take(n, x, y)
        }
    }
}
