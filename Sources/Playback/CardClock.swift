internal import Logging
package import Timing

/// The clock of one card while it plays: its model, which survives faults, and the place of time zero.
package struct CardClock {
    package private(set) var model: ClockModel
    /// CLOCK_MONOTONIC, or the leader's clock, at which time zero is at the converter, in ns; nil before it has a time.
    package var zero: Int64?
    /// The time in ns, by the same clock, from which the log counts; nil while nothing is known, or without a card.
    package var origin: Double?
    /// The clock of the leader; nil if the music follows the own clock.
    package var leader: LeaderClock?
    /// Frames that pass by the own clock, because there is no card; its times count from the zero of CLOCK_MONOTONIC.
    package var silence: NominalMapping?
    private let logger = Logger(label: "barline.clock")
    private var epoch: UInt32?
    /// The number of the model's anchor that the scheduler's mapping is based on.
    private var mapped = 0
    private var firstSeen: Int64 = 0
    private var lastSeen: Int64 = 0
    /// The newest frame that was where the model expected it.
    package private(set) var trustedFrame = Int64.min
    /// The models before the last faults, the oldest first; each holds up to a frame, and nothing better is known up to a
    /// second one: the device had begun anew, and failed again before its clock was known.
    private var earlier: [(model: ClockModel, holds: Int64, until: Int64)] = []
    /// The frames with which the device has begun anew, the first and the last one, since its clock was known.
    private var resumed: (first: Int64, last: Int64)?

    /// The effect of observations.
    package enum Change: Equatable {
        /// Nothing.
        case none
        /// The same relation of frames and time, better known.
        case refined
        /// A new relation, because the device has begun (anew): music that was placed before is now in the wrong place.
        case restarted
        /// A new relation, because the pointer slipped somewhere in these frames without any report of a fault.
        case slipped(Range<Int64>)
    }

    /// How long after a start or fault the clock counts as young, in ns.
    private static let youth: Int64 = 10_000_000_000
    /// How far a crystal's rate may have moved from one day to the next, with its temperature.
    private static let dailyPPM = 10.0

    package init(rate: Int, known: CardMemory.Entry?, noise: Double, wanders: Bool = false) {
        let known = known ?? CardMemory.Entry()
        let ppm = (known.uncertaintyPPM * known.uncertaintyPPM + CardClock.dailyPPM * CardClock.dailyPPM).squareRoot()
        model = ClockModel(
            nominalRate: rate, deviation: known.ppm * 1e-6, uncertainty: ppm * 1e-6, noise: noise, wanders: wanders)
    }

    package var isSettled: Bool { model.isSettled }
    /// Whether little is known yet.
    package var isYoung: Bool { lastSeen > 0 && lastSeen - firstSeen < CardClock.youth }

    /// The rate that has been learnt, to be remembered for another day; nil until it is known to better than 1 ppm.
    package var memory: CardMemory.Entry? {
        model.count > 100 && model.uncertaintyPPM < 1
            ? CardMemory.Entry(ppm: model.deviationPPM, uncertaintyPPM: model.uncertaintyPPM) : nil
    }

    /// The device goes on with this frame after a fault.
    package mutating func resume(at frame: Int64) { resumed = (resumed?.first ?? frame, frame) }

    /// Learns from the observations of the newest epoch. Older ones no longer apply.
    package mutating func learn(_ observations: [EpochObservation], epoch newest: UInt32) -> Change {
        let before = trustedFrame
        var hasNew = false
        // A device that has begun anew is unknown again, even before it has been observed.
        if newest != epoch {
            epoch = newest
            model.restart()
            hasRestarted = true
        }
        for observation in observations where observation.epoch == newest {
            // A settled model is not anchored by a single observation.
            let unsettled = model.isSettled ? nil : model
            let turns = model.turns
            if model.count == 0 { firstSeen = observation.clock.time }
            model.observe(observation.clock)
            logger.trace("look", metadata: ["ns": "\(observation.clock.time)", "frame": "\(observation.clock.frame)"])
            if let unsettled, unsettled.anchors > 0, model.anchors > unsettled.anchors {
                keep(unsettled, before: observation.clock.frame)
            }
            // A clock that has turned is as little known as a new one.
            if model.turns > turns { firstSeen = observation.clock.time }
            lastSeen = observation.clock.time
            hasNew = true
            if model.isSettled {
                hasSettled = true
                trustedFrame = observation.clock.frame
                if trustedFrame > resumed?.last ?? .max { resumed = nil }
            }
        }
        guard hasNew else { return .none }
        logger.debug(
            "clock",
            metadata: [
                "ppm": "\(model.deviationPPM)", "uncertainty": "\(model.uncertaintyPPM)",
                "settled": "\(model.isSettled)", "anchors": "\(model.anchors)", "epoch": "\(newest)",
            ])
        guard model.isSettled else { return .none }
        silence = nil
        guard mapped != model.anchors else { return .refined }
        firstSeen = lastSeen
        defer { (mapped, hasRestarted) = (model.anchors, false) }
        return hasRestarted ? .restarted : .slipped(min(before, trustedFrame)..<max(before, trustedFrame) + 1)
    }

    /// Keeps a model for the positions before the anchor of the next one, which is at a frame.
    private mutating func keep(_ model: ClockModel, before frame: Int64) {
        // Where a pointer slipped, nobody knows.
        let (first, last) = hasRestarted ? resumed ?? (frame, frame) : (trustedFrame + 1, trustedFrame + 1)
        if hasSettled || earlier.isEmpty {
            earlier.append((model, holds: hasSettled ? first - 1 : .min, until: last - 1))
        } else {
            // Nothing was ever known for certain since the last one.
            earlier[earlier.count - 1].until = max(earlier[earlier.count - 1].until, last - 1)
        }
        hasSettled = false
    }

    /// Where times are in frames, with time zero at `zero`.
    package func mapping(zero: Int64) -> any FrameMapping {
        guard let leader else { return LearntMapping(model, zero: zero) }
        if let silence { return FollowedMapping(silence, leader, zero: zero) }
        return FollowedMapping(LearntMapping(model, zero: 0), leader, zero: zero)
    }

    /// When a position was at the converter, in ns of CLOCK_MONOTONIC, as observed before and after it, and the uncertainty
    /// of that, in s; of a follower by its leader's clock. Positions before a fault use the model of that time.
    package func time(of position: FramePosition) -> (nanoseconds: Double, uncertainty: Double) {
        let index = earlier.firstIndex { position.frame <= $0.until } ?? earlier.endIndex
        let model = index < earlier.endIndex ? earlier[index].model : model
        let time = model.observedTime(of: position)
        var uncertainty = model.uncertainty(at: Int64(time))
        if index < earlier.endIndex, position.frame > earlier[index].holds {
            let next = index + 1 < earlier.endIndex ? earlier[index + 1].model : self.model
            uncertainty += abs(next.time(of: position) - time) * 1e-9
        }
        guard let leader else { return (time, uncertainty) }
        let other = leader.uncertainty(at: Int64(time))
        return (leader.leader(at: time), (uncertainty * uncertainty + other * other).squareRoot())
    }

    /// Forgets what was observed before a frame. Its time, and all later ones, can still be told.
    package mutating func forget(before frame: Int64) {
        earlier.removeAll { $0.until < frame }
        model.forget(before: Int64(model.time(of: FramePosition(frame: frame))))
    }

    /// Whether the device has begun a new epoch that is not settled yet, and whether the model has settled since its anchor.
    private var (hasRestarted, hasSettled) = (false, false)
}
