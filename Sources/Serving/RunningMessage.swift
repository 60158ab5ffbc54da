internal import Languages
package import Running
internal import Scores
internal import Screens

/// The messages about runs and plans, each a JSON object in a line.
package enum RunningMessage {
    /// The texts of the running page, in the words of the terminal.
    package static func texts(mayControl: Bool) -> String {
        let acts = PlanEditor.Act.allCases.map { ("\($0)", JSON.text($0.text)) }
        let lines = PlanEditor.Entry.Purpose.allCases.map {
            ("\($0)", JSON.object(["says": .text($0.text), "hint": .text($0.hint)]))
        }
        let keys = PaceCalculator.words
        let words =
            [("lock", JSON.text(keys.lock)), ("unit", .text(keys.unit)), ("reset", .text(keys.reset))]
            + PageWords.running.map { ($0.name, .text($0.text)) }
        return JSON.line([
            ("running", .text(mayControl ? "control" : "watch")), ("words", .fields(words)), ("acts", .fields(acts)),
            ("lines", .fields(lines)),
        ])
    }

    /// The rows of a calculator, what is to be said after the last change, and how to begin there again.
    package static func pace(_ calculator: PaceCalculator) -> String {
        JSON.object([
            "pace": .object([
                "message": .text(calculator.message), "restore": .text(KnownRun(calculator).text),
            ]),
            "rows": .list(calculator.rows.map(row)),
        ]).line
    }

    /// What became of a page's change of the plan.
    package static func outcome(_ outcome: PlanDesk.Outcome) -> String {
        JSON.line([
            ("edited", .number(outcome.isDone ? 1 : 0)), ("message", .text(outcome.message)),
            ("file", .text(orNull: outcome.saved)),
        ])
    }

    /// The table of a plan with its totals.
    package static func plan(_ editor: PlanEditor, _ version: Int, isEditable: Bool, isPlaying: Bool) -> String {
        let parts = editor.partRows
        let units: [Run.Quantity: String] = [.distance: editor.distanceUnit.rawValue, .pace: editor.paceUnit.rawValue]
        // The units are on buttons, which change them.
        let totals = editor.totalRows.map { total in
            var total = total
            total.unit = units[total.quantity] ?? ""
            if !total.unit.isEmpty { total.value = total.value.beforeBlank }
            return row(total)
        }
        let rows = parts.prefix(PlanDesk.rowLimit).enumerated().map { index, part in
            let head: [(String, JSON)] = [
                ("depth", .number(part.depth)), ("name", .text(editor.nameText(row: index))),
                ("says", .text(part.name)), ("group", .number(part.count == nil ? 0 : 1)),
            ]
            let texts = (part.texts?.measures ?? []) + (part.texts?.totals ?? [])
            let names = ["time", "distance", "pace", "totalTime", "totalDistance"]
            let fields = zip(names, texts).map { name, text in
                (name, JSON.text(name == "distance" || name == "pace" ? text.beforeBlank : text))
            }
            return JSON.fields(head + fields)
        }
        let isCut = parts.count > PlanDesk.rowLimit
        let cut = localized("the first \(PlanDesk.rowLimit) of \(parts.count) rows are shown here")
        let says = [editor.lengthLine.trimmed, isCut ? cut : ""].filter { !$0.isEmpty }
        return JSON.object([
            "plan": .object([
                "version": .number(version), "title": .text(editor.plan.title),
                "editable": .number(isEditable ? 1 : 0), "playing": .number(isPlaying ? 1 : 0),
                "changed": .number(editor.isChanged ? 1 : 0), "row": .number(editor.row),
                "says": .text(says.joined(separator: "; ")),
            ]),
            "totals": .list(totals), "parts": .list(rows),
        ]).line
    }

    private static func row(_ row: QuantityRow) -> JSON {
        .object([
            "row": .text(row.quantity.rawValue), "value": .text(row.value), "unit": .text(row.unit),
            "others": .text(row.others.joined(separator: ", ")), "result": .number(row.isResult ? 1 : 0),
        ])
    }
}

extension String {
    /// The number of a text with a unit.
    fileprivate var beforeBlank: String { split(separator: " ").first.map(String.init) ?? "" }

    fileprivate var trimmed: String { String(drop { $0 == " " }).trimmedEnd }
}
