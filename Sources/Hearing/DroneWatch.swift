/// Tells a player in unison with a drone from the drone itself, when that suddenly comes earlier or later than it was learned.
///
/// Sound cards that are not served in time repeat or leave out some frames. What is heard then differs from what the path of the
/// drone lets expect, as if somebody played; but every partial is as loud as before, and one delay explains them all.
struct DroneWatch: Sendable {
    /// What differs from the drone as it was learned.
    enum Verdict {
        /// It has begun just now: the room may still hear the drone as it was, or a sound card was late.
        case young
        /// It is the drone, earlier or later.
        case slipped
        /// Somebody plays.
        case played
    }

    /// For so many frames a difference is young; it is judged then, and again each time after so many frames.
    private static let (young, pause) = (8, 5)
    /// So often the same delay must explain it until the path is changed.
    private static let enough = 4
    /// How much of the difference a delay may leave, as a share of its power: one that is possible, and one for which the path is
    /// changed. The latter may also leave so many times what is left where the drone is alone.
    private static let (like, same, leftover) = (0.1, 0.01, 4.0)
    /// The drone is not heard if there is so much less of it than expected: 20 dB.
    private static let gap = 0.01

    /// For how many frames the sound has differed, and how it was judged last.
    private var (age, verdict) = (0, Verdict.young)
    /// The delay that explained it, and how often.
    private var (delay, agreed) = (0.0, 0)

    /// Looks at the newest sound, and at the same without the drone by its path, in which `isLoud` tells that something is heard.
    /// The last `hop` samples are new.
    mutating func look(_ sound: [Float], _ still: [Float], hop: Int, isLoud: Bool, _ drone: inout KnownDrone) -> Verdict
    {
        let (heard, known) = zip(sound.suffix(hop), still.suffix(hop)).reduce((Float(0), Float(0))) { sums, next in
            let drone = next.0 - next.1
            return (sums.0 + next.0 * next.0, sums.1 + drone * drone)
        }
        let isGap = Double(heard) < DroneWatch.gap * Double(known)
        if isGap { drone.doubt() }
        guard isLoud, !isGap else {
            self = DroneWatch()
            return .young
        }
        age += 1
        guard age >= DroneWatch.young else { return .young }
        if (age - DroneWatch.young) % DroneWatch.pause == 0 { verdict = judged(sound, still, &drone) }
        return verdict
    }

    private mutating func judged(_ sound: [Float], _ still: [Float], _ drone: inout KnownDrone) -> Verdict {
        guard let slip = drone.slip(in: sound) else { return .played }
        let change = slip.power(still)
        let most = max(DroneWatch.same * change, DroneWatch.leftover * (drone.path?.leftover ?? 0))
        var left = agreed > 0 ? slip.left(delay) : .infinity
        if left > most {
            guard let best = slip.best() else { return .played }
            (delay, agreed, left) = (best, 0, slip.left(best))
        }
        agreed = left <= most ? agreed + 1 : 0
        if agreed >= DroneWatch.enough {
            drone.slip(by: delay)
            self = DroneWatch()
            return .young
        }
        return left <= DroneWatch.like * change ? .slipped : .played
    }
}
