internal import Languages

extension Score {
    /// The maximum number of bars written in a file.
    public static let writtenBarLimit = 10_000_000
    /// The maximum number of lines written in a file; lines count again for each alias that repeats them.
    public static let writtenLineLimit = 200_000
    /// The maximum number of bars that a file can write with multipliers such as `4/4 x 12`.
    public static let multipliedBarLimit = 1_000_000
    /// The maximum number of bars on a page that have more than a duration, with fragments written out.
    public static let describedBarLimit = 2_000_000
    /// The maximum number of bars in a piece, including repeats.
    public static let barLimit = 1_000_000_000
    /// The maximum duration of a piece, including repeats: 10 000 h.
    public static let durationLimit = Duration.seconds(36_000_000)
    /// How many times a line can be played.
    public static let passRange = 1...1_000_000
    /// The maximum number of characters in a title, composer, label or cue.
    public static let textLimit = 200
}

/// Adds up the size of a piece while it is read, without overflow.
package struct PieceSize {
    private var bars = 0
    private var duration = Duration.zero

    /// Starts with nothing.
    package init() {}

    /// Adds bars that together last `duration`, played `passes` times.
    package mutating func add(_ duration: Duration, bars: Int = 1, passes: Int = 1) {
        self.bars += bars * passes
        self.duration += duration * passes
    }

    /// An error message if the piece is too large; nil otherwise.
    package var excess: String? { PieceSize.excess(bars: bars, duration: duration) }

    /// An error message if there are too many bars or they last too long; nil otherwise.
    package static func excess(bars: Int, duration: Duration) -> String? {
        if bars > Score.barLimit { return localized("the piece has more than 1 000 000 000 bars with its repeats") }
        if duration > Score.durationLimit { return localized("the piece lasts more than 10 000 h with its repeats") }
        return nil
    }
}

/// The rules for titles, labels and cues.
package enum TextRule {
    /// Checks a text and returns it unchanged. `what` is its name in messages, such as "a label". Errors: empty, more
    /// than 200 characters, more than one line, control characters.
    package static func check(_ text: String, what: @autoclosure () -> String) throws(TextError) -> String {
        if text.trimmingBlanks.isEmpty {
            throw TextError(localized("\(what()) cannot be empty"), hint: localized("leave it out"))
        }
        if text.utf8.count > Score.textLimit, text.unicodeScalars.count > Score.textLimit {
            throw TextError(localized("\(what()) has at most 200 characters"))
        }
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        if text.unicodeScalars.contains(where: isForbidden) {
            throw TextError(localized("\(what()) must be one line without control characters"))
        }
        return text
    }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
    }

    /// A text that a program made as `check` takes it: blanks instead of control characters and line ends, and not too
    /// long. Empty if nothing is left of it.
    package static func cleaned(_ text: String) -> String {
        if let valid = try? check(text, what: "") { return valid }
        let scalars = text.unicodeScalars.map { isForbidden($0) ? " " : $0 }
        let line = String(String.UnicodeScalarView(scalars)).cutToTextLimit
        return line.trimmingBlanks.isEmpty ? "" : line
    }
}

extension StringProtocol {
    /// The text, or as much of it as the longest title, label or cue has, with `…` for the rest.
    package var cutToTextLimit: String {
        guard !unicodeScalars.dropFirst(Score.textLimit).isEmpty else { return String(self) }
        return String(String.UnicodeScalarView(unicodeScalars.prefix(Score.textLimit - 1))) + "…"
    }
}
