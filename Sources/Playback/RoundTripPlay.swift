internal import Scores
internal import Timing

/// Plays bursts into a card and records them, which measures the delay from the card to a microphone.
package struct RoundTripPlay {
    /// What was recorded, on one channel, from the first frame of the microphone on.
    package private(set) var samples: [Float] = []
    /// The frames of the recording at which the bursts would begin without any delay.
    package private(set) var bursts: [Double] = []
    /// The rate of the recording, and how many frames the card plays in one of them.
    package private(set) var rate = 0.0
    package private(set) var pace = 1.0

    /// Why nothing was measured.
    package enum Fault: Error, Equatable {
        case engine(EngineError)
        /// The card or the microphone does not move.
        case stopped
        /// The card or the microphone lost sound meanwhile: the machine is too busy.
        case interrupted
        /// The microphone has gone away.
        case gone(String)
    }

    private let card: Card
    private let microphone: Microphone
    private var clock: PatientClock
    private var epoch: UInt32?
    private var frames: [Int64] = []
    private var begin: Int64?
    private let signal: SpokenWord

    /// How many bursts there are, how long each is at least followed by silence, and how loud they are.
    private static let (count, gap, level) = (3, 1.6, 0.25)
    /// How long the clocks are learnt first, and how long at most the whole takes, in seconds.
    private static let (learning, longest) = (2.0, 30.0)
    private static let pause = Duration.milliseconds(20)

    /// `signal` are the samples of a burst.
    package init(_ card: Card, _ microphone: Microphone, signal: [Float]) throws(Fault) {
        (self.card, self.microphone) = (card, microphone)
        clock = PatientClock(nominalRate: card.rate, noise: card.pointerNoise, wanders: card.pointerWanders)
        self.signal = SpokenWord("burst", samples: signal, rate: card.rate)
        do throws(EngineError) { try card.start() } catch { throw .engine(error) }
    }

    /// Does what is due at `now` (CLOCK_MONOTONIC, ns). Returns how long to wait until the next call, nil once everything has been
    /// recorded.
    package mutating func step(at now: Int64) throws(Fault) -> Duration? {
        try isDone(at: now) ? nil : microphone.pause(about: RoundTripPlay.pause)
    }

    private mutating func isDone(at now: Int64) throws(Fault) -> Bool {
        let first = begin ?? now
        begin = first
        let reading = card.reading()
        if let epoch, epoch != reading.epoch, !frames.isEmpty { throw .interrupted }
        if epoch != reading.epoch { clock.restart() }
        epoch = reading.epoch
        for observation in card.observations() where observation.epoch == reading.epoch {
            clock.observe(observation.clock)
        }
        card.learn(clock.model)
        let room = Int(RoundTripPlay.longest + 10) * microphone.rate
        let heard = microphone.read { piece in if samples.count < room { samples += piece } }
        if case .gone(let reason) = heard { throw .gone(reason) }
        if microphone.overruns > 0 { throw .interrupted }
        let elapsed = Double(now - first) * 1e-9
        if elapsed > RoundTripPlay.longest { throw .stopped }
        guard elapsed > RoundTripPlay.learning, clock.model.isSettled, microphone.model.isSettled else { return false }
        if frames.isEmpty {
            play()
            return false
        }
        guard let last = frames.last,
            reading.heardFrame > last + Int64(Double(card.rate) * RoundTripPlay.gap) + Int64(signal.frameCount)
        else { return false }
        guard card.verdict.isTaken, reading.xruns == 0 else { throw .interrupted }
        rate = Double(microphone.rate)
        pace = clock.model.rate / microphone.model.rate
        for frame in frames {
            guard let place = microphone.frame(at: clock.model.time(of: FramePosition(frame: frame))) else {
                throw .stopped
            }
            bursts.append(place)
        }
        return true
    }

    /// Hands the bursts to the card.
    private mutating func play() {
        let first = card.reach(within: .milliseconds(400))
        guard card.begin(at: first) else { return }
        let apart = Int64(signal.frameCount) + Int64(Double(card.rate) * RoundTripPlay.gap)
        frames = (0..<RoundTripPlay.count).map { first + Int64(card.rate) / 10 + Int64($0) * apart }
        for frame in frames {
            _ = card.push(Event(FramePosition(frame: frame), .speech(signal, amplitude: RoundTripPlay.level)))
        }
        _ = card.commit(horizon: .max, end: .max)
        card.hurry()
    }
}
