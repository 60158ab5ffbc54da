/// One observation of a card: which frame was at the converter, and when.
package struct ClockObservation: Sendable, Equatable {
    /// CLOCK_MONOTONIC in ns.
    package var time: Int64
    /// Frames played: frames written to the device, minus its delay.
    package var frame: Int64
    /// The step of a pointer that cannot be read at the moment it steps, in s; 0 for a pointer that can.
    package var blur: Double

    package init(time: Int64, frame: Int64, blur: Double = 0) {
        (self.time, self.frame, self.blur) = (time, frame, blur)
    }
}

/// A clock model of a card: its frames as a function of CLOCK_MONOTONIC, with the uncertainty, from observations.
///
/// A rate that is known, from earlier sessions or from a minute ago, is a prior, not a fact: the clock may turn. So two
/// suspicions watch the errors of the filter, one for each side, and a suspicion that is proven puts its rival in the
/// filter's place. If the card is a sound server, whose estimates wander, several hypotheses take the place of the
/// suspicions, and the filter is their mean. Three surprising observations in a row mean that the pointer has slipped: the model is anchored at a
/// new position and keeps its rate.
package struct ClockModel: Sendable, Equatable {
    /// The nominal rate of the card, in frames per second.
    package let nominalRate: Int
    /// How often the model was anchored: at the start, after a restart, after a slip of the pointer.
    package private(set) var anchors = 0
    /// How often a turn was proven: another rate, or a slip that was too small to be a surprise.
    package private(set) var turns = 0

    private var filter: ClockFilter
    private var suspicions = [ClockSuspicion(side: 1), ClockSuspicion(side: -1)]
    private var past = ClockPast()
    /// For a sound server, from its first observation on.
    private var hypotheses: ClockHypotheses?
    private let firstWander: ClockWander
    /// The furthest position before the last anchoring. A pointer that is set back does not set time back.
    private var reached = FramePosition(frame: .min)
    /// The number of surprises in a row, negative if the card was behind the prediction.
    private var surprises = 0
    /// The variance of the last observation, in s².
    private var lastVariance = 0.0

    /// The shortest span of observations, in ns, that can tell a playing card from one that has not started.
    private static let leastSpan: Int64 = 15_000_000
    /// The number of surprises in a row that make a slip.
    private static let slipLooks = 3
    /// The number of standard deviations of an observation beyond which another look is worth it.
    private static let toleratedDeviations = 2.0
    /// The share of its scatter by which a server's clock moves without having turned.
    private static let wanderingMoves = 0.1

    /// Makes a model without observations. `deviation` is the known one of the card's rate, `uncertainty` its standard
    /// deviation. `noise` is the least standard deviation of observations, in s: 10 µs for a card's own pointer. If it
    /// `wanders`, observations are the estimates of a sound server, and `noise` is what their errors are at first.
    package init(
        nominalRate: Int, deviation: Double = 0, uncertainty: Double = 100e-6, noise: Double = 10e-6,
        wanders: Bool = false
    ) {
        self.nominalRate = nominalRate
        filter = ClockFilter(
            nominalRate, deviation: deviation, uncertainty: uncertainty, noise: noise, wanders: wanders)
        firstWander = ClockWander(scatter: noise)
    }

    /// The number of observations since the model was last anchored, that one included.
    package var count: Int { filter.count }

    /// The deviation of the card's rate in ppm: positive is fast.
    package var deviationPPM: Double { filter.deviation * 1e6 }

    /// The estimated rate, in frames per second of CLOCK_MONOTONIC.
    package var rate: Double { Double(nominalRate) * (1 + filter.deviation) }

    /// The uncertainty of the rate in ppm, one standard deviation.
    package var uncertaintyPPM: Double { filter.rateVariance.squareRoot() * 1e6 }

    /// Whether a time can be converted to a frame: three observations agree, over a span in which a card has moved.
    package var isSettled: Bool { count >= 3 && surprises == 0 && filter.time - filter.anchored >= Self.leastSpan }

    /// The standard deviation of an observation's own error, in s, as learned so far.
    package var scatter: Double { lastVariance.squareRoot() }

    /// The error of a single observation beyond which the card is worth another look soon, in s: the clock may have turned.
    /// Of estimates that wander, quick looks tell nothing new; only a slip is worth them.
    package var tolerance: Double {
        filter.wanders ? ClockFilter.mostSlip : Self.toleratedDeviations * scatter
    }

    /// How far the model's positions move with single observations although the clock goes on as it was, in s.
    package var usualMove: Double { filter.wanders ? Self.wanderingMoves * scatter : scatter }

    /// The uncertainty of a position at `time`, in s, one standard deviation.
    package func uncertainty(at time: Int64) -> Double { filter.variance(at: time).squareRoot() }

    /// Takes in an observation. One that is not later than the last one is ignored.
    package mutating func observe(_ observation: ClockObservation) {
        guard count > 0 else { return anchor(at: observation) }
        guard observation.time > filter.time else { return }
        let error = filter.error(of: observation)
        if abs(error) > filter.slip(observation) {
            surprises = error > 0 ? max(surprises, 0) + 1 : min(surprises, 0) - 1
            // One or two surprises are ignored: no clock moves like that.
            if abs(surprises) >= Self.slipLooks { anchor(at: observation) }
            return
        }
        surprises = 0
        if weigh(observation) { return }
        for index in suspicions.indices where suspicions[index].observe(observation, filter) {
            return turn(suspicions[index])
        }
        past.append(filter, observation)
        filter.observe(observation)
        lastVariance = filter.scatter.variance(of: observation)
    }

    /// Believes a suspicion that is proven.
    private mutating func turn(_ suspicion: ClockSuspicion) {
        guard let rival = suspicion.rival else { return }
        past.append(suspicion.past)
        filter = rival
        dropSuspicions()
        turns += 1
    }

    /// Weighs the hypotheses by an observation; false if there are none.
    private mutating func weigh(_ observation: ClockObservation) -> Bool {
        // Taken out, so that there is no other copy, and their pasts are changed in place.
        guard var hypotheses = hypotheses.take() else { return false }
        if hypotheses.observe(observation) { turns += 1 }
        filter = hypotheses.mean
        lastVariance = hypotheses.wander.variance
        self.hypotheses = hypotheses
        return true
    }

    private mutating func dropSuspicions() { for index in suspicions.indices { suspicions[index].drop() } }

    /// Forgets the position and keeps the rate, after the device was closed or ran dry.
    package mutating func restart() {
        filter.count = 0
        surprises = 0
        reached = FramePosition(frame: .min)
    }

    /// The frame at the converter at `time`. Never goes backwards; stands still after the pointer was set back.
    package func position(at time: Int64) -> FramePosition { max(extrapolated(to: time), reached) }

    /// The frame that belongs to `time`, before or after the last observation.
    package func extrapolated(to time: Int64) -> FramePosition { filter.position(at: time) }

    /// The time at which a position is at the converter, in ns.
    package func time(of position: FramePosition) -> Double { filter.time(of: position) }

    /// The time at which a position was at the converter, in ns, as observed before and after it, as far as that is not
    /// forgotten. The same as `time(of:)` for positions after the last observation.
    package func observedTime(of position: FramePosition) -> Double {
        if let hypotheses { return hypotheses.past.time(of: position, filter) }
        return past.time(of: position, filter, suspected: suspicions.compactMap(\.past.start))
    }

    /// Forgets the observations before `time`, which `observedTime` then no longer uses.
    package mutating func forget(before time: Int64) {
        past.forget(before: time)
        hypotheses?.forget(before: time)
    }

    private mutating func anchor(at observation: ClockObservation) {
        if count > 0 { reached = max(reached, position(at: observation.time)) }
        filter.anchor(at: observation)
        dropSuspicions()
        past = ClockPast()
        if filter.wanders { hypotheses = ClockHypotheses(filter, hypotheses?.wander ?? firstWander) }
        surprises = 0
        anchors += 1
    }
}
