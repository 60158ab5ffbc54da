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
    /// The scatter of observations.
    package private(set) var scatter: ClockScatter

    private static let maximumDeviation = 1000e-6
    /// How fast a crystal wanders: the variance that its rate gains per second.
    private static let wander = 3e-14
    /// After a turn the rate is restless. In the long run its variance grows by `turnVariance`: by half of that in the
    /// first `unrest` seconds, and then ever more slowly. Estimates that wander take longer to tell of the end of a turn:
    /// for them that time is longer, by so many times their memory, and the variance is larger.
    private static let (turnVariance, estimateVariance) = (150e-6 * 150e-6, 300e-6 * 300e-6)
    private static let (unrest, unrestPerMemory) = (1.0, 4.0)
    /// For how many ns after its anchoring a clock counts as new, and the standard deviation of an unknown rate.
    private static let (youth, ignorance): (Int64, Double) = (10_000_000_000, 300e-6)
    /// The standard deviation of the first observation, in s: a card that was just started may not have moved yet.
    private static let firstUncertainty = 1e-3
    /// An error is a surprise above `slipDeviations` standard deviations, a threshold from `leastSlip` to `mostSlip`, in s.
    private static let (leastSlip, slipDeviations) = (1.5e-3, 6.0)
    package static let mostSlip = 5e-3
    /// The number of standard deviations at which errors are clipped.
    private static let clip = 4.0

    package init(_ nominalRate: Int, deviation: Double, uncertainty: Double, noise: Double, memory: Double = 0) {
        self.nominalRate = nominalRate
        self.deviation = min(max(deviation, -Self.maximumDeviation), Self.maximumDeviation)
        p11 = uncertainty * uncertainty
        scatter = ClockScatter(least: noise, memory: memory)
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
        // Estimates that wander have no fine threshold: a slip that is not a surprise is found as a turn.
        guard scatter.memory == 0 else { return Self.mostSlip + blur }
        let variance = variance(at: observation.time) + scatter.variance(of: observation)
        let usual = Self.slipDeviations * variance.squareRoot()
        return min(max(usual, Self.leastSlip + blur), Self.mostSlip + blur)
    }

    /// How much an observation counts, as a share of an independent one.
    package func weight(of observation: ClockObservation) -> Double {
        scatter.weight(after: Double(observation.time - time) * 1e-9)
    }

    /// Moves the filter to the position of an observation, and keeps the rate.
    package mutating func anchor(at observation: ClockObservation) {
        frame = observation.frame
        offset = 0
        time = observation.time
        anchored = observation.time
        let uncertainty = max(Self.firstUncertainty, observation.blur)
        p00 = uncertainty * uncertainty
        p01 = 0
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
        let weight = scatter.weight(after: dt)
        predictVariance(dt)
        let usual = p00 + scatter.variance(of: observation)
        let limit = Self.clip * usual.squareRoot()
        let clipped = min(max(error, -limit), limit)
        let variance = p00 + scatter.variance(of: observation) / weight
        scatter.learn(from: clipped, observation, expected: p00, weight: weight, count: count)
        let (positionGain, rateGain) = (p00 / variance, p01 / variance)
        p11 -= rateGain * p01
        p01 *= 1 - positionGain
        p00 *= 1 - positionGain
        // The position never goes backwards: a correction takes back at most the time since the last observation.
        let step = max(dt * (1 + deviation) + positionGain * clipped, 0)
        deviation = min(max(deviation + rateGain * clipped, -Self.maximumDeviation), Self.maximumDeviation)
        advance(to: observation.time, by: step)
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
        let unrest = Self.unrest + Self.unrestPerMemory * scatter.memory
        let since = sinceTurn + unrest
        let variance = scatter.memory == 0 ? Self.turnVariance : Self.estimateVariance
        return Self.wander + variance * unrest / (since * since)
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
