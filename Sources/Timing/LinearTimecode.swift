public import Scores

/// Linear timecode (LTC) that goes out beside the sound of a performance, for machines that follow it.
public struct LinearTimecode: Sendable, Equatable {
    /// The timecode at the beginning of the score.
    public var start: Timecode
    /// Its peak level.
    public var level = LinearTimecode.standardLevel
    /// Whether the frame at which the music stands is sent again and again; otherwise nothing is sent while it stands.
    public var holds = false
    /// Whether the timecode becomes faster and slower with the music, so that a bar has the same timecode at every speed.
    /// Otherwise its frames always have their nominal rate, and count the time that the music takes at its speed.
    public var isScaled = false
    /// How long it runs before the music begins, and before the target of a jump: the music waits for that long.
    public var preroll: Duration {
        didSet { preroll = min(max(preroll, .zero), LinearTimecode.longestPreroll) }
    }

    /// The default level.
    public static let standardLevel = Level(decibels: -6)
    /// The longest preroll.
    public static let longestPreroll = Duration.seconds(60)

    /// Makes timecode that starts at a place of a film, at its rate.
    public init(start: Timecode, preroll: Duration = .zero) {
        self.start = start
        self.preroll = min(max(preroll, .zero), LinearTimecode.longestPreroll)
    }
}

/// Timecode that runs from a moment on.
package struct RunningTimecode: Sendable, Equatable {
    package var rate: Timecode.Rate
    /// The frame of the film at this moment, counted from midnight without gaps, and how much of it is over, in units of 2^-64.
    package var number: Int64
    package var phase: UInt64
    /// Frames of the film per frame of sound, in units of 2^-64; 0 for silence.
    package var step: UInt64
    /// Whether the same number is sent again and again.
    package var isHeld = false

    /// No timecode.
    package static func silence(_ rate: Timecode.Rate) -> RunningTimecode {
        RunningTimecode(rate: rate, number: 0, phase: 0, step: 0)
    }

    /// The least frames of sound per frame of the film: each of its 160 half bits then has at least two.
    package static let leastFrames = 320.0

    /// Timecode at a time after midnight; `frames` is how many frames of sound a frame of the film takes.
    init(_ time: Duration, _ rate: Timecode.Rate, frames: Double) {
        let second: Int128 = 1_000_000_000_000_000_000
        let above = time.attoseconds * Int128(rate.perSecond.numerator)
        let below = second * Int128(rate.perSecond.denominator)
        var (whole, rest) = above.quotientAndRemainder(dividingBy: below)
        if rest < 0 { (whole, rest) = (whole - 1, rest + below) }
        self.rate = rate
        number = Int64(clamping: whole)
        phase = UInt64((Double(rest) / Double(below)).clampedBelowOne * 0x1p64)
        // No machine reads timecode that is faster than this.
        step = frames >= RunningTimecode.leastFrames ? UInt64(0x1p64 / frames) : 0
    }

    private init(rate: Timecode.Rate, number: Int64, phase: UInt64, step: UInt64) {
        (self.rate, self.number, self.phase, self.step) = (rate, number, phase, step)
    }

    /// The same timecode at a moment that is so many frames of sound later.
    func advanced(by frames: Double) -> RunningTimecode {
        var later = self
        let way = Int128(frames * Double(step))
        let place = Int128(phase) + way
        later.phase = UInt64(truncatingIfNeeded: place)
        if !isHeld { later.number += Int64(truncatingIfNeeded: place >> 64) }
        return later
    }
}

extension Double {
    fileprivate var clampedBelowOne: Double { min(max(self, 0), 1.0.nextDown) }
}
