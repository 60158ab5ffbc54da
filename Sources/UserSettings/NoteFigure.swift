internal import Scores

/// A figure about the notes of one name in a session, rounded to tenths: how far `F#5` was out of tune, in cents.
package struct NoteFigure: Sendable, Equatable {
    /// The name: `F#5`.
    package var note: String
    package var value: Double

    /// More notes than this are not kept.
    package static let most = 200

    package init(note: String, value: Double) {
        self.note = note
        self.value = BarFigure(line: 1, bar: 1, value: value).value
    }

    /// As the log has them: `E5:12.3 F#5:-4`.
    static func text(_ figures: [NoteFigure]) -> String {
        figures.prefix(most).map { "\($0.note):\($0.value.plainText)" }.joined(separator: " ")
    }

    /// Reads the format of `text`; nil if it is anything else.
    static func list(_ text: String) -> [NoteFigure]? {
        var figures: [NoteFigure] = []
        for word in text.split(separator: " ") {
            let parts = word.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, figures.count < most, (2...6).contains(parts[0].utf8.count),
                parts[0].utf8.allSatisfy({ "ABCDEFGb#-0123456789".utf8.contains($0) }),
                let value = BarFigure.value(parts[1])
            else { return nil }
            figures.append(NoteFigure(note: String(parts[0]), value: value))
        }
        return figures
    }
}
