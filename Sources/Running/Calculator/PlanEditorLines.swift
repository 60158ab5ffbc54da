internal import Languages
internal import Scores

extension PlanEditor {
    /// The lines to show in `rows` rows of a terminal.
    package func lines(rows: Int) -> [String] {
        var lines = [(plan.title.isEmpty ? localized("Plan") : plan.title) + (isChanged ? " *" : ""), totals, ""]
        let table = partLines
        let room = max(rows - lines.count - 5, 3)
        let first = max(0, min(row - room / 2, table.count - room))
        lines += table[first..<min(first + room, table.count)]
        if table.isEmpty {
            lines.append(
                localized("  empty: a adds an interval, such as run 0:30 @ 10:00/mi, or 4x(run 0:30, walk 0:30)"))
        }
        lines.append(lengthLine)
        if let entry {
            lines.append("\(entry.purpose.text): \(entry.text)▏")
            lines.append(message)
            lines.append(localized("Enter accept  Esc cancel") + "   " + entry.purpose.hint)
        } else {
            lines.append(message)
            let word = { (act: Act) in "\(act.key) \(act.text)" }
            let first = localized(
                "a add  Enter change  \(word(.duplicate))  \(word(.delete))  Shift ↑↓ move  n times  \(word(.clear))")
            lines.append("\(first)  \(word(.undo))  \(word(.redo))")
            lines.append(localized("t total  l lock  p pace  f how long  u v units  s save  q quit"))
        }
        return lines
    }

    private var totals: String {
        totalRows.map { "\($0.isResult ? "= " : "  ")\($0.quantity.word) \($0.value)" }.joined(separator: "   ")
    }

    /// The totals with their units; a dash for an unknown one.
    package var totalRows: [QuantityRow] {
        let total = total
        let texts: [(Run.Quantity, String?)] = [
            (.distance, total.distance?.text(in: distanceUnit)), (.time, total.time?.runText()),
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
            case .time(let time): localized("repeated for \(time.runText())")
            case .distance(let distance): localized("repeated for \(distance.text(in: distanceUnit))")
            case .forever: localized("repeated until stopped")
            }
        let remarks = plan.remarks.map(\.text)
        return "  " + ((length.map { [$0] } ?? []) + paces + remarks).joined(separator: "   ")
    }

    /// A line for each part, with running totals of one round.
    private var partLines: [String] {
        partRows.enumerated().map { index, part in
            let name = String(repeating: "  ", count: part.depth) + part.name
            var text = (index == row ? "> " : "  ") + name
            if let texts = part.texts {
                text = (text + " ").padding(to: 26) + texts.measures.map { ($0 + " ").padding(to: 12) }.joined() + "│ "
                text += texts.totals.map { ($0 + " ").padding(to: 12) }.joined()
            }
            while text.hasSuffix(" ") { text.removeLast() }
            return text
        }
    }
}
