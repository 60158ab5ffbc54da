internal import Glibc

/// Takes a drone whose partials are known out of a sound, sample by sample: how loud each of them is, and its phase, are
/// learned, because the loudspeaker and the room are unknown.
///
/// Each partial is a notch that is about `width` wide: a tone that is farther away from every partial stays as it is. A tone in
/// the notch is taken for the drone, in time. Where the drone has sounded alone, its path is known too, and stays as it was
/// while somebody plays: then such a tone is left.
package struct KnownDrone: Sendable {
    /// Within how many Hz of a partial nothing is known of other tones.
    package static let width = 8.0
    /// How much of the error each sample corrects: fast at first, then so slowly that only what is constant is taken out.
    private static let (fastest, slowest) = (30.0, 1.5)
    /// In how many seconds it gets slow.
    private static let settling = 0.3
    /// How often the drift is looked at, in seconds; which share of what is seen is believed, at first and later; and the
    /// largest drift.
    private static let look = 0.05
    private static let (quickest, steadiest, steadiestKnown) = (0.5, 0.05, 0.02)
    private static let mostDrift = 500e-6

    /// The partials in Hz.
    package let partials: [Double]
    private let rate: Double
    private var count = 0
    /// The phase of each partial, and how it turns with a sample.
    private var (phaseReal, phaseImaginary): ([Double], [Double])
    private var (turnReal, turnImaginary): ([Double], [Double])
    /// How much faster the drone is than the recording's own rate says, as a share: the card has another crystal.
    package private(set) var drift = 0.0
    /// What had been learned when the drift was looked at last, and after how many samples that is done.
    private var (realBefore, imaginaryBefore): ([Double], [Double])
    private let block: Int
    /// What has been learned of each: its share in phase, and a quarter turn away.
    private var (real, imaginary): ([Double], [Double])
    /// What was learned of the path while the drone sounded alone; nil if the drone does not stay as it is.
    private(set) var path: DronePath?
    /// The powers of the sound since the drift was looked at: as it came, without the drone, and without the drone by its path.
    private var (heard, rest, still) = (0.0, 0.0, 0.0)

    /// Begins with nothing learned; partials above half of the rate are left out. `isSteady` means that the level of each partial
    /// stays the same: the path can only be learned then.
    package init(partials: [Double], rate: Double, isSteady: Bool) {
        let heard = partials.filter { $0 > 0 && $0 < rate / 2 }
        (self.partials, self.rate) = (heard, rate)
        turnReal = heard.map { cos(2 * .pi * $0 / rate) }
        turnImaginary = heard.map { sin(2 * .pi * $0 / rate) }
        phaseReal = heard.map { _ in 1 }
        phaseImaginary = heard.map { _ in 0 }
        (real, imaginary) = (heard.map { _ in 0 }, heard.map { _ in 0 })
        (realBefore, imaginaryBefore) = (real, imaginary)
        block = max(Int(KnownDrone.look * rate), 1)
        path = isSteady && !heard.isEmpty ? DronePath(partials: heard) : nil
    }

    /// A sample without the drone, and without the drone by its path: the same, until the path is known.
    mutating func without(_ sample: Float) -> (rest: Float, still: Float) {
        guard !partials.isEmpty else { return (sample, sample) }
        var rest = Double(sample)
        for k in partials.indices { rest -= real[k] * phaseReal[k] + imaginary[k] * phaseImaginary[k] }
        let still = path?.rest(of: Double(sample), phaseReal, phaseImaginary) ?? rest
        heard += Double(sample) * Double(sample)
        self.rest += rest * rest
        self.still += still * still
        let age = Double(count) / rate / KnownDrone.settling
        let hertz = max(KnownDrone.fastest / (1 + age * age * age), KnownDrone.slowest)
        let step = min(2 * .pi * hertz / rate, 1 / Double(partials.count)) * rest
        for k in partials.indices {
            real[k] += step * phaseReal[k]
            imaginary[k] += step * phaseImaginary[k]
            let next = phaseReal[k] * turnReal[k] - phaseImaginary[k] * turnImaginary[k]
            phaseImaginary[k] = phaseReal[k] * turnImaginary[k] + phaseImaginary[k] * turnReal[k]
            phaseReal[k] = next
        }
        count += 1
        if count % block == 0 { follow() }
        return (Float(rest), Float(still))
    }

    /// Follows the crystal: how far what was learned of each partial has turned tells how much faster the drone is.
    private mutating func follow() {
        var (sum, weights) = (0.0, 0.0)
        for k in partials.indices {
            let turn = atan2(
                real[k] * imaginaryBefore[k] - imaginary[k] * realBefore[k],
                real[k] * realBefore[k] + imaginary[k] * imaginaryBefore[k])
            let weight = (real[k] * real[k] + imaginary[k] * imaginary[k]) * partials[k]
            sum += weight * turn
            weights += weight * partials[k]
        }
        let length = Double(block)
        let isAlone =
            path?.look(
                real, imaginary, before: (realBefore, imaginaryBefore), heard: heard / length, rest: rest / length,
                still: still / length, seconds: length / rate) ?? true
        (heard, rest, still) = (0, 0, 0)
        (realBefore, imaginaryBefore) = (real, imaginary)
        // What a player adds to the partials does not turn with the drone's crystal.
        guard weights > 0, isAlone else { return }
        let change = sum / weights / (2 * .pi * Double(block) / rate)
        let age = Double(count) / rate
        let share =
            age < KnownDrone.settling
            ? 0
            : max(
                KnownDrone.quickest / (1 + age),
                path?.isKnown == true ? KnownDrone.steadiestKnown : KnownDrone.steadiest)
        drift = min(max(drift + share * change, -KnownDrone.mostDrift), KnownDrone.mostDrift)
        for k in partials.indices {
            let turn = 2 * .pi * partials[k] * (1 + drift) / rate
            (turnReal[k], turnImaginary[k]) = (cos(turn), sin(turn))
            // Rounding must not make the partials louder or softer.
            let size = (phaseReal[k] * phaseReal[k] + phaseImaginary[k] * phaseImaginary[k]).squareRoot()
            phaseReal[k] /= size
            phaseImaginary[k] /= size
        }
    }

    /// A moment of the newest sound, in which the drone may be earlier or later than it was learned; nil if the path is not known.
    func slip(in sound: [Float]) -> DroneSlip? {
        guard let path, path.isKnown else { return nil }
        return DroneSlip(
            partials.indices.map { k in
                DroneSlip.Partial(
                    hertz: partials[k], turn: (turnReal[k], turnImaginary[k]), phase: (phaseReal[k], phaseImaginary[k]),
                    level: path.level(k))
            }, in: sound)
    }

    /// The path may not be as it was learned.
    mutating func doubt() { path?.doubt() }

    /// The drone comes so many seconds later than it was learned.
    mutating func slip(by delay: Double) {
        guard path?.isKnown == true else { return }
        path?.slip(by: delay)
        for k in partials.indices { (real[k], imaginary[k]) = path?.level(k) ?? (0, 0) }
        (realBefore, imaginaryBefore) = (real, imaginary)
    }

    /// Whether a tone cannot be told from the drone.
    package func hides(_ hertz: Double) -> Bool { isWithin(KnownDrone.width, of: hertz) }

    /// The power that may be left of the drone about a frequency, by what is known of its path.
    func leftover(_ hertz: Double) -> Double {
        guard let path else { return .infinity }
        return partials.indices.reduce(0) { most, k in
            abs(partials[k] - hertz) < 3 * KnownDrone.width ? max(most, path.error(k)) : most
        }
    }

    /// Whether a tone is so near a partial of the drone that its beginning is disturbed.
    func isNear(_ hertz: Double) -> Bool { isWithin(6 * KnownDrone.width, of: hertz) }

    /// Whether a partial of the drone is nearer than `width` Hz to a frequency.
    func isWithin(_ width: Double, of hertz: Double) -> Bool { partials.contains { abs($0 - hertz) < width } }
}
