internal import Languages
internal import Scores

/// Two timing logs of one performance, as of a leader and its follower: how far apart each bar was heard on the two.
///
/// Both logs have to be by one clock, as that of a follower is by its leader's. Rows belong together if they have the
/// same bar and nominal times less than `reach` apart. Differences are the second minus the first.
package struct TimingComparison: Sendable {
    /// A bar that was heard on both.
    package struct Pair: Sendable, Equatable {
        package var index: Int
        package var label: String
        /// When the first should have been heard, in ns.
        package var nominal: Int64
        /// How much later the second was heard, in ns.
        package var difference: Int64
    }

    /// The bars that were heard on both, in the order of their times.
    package private(set) var pairs: [Pair] = []
    /// How many bars were heard on one of them alone.
    package private(set) var onlyFirst = 0
    package private(set) var onlySecond = 0
    /// The sizes of differences in ns, in order.
    private var sizes: [Int64] = []

    /// Passes and jumps play a bar again: its times are then further apart than this, in ns.
    private static let reach: Int64 = 50_000_000
    /// The limits for which it is told since when all differences are within them, in ns.
    package static let limits: [Int64] = [1_000_000, 100_000]

    package init(_ first: [TimingRow], _ second: [TimingRow]) {
        var others: [Int: [TimingRow]] = [:]
        let heard = second.filter { $0.heard != nil }
        for row in heard { others[row.index, default: []].append(row) }
        for index in others.keys { others[index]?.sort { $0.nominalNanoseconds < $1.nominalNanoseconds } }
        var next: [Int: Int] = [:]
        for row in first.sorted(by: { $0.nominalNanoseconds < $1.nominalNanoseconds }) {
            guard let time = row.heardNanoseconds else { continue }
            let candidates = others[row.index] ?? []
            var at = next[row.index, default: 0]
            while at < candidates.count,
                candidates[at].nominalNanoseconds < row.nominalNanoseconds - TimingComparison.reach
            { at += 1 }
            next[row.index] = at
            guard at < candidates.count, let other = candidates[at].heardNanoseconds,
                candidates[at].nominalNanoseconds <= row.nominalNanoseconds + TimingComparison.reach
            else {
                onlyFirst += 1
                continue
            }
            next[row.index] = at + 1
            pairs.append(
                Pair(index: row.index, label: row.label, nominal: row.nominalNanoseconds, difference: other - time))
        }
        onlySecond = heard.count - pairs.count
        sizes = pairs.map(\.difference.magnitudeInRange).sorted()
    }

    /// The size of differences that a share of them does not exceed, in µs; nil if there is none.
    package func size(_ share: Double) -> Double? {
        guard !sizes.isEmpty else { return nil }
        return Double(sizes[min(Int(Double(sizes.count) * share), sizes.count - 1)]) / 1000
    }

    /// The bar with the largest difference.
    package var furthest: Pair? { pairs.max { $0.difference.magnitudeInRange < $1.difference.magnitudeInRange } }

    /// The nominal time, in ns, from which on all differences are within a limit; nil if the last one is not.
    package func settled(within limit: Int64) -> Int64? {
        guard let last = pairs.lastIndex(where: { $0.difference.magnitudeInRange > limit }) else {
            return pairs.first?.nominal
        }
        return last + 1 < pairs.count ? pairs[last + 1].nominal : nil
    }

    /// How often differences are in each of at most twelve classes of equal width, from the least to the greatest, in µs.
    package func histogram() -> [(range: Range<Double>, count: Int)] {
        let differences = pairs.map { Double($0.difference) / 1000 }
        guard let least = differences.min(), let greatest = differences.max() else { return [] }
        // Widths that one reads easily: 1, 2 or 5 times a power of ten.
        var width = 1.0
        var steps = [2.0, 2.5, 2.0].makeIterator()
        while (greatest / width).rounded(.down) - (least / width).rounded(.down) + 1 > 12 {
            if let step = steps.next() {
                width *= step
            } else {
                steps = [2.0, 2.5, 2.0].makeIterator()
            }
        }
        let first = (least / width).rounded(.down)
        var counts = Array(repeating: 0, count: Int((greatest / width).rounded(.down) - first) + 1)
        for difference in differences { counts[Int((difference / width).rounded(.down) - first)] += 1 }
        return counts.enumerated().map { index, count in
            let from = (first + Double(index)) * width
            return (from..<from + width, count)
        }
    }

    /// The differences as the rows of a log, whose errors they are.
    package var rows: [TimingRow] {
        pairs.map { pair in
            TimingRow(
                index: pair.index, label: pair.label, nominal: .nanoseconds(pair.nominal),
                heard: .nanoseconds(pair.nominal + pair.difference), position: FramePosition(frame: 0, fraction: 0))
        }
    }

    // MARK: - Text

    /// Lines for people, each with its line end: the counts, the differences, since when they are small, and the histogram.
    package var text: String {
        var lines = [
            localized("bars   heard on both \(pairs.count), only first \(onlyFirst), only second \(onlySecond)")
        ]
        guard let median = size(0.5), let most = size(0.95), let furthest else { return lines[0] + "\n" }
        let largest = Double(furthest.difference) / 1000
        let place = Duration.nanoseconds(furthest.nominal).clock(decimals: 1)
        lines.append(
            localized(
                "apart  median \(median.fixed(1)) µs, 95 % at most \(most.fixed(1)) µs, "
                    + "furthest \(largest.fixed(1, signed: true)) µs at \(place) (bar \(furthest.index))"))
        let since = TimingComparison.limits.map { limit in
            let size = "\((Double(limit) / 1e6).fixed(1)) ms"
            return settled(within: limit).map {
                localized("within \(size) from \(Duration.nanoseconds($0).clock(decimals: 1)) on")
            } ?? localized("not within \(size) at the end")
        }
        lines.append(localized("settled  \(since.joined(separator: ", "))"))
        let classes = histogram()
        let texts = classes.map { "\($0.range.lowerBound.fixed(0, signed: true))" }
        let (width, highest) = (texts.map(\.count).max() ?? 0, classes.map(\.count).max() ?? 1)
        lines.append("")
        for (text, entry) in zip(texts, classes) {
            let length = entry.count == 0 ? 0 : max(Int((Double(entry.count) / Double(highest) * 40).rounded()), 1)
            let bar = String(repeating: "█", count: length)
            lines.append(text.padding(before: width) + " µs " + (bar.isEmpty ? "" : bar + " ") + "\(entry.count)")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// A JSON object on one line without a line end: µs, and seconds where the names say so; null for an unknown value.
    package var json: String {
        func number(_ value: Double?, _ decimals: Int = 3) -> JSON {
            value.map { .number($0.fixed(decimals)) } ?? .null
        }
        func since(_ limit: Int64) -> JSON { .seconds(settled(within: limit).map { .nanoseconds($0) }, decimals: 3) }
        return JSON.object([
            "both": .number(pairs.count), "only_first": .number(onlyFirst), "only_second": .number(onlySecond),
            "median_us": number(size(0.5)), "p95_us": number(size(0.95)),
            "furthest_us": number(furthest.map { Double($0.difference) / 1000 }),
            "furthest_s": .seconds(furthest.map { .nanoseconds($0.nominal) }, decimals: 3),
            "within_1000us_from_s": since(1_000_000), "within_100us_from_s": since(100_000),
            "histogram": .list(
                histogram().map {
                    .object([
                        "from_us": number($0.range.lowerBound, 0), "to_us": number($0.range.upperBound, 0),
                        "count": .number($0.count),
                    ])
                }),
        ]).line
    }
}

extension Int64 {
    /// The magnitude; that of the least number is the greatest one.
    fileprivate var magnitudeInRange: Int64 { Int64(clamping: magnitude) }
}
