internal import Glibc

/// Finds to a fraction of a millisecond where a note begins that rises at a frame.
struct OnsetPlace {
    /// The rises of notes that are blown, bowed or sung are highest so many seconds after their beginnings.
    private static let lateness = 0.008
    /// The stretches before and after an attack, and how far it can be from the frame, in samples.
    private static let (before, after, reach) = (144, 144, 600)
    /// How much louder it must be after an attack, as a logarithm of power.
    private static let leastRise = log(4.0)

    private static let framesPerSecond = Double(Bands.rate) / Double(Bands.hop)

    /// Sums of the powers of the sound's differences, taken twice: attacks stand out in them.
    private let sums: [Double]
    private let rises: [Float]
    /// Where known clicks are, in frames: their attacks are no note's.
    private let clicks: Set<Int>

    init(_ samples: [Float], rises: [Float], clicks: [Double]) {
        self.rises = rises
        self.clicks = Set(clicks.map { Int(($0 * OnsetPlace.framesPerSecond).rounded()) })
        var sums = [Double](repeating: 0, count: samples.count + 1)
        var (last, slope, sum): (Float, Float, Double) = (0, 0, 0)
        for n in samples.indices {
            let difference = samples[n] - 0.9 * last
            let second = difference - 0.9 * slope
            (last, slope) = (samples[n], difference)
            sum += Double(second * second)
            sums[n + 1] = sum
        }
        self.sums = sums
    }

    /// The seconds at which the note begins.
    func seconds(ofFrame frame: Int) -> Double {
        let hasClick = (frame - 10...frame + 10).contains { clicks.contains($0) }
        let attack = hasClick ? nil : attack(about: frame * Bands.hop)
        return attack ?? summit(frame) - OnsetPlace.lateness
    }

    /// The place that best divides the sound into a softer and a louder stretch, if the difference is large.
    private func attack(about center: Int) -> Double? {
        let (before, after, reach) = (OnsetPlace.before, OnsetPlace.after, OnsetPlace.reach)
        let (first, last) = (max(center - reach, before), min(center + reach, sums.count - 1 - after))
        guard first < last else { return nil }
        var best = (gain: 0.0, place: 0, rise: 0.0)
        for place in stride(from: first, through: last, by: 3) {
            let soft = (sums[place] - sums[place - before]) / Double(before) + 1e-10
            let loud = (sums[place + after] - sums[place]) / Double(after) + 1e-10
            guard loud > soft else { continue }
            let all = (sums[place + after] - sums[place - before]) / Double(before + after) + 1e-10
            // The logarithm of the likelihood of two levels against one.
            let gain = Double(before + after) * log(all) - Double(before) * log(soft) - Double(after) * log(loud)
            if gain > best.gain { best = (gain, place, log(loud / soft)) }
        }
        return best.rise > OnsetPlace.leastRise ? Double(best.place) / Double(Bands.rate) : nil
    }

    /// The place between frames at which the rise is highest: the top of a parabola.
    private func summit(_ frame: Int) -> Double {
        var shift = 0.0
        if frame > 0, frame + 1 < rises.count {
            shift = Parabola.top(Double(rises[frame - 1]), Double(rises[frame]), Double(rises[frame + 1]))
        }
        return (Double(frame) + shift) * Double(Bands.hop) / Double(Bands.rate)
    }
}

/// A parabola through three values at -1, 0 and 1.
enum Parabola {
    /// Where it is highest: -0.5 ... 0.5; 0 if it has no top.
    static func top(_ a: Double, _ b: Double, _ c: Double) -> Double {
        let bend = a - 2 * b + c
        return bend < 0 ? max(-0.5, min(0.5, 0.5 * (a - c) / bend)) : 0
    }
}
