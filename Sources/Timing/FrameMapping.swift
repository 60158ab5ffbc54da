/// Times to frames and back: what a scheduler needs to know of a clock. Times count from time zero.
package protocol FrameMapping: Sendable {
    /// The rate that the card or file claims, in frames per second.
    var rate: Int { get }
    /// The deviation of the true rate: 1e-6 is 1 ppm fast. A drone is tuned by it.
    var deviation: Double { get }
    /// Where `time` falls.
    func position(at time: Duration) -> FramePosition
    /// The first whole frame at or behind `time`.
    func frame(atOrAfter time: Duration) -> Int64
    /// The time of a whole frame.
    func time(of frame: Int64) -> Duration
}

extension NominalMapping: FrameMapping {
    /// None: the rate is taken at its word.
    package var deviation: Double { 0 }
}

/// Times to frames by the wall clock: what has been learnt of a card says when each frame is at its converter.
package struct LearntMapping: FrameMapping {
    /// What is known of the card.
    package var model: ClockModel
    /// CLOCK_MONOTONIC at which time zero is at the converter, in ns.
    package var zero: Int64

    /// Makes a mapping of a settled model.
    package init(_ model: ClockModel, zero: Int64) {
        self.model = model
        self.zero = zero
    }

    /// The rate that the card claims, in frames per second.
    package var rate: Int { model.nominalRate }
    /// The deviation of its true rate, as learnt.
    package var deviation: Double { model.deviationPPM * 1e-6 }

    /// Where `time` falls: good to a nanosecond beside what the model is good to.
    package func position(at time: Duration) -> FramePosition {
        let (nanoseconds, rest) = time.attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let position = model.extrapolated(to: zero + Int64(nanoseconds))
        let fraction = position.fraction + Double(rest) * 1e-18 * model.rate
        let whole = fraction.rounded(.down)
        return FramePosition(frame: position.frame + Int64(whole), fraction: min(fraction - whole, 1.0.nextDown))
    }

    /// The first whole frame at or behind `time`.
    package func frame(atOrAfter time: Duration) -> Int64 {
        let position = position(at: time)
        return position.fraction > 0 ? position.frame + 1 : position.frame
    }

    /// When a whole frame is at the converter.
    package func time(of frame: Int64) -> Duration {
        let whole = model.time(of: FramePosition(frame: frame)) - Double(zero)
        return Duration(attoseconds: Int128((whole * 1000).rounded()) * 1_000_000)
    }
}
