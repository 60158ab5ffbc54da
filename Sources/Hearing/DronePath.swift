/// The path of a drone from the loudspeaker to the microphone, learned where nobody plays, as in a count-in: how loud each partial
/// arrives, and in which phase. It stays as it was while somebody plays.
struct DronePath: Sendable {
    /// The drone is alone if so much less than its power is left: 26 dB.
    private static let rest = 0.0025
    /// For how long it must be alone until the path is known, and until the path is corrected after a player, in seconds.
    private static let (least, pause) = (1.0, 0.45)
    /// How far the partials may be from the path, as a share of the power, and for how long they may be farther away: then the
    /// microphone or the loudspeaker has been moved.
    private static let (most, longest) = (0.01, 3.0)
    /// Nothing is learned from a softer drone: -80 dB.
    private static let quiet = 1e-8
    /// How much of what is seen is believed each time.
    private static let share = 0.2
    /// How well the drift of the crystal is known, as a share: the phase is less and less certain while somebody plays.
    private static let drift = 0.5e-6

    /// A delay is certain that so many partials tell, as if they were equally strong and high.
    private static let many = 4.0

    private let partials: [Double]
    /// What is known of each partial; empty until it is known.
    private var (real, imaginary): ([Double], [Double]) = ([], [])
    /// How much each partial moves while the drone is alone, as a power.
    private var moves: [Double]
    /// For how long the drone has been alone, for how long it has been elsewhere, and since when somebody plays, in seconds.
    private var (alone, odd, away) = (0.0, 0.0, 0.0)
    /// Whether it may not be as it was learned, until the drone is heard alone again.
    private(set) var isDoubted = false
    /// The power that is left where the drone is alone.
    private(set) var leftover = 0.0

    init(partials: [Double]) {
        self.partials = partials
        moves = partials.map { _ in 0 }
    }

    var isKnown: Bool { !real.isEmpty }
    /// Whether the drone is heard alone now, and as it was learned.
    var isConfirmed: Bool { isKnown && away == 0 }

    /// What is known of a partial.
    func level(_ k: Int) -> DroneSlip.Level { (real[k], imaginary[k]) }

    /// It may not be as it was learned.
    mutating func doubt() { isDoubted = isKnown }

    /// The drone comes so many seconds later than it was learned. Where few partials tell that, a note may be like it.
    mutating func slip(by delay: Double) {
        var (sum, squares) = (0.0, 0.0)
        for k in real.indices {
            let weight = (real[k] * real[k] + imaginary[k] * imaginary[k]) * partials[k] * partials[k]
            (sum, squares) = (sum + weight, squares + weight * weight)
            (real[k], imaginary[k]) = DroneSlip.late(level(k), partials[k], by: delay)
        }
        isDoubted = isDoubted || sum * sum < DronePath.many * squares
        (alone, odd) = (0, 0)
    }

    /// A sample without the drone; nil if the path is not known.
    func rest(of sample: Double, _ phaseReal: [Double], _ phaseImaginary: [Double]) -> Double? {
        guard isKnown else { return nil }
        var rest = sample
        for k in real.indices { rest -= real[k] * phaseReal[k] + imaginary[k] * phaseImaginary[k] }
        return rest
    }

    /// The power that may be left of a partial.
    func error(_ k: Int) -> Double {
        guard isKnown else { return .infinity }
        let turn = 2 * .pi * partials[k] * DronePath.drift * away
        return 4 * moves[k] + (real[k] * real[k] + imaginary[k] * imaginary[k]) * turn * turn
    }

    /// Looks at the partials as they are followed, and at the powers of the last `seconds` of the sound: as it came, without the
    /// followed partials, and without those of the path. Returns whether nobody plays.
    mutating func look(
        _ real: [Double], _ imaginary: [Double], before: (real: [Double], imaginary: [Double]), heard: Double,
        rest: Double, still: Double, seconds: Double
    ) -> Bool {
        for k in moves.indices {
            let (x, y) = (real[k] - before.real[k], imaginary[k] - before.imaginary[k])
            if rest < DronePath.rest * heard { moves[k] += DronePath.share * (x * x + y * y - moves[k]) }
        }
        guard isKnown else {
            alone = rest < DronePath.rest * heard && heard > DronePath.quiet ? alone + seconds : 0
            if alone >= DronePath.least {
                (self.real, self.imaginary, leftover, away, odd) = (real, imaginary, rest, 0, 0)
            }
            return true
        }
        let power = zip(self.real, self.imaginary).reduce(0) { $0 + $1.0 * $1.0 + $1.1 * $1.1 } / 2
        var distance = 0.0
        for k in real.indices {
            let (x, y) = (real[k] - self.real[k], imaginary[k] - self.imaginary[k])
            distance += (x * x + y * y) / 2
        }
        // Nobody plays the drone away: it has stopped.
        guard heard > 0.1 * power else {
            forget()
            return false
        }
        alone = rest < DronePath.rest * power ? alone + seconds : 0
        guard alone > 0 else {
            (away, odd) = (away + seconds, 0)
            return false
        }
        guard distance < DronePath.most * power else {
            (away, odd) = (away + seconds, odd + seconds)
            if odd > DronePath.longest { forget() }
            return false
        }
        odd = 0
        guard alone >= DronePath.pause else {
            away += seconds
            return false
        }
        (away, isDoubted) = (0, false)
        leftover += DronePath.share * (still - leftover)
        for k in real.indices {
            self.real[k] += DronePath.share * (real[k] - self.real[k])
            self.imaginary[k] += DronePath.share * (imaginary[k] - self.imaginary[k])
        }
        return true
    }

    private mutating func forget() { (real, imaginary, alone, odd, away, isDoubted) = ([], [], 0, 0, 0, false) }
}
