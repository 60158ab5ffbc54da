/// A moment in frames: a whole frame and a fraction, so that a sound can begin between two frames.
public struct FramePosition: Sendable, Equatable, Comparable {
    /// The absolute frame.
    public var frame: Int64
    /// How far after `frame`, 0 ..< 1 frames.
    public var fraction: Double

    /// Makes a position.
    public init(frame: Int64, fraction: Double = 0) {
        self.frame = frame
        self.fraction = fraction
    }

    /// Earlier frames first, then smaller fractions.
    public static func < (a: FramePosition, b: FramePosition) -> Bool {
        a.frame != b.frame ? a.frame < b.frame : a.fraction < b.fraction
    }
}

/// Converts times to frames at exactly the nominal rate: for a file, or a card whose rate is not measured.
///
/// Uses integer arithmetic: the fraction is right to 1e-15 frames however long the piece is.
package struct NominalMapping: Sendable, Equatable {
    /// Frames per second.
    package var rate: Int
    /// The frame of time zero.
    package var zero: Int64

    private static let attosecondsPerSecond: Int128 = 1_000_000_000_000_000_000

    package init(rate: Int, zero: Int64) {
        self.rate = rate
        self.zero = zero
    }

    package func position(at time: Duration) -> FramePosition {
        let product = time.attoseconds * Int128(rate)
        var (whole, rest) = product.quotientAndRemainder(dividingBy: Self.attosecondsPerSecond)
        if rest < 0 {
            whole -= 1
            rest += Self.attosecondsPerSecond
        }
        // A time is exact to an attosecond: a position less than that before a whole frame is that frame.
        if rest + Int128(rate) >= Self.attosecondsPerSecond {
            whole += 1
            rest = 0
        }
        // Less than 2^63: Int64 becomes a Double in one instruction, Int128 in hundreds.
        return FramePosition(frame: zero + Int64(whole), fraction: Double(Int64(rest)) / 1e18)
    }

    package func frame(atOrAfter time: Duration) -> Int64 {
        let product = time.attoseconds * Int128(rate)
        let (whole, rest) = product.quotientAndRemainder(dividingBy: Self.attosecondsPerSecond)
        // As for positions: what is left after a whole frame may be the rounding of the time to an attosecond.
        return zero + Int64(rest >= Int128(rate) ? whole + 1 : whole)
    }

    /// The time of a whole frame, to the nearest attosecond.
    package func time(of frame: Int64) -> Duration {
        let product = Int128(frame - zero) * Self.attosecondsPerSecond
        let half = Int128(rate) / 2
        return Duration(attoseconds: (product + (product < 0 ? -half : half)) / Int128(rate))
    }
}
