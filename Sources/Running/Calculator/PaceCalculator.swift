internal import Languages
package import Scores

/// Distance, time and pace on three rows, one of them locked as the result; every state is a valid run.
///
/// A value is typed as one writes it, and taken with Enter; until then, the run stays as it was. Digits of a value can
/// also be turned.
package struct PaceCalculator: Sendable {
    package private(set) var run: Run
    /// The unit that the distance is shown in.
    package private(set) var distanceUnit: DistanceUnit
    /// The unit that the pace is shown in.
    package private(set) var paceUnit: PaceUnit
    /// The row that keys change.
    package private(set) var focus = Run.Quantity.distance
    /// The text typed into that row so far; nil while nothing is typed.
    package private(set) var entry: String?
    /// The message after the last key; empty if there is none.
    package private(set) var message = ""
    /// The digit that the arrow keys turn, from the right.
    private var place = 3
    private let beginning: Run
    package static let entryLimit = 24

    /// Begins with a run. The initial units follow from `unit`, the runner's unit of distance.
    package init(_ run: Run, unit: DistanceUnit = .kilometers) {
        (self.run, beginning) = (run, run)
        distanceUnit = unit
        paceUnit = unit.paceUnit
        if run.result == .distance { move(1, skipping: run.result) }
    }

    /// Handles a key. Returns false if the key ends the calculator.
    package mutating func press(_ key: CalculatorKey) -> Bool {
        message = ""
        switch key {
        case .enter: if accept() { move(1, skipping: run.result) }
        case .tab: if accept() { move(1) }
        case .backTab: if accept() { move(-1) }
        case .left: if accept() { place = min(place + 1, field.count - 1) }
        case .right: if accept() { place = max(place - 1, 0) }
        case .up: if accept() { turn(1) }
        case .down: if accept() { turn(-1) }
        case .backspace, .delete:
            _ = entry?.popLast()
            if entry?.isEmpty ?? false { entry = nil }
        case .clear: entry = nil
        case .escape:
            guard entry != nil else { return false }
            entry = nil
        case .character(let character): return type(character)
        case .shiftUp, .shiftDown: break
        }
        return true
    }

    private mutating func type(_ character: Character) -> Bool {
        if let entry {
            if character == "u" {
                cycleUnit()
            } else if entry.count < PaceCalculator.entryLimit {
                self.entry = entry + String(character)
            }
            return true
        }
        switch character {
        case "0"..."9", ".": if isOpen { entry = String(character) }
        // The half marathon, the marathon and the mile.
        case "h" where focus == .distance, "m" where focus == .distance: if isOpen { entry = String(character) }
        case "l", "=":
            run.lock(focus)
            move(1, skipping: focus)
        case "u": cycleUnit()
        case "r": reset()
        case "q": return false
        default: break
        }
        return true
    }

    private mutating func reset() {
        self = PaceCalculator(beginning, unit: distanceUnit.paceUnit == .perMile ? .miles : .kilometers)
    }

    /// Whether the row in focus can be set; otherwise sets a message.
    private var isOpen: Bool {
        mutating get {
            guard run.result == focus else { return true }
            message = localized("this is the result; go to another row and press l to lock that one")
            return false
        }
    }

    private mutating func move(_ step: Int, skipping skipped: Run.Quantity? = nil) {
        let rows = Run.Quantity.allCases
        repeat {
            let index = rows.firstIndex(of: focus) ?? 0
            focus = rows[(index + step + rows.count) % rows.count]
        } while focus == skipped
        go(to: focus)
    }

    /// Another unit: for a value that is being typed, the one that it is meant in; otherwise the one that it is shown in.
    private mutating func cycleUnit() {
        switch focus {
        case .distance: distanceUnit = distanceUnit.next
        case .pace: paceUnit = paceUnit.next
        case .time: message = localized("a time has only one unit")
        }
        place = min(place, field.count - 1)
    }

    // MARK: - Changes without keys

    /// Carries out a change of a row, as its keys would. If the value is not one, or makes no valid run, the run stays as
    /// it was, and the message says why.
    package mutating func carryOut(_ edit: PaceEdit) {
        (message, entry) = ("", nil)
        switch edit {
        case .value(let row, let text):
            go(to: row)
            guard text.count <= PaceCalculator.entryLimit else {
                return message = localized("a value has at most \(PaceCalculator.entryLimit) characters")
            }
            entry = text
            if !accept() { entry = nil }
        case .lock(let row):
            run.lock(row)
            go(to: row)
        case .unit(let row):
            go(to: row)
            cycleUnit()
        case .reset: reset()
        case .restore(let known):
            (run, distanceUnit, paceUnit) = (known.run, known.distanceUnit, known.paceUnit)
            go(to: focus)
        }
    }

    private mutating func go(to row: Run.Quantity) {
        focus = row
        place = row == .distance ? 3 : 2
    }

    // MARK: - Values

    /// Takes the typed value. Returns false, with a message, if it is not one, or makes no valid run.
    private mutating func accept() -> Bool {
        guard let entry else { return true }
        do throws(Problem) {
            let typed = try TypedQuantity(entry, focus, distanceUnit, paceUnit)
            guard set(typed.value) else { return false }
            (distanceUnit, paceUnit) = (typed.distanceUnit, typed.paceUnit)
            self.entry = nil
            return true
        } catch {
            message = error.description
            return false
        }
    }

    @discardableResult
    private mutating func set(_ value: RunQuantity) -> Bool {
        do throws(RunError) {
            try run.set(value)
            return true
        } catch {
            message = error.description
            return false
        }
    }

    private var field: DialedField { field(focus) }

    private func field(_ quantity: Run.Quantity) -> DialedField {
        let units = units(quantity)
        return switch quantity {
        case .distance: .decimal(7 - distanceUnit.decimals, distanceUnit.decimals, for: units)
        case .time: .time(for: units)
        case .pace: paceUnit.isPace ? .pace(for: units) : .decimal(2, 2, for: units)
        }
    }

    private func units(_ quantity: Run.Quantity) -> Int64 {
        switch quantity {
        case .distance: Rounding.units(run.distance.count(in: distanceUnit), decimals: distanceUnit.decimals)
        case .time: Rounding.units(run.time.inSeconds, decimals: 0)
        case .pace: Rounding.units(run.pace.value(in: paceUnit), decimals: paceUnit.isPace ? 0 : 2)
        }
    }

    /// Turns the digit at the cursor, if that gives a valid run; otherwise sets a message.
    private mutating func turn(_ step: Int64) {
        guard isOpen else { return }
        let field = field
        let turned = field.turned(field.count - 1 - min(place, field.count - 1), by: step, in: units(focus))
        guard let units = turned, units > 0 else { return message = localized("this is the limit") }
        switch focus {
        case .distance: set(.distance(Distance(Double(units) / Rounding.pow10(distanceUnit.decimals), distanceUnit)))
        case .time: set(.time(.seconds(units)))
        case .pace: set(.pace(Pace(Double(units) / (paceUnit.isPace ? 1 : 100), paceUnit)))
        }
    }

    // MARK: - Lines

    /// What can be done with the rows, in words for a terminal's keys and for buttons: making a row the result, changing
    /// the unit, beginning again.
    package static var words: (lock: String, unit: String, reset: String) {
        (localized("lock as result"), localized("unit"), localized("reset"))
    }

    /// The lines to show; `marks` surround the digit that keys turn.
    package func lines(marks: (String, String) = ("[", "]")) -> [String] {
        let rows = Run.Quantity.allCases.map { quantity -> String in
            let isFocus = quantity == focus
            let unit = self.unit(quantity)
            let name = quantity.word.padding(to: 10)
            let start = (isFocus ? "> " : "  ") + (quantity == run.result ? "= " : "  ") + name
            if isFocus, let entry { return start + entry + "▏ " + unit + meaning(of: entry) }
            let field = field(quantity)
            let cursor = isFocus ? field.count - 1 - min(place, field.count - 1) : nil
            let others = others(quantity)
            return start + field.text(units(quantity), cursor: cursor, marks: marks) + " " + unit
                + (others.isEmpty ? "" : "   (" + others.joined(separator: ", ") + ")")
        }
        let (lock, change, again) = PaceCalculator.words
        let keys =
            entry == nil
            ? localized("0-9 type a value  ↑↓←→ turn digits  Tab row  l \(lock)  u \(change)  r \(again)  q quit")
            : localized("Enter take it  u \(change)  Esc leave it as it was")
        return rows + [message, keys]
    }

    /// How a typed text is understood, in parentheses; empty for an incomplete text.
    private func meaning(of entry: String) -> String {
        guard let typed = try? TypedQuantity(entry, focus, distanceUnit, paceUnit) else { return "" }
        let text =
            switch typed.value {
            case .distance(let distance): distance.text(in: typed.distanceUnit)
            case .time(let time): time.shortText(decimals: 3)
            case .pace(let pace): pace.text(in: typed.paceUnit)
            }
        return "   (\(text))"
    }

    /// The rows without a cursor, for a screen that shows all of them at once.
    package var rows: [QuantityRow] {
        Run.Quantity.allCases.map { quantity in
            let text =
                switch quantity {
                case .distance: run.distance.text(in: distanceUnit)
                case .time: run.time.finishText(isGiven: run.result != .time)
                case .pace: run.pace.text(in: paceUnit)
                }
            return QuantityRow(
                quantity: quantity, value: text.split(separator: " ").first.map(String.init) ?? "",
                unit: unit(quantity), others: quantity == .time ? [] : others(quantity),
                isResult: quantity == run.result)
        }
    }

    private func unit(_ quantity: Run.Quantity) -> String {
        switch quantity {
        case .distance: distanceUnit.rawValue
        case .time: ""
        case .pace: paceUnit.rawValue
        }
    }

    /// The value in other units, or more exactly.
    private func others(_ quantity: Run.Quantity) -> [String] {
        switch quantity {
        case .distance:
            return [DistanceUnit.kilometers, .miles].filter { $0 != distanceUnit }.map { run.distance.text(in: $0) }
        case .time:
            let exact = run.time.finishText(isGiven: run.result != .time)
            return exact.contains(".") ? [exact] : []
        case .pace: return PaceUnit.allCases.filter { $0 != paceUnit }.map { run.pace.text(in: $0) }
        }
    }
}
