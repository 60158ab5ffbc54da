internal import Scores

/// A bar that goes wrong in the same way again and again. A pure function of the practice log.
package struct WeakBar: Sendable, Equatable {
    /// In which way: a bar that is held too long makes the next one late.
    package enum Kind: String, Sendable, CaseIterable {
        case late, early, sharp, flat
    }

    package var piece: String
    package var place: BarPlace
    package var kind: Kind
    /// In how many of the last sessions that measured it.
    package var times: Int
    package var sessions: Int
    /// The median of these sessions: per cent of its length, or cents.
    package var median: Double

    /// The newest sessions that count, how many there must be, and from which per cents and cents on a bar is off.
    package static let (newest, fewest) = (8, 3)
    package static let (leastPercent, leastCents) = (5.0, 10.0)

    /// The bars that are off in the same way in at least three of the last eight sessions that measured them, and in at
    /// least three quarters of these; those that are off the most come first, by how many times the least.
    package static func all(in summary: PracticeSummary) -> [WeakBar] {
        let weak =
            weak(summary, \.lengths, leastPercent, (.late, .early))
            + weak(summary, \.cents, leastCents, (.sharp, .flat))
        return weak.sorted {
            ($1.weight, $0.piece, $0.place, $0.kind.rawValue) < ($0.weight, $1.piece, $1.place, $1.kind.rawValue)
        }
    }

    /// How many times the least it is off.
    private var weight: Double {
        abs(median) / (kind == .late || kind == .early ? WeakBar.leastPercent : WeakBar.leastCents)
    }

    /// Whether figures are off in the same way again and again, in how many of the newest, and their median; nil if not.
    static func tendency(_ values: some Collection<Double>, _ least: Double) -> (
        more: Bool, times: Int, median: Double
    )? {
        let (more, less) = (values.count { $0 >= least }, values.count { $0 <= -least })
        let times = max(more, less)
        guard times >= fewest, 4 * times >= 3 * values.count else { return nil }
        return (more > less, times, Array(values).median)
    }

    private static func weak(
        _ summary: PracticeSummary, _ figures: KeyPath<PracticeLog.Entry, [BarFigure]>, _ least: Double,
        _ kinds: (more: Kind, less: Kind)
    ) -> [WeakBar] {
        struct Measured: Hashable {
            var piece: String
            var place: BarPlace
        }
        var found: [Measured: [Double]] = [:]
        for entry in summary.entries {
            for figure in entry[keyPath: figures] {
                let place = BarPlace(line: figure.line, bar: figure.bar)
                found[Measured(piece: entry.piece, place: place), default: []].append(figure.value)
            }
        }
        return found.compactMap { bar, values in
            let last = values.suffix(newest)
            return tendency(last, least).map { found in
                WeakBar(
                    piece: bar.piece, place: bar.place, kind: found.more ? kinds.more : kinds.less, times: found.times,
                    sessions: last.count, median: found.median)
            }
        }
    }
}
