internal import Languages
package import Running

/// Choices for writing a workout.
package struct WorkoutOptions: Sendable {
    /// How much slower or faster than its pace a run may be in a FIT file, as a time per kilometer.
    package var tolerance: Duration
    /// The largest tolerance: 10 min per kilometer.
    package static let toleranceRange = Duration.zero...Duration.seconds(600)

    /// The pace that is power 1 in a Zwift file; nil for the plan's pace of running, or that of the first run.
    package var threshold: Pace?

    /// Whether messages name options of the command `plan`.
    package var namesOptions = true

    /// Makes choices; the tolerance is clamped to its range.
    package init(tolerance: Duration = .seconds(5), threshold: Pace? = nil) {
        self.threshold = threshold
        self.tolerance = min(max(tolerance, Self.toleranceRange.lowerBound), Self.toleranceRange.upperBound)
    }
}

extension Losses {
    /// Notes a loss in an interval.
    mutating func note(_ message: String, in interval: Interval) { note(message, at: interval.text) }

    /// One sentence for each kind of loss of a plan.
    var planSentences: [String] {
        found.map { message, count, first in
            if first.isEmpty { return message }
            return count == 1
                ? localized("\(message) (in '\(first)')")
                : localized("\(message) (in \(count) intervals, the first is '\(first)')")
        }
    }

    /// What a reader leaves out, such as `left out: the author, targets of power (3 times)`; nil if nothing is left out.
    var leftOut: String? {
        guard !found.isEmpty else { return nil }
        let all = found.map { $0.count > 1 ? localized("\($0.message) (\($0.count) times)") : $0.message }
        return localized("left out: \(all.joined(separator: ", "))")
    }
}
