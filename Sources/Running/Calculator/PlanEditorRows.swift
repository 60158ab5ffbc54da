internal import Languages
internal import Scores

extension PlanEditor {
    /// A part of the plan in the table.
    package struct PartRow: Sendable, Equatable {
        /// How many groups it is in.
        package var depth: Int
        /// The name of an interval; `4 times` for a group.
        package var name: String
        /// The repeats of a group; nil for an interval.
        package var count: Int?
        /// The measures of an interval; nil for a group.
        package var texts: Texts?

        /// The measures of an interval as texts; a dash for an unknown one.
        package struct Texts: Sendable, Equatable {
            /// Its time, distance and pace.
            package var measures: [String]
            /// Time and distance up to its end, in one round.
            package var totals: [String]
        }
    }

    /// A row for each of `paths`, with running totals of one round.
    package var partRows: [PartRow] {
        var sum = Extent(time: .zero, distance: .zero)
        var isTimeGiven = true
        var rows: [PartRow] = []
        // A group is added to the totals at its end; the parts in it show the totals of the first round.
        func add(_ parts: [Plan.Part], _ depth: Int) {
            for part in parts {
                switch part {
                case .interval(let interval):
                    let extent = plan.extent(interval)
                    sum = sum + extent
                    isTimeGiven = isTimeGiven && interval.measure.isTimeGiven
                    let time = extent.time.map { $0.shortText(decimals: $0 < .seconds(60) ? 2 : 1) }
                    let measures = [
                        interval.isOpen ? localized("until lap") : time ?? "–",
                        extent.distance?.text(in: distanceUnit) ?? "–",
                        (interval.known(at: nil).pace ?? (interval.demands.isEmpty ? extent.pace : nil))?
                            .text(in: paceUnit) ?? interval.demands.shown() ?? "–",
                    ]
                    let totals = [
                        sum.time?.finishText(isGiven: isTimeGiven) ?? "–", sum.distance?.text(in: distanceUnit) ?? "–",
                    ]
                    rows.append(
                        PartRow(
                            depth: depth, name: interval.localizedName,
                            texts: PartRow.Texts(measures: measures, totals: totals)))
                case .group(let count, let inner):
                    rows.append(PartRow(depth: depth, name: localized("\(count) times"), count: count))
                    let before = sum
                    add(inner, depth + 1)
                    sum = before + plan.extent(inner).times(count)
                }
            }
        }
        add(plan.parts, 0)
        return rows
    }
}

extension PlanEditor.Entry.Purpose {
    package var text: String { words.text }

    /// Examples of what can be typed.
    package var hint: String { words.hint }

    private var words: (text: String, hint: String) {
        let parts = localized("run 0:30 @ 10:00/mi, walk 400m, 4x(run 0:30, walk 0:30)")
        return switch self {
        case .add: (localized("add"), parts)
        case .edit: (localized("change"), parts)
        case .count: (localized("times"), localized("how many times"))
        case .total: (localized("total"), localized("2:16:50, 10mi, 10:00/mi, or two: 5mi in 50:00"))
        case .pace: (localized("pace of"), localized("9:00/mi for running, or walk: 16:00/mi"))
        case .length: (localized("length"), localized("2:00:00, 10mi, once or forever"))
        }
    }
}
