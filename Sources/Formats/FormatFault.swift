internal import Scores

/// Why a file, or a part of it, is not what its format allows.
struct FormatFault: Error {
    /// The bytes with the mistake; empty where something is missing.
    var range: Range<Int>
    var text: TextError
    var effect = Effect.isError

    /// How the reading goes on after the mistake.
    enum Effect {
        /// It reports the mistake and looks for others.
        case isError
        /// It reports the mistake and reads no further.
        case ends
        /// It leaves out the part, as other programs do that read the format, and says so.
        case isSkipped
    }

    init(_ range: Range<Int>, _ text: TextError, _ effect: Effect = .isError) {
        (self.range, self.text, self.effect) = (range, text, effect)
    }

    init(_ range: Range<Int>, _ message: String, hint: String? = nil, _ effect: Effect = .isError) {
        self.init(range, TextError(message, hint: hint), effect)
    }

    init(_ place: Int, _ message: String, hint: String? = nil) { self.init(place..<place, message, hint: hint) }
}
