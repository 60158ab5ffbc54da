internal import Glibc

/// The pitch of a player as it sounds, one voice at a time: a frame every hundredth of a second.
///
/// The period is found by the normalized difference function (McLeod and Wyvill, "A smarter way to find pitch", 2005); the
/// fractions of a cent come from how the phases of the harmonics advance between two windows.
package struct PitchTracker: Sendable {
    /// What is heard about a moment.
    package struct Frame: Sendable, Equatable {
        /// The end of the sound from which it was found, in seconds.
        package var seconds: Double
        /// The pitch in Hz; nil where no note is heard.
        package var hertz: Double?
        /// Whether it is the player's for certain: not where the drone has the same pitch.
        package var isSure: Bool
    }

    /// How far frames are apart, in seconds.
    package static let step = 0.010
    /// The lowest and the highest pitch, in Hz.
    package static let range = 55.0...2500.0
    /// How much sound a frame needs, and how far the second window comes after the first, in seconds.
    private static let (length, advance) = (0.042, step)
    /// How alike a sound must be to itself a period later, and how much of the best likeness the first peak must have.
    private static let (clarity, nearlyBest): (Float, Float) = (0.7, 0.9)
    /// Below this level nothing is heard: -60 dB.
    private static let quiet: Float = 0.001
    /// The weight of a harmonic that is near a partial of the drone, where what is taken out rings for a moment.
    private static let near = 0.01
    /// So many harmonics are looked at.
    private static let harmonics = 12

    private let rate: Double
    private let (window, hop): (Int, Int)
    private let shape: [Float]
    private let longestLag: Int
    private var drone: KnownDrone
    private var halving: Halving?
    /// The newest sound, without the drone: `window` and `hop` samples.
    private var samples: [Float] = []
    private var taken = 0
    private var likeness: [Float]

    /// Begins to listen to a sound of `rate` samples per second, in which a drone with these partials may be heard.
    package init(rate: Int, drone partials: [Double] = []) {
        halving = rate >= 40_000 ? Halving() : nil
        self.rate = halving == nil ? Double(rate) : Double(rate) / 2
        hop = Int((PitchTracker.advance * self.rate).rounded())
        let count = Int(PitchTracker.length * self.rate)
        window = count
        shape = (0..<count).map {
            let turn = 2 * .pi * (Double($0) + 0.5) / Double(count)
            return Float(0.42 - 0.5 * cos(turn) + 0.08 * cos(2 * turn))
        }
        longestLag = Int(self.rate / PitchTracker.range.lowerBound) + 2
        likeness = [Float](repeating: 0, count: longestLag + 1)
        drone = KnownDrone(partials: partials, rate: self.rate)
    }

    /// Takes more sound; returns the frames that it completes.
    package mutating func add(_ sound: some Sequence<Float>) -> [Frame] {
        var frames: [Frame] = []
        for sample in sound {
            guard let sample = halving == nil ? sample : halving?.take(sample) ?? nil else { continue }
            samples.append(drone.without(sample.isFinite ? sample : 0))
            taken += 1
            guard samples.count == window + hop else { continue }
            frames.append(frame())
            samples.removeFirst(hop)
        }
        return frames
    }

    private mutating func frame() -> Frame {
        let seconds = Double(taken) / rate
        guard let coarse = period(), let (hertz, isSure) = refined(rate / coarse) else {
            return Frame(seconds: seconds, hertz: nil, isSure: false)
        }
        return Frame(seconds: seconds, hertz: hertz, isSure: isSure && abs(1200 * log2(hertz * coarse / rate)) < 60)
    }

    /// The period in samples, coarsely; nil if there is no note.
    private mutating func period() -> Double? {
        let count = samples.count
        var power: Float = 0
        samples.withUnsafeBufferPointer { power = PitchTracker.product($0, 0, count) }
        guard power > PitchTracker.quiet * PitchTracker.quiet * Float(count) else { return nil }
        let shortest = max(Int(rate / PitchTracker.range.upperBound) - 1, 2)
        // The powers of both ends shrink with the lag.
        var energy = 2 * power
        let lags = min(longestLag, count - 2)
        samples.withUnsafeBufferPointer { all in
            for lag in 0...lags {
                if lag > 0 { energy -= all[lag - 1] * all[lag - 1] + all[count - lag] * all[count - lag] }
                likeness[lag] = energy > 0 ? 2 * PitchTracker.product(all, lag, count - lag) / energy : 0
            }
        }
        // The peaks between rising and falling through zero, after the one at lag 0.
        var peaks: [(lag: Int, value: Float)] = []
        var lag = 1
        while lag < lags, likeness[lag] > 0 { lag += 1 }
        while lag < lags {
            while lag < lags, likeness[lag] <= 0 { lag += 1 }
            var best = lag
            while lag < lags, likeness[lag] > 0 {
                if likeness[lag] > likeness[best] { best = lag }
                lag += 1
            }
            if best >= shortest, best < lags, lag < lags || likeness[best] > likeness[best - 1] {
                peaks.append((best, likeness[best]))
            }
        }
        guard let best = peaks.map(\.value).max(), best > PitchTracker.clarity,
            let first = peaks.first(where: { $0.value >= PitchTracker.nearlyBest * best })
        else { return nil }
        return Double(first.lag)
            + Parabola.top(
                Double(likeness[first.lag - 1]), Double(likeness[first.lag]), Double(likeness[first.lag + 1]))
    }

    /// The sum of products of a sound with itself, `lag` later.
    private static func product(_ all: UnsafeBufferPointer<Float>, _ lag: Int, _ count: Int) -> Float {
        guard let base = all.baseAddress else { return 0 }
        let raw = UnsafeRawPointer(base)
        var sums = SIMD8<Float>(repeating: 0)
        var n = 0
        while n + 8 <= count {
            let a = raw.loadUnaligned(fromByteOffset: 4 * n, as: SIMD8<Float>.self)
            sums += a * raw.loadUnaligned(fromByteOffset: 4 * (n + lag), as: SIMD8<Float>.self)
            n += 8
        }
        var sum = sums.sum()
        while n < count {
            sum += base[n] * base[n + lag]
            n += 1
        }
        return sum
    }

    /// The pitch by the phases of the harmonics, each with its weight: the power times the square of its number. Those that
    /// the drone hides do not count; a note of which most is hidden is not sure.
    private func refined(_ coarse: Double) -> (hertz: Double, isSure: Bool)? {
        let most = min(PitchTracker.harmonics, Int(rate / 2.2 / coarse))
        guard most >= 1 else { return nil }
        var (sum, weights, strongest, loudest) = (0.0, 0.0, 0.0, 0.0)
        var estimate = coarse
        var hidden = 0
        for h in 1...most {
            let hertz = estimate * Double(h)
            if drone.hides(hertz) {
                hidden += 1
                continue
            }
            let (before, after) = (tone(hertz, 0), tone(hertz, hop))
            let power = after.real * after.real + after.imaginary * after.imaginary
            loudest = max(loudest, power)
            guard power > loudest * 1e-4 else { continue }
            // How far the phase has advanced beyond what this frequency would have.
            let turn = atan2(
                after.imaginary * before.real - after.real * before.imaginary,
                after.real * before.real + after.imaginary * before.imaginary)
            let change = turn * rate / (2 * .pi * Double(hop))
            // A high harmonic turns too far to be told apart from the next turn until lower ones have told where it is.
            let weight = power * Double(h * h) * (drone.isNear(hertz) ? PitchTracker.near : 1)
            sum += (hertz + change) / Double(h) * weight
            weights += weight
            estimate = sum / weights
            strongest = max(strongest, power)
        }
        guard weights > 0 else { return (coarse, false) }
        return (estimate, !drone.hides(estimate) && hidden < most)
    }

    /// The tone of a frequency in the window that begins at a sample, against one of that frequency that began with the sound.
    private func tone(_ hertz: Double, _ start: Int) -> (real: Double, imaginary: Double) {
        let turn = 2 * .pi * hertz / rate
        let (stepReal, stepImaginary) = (cos(turn), -sin(turn))
        var (c, s) = (cos(turn * Double(start)), -sin(turn * Double(start)))
        var (real, imaginary) = (0.0, 0.0)
        // The least squares of a cosine and a sine, which are not quite independent in a window of few periods.
        var (cosines, sines, both) = (0.0, 0.0, 0.0)
        for n in 0..<window {
            let weight = Double(shape[n])
            let value = Double(samples[start + n]) * weight
            real += value * c
            imaginary += value * s
            cosines += weight * c * c
            sines += weight * s * s
            both += weight * c * s
            (c, s) = (c * stepReal - s * stepImaginary, c * stepImaginary + s * stepReal)
        }
        let size = cosines * sines - both * both
        guard size > 0 else { return (0, 0) }
        return ((real * sines - imaginary * both) / size, (imaginary * cosines - real * both) / size)
    }
}

/// Halves the rate of a sound, without what is too high for it.
private struct Halving: Sendable {
    private static let taps: [Float] = {
        let reach = 16
        var taps = (-reach...reach).map { n -> Float in
            let x = Double(n) * 0.46
            let sinc = n == 0 ? 1 : sin(.pi * x) / (.pi * x)
            return Float(sinc * (0.54 + 0.46 * cos(.pi * Double(n) / Double(reach + 1))))
        }
        let sum = taps.reduce(0, +)
        for index in taps.indices { taps[index] /= sum }
        return taps
    }()

    private var last = [Float](repeating: 0, count: Halving.taps.count)
    private var at = 0

    /// Every second sample of the lower rate; nil in between.
    mutating func take(_ sample: Float) -> Float? {
        last[at % last.count] = sample
        at += 1
        guard at % 2 == 0 else { return nil }
        var sum: Float = 0
        for n in Halving.taps.indices { sum += Halving.taps[n] * last[(at + n) % last.count] }
        return sum
    }
}
