/// How long a player held the bars of a performance, from the taps of its timing log: "now I begin a bar".
///
/// The taps are set against the boundaries in their order. With clicks, a tap is near its boundary. Without, the player may
/// drift away by whole bars, and then the durations between the taps tell which bars they begin. A player forgets a tap now
/// and then, or taps twice: a tap need not begin a bar, nor a bar have a tap.
package struct TappedBars: Sendable, Equatable {
    /// A bar, from the first that has a tap to the last.
    package struct Bar: Sendable, Equatable {
        /// Its row in the log.
        package var row: TimingRow
        /// When the player began it, in ns after time zero; nil without a tap.
        package var tapped: Int64?
        /// How long it should last, in ns; nil if the music did not go on to the next bar by itself: it was paused, it waited
        /// at a hold until a cue, it jumped, or it ended.
        package var written: Int64?
        /// How long the player held it, in ns; nil unless it and the next bar have a tap.
        package var held: Int64?
        /// Whether the music began anew with it, after a pause or a jump.
        package var isRestart: Bool

        /// How much later than its boundary the player began it, in ns.
        package var late: Int64? { tapped.map { $0 - row.nominalNanoseconds } }
        /// How much longer it was held than written, in ns.
        package var excess: Int64? {
            if let held, let written { held - written } else { nil }
        }
    }

    package private(set) var bars: [Bar] = []
    /// How many taps began no bar.
    package private(set) var spare = 0

    /// Matches the taps among the rows of a log with its boundaries. Both are in the order in which they came.
    package init(_ rows: [TimingRow]) {
        let boundaries = rows.filter { !$0.isTap }
        let taps = rows.filter(\.isTap).compactMap(\.heardNanoseconds).sorted()
        guard !taps.isEmpty, !boundaries.isEmpty else {
            spare = taps.count
            return
        }
        let matched = TapMatch(taps, boundaries).boundaries
        spare = matched.count { $0 == nil }
        var tapped: [Int: Int64] = [:]
        for (tap, boundary) in zip(taps, matched) { if let boundary { tapped[boundary] = tap } }
        guard let first = tapped.keys.min(), let last = tapped.keys.max() else { return }
        bars = (first...last).map { n in
            var bar = Bar(
                row: boundaries[n], tapped: tapped[n], isRestart: n > first && boundaries[n].beginsAnew)
            if n + 1 < boundaries.count, !boundaries[n + 1].beginsAnew, !boundaries[n + 1].isAfterHold {
                let next = boundaries[n + 1].nominalNanoseconds
                bar.written = next - boundaries[n].nominalNanoseconds
                if let begin = tapped[n], let end = tapped[n + 1] { bar.held = end - begin }
            }
            return bar
        }
    }

    /// How many bars were measured.
    package var count: Int { bars.count { $0.excess != nil } }

    /// The median of how late taps were, and their robust standard deviation about it, in ns; nil without taps.
    package var lateness: (median: Double, spread: Double)? {
        let late = bars.compactMap(\.late).map(Double.init)
        guard !late.isEmpty else { return nil }
        let median = late.median
        return (median, 1.4826 * late.map { abs($0 - median) }.median)
    }
}

extension TimingRow {
    /// Whether the music did not come from the bar before: it jumped, or had been paused.
    fileprivate var beginsAnew: Bool { !flags.isDisjoint(with: [.jump, .resumed]) }

    /// Whether the music waited for the player in the bar before.
    fileprivate var isAfterHold: Bool { flags.contains(.held) }
}

/// Which boundary each tap begins: the cheapest way to match them in order, by dynamic programming.
private struct TapMatch {
    /// For each tap its boundary; nil if it begins none.
    private(set) var boundaries: [Int?]

    /// A player is off by so much, in s and as a share of the duration.
    private static let (offset, share) = (0.08, 0.12)
    /// The costs of a bar without a tap, of several such bars in a row, and of a tap that begins no bar; and the most that
    /// one interval costs. A rest costs the same however long it is, and less than a tap: a single tap after it begins
    /// its bar. It costs more than one bar, so that the taps of a player who is much slower are not those of fewer bars.
    private static let (missing, rest, spare, most) = (3.0, 5.0, 5.5, 9.0)
    /// How far from its boundary the first tap after a start is, in s; and what a second of distance costs later, where more
    /// costs no more: without clicks, a player may drift away.
    private static let (firstOff, perSecond) = (0.4, 0.1)
    /// How many more bars may be without a tap than begin between two taps; how many taps without a bar may follow each
    /// other; and how many boundaries are tried for a tap on either side of the nearest.
    private static let (reach, doubles, width) = (8, 3, 60)

    private struct Step {
        var cost = Double.infinity
        var before: (tap: Int, boundary: Int)?
    }

    init(_ taps: [Int64], _ rows: [TimingRow]) {
        let nominal = rows.map { Double($0.nominalNanoseconds) / 1e9 }
        let times = taps.map { Double($0) / 1e9 }
        // The number of the stretch that the music plays without a jump, a pause or a wait.
        var parts: [Int] = []
        for row in rows { parts.append((parts.last ?? 0) + (row.beginsAnew || row.isAfterHold ? 1 : 0)) }
        var low = 0
        // For each tap the boundary before it, the first one that is tried, and what each of these costs.
        var steps: [(low: Int, first: Int, steps: [Step])] = []
        for (i, time) in times.enumerated() {
            while low + 1 < nominal.count, nominal[low + 1] < time { low += 1 }
            let tried = max(low - TapMatch.width, 0)...min(low + 1 + TapMatch.width, nominal.count - 1)
            steps.append(
                (
                    low, tried.lowerBound,
                    tried.map { j in
                        let distance = abs(time - nominal[j])
                        let near = distance / TapMatch.firstOff
                        // The player begins here, and the taps before were none.
                        var best = Step(cost: Double(i) * TapMatch.spare + min(near * near / 2, 4 * TapMatch.most))
                        for k in stride(from: i - 1, through: max(i - 1 - TapMatch.doubles, 0), by: -1) {
                            let (lowBefore, first, before) = steps[k]
                            let spare = Double(i - 1 - k) * TapMatch.spare
                            let reach = TapMatch.reach + low - lowBefore
                            let last = min(j, first + before.count) - 1
                            for m in stride(from: last, through: max(j - 1 - reach, first), by: -1) {
                                var cost = before[m - first].cost + spare + min(distance, 1) * TapMatch.perSecond
                                if m < j - 2 {
                                    cost += TapMatch.rest
                                } else if m == j - 2, !rows[j].isAfterHold {
                                    // A bar that only waits for the player has no tap.
                                    cost += TapMatch.missing
                                }
                                if parts[m] == parts[j] {
                                    let written = nominal[j] - nominal[m]
                                    let off = (time - times[k] - written) / (TapMatch.offset + TapMatch.share * written)
                                    cost += min(off * off / 2, TapMatch.most)
                                } else {
                                    cost += min(near * near / 2, TapMatch.most)
                                }
                                if cost < best.cost { best = Step(cost: cost, before: (k, m)) }
                            }
                        }
                        return best
                    }
                ))
        }
        boundaries = Array(repeating: nil, count: taps.count)
        var end: (cost: Double, tap: Int, boundary: Int)?
        for (i, row) in steps.enumerated() {
            for (offset, step) in row.steps.enumerated() {
                let cost = step.cost + Double(times.count - 1 - i) * TapMatch.spare
                if cost < end?.cost ?? .infinity { end = (cost, i, row.first + offset) }
            }
        }
        var at = end.map { (tap: $0.tap, boundary: $0.boundary) }
        while let here = at {
            boundaries[here.tap] = here.boundary
            at = steps[here.tap].steps[here.boundary - steps[here.tap].first].before
        }
    }
}
