internal import Scores

extension PlanEditor {
    /// The lines to show in `rows` rows of a terminal.
    package func lines(rows: Int) -> [String] {
        var lines = [(plan.title.isEmpty ? "Plan" : plan.title) + (isChanged ? " *" : ""), totals, ""]
        let table = partLines
        let room = max(rows - lines.count - 5, 3)
        let first = max(0, min(row - room / 2, table.count - room))
        lines += table[first..<min(first + room, table.count)]
        if table.isEmpty {
            lines.append("  empty: a adds an interval, such as run 0:30 @ 10:00/mi, or 4x(run 0:30, walk 0:30)")
        }
        lines.append(lengthLine)
        if let entry {
            lines.append("\(entry.purpose.rawValue): \(entry.text)▏")
            lines.append(message)
            lines.append("Enter accept  Esc cancel" + hint(entry.purpose))
        } else {
            lines.append(message)
            lines.append("a add  Enter change  d duplicate  x delete  Shift ↑↓ move  n times  c clear  z undo  y redo")
            lines.append("t total  l lock  p pace  f how long  u v units  s save  q quit")
        }
        return lines
    }

    private func hint(_ purpose: Entry.Purpose) -> String {
        switch purpose {
        case .add, .edit: "   run 0:30 @ 10:00/mi, walk 400m, 4x(run 0:30, walk 0:30)"
        case .count: "   how many times"
        case .total: "   2:16:50, 10mi, 10:00/mi, or two: 5mi in 50:00"
        case .pace: "   9:00/mi for running, or walk: 16:00/mi"
        case .length: "   2:00:00, 10mi, once or forever"
        }
    }

    private var totals: String {
        let total = total
        let texts: [(Run.Quantity, String)] = [
            (.distance, total.distance?.text(in: distanceUnit) ?? "–"), (.time, total.time?.runText() ?? "–"),
            (.pace, total.pace?.text(in: paceUnit) ?? "–"),
        ]
        return texts.map { "\($0 == result ? "= " : "  ")\($0.rawValue) \($1)" }.joined(separator: "   ")
    }

    private var lengthLine: String {
        let paces = Interval.Kind.allCases.compactMap { kind in
            plan.paces[kind].map { "\(kind.rawValue) \($0.text(in: paceUnit))" }
        }
        let length: String? =
            switch plan.length {
            case .once: nil
            case .time(let time): "repeated for \(time.runText())"
            case .distance(let distance): "repeated for \(distance.text(in: distanceUnit))"
            case .forever: "repeated until stopped"
            }
        let remarks = plan.remarks.map(\.text)
        return "  " + ((length.map { [$0] } ?? []) + paces + remarks).joined(separator: "   ")
    }

    /// A line for each part, with running totals of one round.
    private var partLines: [String] {
        var sum = Extent(time: .zero, distance: .zero)
        var lines: [String] = []
        // A group is added to the totals at its end; the parts in it show the totals of the first round.
        func add(_ parts: [Plan.Part], _ depth: Int) {
            for part in parts {
                switch part {
                case .interval(let interval):
                    let extent = plan.extent(interval)
                    sum = sum + extent
                    let texts = [
                        interval.isOpen ? "until lap" : extent.time?.runText() ?? "–",
                        extent.distance?.text(in: distanceUnit) ?? "–",
                        extent.pace?.text(in: paceUnit) ?? "–",
                    ]
                    let name = String(repeating: "  ", count: depth) + interval.name
                    let fields = texts.map { ($0 + " ").padding(to: 12) }.joined()
                    let totals = [sum.time?.runText() ?? "–", sum.distance?.text(in: distanceUnit) ?? "–"]
                    lines.append(
                        (name + " ").padding(to: 24) + fields + "│ "
                            + totals.map { ($0 + " ").padding(to: 12) }.joined())
                case .group(let count, let inner):
                    lines.append(String(repeating: "  ", count: depth) + "\(count) times")
                    let before = sum
                    add(inner, depth + 1)
                    sum = before + plan.extent(inner).times(count)
                }
            }
        }
        add(plan.parts, 0)
        return lines.enumerated().map { index, line in
            var text = (index == row ? "> " : "  ") + line
            while text.hasSuffix(" ") { text.removeLast() }
            return text
        }
    }
}
