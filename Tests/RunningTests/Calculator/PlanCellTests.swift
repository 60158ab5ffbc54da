import Running
import Scores
import Testing

/// Values that are typed into the cells of a plan's table, where there is no cursor.
@Suite struct PlanCellTests {
    private func editor(_ text: String, unit: DistanceUnit? = nil) throws -> PlanEditor {
        PlanEditor(try plan(text), unit: unit)
    }

    private func parts(_ editor: PlanEditor) -> String { editor.plan.parts.map(\.text).joined(separator: ", ") }

    @Test(
        "after typing a time, distance or pace, the given values stay as far as possible",
        arguments: [
            ("run 2:00", Run.Quantity.time, "130", "run 1:30"), ("run 2:00", .pace, "500", "run 2:00 @ 5:00/km"),
            ("run 2:00", .distance, "0.4", "run 400m in 2:00"), ("run 400m", .distance, "1 km", "run 1km"),
            ("run 400m", .time, "90", "run 400m in 1:30"), ("run 400m", .pace, "4:30/km", "run 400m @ 4:30/km"),
            ("run 1km @ 5:00/km", .distance, "2", "run 2km @ 5:00/km"),
            ("run 1km @ 5:00/km", .pace, "430", "run 1km @ 4:30/km"),
            ("run 1km @ 5:00/km", .time, "430", "run 1km in 4:30"),
            ("run 1km in 5:00", .pace, "4:00/km", "run 1km @ 4:00/km"),
            ("run 10:00 @ 5:00/km", .distance, "2.5", "run 2.5km in 10:00"),
            ("rest until lap", .time, "2:00", "rest 2:00"), ("run until lap", .pace, "5:00", "run until lap @ 5:00/km"),
            ("run until lap @ 5:00/km", .distance, "3", "run 3km @ 5:00/km"),
        ])
    func values(before: String, quantity: Run.Quantity, text: String, after: String) throws {
        var editor = try editor(before)
        let isDone1 = editor.apply(.cell(.value(quantity), text))
        #expect(isDone1, "\(editor.message)")
        #expect(parts(editor) == after)
        _ = editor.press(.character("z"))
        #expect(parts(editor) == before)
    }

    @Test("a cell that refuses a text says why in the calculator's words, and the plan stays as it was")
    func refusals() throws {
        var editor = try editor("run 1km @ 5:00/km, 2x(walk 1:00)")
        var calculator = PaceCalculator(.first)
        for (quantity, text) in [
            (Run.Quantity.time, "soon"), (.distance, "12:00"), (.pace, "0"), (.distance, "-1"), (.time, "99999999"),
            (.pace, ""), (.distance, "🏃"),
        ] {
            calculator.carryOut(.lock(quantity == .time ? .pace : .time))
            calculator.carryOut(.value(quantity, text))
            editor.go(toRow: 0)
            let isDone2 = editor.apply(.cell(.value(quantity), text))
            #expect(!isDone2)
            #expect(editor.message == calculator.message && !editor.message.isEmpty, "\(text)")
        }
        editor.go(toRow: 1)
        let isDone3 = editor.apply(.cell(.value(.time), "1:00"))
        #expect(!isDone3 && !editor.message.isEmpty)
        let isDone4 = editor.apply(.cell(.name, "0"))
        #expect(!isDone4 && editor.message.contains("1 to 10 000"))
        #expect(parts(editor) == "run 1km @ 5:00/km, 2x(walk 1:00)" && !editor.isChanged)
    }

    @Test("the name of an interval and the repeats of a group can be typed")
    func names() throws {
        var editor = try editor("run \"Hill\" 0:45, 3x(walk 1:00, rest 0:10)")
        #expect((0..<4).map { editor.nameText(row: $0) } == ["run \"Hill\"", "3", "walk", "rest"])
        let isDone5 = editor.apply(.cell(.name, "walk \"Down\""))
        #expect(isDone5)
        editor.go(toRow: 1)
        let isDone6 = editor.apply(.cell(.name, "5"))
        #expect(isDone6)
        editor.go(toRow: 3)
        let isDone7 = editor.apply(.cell(.name, "cool-down"))
        #expect(isDone7)
        #expect(parts(editor) == "walk \"Down\" 0:45, 5x(walk 1:00, cool-down 0:10)")
    }

    @Test("a total can be typed in the unit that is shown, or as on the terminal")
    func totals() throws {
        for (quantity, text, same) in [
            (Run.Quantity.distance, "10", "10km"), (.time, "5000", "50:00"), (.time, "5mi in 50:00", "5mi in 50:00"),
        ] {
            var (page, terminal) = try (editor("run 1km @ 5:00/km"), editor("run 1km @ 5:00/km"))
            page.apply(.lock(.pace))
            terminal.apply(.lock(.pace))
            let isDone8 = page.apply(.total(quantity, text))
            #expect(isDone8, "\(page.message)")
            for key in "t" + same { _ = terminal.press(.character(key)) }
            _ = terminal.press(.enter)
            #expect(page.plan == terminal.plan && page.result == terminal.result && page.message == terminal.message)
            #expect(page.totalRows == terminal.totalRows)
        }
    }

    @Test("in an empty plan, a line becomes its first part, and nothing else happens")
    func empty() {
        var editor = PlanEditor(Plan())
        let isDone9 = editor.apply(.line(.count, "4"))
        #expect(!isDone9 && !editor.message.isEmpty)
        let isDone10 = editor.apply(.total(.time, "5:00"))
        #expect(!isDone10 && !editor.message.isEmpty)
        editor.go(toRow: 7)
        let isDone11 = editor.apply(.cell(.name, "run 0:30"))
        #expect(isDone11 && parts(editor) == "run 0:30")
    }
}
