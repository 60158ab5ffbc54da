import Running
import Shared
import Testing

/// A calculator without a cursor obeys the laws of the one with keys.
@Suite struct PaceEditTests {
    /// The keys that do on a terminal what an edit does: Tab to the row, then its keys.
    private func keys(_ edit: PaceEdit, on calculator: PaceCalculator) -> [CalculatorKey] {
        func tabs(to row: Run.Quantity) -> [CalculatorKey] {
            let rows = Run.Quantity.allCases
            let step = (rows.firstIndex(of: row) ?? 0) - (rows.firstIndex(of: calculator.focus) ?? 0)
            return Array(repeating: .tab, count: (step + rows.count) % rows.count)
        }
        return switch edit {
        case .value(let row, let text): tabs(to: row) + text.map(CalculatorKey.character) + [.enter]
        case .lock(let row): tabs(to: row) + [.character("l")]
        case .unit(let row): tabs(to: row) + [.character("u")]
        case .reset: [.character("r")]
        case .restore: []
        }
    }

    private static let values: [Run.Quantity: [String]] = [
        .distance: ["10", "5k", "26.2mi", "400m", "half", "marathon", "0", "12:00", "99999999"],
        .time: ["2500", "25:00", "90", "1h30min", "3:59:59.5", "0", "177", "9e9"],
        .pace: ["930", "9:30/mi", "12 km/h", "5:00", "0", "4.5m/s", "1:75"],
    ]

    @Test("edits and the terminal's keys lead to the same runs and units, valid or not")
    func sameLaws() {
        var random = Seeded(state: 7)
        for _ in 0..<300 {
            var (page, terminal) = (PaceCalculator(.first), PaceCalculator(.first))
            for _ in 0..<12 {
                let row = Run.Quantity.allCases.randomElement(using: &random) ?? .time
                let edit: PaceEdit =
                    switch Int.random(in: 0..<8, using: &random) {
                    case 0: .lock(row)
                    case 1: .unit(row)
                    case 2: .reset
                    default: .value(row, PaceEditTests.values[row]?.randomElement(using: &random) ?? "1")
                    }
                // Keys cannot type into the result; an edit is refused, too.
                if case .value(page.run.result, _) = edit {
                    let before = page.run
                    page.carryOut(edit)
                    #expect(page.run == before && !page.message.isEmpty)
                    continue
                }
                page.carryOut(edit)
                for key in keys(edit, on: terminal) {
                    let goesOn = terminal.press(key)
                    #expect(goesOn)
                }
                // A refused value stays on the terminal until Escape.
                if terminal.entry != nil {
                    #expect(page.message == terminal.message && !page.message.isEmpty)
                    _ = terminal.press(.escape)
                }
                #expect(page.run == terminal.run, "\(edit)")
                #expect(page.distanceUnit == terminal.distanceUnit && page.paceUnit == terminal.paceUnit)
            }
        }
    }

    @Test("a value that is shown can be typed again, and hardly changes the run")
    func shownValues() throws {
        for text in ["10k @ 4:30/km", "marathon in 3:45:10", "1:00:00 @ 12 km/h", "400m in 1:30", "1mi in 4:59.6"] {
            let calculator = PaceCalculator(try Run(runText: text), unit: text.contains("mi") ? .miles : .kilometers)
            for row in calculator.rows where !row.isResult {
                var again = calculator
                again.carryOut(.value(row.quantity, row.value))
                #expect(again.message.isEmpty, "\(text): \(again.message)")
                #expect(abs(again.run.time / calculator.run.time - 1) < 0.01, "\(text) \(row.value)")
            }
        }
    }

    @Test("another calculator takes up a run exactly where it was")
    func restoring() throws {
        var calculator = PaceCalculator(.first)
        let edits: [PaceEdit] = [
            .value(.distance, "10"), .value(.pace, "9:30/mi"), .lock(.distance), .value(.time, "1:00:00"), .lock(.pace),
            .value(.distance, "13.37mi"), .unit(.pace),
        ]
        for edit in edits {
            calculator.carryOut(edit)
            #expect(calculator.message.isEmpty)
            let known = try #require(KnownRun(KnownRun(calculator).text))
            var other = PaceCalculator(.first)
            other.carryOut(.restore(known))
            #expect(other.rows == calculator.rows && KnownRun(other) == known)
        }
    }

    @Test("a value is not cut: a text that is too long is refused")
    func length() {
        var calculator = PaceCalculator(.first)
        calculator.carryOut(.value(.distance, "1" + String(repeating: "0", count: 24)))
        #expect(calculator.message == "a value has at most 24 characters" && calculator.run == .first)
    }
}
