/// The pitch of a whole note, by the harmonics that count in all of it.
///
/// Where the harmonics of a note are not in tune with each other, its pitch depends on which of them count. Of a vibrato near the
/// drone, one is hidden at some moments and heard at others: it must not come and go, and therefore does not count.
enum NotePitch {
    /// The share of the moments in which a harmonic that counts may be hidden.
    private static let hidden = 0.05
    /// How long the beginning of a note disturbs what is left of a drone, in seconds.
    private static let early = 0.15

    /// The share of the moments in which the drone hides a harmonic.
    private static func away(_ n: Int, _ moments: [HeardNote.Moment]) -> Double {
        let weights = HeardNote.weighted(moments).map(\.weight)
        return zip(moments, weights).reduce(0.0) { $1.0.partials.hidden & 1 << n == 0 ? $0 : $0 + $1.1 }
            / weights.reduce(0, +)
    }

    /// The harmonics that count: a bit for each.
    private static func counting(_ moments: [HeardNote.Moment]) -> UInt8 {
        (0..<HeardPartials.most).reduce(0) { bits, n in away(n, moments) < hidden ? bits | 1 << n : bits }
    }

    /// Whether the drone does not hide the first harmonic. Those above it are sharper on a stiff string, and tell by how much only
    /// beside it.
    static func hasFundamental(_ moments: [HeardNote.Moment]) -> Bool {
        !moments.isEmpty && counting(moments) & 1 != 0
    }

    /// The moments of a note that begins at `begin`, with their pitches by these harmonics.
    static func moments(_ moments: [HeardNote.Moment], from begin: Double) -> [HeardNote.Moment] {
        let harmonics = counting(moments)
        return moments.map { moment in
            let isEarly = moment.seconds < begin + early
            guard let height = moment.partials.pitch(of: harmonics, isEarly: isEarly) else { return moment }
            var moment = moment
            moment.height += Double(height)
            // What is left of a hidden harmonic is not the player's alone.
            if harmonics != .max {
                moment.power = Double(moment.partials.weights(of: harmonics, isEarly: isEarly).sum())
            }
            return moment
        }
    }

    /// By how many octaves the pitch would be higher if the harmonics that the drone hides at some moments counted: as far as the
    /// other moments tell.
    static func shift(_ moments: [HeardNote.Moment], from begin: Double) -> Double {
        let harmonics = counting(moments)
        var (sum, weights) = (0.0, 0.0)
        for (moment, weight) in zip(moments, HeardNote.weighted(moments)) where moment.partials.hidden == 0 {
            let isEarly = moment.seconds < begin + early
            guard let all = moment.partials.pitch(of: .max, isEarly: isEarly),
                let counting = moment.partials.pitch(of: harmonics, isEarly: isEarly)
            else { continue }
            sum += Double(all - counting) * weight.weight
            weights += weight.weight
        }
        return weights > 0 ? sum / weights : 0
    }

    /// How little is known of the mean of a note whose pitch moves, in squares of cents in a second: how far its harmonics move
    /// against each other, times how far its pitch moves, over its length.
    ///
    /// If a harmonic is soft where the vibrato is high, and another one where it is low, as in the body of a violin, the mean depends
    /// on which moments of which harmonic count: the more, the wider the vibrato and the shorter the note.
    static func unrest(_ moments: [HeardNote.Moment], _ heights: [HeardNote.Moment], from begin: Double) -> Double {
        guard moments.count > 1 else { return 0 }
        let harmonics = counting(moments)
        let weights = HeardNote.weighted(heights).map(\.weight)
        let sum = weights.reduce(0, +)
        let mean = zip(heights, weights).reduce(0) { $0 + $1.0.height * $1.1 } / sum
        let variance = zip(heights, weights).reduce(0) { $0 + ($1.0.height - mean) * ($1.0.height - mean) * $1.1 } / sum
        // The distance of each harmonic from the pitch, and its square, by their weights.
        var (first, second) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0))
        var counts = SIMD8<Float>(repeating: 0)
        for ((moment, height), weight) in zip(zip(moments, heights), weights) {
            let own = moment.partials.weights(of: harmonics, isEarly: moment.seconds < begin + early)
            guard own.sum() > 0 else { continue }
            let share = own * (Float(weight) / own.sum())
            let away = moment.partials.heights - Float(height.height - moment.height)
            first += share * away
            second += share * away * away
            counts += share
        }
        let still = first * first / counts.replacing(with: 1, where: counts .== 0)
        let between = Double((second - still).sum() / max(counts.sum(), .leastNormalMagnitude))
        let length = Double(moments.count) * PitchTracker.step
        return 1200 * 1200 * max(between, 0).squareRoot() * variance.squareRoot() / length
    }
}
