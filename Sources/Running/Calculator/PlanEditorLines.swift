internal import Languages
internal import Scores

extension PlanEditor {
    /// The lines to show in `rows` rows of a terminal with so many columns. No line is wider. At least three parts are
    /// shown: where there is no room, the texts to speak, then the keys and then the totals are left out.
    package func lines(rows: Int, columns: Int = .max) -> [String] {
        let title = (plan.title.isEmpty ? localized("Plan") : plan.title) + (isChanged ? " *" : "")
        let (typed, keys) = footLines(columns)
        let empty = localized("  empty: a adds an interval, such as run 0:30 @ 10:00/mi, or 4x(run 0:30, walk 0:30)")
        let table = paths.isEmpty ? empty.lines(ofColumns: columns) : partLines(columns)
        // In the order in which they are cut.
        var around = [
            lengthLine.lines(ofColumns: columns), keys,
            [title.cutAtWord(toColumns: columns)] + totals.lines(ofColumns: columns) + [""], typed,
        ]
        var room: Int { rows - 1 - around.joined().count }
        for (index, parts) in [3, 3, 3, 1].enumerated() {
            let excess = min(max(min(table.count, parts) - room, 0), around[index].count)
            around[index].removeLast(excess)
            if index == 0, excess > 0, let last = around[0].popLast() {
                around[0].append((last + " …").cutAtWord(toColumns: columns))
            }
        }
        let shown = min(max(room, 1), table.count)
        let first = max(0, min(row - shown / 2, table.count - shown))
        return around[2] + table[first..<first + shown] + around[0] + around[3] + around[1]
    }

    /// The line that is typed with the message, and the keys.
    private func footLines(_ columns: Int) -> (typed: [String], keys: [String]) {
        // A line is kept free for a message.
        let free = self.message.isEmpty ? [""] : []
        let message = message.isEmpty ? [] : message.lines(ofColumns: columns)
        if let entry {
            // The end of the line, where one types.
            let line = "\(entry.purpose.text): \(entry.text)▏".cutAtStart(toColumns: columns)
            let keys = localized("Enter accept  Esc cancel") + "   " + entry.purpose.hint
            return ([line] + message, free + keys.lines(ofColumns: columns))
        }
        let word = { (act: Act) in "\(act.key) \(act.text)" }
        let first = localized(
            "a add  Enter change  \(word(.duplicate))  \(word(.delete))  Shift ↑↓ move  n times  \(word(.clear))")
        let keys = "\(first)  \(word(.undo))  \(word(.redo))".lines(ofColumns: columns)
        let more = localized("t total  l lock  p pace  f how long  u v units  s save  q quit")
        return (message, free + keys + more.lines(ofColumns: columns))
    }

    private var totals: String {
        totalRows.map { "\($0.isResult ? "= " : "  ")\($0.quantity.word) \($0.value)" }.joined(separator: "   ")
    }

    /// The totals with their units; a dash for an unknown one.
    package var totalRows: [QuantityRow] {
        let (total, isTimeGiven) = totalAsGiven
        let time = total.time.map { time in
            // A total that was typed has its tenths.
            isTimeGiven || result == .time ? time.finishText(isGiven: isTimeGiven) : time.shortText(decimals: 1)
        }
        let texts: [(Run.Quantity, String?)] = [
            (.distance, total.distance?.text(in: distanceUnit)), (.time, time),
            (.pace, total.pace?.text(in: paceUnit)),
        ]
        return texts.map { quantity, text in
            QuantityRow(quantity: quantity, value: text ?? "–", unit: "", others: [], isResult: quantity == result)
        }
    }

    /// How the plan is repeated, the paces of its kinds, and its texts to speak.
    package var lengthLine: String {
        let paces = Interval.Kind.allCases.compactMap { kind in
            plan.paces[kind].map { "\(kind.word) \($0.text(in: paceUnit))" }
        }
        let length: String? =
            switch plan.length {
            case .once: nil
            case .time(let time): localized("repeated for \(time.finishText(isGiven: true))")
            case .distance(let distance): localized("repeated for \(distance.text(in: distanceUnit))")
            case .forever: localized("repeated until stopped")
            }
        let threshold = plan.threshold.map { localized("threshold \($0.text(in: paceUnit))") }
        let remarks = plan.remarks.map(\.text)
        return "  " + ([length, threshold].compactMap(\.self) + paces + remarks).joined(separator: "   ")
    }

    /// A line for each part, with running totals of one round. If it is too wide, the names are cut first, and then the
    /// totals are left out.
    private func partLines(_ columns: Int) -> [String] {
        let rows = partRows
        let names = rows.map { String(repeating: "  ", count: $0.depth) + $0.name }
        let texts = rows.compactMap(\.texts)
        func widths(_ cells: [[String]]) -> [Int] {
            cells.first.map { $0.indices.map { n in (cells.map { $0[n].columns }.max() ?? 0) + 2 } } ?? []
        }
        let measures = widths(texts.map(\.measures)).map { max($0, 10) }
        var totals = widths(texts.map(\.totals)).map { max($0, 10) }
        let others = { measures.reduce(4, +) + (totals.isEmpty ? 0 : 2 + totals.reduce(0, +)) }
        while !totals.isEmpty, others() + 10 > columns { totals.removeLast() }
        let width = min(max(names.map(\.columns).max() ?? 0, 20) + 2, max(columns - others(), 8))
        return rows.indices.map { index in
            let mark = index == row ? "> " : "  "
            guard let texts = rows[index].texts else { return mark + names[index].cutAtWord(toColumns: columns - 2) }
            let name = names[index].cutAtWord(toColumns: width - 2).padding(to: width)
            let cells = zip(texts.measures, measures).map { $0.padding(to: $1) }.joined()
            let sums = zip(texts.totals, totals).map { $0.padding(to: $1) }.joined()
            return (mark + name + cells + (sums.isEmpty ? "" : "│ " + sums)).trimmedEnd
        }
    }
}
