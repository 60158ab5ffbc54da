internal import Scores

/// How long the bars of a session were held, by the player's taps, as the practice log keeps it. Shares are in per cent of
/// what is written, rounded to tenths.
package struct HeldSummary: Sendable, Equatable {
    /// How many bars were measured.
    package var bars: Int
    /// How long all of them were held together: 100 as written.
    package var held: Double
    /// The median of how far a bar was off, in either direction.
    package var off: Double
    /// For each column, from the first bar of the lines, the median of how much longer its bars were held than written; nil
    /// if none was measured. Empty in a piece of one line.
    package var columns: [Double?]

    /// More columns than this are not kept.
    package static let mostColumns = 60

    package init(bars: Int, held: Double, off: Double, columns: [Double?]) {
        (self.bars, self.held, self.off) = (bars, HeldSummary.rounded(held), HeldSummary.rounded(off))
        self.columns = columns.prefix(HeldSummary.mostColumns).map { $0.map(HeldSummary.rounded) }
    }

    private static func rounded(_ percent: Double) -> Double {
        percent.isNaN ? 0 : (min(max(percent, -99_999), 99_999) * 10).rounded() / 10
    }

    /// The fields of a row without taps, and of one with them.
    static let noFields = ["", "", "", ""]
    var fields: [String] {
        let shares = columns.map { $0.map(\.plainText) ?? "-" }
        return ["\(bars)", held.plainText, off.plainText, shares.joined(separator: " ")]
    }

    /// Reads the fields of a row; nil if they are invalid.
    init?(fields: [String]) {
        func number(_ text: some StringProtocol) -> Double? {
            guard text.utf8.allSatisfy({ "0123456789.-".utf8.contains($0) }), let number = Double(text) else {
                return nil
            }
            return abs(number) <= 99_999 ? number : nil
        }
        guard fields.count == 4, let bars = Int(wholeText: fields[0]), bars > 0, let held = number(fields[1]),
            let off = number(fields[2])
        else { return nil }
        var columns: [Double?] = []
        for word in fields[3].split(separator: " ") {
            let share = word == "-" ? nil : number(word)
            guard word == "-" || share != nil, columns.count < HeldSummary.mostColumns else { return nil }
            columns.append(share)
        }
        self.init(bars: bars, held: held, off: off, columns: columns)
    }
}
