internal import Scores
internal import Timing

/// A figure that was measured of a bar, such as how much too long it was held, rounded to tenths.
package struct BarFigure: Sendable, Equatable {
    /// The line and the bar in it, from 1.
    package var line: Int
    package var bar: Int
    package var value: Double

    /// More bars than this are not kept.
    package static let most = 2000

    package init(line: Int, bar: Int, value: Double) {
        (self.line, self.bar) = (line, bar)
        self.value = value.isFinite ? (min(max(value, -99_999), 99_999) * 10).rounded() / 10 + 0 : 0
    }

    /// One figure for each bar, the median of its own, in the order of the piece.
    package static func medians(_ figures: [BarFigure]) -> [BarFigure] {
        Dictionary(grouping: figures) { BarPlace(line: $0.line, bar: $0.bar) }
            .map { BarFigure(line: $0.line, bar: $0.bar, value: $1.map(\.value).median) }
            .sorted { ($0.line, $0.bar) < ($1.line, $1.bar) }
    }

    /// As the log has them: `5.7:12.3 5.8:-4`.
    static func text(_ figures: [BarFigure]) -> String {
        figures.prefix(most).map { "\($0.line).\($0.bar):\($0.value.plainText)" }.joined(separator: " ")
    }

    /// Reads the format of `text`; nil if it is anything else.
    static func list(_ text: String) -> [BarFigure]? {
        var figures: [BarFigure] = []
        for word in text.split(separator: " ") {
            let parts = word.split(separator: ":", omittingEmptySubsequences: false)
            let place = parts[0].split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, place.count == 2, figures.count < most, let line = Int(wholeText: place[0]),
                let bar = Int(wholeText: place[1]), line > 0, bar > 0,
                let value = value(parts[1])
            else { return nil }
            figures.append(BarFigure(line: line, bar: bar, value: value))
        }
        return figures
    }

    /// A figure as the log has it; nil if it is anything else.
    static func value(_ text: Substring) -> Double? {
        guard text.utf8.allSatisfy({ "0123456789.-".utf8.contains($0) }), let value = Double(text), abs(value) <= 99_999
        else { return nil }
        return value
    }
}

/// The line and the number of a bar in it, from 1.
package struct BarPlace: Sendable, Hashable, Comparable {
    package var line: Int
    package var bar: Int

    package init(line: Int, bar: Int) { (self.line, self.bar) = (line, bar) }

    package var text: String { "\(line).\(bar)" }

    package static func < (a: BarPlace, b: BarPlace) -> Bool { (a.line, a.bar) < (b.line, b.bar) }
}
