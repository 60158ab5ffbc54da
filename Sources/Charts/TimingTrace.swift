package import Timing

/// A timing log prepared for drawing. More than 4096 different times are merged into bins that keep their extremes, so
/// that no outlier is lost.
package struct TimingTrace: Sendable {
    /// Boundaries that are drawn as one.
    package struct Bin: Sendable, Equatable {
        /// The earliest and the latest nominal time, in ns.
        package var earliest: Int64
        package var latest: Int64
        /// The number that were heard, and the least and the greatest of their errors in µs.
        package var heard = 0
        package var least = Double.infinity
        package var greatest = -Double.infinity
        /// The largest uncertainty in µs.
        package var uncertainty = 0.0
        /// The numbers that were lost and late, and the greatest error of a late one in µs.
        package var lost = 0
        package var late = 0
        package var greatestLate = -Double.infinity

        /// The time at which it is drawn, in s.
        package var time: Double { (Double(earliest) + Double(latest)) / 2e9 }

        package init(_ row: TimingRow) {
            (earliest, latest) = (row.nominalNanoseconds, row.nominalNanoseconds)
            uncertainty = row.uncertaintyMicroseconds
            let isLate = row.flags.contains(.late)
            if isLate { late = 1 }
            if let error = row.errorMicroseconds {
                (heard, least, greatest) = (1, error, error)
                if isLate { greatestLate = error }
            } else {
                lost = 1
            }
        }

        package mutating func merge(_ other: Bin) {
            earliest = min(earliest, other.earliest)
            latest = max(latest, other.latest)
            heard += other.heard
            least = min(least, other.least)
            greatest = max(greatest, other.greatest)
            uncertainty = max(uncertainty, other.uncertainty)
            lost += other.lost
            late += other.late
            greatestLate = max(greatestLate, other.greatestLate)
        }
    }

    /// The bins in order of time.
    package private(set) var bins: [Bin]
    package private(set) var summary: TimingSummary

    package static let limit = 4096

    /// The trace of rows, which may be in any order: of boundaries, or of the clicks of a recording.
    package init(_ rows: some Sequence<TimingRow>, of counted: TimingSummary.Counted = .bars) {
        (bins, summary) = ([], TimingSummary(of: counted))
        for row in rows {
            summary.add(row)
            bins.append(Bin(row))
        }
        bins.sort { $0.earliest < $1.earliest }
        // Times that differ only in their lowest `bits` bits share a bin; `bits` grows until there are no more bins
        // than the limit.
        var bits = 0
        repeat {
            bins = merged { [bits] in $0.earliest >> bits }
            bits += 1
        } while bins.count > TimingTrace.limit
    }

    /// The bins, with consecutive bins of the same key merged into one.
    func merged<Key: Equatable>(by key: (Bin) -> Key) -> [Bin] {
        var (result, last): ([Bin], Key?) = ([], nil)
        for bin in bins {
            let next = key(bin)
            if next == last {
                result[result.count - 1].merge(bin)
            } else {
                result.append(bin)
                last = next
            }
        }
        return result
    }
}
