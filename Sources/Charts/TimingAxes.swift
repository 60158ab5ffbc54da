internal import Timing

/// The axes of a plot of a timing log: their ranges and ticks.
package struct TimingAxes {
    /// A labeled position on an axis.
    package struct Tick: Equatable {
        package var value: Double
        package var text: String
    }

    /// The ranges that are shown: nominal time in s and error in µs. Neither is empty.
    package private(set) var time: ClosedRange<Double>
    package private(set) var error: ClosedRange<Double>
    /// The least and the greatest error in µs; outside `error` if there are outliers. nil if nothing was heard.
    package private(set) var extremes: ClosedRange<Double>?

    /// The axes of a trace. The time axis shows all of it. The error axis includes zero, unless zero is far away, and
    /// leaves out outliers if they would make it more than six times as long.
    package init(_ trace: TimingTrace) {
        let start = Double(trace.bins.first?.earliest ?? 0) / 1e9
        time = Self.widened(start...start + trace.summary.span, to: max(1, start.magnitude * 1e-9))
        let heard = trace.bins.filter { $0.heard > 0 }
        guard let least = heard.map(\.least).min(), let greatest = heard.map(\.greatest).max() else {
            error = -1...1
            return
        }
        extremes = least...greatest
        let most = Self.most(heard.map(\.least) + heard.map(\.greatest))
        let spread = max(most.upperBound - most.lowerBound, 1)
        var (low, high) = (least, greatest)
        if high - low > 6 * spread {
            (low, high) = (max(low, most.lowerBound - spread), min(high, most.upperBound + spread))
        }
        let band = Self.most(heard.map(\.uncertainty)).lowerBound
        if band <= 2 * spread, low <= band, high >= -band { (low, high) = (min(low, -band), max(high, band)) }
        if max(low, -high) <= 3 * (high - low) { (low, high) = (min(low, 0), max(high, 0)) }
        let shown = Self.widened(low...high, to: max(2, max(low.magnitude, high.magnitude) * 1e-9))
        let margin = (shown.upperBound - shown.lowerBound) * 0.06
        error = shown.lowerBound - margin...shown.upperBound + margin
    }

    /// The position of a value in a range, 0 ... 1; below 0 or above 1 if the value is outside.
    package static func share(_ value: Double, of range: ClosedRange<Double>) -> Double {
        (value - range.lowerBound) / (range.upperBound - range.lowerBound)
    }

    /// About `count` ticks of the error axis at round steps, in µs.
    package func errorTicks(_ count: Int) -> [Tick] {
        let step = Self.decimalStep((error.upperBound - error.lowerBound) / Double(count))
        return Self.multiples(of: step, in: error).map { Tick(value: $0, text: $0.fixed(Self.decimals(of: step))) }
    }

    /// About `count` ticks of the time axis at round steps, written as clock times.
    package func timeTicks(_ count: Int) -> [Tick] {
        let least = (time.upperBound - time.lowerBound) / Double(count)
        let clock: [Double] = [
            1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
        ]
        let step =
            least <= 0.5
            ? Self.decimalStep(least) : clock.first { $0 >= least } ?? Self.decimalStep(least / 3600) * 3600
        return Self.multiples(of: step, in: time).map { seconds in
            let milliseconds = Int64((seconds.magnitude * 1000).rounded())
            let text = Duration.milliseconds(milliseconds).clock(decimals: Self.decimals(of: step))
            return Tick(value: seconds, text: milliseconds > 0 && seconds < 0 ? "-\(text)" : text)
        }
    }

    /// The format of the times: `min:s`, or `h:min:s` from an hour on.
    package var timeFormat: String {
        max(time.lowerBound.magnitude, time.upperBound.magnitude) < 3600 ? "min:s" : "h:min:s"
    }

    // MARK: -

    /// The range of the values without the lowest and the highest fiftieth.
    private static func most(_ values: [Double]) -> ClosedRange<Double> {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return 0...0 }
        let cut = sorted.count / 50
        return sorted[cut]...sorted[sorted.count - 1 - cut]
    }

    /// The range, widened about its middle if it is narrower than `width`.
    private static func widened(_ range: ClosedRange<Double>, to width: Double) -> ClosedRange<Double> {
        let missing = width - (range.upperBound - range.lowerBound)
        return missing > 0 ? range.lowerBound - missing / 2...range.upperBound + missing / 2 : range
    }

    /// The smallest of ..., 0.5, 1, 2, 5, 10, ... that is at least `least`, which is above 0.
    private static func decimalStep(_ least: Double) -> Double {
        var unit = 1.0
        while unit > least, unit > 1e-9 { unit /= 10 }
        while unit * 10 <= least { unit *= 10 }
        return [1, 2, 5].map { $0 * unit }.first { $0 >= least * 0.999_999 } ?? 10 * unit
    }

    private static func decimals(of step: Double) -> Int {
        var (decimals, unit) = (0, 1.0)
        while step < unit * 0.999_999, decimals < 9 { (decimals, unit) = (decimals + 1, unit / 10) }
        return decimals
    }

    private static func multiples(of step: Double, in range: ClosedRange<Double>) -> [Double] {
        let first = (range.lowerBound / step).rounded(.up)
        let last = (range.upperBound / step).rounded(.down)
        guard first <= last else { return [] }
        return (0...Int(min(last - first, 100))).map { (first + Double($0)) * step }
    }
}
