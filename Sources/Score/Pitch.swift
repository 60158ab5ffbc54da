#if canImport(Glibc)
    internal import Glibc
#endif

/// A pitch: a note of the equal-tempered scale with an offset in cents, or a frequency that no A4 changes.
public enum Pitch: Sendable, Hashable {
    /// A MIDI note number (A4 = 69, B4 = 71) and an offset in cents, -100 ... 100.
    case note(Int, cents: Double)
    /// A frequency in Hz.
    case frequency(Double)

    /// The B natural under Sequenza VII.
    public static let b4 = Pitch.note(71, cents: 0)
    /// The frequencies a drone can have, in Hz.
    public static let frequencyRange = 16.0...8000.0

    /// The frequency in Hz: A4 × 2^((m - 69)/12 + cents/1200), equal temperament.
    public func frequency(a4: Double) -> Double {
        switch self {
        case .note(let number, let cents): a4 * exp2(Double(number - 69) / 12 + cents / 1200)
        case .frequency(let hertz): hertz
        }
    }
}
