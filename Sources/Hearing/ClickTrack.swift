/// The clicks that a take has if one of them is at some place in it, followed from there while the two clocks drift apart.
struct ClickTrack {
    /// Where a track begins: `click` is `shift` seconds later in the take than in the score, and each second of the score is
    /// longer by `drift`.
    struct Seed {
        var click: Int
        var shift: Double
        var drift: Double
    }

    /// The clicks that fall into the take, in order.
    private(set) var range: Range<Int>
    /// How much later each of them is in the take than in the score, in seconds.
    private(set) var shifts: [Double] = []
    /// The last of them, with the drift that was measured.
    private(set) var last: Seed

    /// How much two crystals differ, usually, and the error of a value, in seconds.
    private static let (drift, value) = (3e-4, 1.2e-3)
    /// How much the shift wanders within a second without a drift, in seconds, and the drift.
    private static let (wander, change) = (1e-4, 1e-6)
    /// A place that is less surprising tells nothing about the clock.
    private static let leastSurprise = 2.3

    /// Follows the clicks to the beginning of the take, and then to its end. A click is looked for up to `reach` values from
    /// its place.
    init(_ clicks: [(seconds: Double, shape: Int)], _ match: ClickMatch, from seed: Seed, reach: Int) {
        let length =
            Double(match.count + ClickMatch.length / (ClickMatch.step * ClickMatch.width)) / ClickMatch.perSecond
        var filter = Filter(seed)
        /// Goes to a click and measures it. False if the take does not have it.
        func follow(_ index: Int, from other: Int) -> Bool {
            filter.go(clicks[index].seconds - clicks[other].seconds)
            let seconds = clicks[index].seconds + filter.shift
            guard seconds > -0.1, seconds < length else { return false }
            let (levels, at) = (match.levels[clicks[index].shape], ClickMatch.value(at: seconds))
            var place: Int?
            for near in max(0, at - reach)...max(0, at + reach) where near < levels.count && levels[near] > 0 {
                if place.map({ levels[near] > levels[$0] }) ?? true { place = near }
            }
            guard let place else { return true }
            let surprise = Double(match.surprises[clicks[index].shape][place])
            if surprise > ClickTrack.leastSurprise {
                // What is less surprising may be something else.
                let deviation = ClickTrack.value * 5 / surprise
                filter.measure((Double(place) + 0.5) / ClickMatch.perSecond - seconds, deviation)
            }
            return true
        }
        var first = seed.click
        _ = follow(first, from: first)
        while first > 0, follow(first - 1, from: first) { first -= 1 }
        if first > 0 { filter.go(clicks[first].seconds - clicks[first - 1].seconds) }
        var next = first
        while next < clicks.count, follow(next, from: max(first, next - 1)) {
            shifts.append(filter.shift)
            next += 1
        }
        range = first..<next
        last = Seed(click: max(first, next - 1), shift: shifts.last ?? seed.shift, drift: filter.drift)
    }

    /// Shift and drift with their variances, by Kalman.
    private struct Filter {
        var shift: Double
        var drift: Double
        private var (shifts, both, drifts) = (4e-6, 0.0, ClickTrack.drift * ClickTrack.drift)

        init(_ seed: Seed) { (shift, drift) = (seed.shift, seed.drift) }

        mutating func go(_ seconds: Double) {
            let (wander, change) = (ClickTrack.wander * ClickTrack.wander, ClickTrack.change * ClickTrack.change)
            shift += drift * seconds
            shifts += 2 * seconds * both + seconds * seconds * drifts + wander * abs(seconds)
            both += seconds * drifts
            drifts += change * abs(seconds)
        }

        mutating func measure(_ error: Double, _ deviation: Double) {
            let sum = shifts + deviation * deviation
            let (gain, steer) = (shifts / sum, both / sum)
            shift += gain * error
            drift += steer * error
            drifts -= steer * both
            both -= gain * both
            shifts -= gain * shifts
        }
    }
}
