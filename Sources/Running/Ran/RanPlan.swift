internal import Languages
package import Scores

/// A plan beside what was run of it: which part of an activity each interval is.
package struct RanPlan: Sendable {
    /// The planned intervals in order.
    package private(set) var rows: [Row] = []
    /// What was run besides, in order.
    package private(set) var extras: [Extra] = []
    /// Whether the laps of the watch tell where intervals end; otherwise only the speed does.
    package let hasLaps: Bool

    /// A planned interval and what became of it.
    package struct Row: Sendable {
        package var planned: PlanTable.Row
        /// What was run; nil if the interval is missing.
        package var ran: Piece?
        package var state: State
        /// Whether the pairing is certain.
        package var isSure: Bool
    }

    /// A piece of an activity.
    package struct Piece: Sendable, Equatable {
        /// Its time in seconds from the start of the activity.
        package var seconds: Range<Double>
        /// Its distance; nil if unknown.
        package var meters: Double?

        package var time: Duration { Duration(inSeconds: seconds.upperBound - seconds.lowerBound) }
        package var distance: Distance? { meters.map(Distance.init(meters:)) }

        /// The average pace; nil if it is unknown, or if there was no movement.
        package var pace: Pace? {
            guard let distance, distance.meters > 0, time > .zero else { return nil }
            let pace = Pace(distance, in: time)
            return pace.isValid ? pace : nil
        }
    }

    /// A piece that was not planned.
    package struct Extra: Sendable, Equatable {
        package var ran: Piece
        /// The number of the planned interval before it; 0 at the start.
        package var after: Int
    }

    /// How an interval was run.
    package enum State: String, Sendable, CaseIterable {
        case done, short, long, missing
    }

    /// The most intervals of a plan that can be compared.
    package static let limit = 2000
    /// The least probability of a pair that counts as certain.
    private static let certain = (laps: 0.92, speed: 0.95)
    /// By how much of its length an interval may be off and count as done.
    private static let tolerance = 0.1

    /// Pairs a plan with an activity. Errors: the plan has too many intervals or no end; nothing was recorded.
    package init(_ table: PlanTable, _ activity: Activity) throws(TextError) {
        guard !table.isEndless else { throw PlanError.endless.textError }
        guard table.rows.count <= RanPlan.limit else {
            throw TextError(localized("a plan that is compared with a run has at most \(RanPlan.limit) intervals"))
        }
        let cells = RanCells(activity)
        guard cells.count > 0 else {
            throw TextError(localized("the activity has neither laps nor a track with times"))
        }
        hasLaps = cells.areLaps
        let pairing = RanPairing(table, cells)
        func piece(_ span: Range<Int>) -> Piece {
            Piece(
                seconds: cells.seconds[span.lowerBound]..<cells.seconds[span.upperBound],
                meters: cells.hasDistance ? cells.way(span) : nil)
        }
        let certain = cells.areLaps ? RanPlan.certain.laps : RanPlan.certain.speed
        var cell = 0
        for (index, planned) in table.rows.enumerated() {
            let span = pairing.spans[index]
            if let span, span.lowerBound > cell {
                extras.append(Extra(ran: piece(cell..<span.lowerBound), after: index))
            }
            cell = span?.upperBound ?? cell
            let ran = span.map(piece)
            rows.append(
                Row(
                    planned: planned, ran: ran, state: RanPlan.state(planned, ran),
                    isSure: pairing.certainty[index] >= certain))
        }
        if cell < cells.count { extras.append(Extra(ran: piece(cell..<cells.count), after: table.rows.count)) }
        // A few seconds at the ends of intervals are nobody's.
        if !hasLaps { extras.removeAll { $0.ran.time < .seconds(10) } }
    }

    private static func state(_ planned: PlanTable.Row, _ ran: Piece?) -> State {
        guard let ran else { return .missing }
        let share: Double?
        switch planned.interval.measure {
        case .open: share = nil
        case .time(let time): share = ran.time / time
        case .run(let run) where run.result == .distance: share = ran.time / run.time
        case .distance, .run:
            // Without the distance that was run, the time tells.
            if let distance = ran.distance, let planned = planned.extent.distance {
                share = distance / planned
            } else {
                share = planned.extent.time.map { ran.time / $0 }
            }
        }
        guard let share else { return .done }
        return share < 1 - tolerance ? .short : share > 1 + tolerance ? .long : .done
    }
}
