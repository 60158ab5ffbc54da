internal import Logging
internal import Timing

/// What is known of one card's clock while it plays: the model, across faults, and where time zero stands.
struct CardClock {
    private(set) var model: ClockModel
    /// CLOCK_MONOTONIC at which time zero is at the converter, in ns; nil until the music has a place in time.
    var zero: Int64?
    /// CLOCK_MONOTONIC in ns from which the timing log counts; nil while nothing is known, and where no card plays.
    var origin: Double?
    private let logger = Logger(label: "barline.clock")
    private let known: CardMemory.Entry?
    private var epoch: UInt32?
    /// The anchor of the model that the scheduler goes by.
    private var mapped = 0
    private var firstSeen: Int64 = 0
    private var lastSeen: Int64 = 0

    /// What an observation has changed.
    enum Change {
        /// Nothing.
        case none
        /// The same relation of frames and time, better known.
        case refined
        /// A new relation: what has been placed stands wrong.
        case moved
    }

    /// How long after a start or fault the clock counts as young, in ns.
    private static let youth: Int64 = 10_000_000_000

    init(rate: Int, known: CardMemory.Entry?, noise: Double) {
        self.known = known
        model = ClockModel(
            nominalRate: rate, deviation: (known?.ppm ?? 0) * 1e-6,
            uncertainty: max(known?.uncertaintyPPM ?? 100, 2) * 1e-6, noise: noise)
    }

    var isSettled: Bool { model.isSettled }
    /// Whether little is known yet.
    var isYoung: Bool { lastSeen > 0 && lastSeen - firstSeen < CardClock.youth }

    /// What has been learnt, for another day: nil while it is no better than a ppm.
    var memory: CardMemory.Entry? {
        model.count > 100 && model.uncertaintyPPM < 1
            ? CardMemory.Entry(ppm: model.deviationPPM, uncertaintyPPM: model.uncertaintyPPM) : nil
    }

    /// Takes in observations, of the newest epoch only: what was before it has nothing to say any more.
    mutating func learn(_ observations: [EpochObservation], epoch newest: UInt32) -> Change {
        var hasNew = false
        for observation in observations where observation.epoch == newest {
            if observation.epoch != epoch {
                epoch = observation.epoch
                model.restart()
                firstSeen = observation.clock.time
            }
            model.observe(observation.clock)
            logger.trace(
                "look", metadata: ["ns": "\(observation.clock.time)", "frame": "\(observation.clock.frame)"])
            lastSeen = observation.clock.time
            hasNew = true
        }
        guard hasNew else { return .none }
        logger.debug(
            "clock",
            metadata: [
                "ppm": "\(model.deviationPPM)", "uncertainty": "\(model.uncertaintyPPM)",
                "settled": "\(model.isSettled)", "anchors": "\(model.anchors)", "epoch": "\(newest)",
            ])
        guard model.isSettled else { return .none }
        guard mapped != model.anchors else { return .refined }
        firstSeen = lastSeen
        defer { mapped = model.anchors }
        return mapped == 0 ? .refined : .moved
    }
}
