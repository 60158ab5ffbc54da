/// A pitch: a note with an offset in cents, an interval above a note, or a frequency that no tuning changes.
public enum Pitch: Sendable, Hashable {
    /// A MIDI note number (A4 = 69, B4 = 71) and an offset in cents, -100 ... 100.
    case note(Int, cents: Double)
    /// A ratio above a MIDI note number, each part 1 ... 10000, and an offset in cents.
    case ratio(Int, Int, of: Int, cents: Double)
    /// A frequency in Hz.
    case frequency(Double)

    /// The B natural that is sustained under Berio's Sequenza VII.
    public static let b4 = Pitch.note(71, cents: 0)
    /// The frequencies a drone can have, in Hz.
    public static let frequencyRange = 16.0...8000.0

    /// The frequency in Hz in equal temperament: A4 × 2^((m - 69)/12 + cents/1200).
    public func frequency(a4: Double) -> Double { Tuning().frequency(of: self, a4: a4) }
}
