/// One look at a card: which frame was at the converter, and when.
package struct ClockObservation: Sendable, Equatable {
    /// CLOCK_MONOTONIC in ns.
    package var time: Int64
    /// Frames played: given to the device, less its delay.
    package var frame: Int64
    /// How long the steps of a pointer are that cannot be read at the moment it steps, in s; 0 for one that can.
    package var blur: Double

    /// Makes an observation.
    package init(time: Int64, frame: Int64, blur: Double = 0) {
        self.time = time
        self.frame = frame
        self.blur = blur
    }
}

/// What time it is on a card: device frames by CLOCK_MONOTONIC, learnt from observations, with its uncertainty.
///
/// What was known of the card from before is a prior and no fact: beside the filter that goes by it runs another that knows
/// nothing. Where the second becomes sure of another rate, it takes the place of the first. When three looks in a row lie
/// where no clock can be, the pointer has slipped: it is given a new place, and its rate is kept.
package struct ClockModel: Sendable, Equatable {
    /// The rate that the card claims, in frames per second.
    package let nominalRate: Int
    /// How often it was set to a new place: at the start, after a restart, after a slip of the pointer.
    package private(set) var anchors = 0

    private var filter: ClockFilter
    /// The one that knows nothing of the card but what has been seen; nil once both agree.
    private var doubter: ClockFilter?
    /// Going back is for pointers, not for time: what was reached before a pointer was set back stays reached.
    private var reached = FramePosition(frame: .min)
    /// The surprises in a row, with their sign.
    private var surprises = 0

    /// Looks within less than this, in ns, do not tell a card that plays from one that has not begun.
    private static let leastSpan: Int64 = 15_000_000
    /// So many surprises in a row are a slip.
    private static let slipLooks = 3
    /// How many of its own standard deviations the doubter's rate has to lie off to be believed.
    private static let conviction = 4.5
    /// What the doubter takes a crystal to be good to, and how sure it is to be before it is dismissed, as deviations.
    private static let (ignorance, sureness) = (300e-6, 0.5e-6)

    /// A model that has seen nothing. `deviation` is what is known of the card's rate, good to `uncertainty`.
    /// Nothing better than `noise`, in s, is believed of an observation: 10 us of a card's own pointer.
    package init(nominalRate: Int, deviation: Double = 0, uncertainty: Double = 100e-6, noise: Double = 10e-6) {
        self.nominalRate = nominalRate
        filter = ClockFilter(nominalRate, deviation: deviation, uncertainty: uncertainty, noise: noise)
        doubter = ClockFilter(nominalRate, deviation: 0, uncertainty: Self.ignorance, noise: noise)
    }

    /// How many observations it has taken in since it began or restarted.
    package var count: Int { filter.count }

    /// The deviation of the card's rate in ppm: positive is fast.
    package var deviationPPM: Double { filter.deviation * 1e6 }

    /// Frames per second by CLOCK_MONOTONIC.
    package var rate: Double { Double(nominalRate) * (1 + filter.deviation) }

    /// The uncertainty of the rate in ppm, one standard deviation.
    package var uncertaintyPPM: Double { filter.rateVariance.squareRoot() * 1e6 }

    /// Whether three observations have agreed, over long enough to have seen the card move: from here on a time can be
    /// given a frame.
    package var isSettled: Bool { count >= 3 && surprises == 0 && filter.time - filter.anchored >= Self.leastSpan }

    /// The uncertainty of a position at `time`, in s, one standard deviation.
    package func uncertainty(at time: Int64) -> Double { filter.variance(at: time).squareRoot() }

    /// Takes in an observation. One that is not later than the last is left out.
    package mutating func observe(_ observation: ClockObservation) {
        guard count > 0 else { return anchor(at: observation) }
        guard observation.time > filter.time else { return }
        let error = filter.error(of: observation)
        if abs(error) > filter.slip(observation) {
            surprises = error > 0 ? max(surprises, 0) + 1 : min(surprises, 0) - 1
            // One or two are left out: no clock is like that.
            if abs(surprises) >= Self.slipLooks { anchor(at: observation) }
            return
        }
        surprises = 0
        filter.observe(observation)
        doubt(observation)
    }

    /// Lets the doubter look too; where it is sure that the rate is another, it is believed.
    private mutating func doubt(_ observation: ClockObservation) {
        guard var other = doubter else { return }
        other.observe(observation)
        let deviation = other.rateVariance.squareRoot()
        if other.count > 5, abs(other.deviation - filter.deviation) > Self.conviction * deviation {
            filter = other
            doubter = nil
        } else {
            doubter = deviation < Self.sureness ? nil : other
        }
    }

    /// Forgets the position, keeps the rate: the device was closed, or ran dry.
    package mutating func restart() {
        filter.count = 0
        surprises = 0
        reached = FramePosition(frame: .min)
    }

    /// The frame at the converter at `time`: never goes backwards, and waits where the pointer was set back.
    package func position(at time: Int64) -> FramePosition { max(extrapolated(to: time), reached) }

    /// The frame that belongs to `time`, on either side of the last look.
    package func extrapolated(to time: Int64) -> FramePosition { filter.position(at: time) }

    /// The time at which a position is at the converter, in ns.
    package func time(of position: FramePosition) -> Double { filter.time(of: position) }

    private mutating func anchor(at observation: ClockObservation) {
        if count > 0 { reached = max(reached, position(at: observation.time)) }
        filter.anchor(at: observation)
        doubter?.anchor(at: observation)
        surprises = 0
        anchors += 1
    }
}
