internal import Glibc

/// What a clock may have done, if its observations are the estimates of a sound server, which wander: for seconds nobody
/// can tell the end of a slew from an error that lasts. So there are several hypotheses: that nothing has happened, or that
/// the clock has turned, come back to its usual rate, or slipped, each at some time. Each has a filter, and counts for as
/// much as the observations speak for it (Bar-Shalom et al., Estimation with Applications to Tracking and Navigation, 2001,
/// 11.6: multiple models). The clock is taken to be at their mean.
struct ClockHypotheses: Sendable, Equatable {
    private struct Hypothesis: Sendable, Equatable {
        var filter: ClockFilter
        /// The states before, from which `filter` has come.
        var past = ClockPast(most: 128)
        /// The logarithm of its likelihood, compared with the likeliest one.
        var weight = 0.0
        /// When it began.
        var since: Int64
        /// The rate before a turn, to which NTP comes back.
        var usual: Rate?
    }

    private struct Rate: Sendable, Equatable {
        var deviation: Double
        var variance: Double
    }

    /// The likeliest first; never empty.
    private var hypotheses: [Hypothesis]
    private(set) var wander: ClockWander
    private var spawned: Int64
    /// When a turn or slip became likelier than that none has been.
    private var turned: Int64
    /// The mean of all hypotheses.
    private(set) var mean: ClockFilter

    /// The most hypotheses that are kept.
    private static let most = 24
    /// How often turns are supposed, in ns, and for how long after an anchoring they are not.
    private static let (pause, calm): (Int64, Int64) = (1_000_000_000, 3_000_000_000)
    /// How many turns there are in a second, how many slips between two estimates, and how soon a turn ends, as the number
    /// of ends in as many seconds as it has lasted.
    private static let (turns, slips, ends) = (1.0 / 2000, 1.0 / 2000, 10.0)
    /// How far a rate may have moved during a turn.
    private static let usualVariance = 2e-6 * 2e-6
    /// The standard deviations of an error for which a slip is supposed.
    private static let slip = 6.0
    /// Hypotheses that are less likely than the best by this factor, as a logarithm, are dropped.
    private static let least = -25.0
    /// The least time between states that are kept of the past, in ns.
    private static let grain: Int64 = 100_000_000

    /// Begins with a filter that was just anchored.
    init(_ filter: ClockFilter, _ wander: ClockWander) {
        hypotheses = [Hypothesis(filter: filter, since: filter.time)]
        (self.wander, spawned, turned, mean) = (wander, filter.time, filter.time, filter)
    }

    /// The states from which the likeliest hypothesis has come.
    var past: ClockPast { hypotheses[0].past }

    mutating func forget(before time: Int64) {
        for index in hypotheses.indices { hypotheses[index].past.forget(before: time) }
    }

    /// Takes in an observation that is later than the last one. Returns whether a turn or slip has become likely.
    mutating func observe(_ observation: ClockObservation) -> Bool {
        // Not the hypothesis itself: as long as its past is held twice, all of it is copied when it gets a state.
        let filter = hypotheses[0].filter
        let dt = Double(observation.time - filter.time) * 1e-9
        suppose(hypotheses[0], observation, dt)
        wander.learn(from: filter.error(of: observation), after: filter.residual, dt)
        for index in hypotheses.indices {
            hypotheses[index].past.append(hypotheses[index].filter, observation, every: Self.grain)
            hypotheses[index].weight += hypotheses[index].filter.observe(observation, wander)
        }
        let shares = weigh()
        mean = hypotheses[0].filter.mean(of: zip(shares, hypotheses).map { ($0, $1.filter) })
        let new = zip(shares, hypotheses).reduce(0) { $0 + ($1.1.since > turned ? $1.0 : 0) }
        guard new > 0.5 else { return false }
        turned = observation.time
        return true
    }

    /// Adds hypotheses of what may have happened before an observation.
    private mutating func suppose(_ likeliest: Hypothesis, _ observation: ClockObservation, _ dt: Double) {
        func add(_ prior: Double, _ change: (inout Hypothesis) -> Void) {
            var other = likeliest
            other.weight += log(prior)
            other.since = observation.time
            // Before and after the change, whatever the grain: what comes later tells nothing of what was before it.
            other.past.append(other.filter, observation)
            change(&other)
            other.past.append(other.filter, observation)
            hypotheses.append(other)
        }
        let filter = likeliest.filter
        let news = filter.error(of: observation) - wander.likeness(after: dt) * filter.residual
        if news * news > Self.slip * Self.slip * (filter.variance(at: observation.time) + wander.variance(after: dt)) {
            add(Self.slips) { $0.filter.slip() }
        }
        guard observation.time - filter.anchored > Self.calm, observation.time - spawned >= Self.pause else { return }
        let passed = Double(min(observation.time - spawned, 2 * Self.pause)) * 1e-9
        spawned = observation.time
        add(Self.turns * passed) {
            if $0.usual == nil, !filter.isYoung {
                $0.usual = Rate(deviation: filter.deviation, variance: filter.rateVariance + Self.usualVariance)
            }
            $0.filter.turn()
        }
        if let usual = likeliest.usual, filter.age > 1 {
            add(min(Self.ends / filter.age * passed, 1)) {
                $0.filter.turn(to: usual.deviation, variance: usual.variance)
                $0.usual = nil
            }
        }
    }

    /// Drops the least likely hypotheses. Returns the shares of those that are left.
    private mutating func weigh() -> [Double] {
        hypotheses.sort { $0.weight > $1.weight }
        let top = hypotheses[0].weight
        for index in hypotheses.indices { hypotheses[index].weight -= top }
        hypotheses = Array(hypotheses.prefix(Self.most).prefix { $0.weight > Self.least })
        let likelihoods = hypotheses.map { exp($0.weight) }
        let sum = likelihoods.reduce(0, +)
        return likelihoods.map { $0 / sum }
    }
}
