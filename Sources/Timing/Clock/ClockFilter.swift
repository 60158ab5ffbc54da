internal import Glibc

/// A Kalman filter with two states, a card's position (in nominal seconds) and the deviation of its rate. The rate
/// wanders as crystals do (Bar-Shalom et al., Estimation with Applications to Tracking and Navigation, 2001, 6.2.2:
/// white noise acceleration), and more after a turn of the clock. Outliers are clipped; the rate stays within ±1000 ppm.
/// The time constants follow from the model: short at first, long once the estimate is good.
package struct ClockFilter: Sendable, Equatable {
    package let nominalRate: Int
    /// The number of observations since the filter was last anchored, that one included.
    package var count = 0
    /// The time of the last observation, and the frame then. With the rest in `offset`, years keep microseconds.
    package private(set) var time: Int64 = 0
    package private(set) var frame: Int64 = 0
    /// The seconds by which the estimated position at `time` is past `frame`.
    package private(set) var offset = 0.0
    /// The deviation of the rate; 1e-6 is 1 ppm fast.
    package private(set) var deviation: Double
    /// The time of the observation that the filter was anchored at.
    package private(set) var anchored: Int64 = 0
    /// Covariances of position (s²), position and rate (s), and rate.
    package private(set) var p00 = 0.0
    package private(set) var p01 = 0.0
    package private(set) var p11: Double
    /// The seconds since the clock may have turned; infinite if it has not.
    private var sinceTurn = Double.infinity
    /// The scatter of observations that are independent of each other.
    package private(set) var scatter: ClockScatter
    /// Whether observations are estimates that wander: errors that are near in time are alike.
    package let wanders: Bool
    /// The error of the last observation by the state that it led to, in s, for estimates that wander.
    package private(set) var residual = 0.0
    /// Whether the position may have slipped since the last observation.
    private var mayHaveSlipped = false

    private static let maximumDeviation = 1000e-6
    /// How fast a crystal wanders: the variance that its rate gains per second.
    private static let wander = 3e-14
    /// After a turn the rate is restless. In the long run its variance grows by `variance`: by half of that in the first
    /// `time` seconds, and then ever more slowly. Where observations wander, turns are believed by halves and found
    /// within seconds, so that less is needed.
    private static let unrest = (variance: 150e-6 * 150e-6, time: 1.0)
    private static let wanderingUnrest = (variance: 20e-6 * 20e-6, time: 5.0)
    /// For how many ns after its anchoring a clock counts as new, and the standard deviation of an unknown rate.
    private static let (youth, ignorance): (Int64, Double) = (10_000_000_000, 300e-6)
    /// The standard deviation of the first observation, in s: a card that was just started may not have moved yet.
    private static let firstUncertainty = 1e-3
    /// An error is a surprise above `slipDeviations` standard deviations, a threshold from `leastSlip` to `mostSlip`, in s.
    private static let (leastSlip, slipDeviations) = (1.5e-3, 6.0)
    package static let mostSlip = 5e-3
    /// The number of standard deviations at which errors are clipped. Of estimates that wander, an
    /// error at the limit must be less likely than a slip.
    private static let (clip, wanderingClip) = (4.0, 6.0)
    /// The standard deviations of a change of rate, and of a slip in s.
    private static let (turn, slip) = (200e-6, 3e-3)

    package init(_ nominalRate: Int, deviation: Double, uncertainty: Double, noise: Double, wanders: Bool = false) {
        (self.nominalRate, self.wanders) = (nominalRate, wanders)
        self.deviation = min(max(deviation, -Self.maximumDeviation), Self.maximumDeviation)
        p11 = uncertainty * uncertainty
        scatter = ClockScatter(least: noise)
    }

    package var rateVariance: Double { p11 }

    /// The variance of a position at `time`, in s².
    package func variance(at time: Int64) -> Double {
        let dt = Double(time - self.time) * 1e-9
        return p00 + 2 * dt * p01 + dt * dt * p11 + restlessness * dt * dt * abs(dt) / 3
    }

    /// The distance of an observation from the predicted position, in s; positive if the card is further on.
    package func error(of observation: ClockObservation) -> Double {
        let dt = Double(observation.time - time) * 1e-9
        return seconds(observation.frame - frame) - offset - dt * (1 + deviation)
    }

    /// The error above which an observation is a surprise, in s.
    package func slip(_ observation: ClockObservation) -> Double {
        let blur = observation.blur * 1.5
        // Estimates that wander have no fine threshold: a slip that is not a surprise is one of the hypotheses.
        guard !wanders else { return Self.mostSlip + blur }
        let variance = variance(at: observation.time) + scatter.variance(of: observation)
        let usual = Self.slipDeviations * variance.squareRoot()
        return min(max(usual, Self.leastSlip + blur), Self.mostSlip + blur)
    }

    /// Moves the filter to the position of an observation, and keeps the rate.
    package mutating func anchor(at observation: ClockObservation) {
        frame = observation.frame
        offset = 0
        time = observation.time
        anchored = observation.time
        // A later estimate that wanders tells little more than the first one, which counts for what it is.
        let first = wanders ? scatter.variance(of: observation).squareRoot() : Self.firstUncertainty
        let uncertainty = max(first, observation.blur)
        p00 = uncertainty * uncertainty
        p01 = 0
        residual = 0
        count = 1
    }

    /// Allows for a turn of the clock after the last observation: the rate may have changed since then. If the clock is
    /// new, it has not changed: the rate that was known from before is wrong. An error that would be clipped is taken for
    /// a slip, which the position follows.
    package mutating func allowTurn(_ observation: ClockObservation) {
        let error = error(of: observation)
        let usual = variance(at: observation.time) + scatter.variance(of: observation)
        p00 += max(error * error - Self.clip * Self.clip * usual, 0)
        if time - anchored < Self.youth {
            p11 += Self.ignorance * Self.ignorance
        } else {
            sinceTurn = 0
        }
    }

    /// Takes in an observation that is later than the last one.
    package mutating func observe(_ observation: ClockObservation) {
        let dt = Double(observation.time - time) * 1e-9
        let error = error(of: observation)
        predictVariance(dt)
        let variance = p00 + scatter.variance(of: observation)
        let clipped = Self.clipped(error, Self.clip * variance.squareRoot())
        scatter.learn(from: clipped, observation, expected: p00, count: count)
        correct(by: clipped, variance, (p00, p01), at: observation.time, after: dt)
    }

    /// Takes in an estimate that wanders, and is later than the last one. If errors are alike as those of a first-order
    /// process, then what an estimate adds to the last one is independent of what was known (Bryson and Henrikson, Journal
    /// of Spacecraft and Rockets 5, 1968). Returns the logarithm of its likelihood.
    package mutating func observe(_ observation: ClockObservation, _ wander: ClockWander) -> Double {
        let dt = Double(observation.time - time) * 1e-9
        let likeness = wander.likeness(after: dt)
        let news = error(of: observation) - likeness * residual
        predictVariance(dt)
        let sees = mayHaveSlipped ? (position: 1.0, rate: 0.0) : (position: 1 - likeness, rate: likeness * dt)
        let seen = seen(sees)
        let variance: Double =
            sees.position * seen.position + sees.rate * seen.rate + wander.variance(after: dt)
            + observation.blur * observation.blur / 12
        let clipped = Self.clipped(news, Self.wanderingClip * variance.squareRoot())
        correct(by: clipped, variance, seen, at: observation.time, after: dt)
        residual = error(of: observation)
        mayHaveSlipped = false
        return -0.5 * (clipped * clipped / variance + log(variance))
    }

    private static func clipped(_ error: Double, _ limit: Double) -> Double { min(max(error, -limit), limit) }

    /// The covariances of position and rate with what is seen, which is so much of each.
    private func seen(_ sees: (position: Double, rate: Double)) -> (position: Double, rate: Double) {
        (p00 * sees.position + p01 * sees.rate, p01 * sees.position + p11 * sees.rate)
    }

    /// Corrects the state by an error of what is seen, given its variance and its covariances with position and rate.
    private mutating func correct(
        by error: Double, _ variance: Double, _ seen: (position: Double, rate: Double), at time: Int64, after dt: Double
    ) {
        let (positionGain, rateGain) = (seen.position / variance, seen.rate / variance)
        p11 -= rateGain * seen.rate
        p01 -= positionGain * seen.rate
        p00 -= positionGain * seen.position
        // The position never goes backwards: a correction takes back at most the time since the last observation.
        let step = max(dt * (1 + deviation) + positionGain * error, 0)
        deviation = min(max(deviation + rateGain * error, -Self.maximumDeviation), Self.maximumDeviation)
        advance(to: time, by: step)
        count += 1
    }

    /// Goes on to a later time without an observation.
    package mutating func predict(to time: Int64) {
        let dt = Double(time - self.time) * 1e-9
        predictVariance(dt)
        advance(to: time, by: dt * (1 + deviation))
    }

    /// The frame that belongs to `time`, before or after the last observation.
    package func position(at time: Int64) -> FramePosition {
        let passed = Double(time - self.time) * 1e-9 * (1 + deviation) + offset
        let frames = passed * Double(nominalRate)
        let whole = frames.rounded(.down)
        return FramePosition(frame: frame + Int64(whole), fraction: min(frames - whole, 1.0.nextDown))
    }

    /// The time at which a position is at the converter, in ns.
    package func time(of position: FramePosition) -> Double {
        let frames = Double(position.frame - frame) + position.fraction
        return Double(time) + (frames / Double(nominalRate) - offset) / (1 + deviation) * 1e9
    }

    package func seconds(_ frames: Int64) -> Double { Double(frames) / Double(nominalRate) }

    /// The variance that the rate gains per second.
    private var restlessness: Double {
        let unrest = wanders ? Self.wanderingUnrest : Self.unrest
        let since = sinceTurn + unrest.time
        return Self.wander + unrest.variance * unrest.time / (since * since)
    }

    private mutating func predictVariance(_ dt: Double) {
        let gained = restlessness
        p00 += 2 * dt * p01 + dt * dt * p11 + gained * dt * dt * dt / 3
        p01 += dt * p11 + gained * dt * dt / 2
        p11 += gained * dt
        sinceTurn += dt
    }

    private mutating func advance(to time: Int64, by step: Double) {
        self.time = time
        guard step > 0 else { return }
        let total = offset + step
        let frames = (total * Double(nominalRate)).rounded(.down)
        frame += Int64(frames)
        offset = total - frames / Double(nominalRate)
    }
}

/// Hypotheses of what a clock may have done since the last observation.
extension ClockFilter {
    /// Whether the clock is new: if it turns, the rate that was known from before is wrong.
    package var isYoung: Bool { time - anchored < Self.youth }

    /// Seconds since a turn; infinite if there was none.
    package var age: Double { sinceTurn }

    /// The rate has changed, to one that is not known.
    package mutating func turn() {
        p11 += Self.turn * Self.turn
        sinceTurn = isYoung ? .infinity : 0
    }

    /// The rate is a known one again.
    package mutating func turn(to deviation: Double, variance: Double) {
        (self.deviation, p11, p01, sinceTurn) = (deviation, variance, 0, .infinity)
    }

    /// The position has slipped.
    package mutating func slip() {
        p00 += Self.slip * Self.slip
        mayHaveSlipped = true
    }

    /// The mean of hypotheses of the same moment. Each counts for its share, and their distances are uncertainty.
    package func mean(of others: [(share: Double, filter: ClockFilter)]) -> ClockFilter {
        func distance(_ other: ClockFilter) -> (position: Double, rate: Double) {
            (seconds(other.frame - frame) + other.offset - offset, other.deviation - deviation)
        }
        var (position, rate) = (0.0, 0.0)
        for (share, other) in others {
            position += share * distance(other).position
            rate += share * distance(other).rate
        }
        var mean = self
        mean.offset += position
        mean.deviation += rate
        (mean.p00, mean.p01, mean.p11) = (0, 0, 0)
        for (share, other) in others {
            let off = (position: distance(other).position - position, rate: distance(other).rate - rate)
            mean.p00 += share * (other.p00 + off.position * off.position)
            mean.p01 += share * (other.p01 + off.position * off.rate)
            mean.p11 += share * (other.p11 + off.rate * off.rate)
        }
        return mean
    }
}
