internal import Languages
internal import Scores

/// A summary of a timing log, computed in one pass in constant memory.
///
/// Errors are heard minus nominal time, in µs, of rows that were heard. A value is nil if the rows do not tell it.
package struct TimingSummary: Sendable, Equatable {
    /// What the rows are: boundaries, or the clicks of a recording.
    package enum Counted: Sendable { case bars, clicks }
    private let counted: Counted
    /// The number of boundaries: all rows.
    package private(set) var bars = 0
    /// The number of boundaries that came in time and made no sound.
    package private(set) var muted = 0
    /// The number of boundaries that came in time.
    private var placed = 0
    /// The number of boundaries that were heard.
    package var heard: Int { placed - muted }
    /// The number of boundaries that were lost.
    package var lost: Int { bars - placed }
    /// The number of rows with the flag `late`.
    package private(set) var late = 0
    /// The number of times the card ran dry: the rows with the flag `xrun`, unless another count is set.
    package var xruns = 0
    private var isInXrun = false
    /// The span from the earliest nominal time to the latest, in s; 0 without rows.
    package var span: Double { earliest.map { Double(latest - $0) / 1e9 } ?? 0 }

    private var earliest: Int64?
    private var latest: Int64 = 0
    /// The exact sum of all errors in ns.
    private var sum = Int128(0)
    private var (least, greatest) = (Int64.max, Int64.min)
    private var rateSum = 0.0
    /// The nominal time of the first row that was heard, in ns; the times below are in s after it.
    private var origin: Int64 = 0
    /// Welford's running means of time (s) and error (µs), and the centered sums of squares and products.
    private var (meanTime, meanError) = (0.0, 0.0)
    private var (squaredTime, squaredError, product) = (0.0, 0.0, 0.0)

    package init(of counted: Counted = .bars) { self.counted = counted }

    package init(_ rows: some Sequence<TimingRow>, of counted: Counted = .bars) {
        self.init(of: counted)
        for row in rows { add(row) }
    }

    package mutating func add(_ row: TimingRow) {
        let nominal = row.nominalNanoseconds
        bars += 1
        if row.flags.contains(.late) { late += 1 }
        // An xrun can take several bars.
        if row.flags.contains(.xrun), !isInXrun { xruns += 1 }
        isInXrun = row.flags.contains(.xrun)
        rateSum += row.ratePPM
        latest = earliest == nil ? nominal : max(latest, nominal)
        earliest = min(earliest ?? nominal, nominal)
        guard let error = row.errorNanoseconds else { return }
        if placed == 0 { origin = nominal }
        placed += 1
        if row.flags.contains(.muted) { muted += 1 }
        sum += Int128(error)
        least = min(least, error)
        greatest = max(greatest, error)
        let dt = Double(nominal - origin) / 1e9 - meanTime
        let de = Double(error) / 1000 - meanError
        meanTime += dt / Double(placed)
        meanError += de / Double(placed)
        // One factor before the mean is updated, one after: Welford's update, and its extension to two variables.
        let after = Double(error) / 1000 - meanError
        squaredError += de * after
        product += dt * after
        squaredTime += dt * (Double(nominal - origin) / 1e9 - meanTime)
    }

    /// The mean error in µs.
    package var mean: Double? { placed > 0 ? Double(sum) / Double(placed) / 1000 : nil }

    /// The root of the mean squared deviation of errors from their mean, in µs.
    package var rms: Double? { placed > 0 ? (max(squaredError, 0) / Double(placed)).squareRoot() : nil }

    /// The largest deviation of an error from the mean error, in µs.
    package var maximum: Double? { mean.map { max(Double(greatest) / 1000 - $0, $0 - Double(least) / 1000, 0) } }

    /// The slope of the errors over nominal time by least squares, in µs per second: what remains of the card's
    /// deviation. Nil unless two boundaries at different times were heard.
    package var slope: Double? { squaredTime > 0 ? product / squaredTime : nil }

    /// The error of that line at time zero, in µs; the mean if there is no line.
    package var offset: Double? { mean.map { $0 - (slope ?? 0) * (meanTime + Double(origin) / 1e9) } }

    /// The mean of the card's deviation over all rows, in ppm: positive is fast. A recording knows nothing of the card.
    package var ppm: Double? { bars > 0 && counted == .bars ? rateSum / Double(bars) : nil }

    // MARK: - Text

    /// A few aligned lines for people, each with its line end.
    package var text: String {
        var lines = [
            counted == .clicks
                ? localized("clicks \(bars), heard \(heard), lost \(lost), late \(late)")
                : muted > 0
                    ? localized("bars   \(bars), heard \(heard), muted \(muted), lost \(lost), late \(late)")
                    : localized("bars   \(bars), heard \(heard), lost \(lost), late \(late)")
        ]
        if let mean, let rms, let maximum {
            lines.append(
                localized(
                    "error  mean \(mean.fixed(3, signed: true)) µs, rms \(rms.fixed(3)) µs and "
                        + "maximum \(maximum.fixed(3)) µs about it"))
        }
        if let slope, let offset {
            lines.append(
                localized(
                    "trend  \(slope.fixed(6, signed: true)) µs per second, from \(offset.fixed(3, signed: true)) µs at time zero"
                ))
        }
        if let ppm = ppm?.fixed(3, signed: true) {
            lines.append(
                xruns == 1 ? localized("card   \(ppm) ppm, 1 xrun") : localized("card   \(ppm) ppm, \(xruns) xruns"))
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// A JSON object on one line without a line end; µs, µs per second and ppm, null for an unknown value.
    package var json: String {
        func number(_ value: Double?, _ decimals: Int) -> JSON { value.map { .number($0.fixed(decimals)) } ?? .null }
        return JSON.object([
            "\(counted)": .number(bars), "heard": .number(heard), "muted": .number(muted), "lost": .number(lost),
            "late": .number(late),
            "xruns": counted == .bars ? .number(xruns) : .null, "mean_us": number(mean, 3), "rms_us": number(rms, 3),
            "max_us": number(maximum, 3), "offset_us": number(offset, 3), "slope_us_per_s": number(slope, 6),
            "ppm": number(ppm, 3),
        ]).line
    }
}
