internal import Formats
internal import Languages
package import Running

/// A plan written in a format.
package struct WorkoutWriting: Sendable {
    /// The bytes of the file.
    package var bytes: [UInt8]
    /// What the format does not carry: one sentence for each kind of loss.
    package var losses: [String]
}

/// Choices for writing a workout.
package struct WorkoutOptions: Sendable {
    /// How much slower or faster than its pace a run may be in a FIT file, as a time per kilometer.
    package var tolerance: Duration
    /// The largest tolerance: 10 min per kilometer.
    package static let toleranceRange = Duration.zero...Duration.seconds(600)

    /// The pace that is power 1 in a Zwift file; nil for the plan's pace of running, or that of the first run.
    package var threshold: Pace?

    /// Makes choices; the tolerance is clamped to its range.
    package init(tolerance: Duration = .seconds(5), threshold: Pace? = nil) {
        self.threshold = threshold
        self.tolerance = min(max(tolerance, Self.toleranceRange.lowerBound), Self.toleranceRange.upperBound)
    }
}

/// What only some formats carry.
enum WorkoutFeature {
    /// The title.
    case title
    /// The threshold pace.
    case threshold
    /// The steps per minute.
    case cadence
    /// Repeated groups.
    case groups
    /// Repeated groups within repeated groups.
    case nestedGroups
}

extension Losses {
    /// Notes a loss in an interval.
    mutating func note(_ message: String, in interval: Interval) { note(message, at: interval.text) }

    /// Notes the features of a plan that a format does not have.
    mutating func note(_ plan: Plan, but carried: Set<WorkoutFeature>) {
        if !carried.contains(.title), !plan.title.isEmpty { note(localized("the title is left out")) }
        // The standard count-in is Barline's own, and not a part of the workout.
        if plan.countIn ?? Plan.standardCountIn != Plan.standardCountIn { note(localized("the count-in is left out")) }
        switch plan.remarks.count {
        case 0: break
        case 1: note(localized("the spoken text is left out"))
        case let count: note(localized("the \(count) spoken texts are left out"))
        }
        if !carried.contains(.threshold), plan.threshold != nil, plan.needsThreshold {
            note(localized("the threshold pace is left out"))
        }
        if !carried.contains(.cadence), plan.cadence != nil { note(localized("the cadence is left out")) }
        let groups = plan.parts.compactMap(\.repeated)
        if !carried.contains(.groups), !groups.isEmpty {
            note(localized("groups are written out"))
        } else if !carried.contains(.nestedGroups), groups.contains(where: { $0.contains { $0.repeated != nil } }) {
            note(localized("groups within groups are written out"))
        }
    }

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

extension Plan.Part {
    /// The parts of a group that is repeated; nil for an interval or a group that is done once.
    fileprivate var repeated: [Plan.Part]? {
        switch self {
        case .interval: return nil
        case .group(let count, let parts):
            if count > 1 { return parts }
            return parts.compactMap(\.repeated).first
        }
    }
}
