internal import Glibc

/// A peak level: decibels relative to full scale, or silence.
public struct Level: Sendable, Hashable {
    /// The level in dBFS, -120 ... 0; minus infinity is silence.
    public let decibels: Double

    /// Silence.
    public static let off = Level(decibels: -.infinity)
    /// The valid range of audible levels, in dBFS.
    public static let range = -120.0...0.0

    /// Makes a level from dBFS; values outside `range` count as the nearest one, minus infinity and NaN as silence.
    public init(decibels: Double) {
        let isAudible = decibels > -.infinity
        self.decibels = isAudible ? min(max(decibels, Level.range.lowerBound), Level.range.upperBound) : -.infinity
    }

    /// Makes a level from a percentage of full amplitude, 0 ... 100; 0 is silence.
    public init(percent: Double) {
        self.init(decibels: percent <= 0 ? -.infinity : 20 * log10(percent / 100))
    }

    /// The peak as a factor, 0 ... 1: 10^(dB/20).
    public var amplitude: Double {
        decibels == -.infinity ? 0 : pow(10, decibels / 20)
    }

    /// Whether the level is silence.
    public var isSilent: Bool { decibels == -.infinity }
}
