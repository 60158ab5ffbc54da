/// Converts times to frames and back: all that a scheduler needs to know about a clock. Times count from time zero.
package protocol FrameMapping: Sendable {
    /// The nominal rate of the card or file, in frames per second.
    var rate: Int { get }
    /// The deviation of the actual rate, for tuning the drone; 1e-6 is 1 ppm fast.
    var deviation: Double { get }
    /// The position in frames at `time`.
    func position(at time: Duration) -> FramePosition
    /// The first whole frame at or after `time`.
    func frame(atOrAfter time: Duration) -> Int64
    /// The time of a whole frame.
    func time(of frame: Int64) -> Duration
}

extension NominalMapping: FrameMapping {
    /// Always 0: the nominal rate is taken as exact.
    package var deviation: Double { 0 }
}

/// Converts between times and frames of a card by CLOCK_MONOTONIC and a model of the card's clock.
package struct LearntMapping: FrameMapping {
    package var model: ClockModel
    /// The value of CLOCK_MONOTONIC at which time zero is at the converter, in ns.
    package var zero: Int64

    /// Makes a mapping of a settled model.
    package init(_ model: ClockModel, zero: Int64) {
        self.model = model
        self.zero = zero
    }

    package var rate: Int { model.nominalRate }
    package var deviation: Double { model.deviationPPM * 1e-6 }

    /// The position in frames at `time`. The conversion adds an error of at most a nanosecond to that of the model.
    package func position(at time: Duration) -> FramePosition {
        let (nanoseconds, rest) = time.attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let position = model.extrapolated(to: zero + Int64(nanoseconds))
        let fraction = position.fraction + Double(Int64(rest)) * 1e-18 * model.rate
        let whole = fraction.rounded(.down)
        return FramePosition(frame: position.frame + Int64(whole), fraction: min(fraction - whole, 1.0.nextDown))
    }

    /// The first whole frame at or after `time`.
    package func frame(atOrAfter time: Duration) -> Int64 {
        let position = position(at: time)
        return position.fraction > 0 ? position.frame + 1 : position.frame
    }

    package func time(of frame: Int64) -> Duration {
        let whole = model.time(of: FramePosition(frame: frame)) - Double(zero)
        return Duration(toPicoseconds: whole)
    }
}

extension Duration {
    /// A number of nanoseconds, rounded to the picosecond.
    package init(toPicoseconds nanoseconds: Double) {
        self.init(attoseconds: Int128((nanoseconds * 1000).rounded()) * 1_000_000)
    }
}
