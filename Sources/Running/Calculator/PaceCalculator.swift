internal import Scores

/// Distance, time and pace on three rows, one of them locked as the result; every state is a valid run.
package struct PaceCalculator: Sendable {
    /// The run.
    package private(set) var run: Run
    /// The unit that the distance is shown in.
    package private(set) var distanceUnit: DistanceUnit
    /// The unit that the pace is shown in.
    package private(set) var paceUnit: PaceUnit
    /// The row that keys change.
    package private(set) var focus = Run.Quantity.distance
    /// The digit that keys change, from the left.
    package private(set) var digit = 0
    /// The message after the last key; empty if there is none.
    package private(set) var message = ""
    private let beginning: Run

    /// Begins with a run. The initial units follow from `unit`, the runner's unit of distance.
    package init(_ run: Run, unit: DistanceUnit = .kilometers) {
        (self.run, beginning) = (run, run)
        distanceUnit = unit
        paceUnit = unit == .miles ? .perMile : .perKilometer
        digit = field.count - 4
    }

    /// Handles a key. Returns false if the key ends the calculator.
    package mutating func press(_ key: CalculatorKey) -> Bool {
        message = ""
        switch key {
        case .tab, .enter: move(1)
        case .backTab: move(-1)
        case .left: digit = max(digit - 1, 0)
        case .right: digit = min(digit + 1, field.count - 1)
        case .up: set(field.turned(digit, by: 1, in: units), "this is the limit")
        case .down: set(field.turned(digit, by: -1, in: units), "this is the limit")
        case .character(let character): return type(character)
        case .escape: return false
        case .shiftUp, .shiftDown, .backspace, .delete: break
        }
        return true
    }

    private mutating func type(_ character: Character) -> Bool {
        switch character {
        case "0"..."9":
            let typed = field.typed(Int64(character.wholeNumberValue ?? 0), at: digit, in: units)
            if set(typed, "this digit must be 0 to 5") { digit = min(digit + 1, field.count - 1) }
        case "l", "=": run.lock(focus)
        case "u": cycleUnit()
        case "r": self = PaceCalculator(beginning, unit: distanceUnit == .miles ? .miles : .kilometers)
        case "q": return false
        default: break
        }
        return true
    }

    private mutating func move(_ step: Int) {
        let rows = Run.Quantity.allCases
        let index = rows.firstIndex(of: focus) ?? 0
        focus = rows[(index + step + rows.count) % rows.count]
        digit = field.count - (focus == .distance ? 4 : 3)
    }

    private mutating func cycleUnit() {
        switch focus {
        case .distance: distanceUnit = PaceCalculator.next(distanceUnit)
        case .pace: paceUnit = PaceCalculator.next(paceUnit)
        case .time: message = "a time has only one unit"
        }
    }

    private static func next<Unit: CaseIterable & Equatable>(_ unit: Unit) -> Unit {
        let all = Array(Unit.allCases)
        return all[((all.firstIndex(of: unit) ?? 0) + 1) % all.count]
    }

    // MARK: - Digits

    /// The digits of the row in focus; every unit has the same number of them.
    private var field: DialedField { field(focus) }

    private func field(_ quantity: Run.Quantity) -> DialedField {
        switch quantity {
        case .distance: distanceUnit == .meters ? .decimal(7, 0) : .decimal(4, 3)
        case .time: .time
        case .pace: paceUnit.isPace ? .pace : .decimal(2, 2)
        }
    }

    private var units: Int64 { units(focus) }

    private func units(_ quantity: Run.Quantity) -> Int64 {
        let units =
            switch quantity {
            case .distance:
                Rounding.units(run.distance.count(in: distanceUnit), decimals: distanceUnit == .meters ? 0 : 3)
            case .time: Rounding.units(run.time.inSeconds, decimals: 0)
            case .pace: Rounding.units(run.pace.value(in: paceUnit), decimals: paceUnit.isPace ? 0 : 2)
            }
        return min(units, field(quantity).limit)
    }

    /// Sets the row in focus to a number of units of its last digit, if that is a valid run; otherwise sets a message.
    @discardableResult
    private mutating func set(_ units: Int64?, _ otherwise: String) -> Bool {
        guard run.result != focus else {
            message = "this is the result; go to another row and press l to lock that one"
            return false
        }
        guard let units else {
            message = otherwise
            return false
        }
        do throws(RunError) {
            switch focus {
            case .distance:
                try run.set(Distance(Double(units) / (distanceUnit == .meters ? 1 : 1000), distanceUnit))
            case .time: try run.set(Duration.seconds(units))
            case .pace:
                guard units > 0 else { throw RunError.pace(isResult: false) }
                try run.set(Pace(Double(units) / (paceUnit.isPace ? 1 : 100), paceUnit))
            }
            return true
        } catch {
            message = error.description
            return false
        }
    }

    // MARK: - Lines

    /// The lines to show; `marks` surround the digit that keys change.
    package func lines(marks: (String, String) = ("[", "]")) -> [String] {
        let rows = Run.Quantity.allCases.map { quantity -> String in
            let isFocus = quantity == focus
            let digits = field(quantity).text(units(quantity), cursor: isFocus ? digit : nil, marks: marks)
            let unit =
                switch quantity {
                case .distance: distanceUnit.rawValue
                case .time: ""
                case .pace: paceUnit.rawValue
                }
            let name = quantity.rawValue.padding(to: 10)
            let lock = quantity == run.result ? "= " : "  "
            return (isFocus ? "> " : "  ") + lock + name + digits + " " + unit + others(quantity)
        }
        return rows + [
            message, "Tab row  ←→ digit  ↑↓ or 0-9 change  l lock as result  u unit  r reset  q quit",
        ]
    }

    private func others(_ quantity: Run.Quantity) -> String {
        let texts: [String] =
            switch quantity {
            case .distance:
                [DistanceUnit.kilometers, .miles].filter { $0 != distanceUnit }.map { run.distance.text(in: $0) }
            case .time: []
            case .pace: PaceUnit.allCases.filter { $0 != paceUnit }.map { run.pace.text(in: $0) }
            }
        return texts.isEmpty ? "" : "   (" + texts.joined(separator: ", ") + ")"
    }
}
