internal import Scores

/// Why a file cannot be read, with the byte at which this shows.
struct FormatFault: Error {
    var place: Int
    var text: TextError

    init(_ place: Int, _ message: String, hint: String? = nil) {
        self.place = place
        text = TextError(message, hint: hint)
    }
}
