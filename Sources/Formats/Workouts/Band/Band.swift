internal import Languages
package import Running
package import Scores

/// What a runner carries on the wrist: the target, the workout, and the time at which to be at each place.
package struct Band: Sendable {
    /// The title; empty for none.
    package var title: String
    /// The time of the whole, in large type; empty if it is unknown.
    package var time: String
    /// The distance and the pace of the whole.
    package var facts: [String]
    /// The workout as it is written, such as `4x(run 0:30, walk 0:30)`; empty for a run without parts.
    package var workout: String
    /// The headings of the two columns.
    package var headings: (mark: String, text: String)
    /// The rows in order.
    package var rows: [Row]
    /// Why the band has fewer rows than the plan; nil if it has all.
    package var note: String?

    /// A row: a distance or a round and its time, or the time of a change and its name.
    package struct Row: Sendable, Equatable {
        /// The text on the left.
        package var mark: String
        /// The text on the right.
        package var text: String
        /// Whether it is the end.
        package var isEnd = false

        package init(mark: String, text: String, isEnd: Bool = false) {
            (self.mark, self.text, self.isEnd) = (mark, text, isEnd)
        }
    }

    /// Makes the band of a run in splits, whose whole is `total` if more comes after them, such as a rest. If they are too many
    /// for type of a readable size and `isFixed` is false, it has every second, fifth, tenth ... of them, and a note.
    ///
    /// Errors: they are too many, and `isFixed` is true.
    package init(
        _ splits: Splits, of total: Extent? = nil, title: String = "", workout: String = "", in unit: DistanceUnit,
        isFixed: Bool
    ) throws(TextError) {
        let decimals = splits.decimals
        let total =
            total
            ?? Extent(
                time: splits.finish, distance: splits.distance,
                pace: splits.finish > .zero ? Pace(splits.distance, in: splits.finish) : nil)
        self.init(
            title: title, workout: workout, time: (total.time ?? splits.finish).shortText(decimals: decimals),
            total: total, in: unit,
            headings: (unit.rawValue, localized("time")))
        func rows(_ text: (Duration) -> String) -> [Row] {
            splits.rows.map { row in
                let isEnd = row.number == splits.rows.count
                let number = row.totalDistance.number(in: unit)
                // The head has the distance of the end; a short word leaves room for larger type.
                return Row(
                    mark: isEnd && number.contains(".") ? localized("fin") : number, text: text(row.totalTime),
                    isEnd: isEnd)
            }
        }
        var all = rows { $0.runText(decimals: decimals) }
        if decimals > 0, splits.finish >= .seconds(120), BandLayout.size(of: all, headings) == nil {
            all = rows(\.wholeSeconds)
        }
        let every = splits.rows.first?.distance ?? .zero
        let step = try fit(all, isFixed: isFixed, hint: localized("give longer splits, as in --every 5km"))
        if step > 1 {
            let length = (every * Double(step)).text(in: unit)
            note = localized("\(all.count) splits do not fit on a band: it has one every \(length)")
        }
    }

    /// Makes the band of a plan: splits if its times and distances are known, and otherwise its changes. `every` is the
    /// length of a split; nil for one unit, or more if these do not fit. `isGoal` tells whether the time of the whole is the goal
    /// from which the paces follow.
    ///
    /// Errors: the plan cannot be laid out or has no end, a time is unknown, or the splits do not fit.
    package init(
        _ plan: Plan, every: Distance?, in unit: DistanceUnit, isGoal: Bool = false
    ) throws(TextError) {
        var table: PlanTable
        do throws(PlanError) {
            table = try PlanTable(plan)
            if isGoal { table.takeTimeAsGiven() }
            if table.isEndless { throw .endless }
            if let row = table.rows.first(where: { $0.extent.time == nil }) {
                throw row.interval.isOpen ? .open(row.written) : .noTime(row.written)
            }
        } catch {
            throw TextError(error, plan)
        }
        let workout = table.rows.count == 1 ? "" : plan.parts.map(\.text).joined(separator: ", ")
        if let splits = try Splits(table, every: every ?? unit.distance) {
            try self.init(
                splits, of: table.total, title: plan.title, workout: workout, in: unit, isFixed: every != nil)
            return
        }
        guard every == nil else {
            throw TextError(
                localized("the distance of an interval is unknown, so the plan has no splits"),
                hint: localized("give it a pace, as in 0:30 @ 5:00/km, or set one for its kind, as in run: 5:00/km"))
        }
        let end = table.total.time?.finishText(isGiven: table.isTimeGiven) ?? ""
        self.init(
            title: plan.title, workout: workout, time: end, total: table.total, in: unit,
            headings: (localized("at"), ""))
        changes(table)
    }

    private init(
        title: String, workout: String, time: String, total: Extent, in unit: DistanceUnit, headings: (String, String)
    ) {
        self.time = time
        (self.title, self.workout, self.headings, rows) = (title, workout, headings, [])
        let distance = total.distance.flatMap { $0 > .zero ? $0.text(in: unit) : nil }
        let pace = total.pace?.text(in: unit.paceUnit)
        facts = [distance, pace].compactMap(\.self)
    }

    /// Sets the rows of a plan without distances: every change, or if these are too many the ends of its rounds.
    private mutating func changes(_ table: PlanTable) {
        func end(_ row: PlanTable.Row, inWholeSeconds isWhole: Bool) -> String {
            let time = row.total.time ?? .zero
            if isWhole, row.isTimeGiven { return time.wholeSeconds }
            return row.isTimeGiven ? time.finishText(isGiven: true) : time.shownText()
        }
        for isWhole in [false, true] {
            let ends = table.rows.map { end($0, inWholeSeconds: isWhole) }
            let all = shortened(
                zip(["0:00"] + ends, table.rows).map { Row(mark: $0, text: $1.interval.name) }
                    + [Row(mark: ends.last ?? "", text: localized("end"), isEnd: true)])
            if BandLayout.size(of: all, headings) != nil {
                rows = all
                return
            }
        }
        let last = table.rows.last?.set ?? 1
        // Few rounds are too far apart to help.
        let hasRounds = last >= 10
        headings = (hasRounds ? localized("round") : localized("part"), localized("ends"))
        let ends =
            hasRounds
            ? table.rows.filter { row in
                row.number == table.rows.count || table.rows[row.number].set != row.set
            } : table.rows
        func roundRows(inWholeSeconds isWhole: Bool) -> [Row] {
            ends.enumerated().map { index, row in
                Row(mark: "\(index + 1)", text: end(row, inWholeSeconds: isWhole), isEnd: index == ends.count - 1)
            }
        }
        let isWhole = BandLayout.size(of: roundRows(inWholeSeconds: false), headings) == nil
        let rounds = roundRows(inWholeSeconds: isWhole)
        let step = (try? fit(rounds, isFixed: false, hint: "")) ?? 1
        let count = table.rows.count
        note =
            switch (hasRounds, step) {
            case (true, 1): localized("\(count) changes do not fit on a band: it has the end of each round")
            case (true, _): localized("\(count) changes do not fit on a band: it has the end of every \(step) rounds")
            case (false, 1): localized("\(count) changes do not fit on a band: it has the end of each part")
            case (false, _): localized("\(count) changes do not fit on a band: it has the end of every \(step) parts")
            }
    }

    /// The rows with names that fit into a line of the smallest type.
    private func shortened(_ rows: [Row]) -> [Row] {
        let widest = rows.map { Helvetica.width($0.mark, size: BandLayout.leastSize) }.max() ?? 0
        return rows.map { row in
            var row = row
            row.text = BandLayout.cut(
                row.text, size: BandLayout.leastSize, isBold: true,
                width: BandLayout.innerWidth - widest - BandLayout.gap(BandLayout.leastSize))
            return row
        }
    }

    /// Sets the rows, or as many of them as fit: every second, fifth, tenth ... and the last. Returns that number.
    private mutating func fit(_ all: [Row], isFixed: Bool, hint: String) throws(TextError) -> Int {
        var step = 1
        while true {
            rows = all.enumerated().filter { ($0.offset + 1) % step == 0 || $0.element.isEnd }.map(\.element)
            if BandLayout.size(of: rows, headings) != nil || rows.count == 1 { return step }
            if isFixed { throw TextError(localized("\(all.count) splits do not fit on a band"), hint: hint) }
            // 1, 2, 5, 10, 20, 50 ...
            step = "\(step)".hasPrefix("2") ? step / 2 * 5 : step * 2
        }
    }
}

extension Duration {
    /// The whole seconds that are over: where there is no room for tenths, no time is told that is too late.
    fileprivate var wholeSeconds: String { Duration.seconds(components.seconds).runText() }
}

extension Distance {
    /// The number of units, with at most two decimals.
    fileprivate func number(in unit: DistanceUnit) -> String {
        text(in: unit, decimals: 2).replacing(" \(unit.rawValue)", with: "")
    }
}
