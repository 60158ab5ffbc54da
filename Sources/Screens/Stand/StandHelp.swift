internal import Languages
internal import Scores
package import UserSettings

/// The keys and what they do, laid out in as few pages as fit on a terminal. Each column is as wide as its texts.
package struct StandHelp {
    /// A key in its place.
    package struct Entry {
        package var row: Int
        package var column: Int
        package var name: String
        /// Where the explanation begins.
        package var textColumn: Int
        package var text: String
    }

    /// The pages, at least one.
    package let pages: [[Entry]]

    /// Keys that share a row with another one if both have no others, so that all keys have room in one page; what both do.
    package static var pairs: [KeyAction: (with: KeyAction, text: String)] {
        [
            .later: (.earlier, localized("shift 10 ms later, earlier")),
            .a4Up1: (.a4Down1, localized("A4 up, down by 1 Hz")),
        ]
    }

    /// The gaps after a name and after a column.
    private static let (gap, columnGap) = (2, 3)

    /// Lays out the keys in `rows` rows of the columns `area`, as they are where another machine leads if `isLed`.
    /// Whoever is listened to need not tap.
    package init(
        _ keys: KeyBindings, _ parts: PieceParts, rows: Int, area: Range<Int>, listens: Bool = false,
        isLed: Bool = false
    ) {
        let pairs = StandHelp.pairs.filter { first, pair in
            [first, pair.with].allSatisfy { keys.keys(of: $0).count == 1 }
        }
        let seconds = Set(pairs.values.map(\.with))
        let hidden = listens ? KeyAction.tapBar : .weakBars
        let entries = KeyAction.allCases.filter {
            !keys.keys(of: $0).isEmpty && !seconds.contains($0) && $0 != hidden
        }
        let perColumn = max(rows, 1)
        let columns = stride(from: 0, to: entries.count, by: perColumn).map { first in
            Column(
                entries[first..<min(first + perColumn, entries.count)].map { action in
                    if let (second, text) = pairs[action] {
                        return (keys.name(of: action) + " " + keys.name(of: second), text, text.columns)
                    }
                    // The texts for bars and for intervals take the same room, so that both have as many pages.
                    let widths = PieceParts.allCases.map { keys.explanation(of: action, in: $0, isLed: isLed).columns }
                    let says = keys.explanation(of: action, in: parts, isLed: isLed)
                    return (keys.name(of: action), says, widths.max() ?? 0)
                })
        }
        // As many columns side by side as fit in every page.
        let count = (1...max(columns.count, 1)).last { count in
            StandHelp.chunks(columns, count).allSatisfy { page in
                page.map(\.width).reduce(0, +) + (page.count - 1) * StandHelp.columnGap <= area.count
            }
        }
        pages = StandHelp.chunks(columns, count ?? 1).map { page in
            var left = area.lowerBound
            var shown: [Entry] = []
            for column in page {
                let text = left + column.names + StandHelp.gap
                for (row, entry) in column.entries.enumerated() {
                    shown.append(
                        Entry(
                            row: row, column: left, name: entry.name, textColumn: text,
                            text: entry.text.cutAtWord(toColumns: area.upperBound - text)))
                }
                left += column.width + StandHelp.columnGap
            }
            return shown
        }
    }

    private struct Column {
        var entries: [(name: String, text: String)]
        /// The widths of the names and of the whole column.
        var names: Int
        var width: Int

        init(_ entries: [(name: String, text: String, width: Int)]) {
            self.entries = entries.map { ($0.name, $0.text) }
            names = entries.map(\.name.columns).max() ?? 0
            width = names + StandHelp.gap + (entries.map(\.width).max() ?? 0)
        }
    }

    private static func chunks(_ columns: [Column], _ count: Int) -> [[Column]] {
        guard !columns.isEmpty else { return [[]] }
        return stride(from: 0, to: columns.count, by: count).map {
            Array(columns[$0..<min($0 + count, columns.count)])
        }
    }
}

/// The keys that the last row of the stand names.
enum StandHints {
    /// `Space pause   ←→ bar   ↑↓ line   ? keys   q end`, and shorter ones for less room; the last one is empty.
    static func texts(_ keys: KeyBindings, _ parts: PieceParts, isLap: Bool) -> [String] {
        func hint(_ actions: [KeyAction], _ says: String) -> String? {
            let names = actions.map(keys.name).filter { !$0.isEmpty }
            let isShort = names.allSatisfy { $0.count == 1 }
            return names.isEmpty ? nil : names.joined(separator: isShort ? "" : "/") + " " + says
        }
        let help = hint([.help], localized("keys"))
        let all = [
            hint([.pause], isLap ? localized("lap") : localized("pause")),
            hint([.previousBar, .nextBar], parts.one),
            hint([.previousLine, .nextLine], parts.several), help,
            hint([.quit], localized("end")),
        ]
        return [all.compactMap(\.self).joined(separator: "   "), help ?? "", ""]
    }
}
