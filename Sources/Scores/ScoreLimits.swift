extension Score {
    /// The most bars that can be written in a file.
    public static let writtenBarLimit = 10_000_000
    /// The most lines that can be written in a file; what aliases repeat is counted again.
    public static let writtenLineLimit = 200_000
    /// The most bars that can be written by a number of times, as `4/4 x 12` does.
    public static let multipliedBarLimit = 1_000_000
    /// The most bars with more than a duration that a page may have with its fragments written out.
    public static let describedBarLimit = 2_000_000
    /// The most bars of a piece, repeats counted.
    public static let barLimit = 1_000_000_000
    /// The longest piece, repeats counted: 10 000 h.
    public static let durationLimit = Duration.seconds(36_000_000)
    /// How often a line can be played.
    public static let passRange = 1...1_000_000
    /// The most characters of a title, composer, label or cue.
    public static let textLimit = 200
}

/// Adds up the size of a piece while it is read, without overflow.
package struct PieceSize {
    private var bars = 0
    private var duration = Duration.zero

    /// Nothing yet.
    package init() {}

    /// Counts a bar, or all that are alike it.
    package mutating func add(_ duration: Duration, bars: Int = 1, passes: Int = 1) {
        self.bars += bars * passes
        self.duration += duration * passes
    }

    /// What is too large about the piece, if anything.
    package var excess: String? { PieceSize.excess(bars: bars, duration: duration) }

    /// What is too large about so many bars, or so long a time, if anything.
    package static func excess(bars: Int, duration: Duration) -> String? {
        if bars > Score.barLimit { return "the piece has more than 1 000 000 000 bars with its repeats" }
        if duration > Score.durationLimit { return "the piece lasts more than 10 000 h with its repeats" }
        return nil
    }
}

/// The rules for titles, labels and cues.
package enum TextRule {
    /// Checks a text for `what`, such as "a label": one line, 1 ... 200 characters, no control characters.
    package static func check(_ text: String, what: String) throws(TextError) -> String {
        if text.trimmingBlanks.isEmpty { throw TextError("\(what) cannot be empty", hint: "leave it out") }
        if text.utf8.count > Score.textLimit, text.unicodeScalars.count > Score.textLimit {
            throw TextError("\(what) has at most 200 characters")
        }
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        for scalar in text.unicodeScalars {
            let category = scalar.properties.generalCategory
            if category == .control || category == .lineSeparator || category == .paragraphSeparator {
                throw TextError("\(what) is one line without control characters")
            }
        }
        return text
    }
}
