/// One look at a card: which frame was at the converter, and when.
public struct ClockObservation: Sendable, Equatable {
    /// CLOCK_MONOTONIC in ns.
    public var time: Int64
    /// Frames played: given to the device, less its delay.
    public var frame: Int64

    /// Makes an observation.
    public init(time: Int64, frame: Int64) {
        self.time = time
        self.frame = frame
    }
}

/// What time it is on a card: device frames by CLOCK_MONOTONIC, learnt from observations, with its uncertainty.
///
/// A Kalman filter of two states, the card's position (in nominal seconds) and the deviation of its rate, whose
/// rate wanders as crystals do (Bar-Shalom et al., Estimation with Applications to Tracking and Navigation, 2001,
/// 6.2.2: white noise acceleration). Outliers are clipped; the rate stays within ±1000 ppm. Time constants come out of
/// the model: fast at first, slow once it knows.
public struct ClockModel: Sendable, Equatable {
    /// The rate that the card claims, in frames per second.
    public let nominalRate: Int
    /// How many observations it has taken in since it began or restarted.
    public private(set) var count = 0
    /// How often it was set to a new place: at the start, after a restart, after a jump of the pointer.
    public private(set) var anchors = 0

    /// The last moment of the filter: a time, and the frame then, split so that years keep their microseconds.
    private var time: Int64 = 0
    private var frame: Int64 = 0
    /// Seconds by which the estimate lies behind `frame`.
    private var offset = 0.0
    /// The deviation of the rate: 1e-6 is 1 ppm fast.
    private var deviation: Double
    /// Going back is for pointers, not for time: what was reached before a pointer was set back stays reached.
    private var reached = FramePosition(frame: .min)
    /// Covariances of position (s²), position and rate (s), and rate.
    private var p00 = 0.0
    private var p01 = 0.0
    private var p11: Double
    /// The variance of what is seen, in s²: learnt from how observations scatter.
    private var noise: Double
    private let leastNoise: Double
    /// When it was set to its place.
    private var anchored: Int64 = 0
    /// Errors in a row that no clock explains.
    private var strays = 0

    /// The most that a rate can deviate.
    public static let maximumDeviation = 1000e-6
    /// How fast a crystal wanders: the variance that its rate gathers in a second.
    private static let wander = 3e-14
    /// What an observation is taken to be good to before any has been seen, in s.
    private static let firstNoise = 100e-6
    /// How wrong a first look may be, in s: a card that was just started may not have moved yet.
    private static let firstUncertainty = 1e-3
    /// Looks within less than this, in ns, do not tell a card that plays from one that has not begun.
    private static let leastSpan: Int64 = 15_000_000
    /// Three errors in a row above this, in s, are a jump and no noise.
    private static let jump = 5e-3

    /// A model that has seen nothing. `deviation` is what is known of the card's rate, good to `uncertainty`.
    /// Nothing better than `noise`, in s, is believed of an observation: 10 us of a card's own pointer.
    public init(nominalRate: Int, deviation: Double = 0, uncertainty: Double = 100e-6, noise: Double = 10e-6) {
        self.nominalRate = nominalRate
        leastNoise = noise
        self.deviation = min(max(deviation, -Self.maximumDeviation), Self.maximumDeviation)
        p11 = uncertainty * uncertainty
        self.noise = max(Self.firstNoise, noise) * max(Self.firstNoise, noise)
    }

    /// The deviation of the card's rate in ppm: positive is fast.
    public var deviationPPM: Double { deviation * 1e6 }

    /// Frames per second by CLOCK_MONOTONIC.
    public var rate: Double { Double(nominalRate) * (1 + deviation) }

    /// The uncertainty of the rate in ppm, one standard deviation.
    public var uncertaintyPPM: Double { p11.squareRoot() * 1e6 }

    /// Whether three observations have agreed, over long enough to have seen the card move: from here on a time can be
    /// given a frame.
    public var isSettled: Bool { count >= 3 && strays == 0 && time - anchored >= Self.leastSpan }

    /// The uncertainty of a position at `time`, in s, one standard deviation.
    public func uncertainty(at time: Int64) -> Double {
        let dt = Double(time - self.time) * 1e-9
        return (p00 + 2 * dt * p01 + dt * dt * p11 + Self.wander * dt * dt * abs(dt) / 3).squareRoot()
    }

    /// Takes in an observation. One that is not later than the last is left out.
    public mutating func observe(_ observation: ClockObservation) {
        guard count > 0 else {
            anchor(at: observation)
            count = 1
            return
        }
        guard observation.time > time else { return }
        let dt = Double(observation.time - time) * 1e-9
        let error = seconds(observation.frame - frame) - offset - dt * (1 + deviation)
        strays = abs(error) > Self.jump ? strays + 1 : 0
        if strays >= 3 {
            // The pointer was set elsewhere: a new place, the same crystal.
            anchor(at: observation)
            strays = 0
            count = 1
            return
        }
        // One or two are left out: no clock is like that.
        guard strays == 0 else { return }
        p00 += 2 * dt * p01 + dt * dt * p11 + Self.wander * dt * dt * dt / 3
        p01 += dt * p11 + Self.wander * dt * dt / 2
        p11 += Self.wander * dt
        let variance = p00 + noise
        let limit = 4 * variance.squareRoot()
        let clipped = min(max(error, -limit), limit)
        learnNoise(from: clipped)
        let (positionGain, rateGain) = (p00 / variance, p01 / variance)
        p11 -= rateGain * p01
        p01 *= 1 - positionGain
        p00 *= 1 - positionGain
        // Never backwards: at most all that has passed since the last look is taken back.
        let step = max(dt * (1 + deviation) + positionGain * clipped, 0)
        deviation = min(max(deviation + rateGain * clipped, -Self.maximumDeviation), Self.maximumDeviation)
        advance(to: observation.time, by: step)
        count += 1
    }

    /// Forgets the position, keeps the rate: the device was closed, or ran dry.
    public mutating func restart() {
        count = 0
        strays = 0
        reached = FramePosition(frame: .min)
    }

    /// The frame at the converter at `time`: never goes backwards, and waits where the pointer was set back.
    public func position(at time: Int64) -> FramePosition { max(extrapolated(to: time), reached) }

    /// The frame that belongs to `time`, on either side of the last look.
    public func extrapolated(to time: Int64) -> FramePosition {
        let passed = Double(time - self.time) * 1e-9 * (1 + deviation) + offset
        let frames = passed * Double(nominalRate)
        let whole = frames.rounded(.down)
        return FramePosition(frame: frame + Int64(whole), fraction: min(frames - whole, 1.0.nextDown))
    }

    /// The time at which a position is at the converter, in ns.
    public func time(of position: FramePosition) -> Double {
        let frames = Double(position.frame - frame) + position.fraction
        return Double(time) + (frames / Double(nominalRate) - offset) / (1 + deviation) * 1e9
    }

    // MARK: -

    private func seconds(_ frames: Int64) -> Double { Double(frames) / Double(nominalRate) }

    private mutating func anchor(at observation: ClockObservation) {
        if count > 0 { reached = max(reached, position(at: observation.time)) }
        frame = observation.frame
        offset = 0
        time = observation.time
        anchored = observation.time
        p00 = Self.firstUncertainty * Self.firstUncertainty
        p01 = 0
        anchors += 1
    }

    private mutating func advance(to time: Int64, by step: Double) {
        self.time = time
        guard step > 0 else { return }
        let total = offset + step
        let frames = (total * Double(nominalRate)).rounded(.down)
        frame += Int64(frames)
        offset = total - frames / Double(nominalRate)
    }

    /// A slow average of squared errors, less what the state's own uncertainty explains.
    private mutating func learnNoise(from error: Double) {
        let weight = max(1 / Double(count + 2), 0.02)
        let explained = max(error * error - p00, 0)
        noise = max(noise + weight * (explained - noise), leastNoise * leastNoise)
    }
}
