internal import Languages
internal import Scores

/// An editor for a plan on one screen: the totals with their lock at the top, the table of parts below. Every state is
/// a valid plan.
package struct PlanEditor: Sendable {
    package private(set) var plan: Plan
    /// The part that keys act on, as an index of `paths`; 0 in an empty plan.
    package private(set) var row = 0
    /// The total that follows from the other two.
    package private(set) var result = Run.Quantity.time
    /// The unit that distances are shown in. While it is open, the first unit that is typed becomes it.
    package private(set) var distanceUnit: DistanceUnit
    /// The unit that paces are shown in.
    package private(set) var paceUnit: PaceUnit
    /// The line that is being typed; nil while keys are commands.
    package private(set) var entry: Entry?
    /// The message after the last key; empty if there is none.
    package private(set) var message = ""
    /// Whether the plan has changed since it was saved.
    package private(set) var isChanged = false
    private var isUnitOpen: Bool
    private var undone: [Plan] = []
    private var history: [Plan] = []
    private var wantsToLeave = false
    private var mayOverwrite = false

    /// A line that is being typed.
    package struct Entry: Sendable, Equatable {
        package var purpose: Purpose
        package var text: String
        /// The text that was there to be changed, with paces rounded as they are shown.
        var offered = ""

        package enum Purpose: Sendable, CaseIterable {
            /// A new part after the one in the row.
            case add
            /// A replacement for the part in the row.
            case edit
            /// The repeats of a group, or of a part that becomes a group.
            case count
            /// A total: a time, a distance or a pace.
            case total
            /// The pace of a kind.
            case pace
            /// The overall length of the plan.
            case length
        }
    }

    /// A request to the owner of the editor.
    package enum Request: Sendable {
        case none
        /// Save the plan, then call `saved`. If that would undo changes by others, call `askToOverwrite`.
        case save
        /// The same, although others have changed the file.
        case overwrite
        case leave
    }

    /// Makes an editor for a plan. If `unit` is nil, the first unit that is typed decides; before that, it is km.
    package init(_ plan: Plan, unit: DistanceUnit? = nil) {
        self.plan = plan
        isUnitOpen = unit == nil
        distanceUnit = unit ?? .kilometers
        paceUnit = distanceUnit.paceUnit
    }

    /// The paths of all parts, groups before their contents.
    package var paths: [PlanPath] { plan.parts.paths }

    /// Tells the editor that the plan has been saved under a name.
    package mutating func saved(as name: String) { (isChanged, message) = (false, localized("saved as \(name)")) }

    package mutating func say(_ text: String) { message = text }

    /// Asks before the plan replaces a file that another program has changed: the next key tells.
    package mutating func askToOverwrite(_ name: String) {
        mayOverwrite = true
        message = localized("another program has changed \(name): press s again to overwrite it")
    }

    package mutating func press(_ key: CalculatorKey) -> Request {
        message = ""
        if entry != nil {
            type(key)
            return .none
        }
        let (wanted, overwrites) = (wantsToLeave, mayOverwrite)
        (wantsToLeave, mayOverwrite) = (false, false)
        switch key {
        case .up: row = max(row - 1, 0)
        case .down: row = min(row + 1, max(paths.count - 1, 0))
        case .shiftUp: move(by: -1)
        case .shiftDown: move(by: 1)
        case .enter: begin(.edit)
        case .delete, .backspace: delete()
        case .escape, .tab, .backTab, .left, .right, .clear: break
        case .character("q"):
            if !isChanged || wanted { return .leave }
            wantsToLeave = true
            message = localized("not saved: press s to save, or q again to quit")
        case .character("s"):
            guard plan.parts.isEmpty else { return overwrites ? .overwrite : .save }
            message = localized("there is nothing to save")
        case .character(let character): command(character)
        }
        return .none
    }

    private mutating func command(_ character: Character) {
        switch character {
        case "a": begin(.add)
        case "e": begin(.edit)
        case "n": begin(.count)
        case "t": begin(.total)
        case "p": begin(.pace)
        case "f": begin(.length)
        case "d": duplicate()
        case "x": delete()
        case "K": move(by: -1)
        case "J": move(by: 1)
        case "c": change { $0.parts = [] }
        case "l": result = result.next
        case "u":
            isUnitOpen = false
            distanceUnit = distanceUnit == .kilometers ? .miles : .kilometers
        case "v":
            isUnitOpen = false
            paceUnit = paceUnit.next
        case "z": undo()
        case "y": redo()
        default: break
        }
    }

    // MARK: - Changes

    /// Changes the plan if the result is a valid plan.
    @discardableResult
    private mutating func change(_ body: (inout Plan) -> Void) -> Bool {
        var changed = plan
        body(&changed)
        if !changed.parts.isEmpty {
            do throws(PlanError) { _ = try PlanTable(changed) } catch {
                message = error.description
                return false
            }
        } else {
            changed.length = .once
        }
        guard changed != plan else { return true }
        history.append(plan)
        if history.count > 1000 { history.removeFirst() }
        undone = []
        step(to: changed)
        return true
    }

    private mutating func undo() {
        guard let before = history.popLast() else { return message = localized("there is nothing to undo") }
        undone.append(plan)
        step(to: before)
    }

    private mutating func redo() {
        guard let after = undone.popLast() else { return message = localized("there is nothing to redo") }
        history.append(plan)
        step(to: after)
    }

    private mutating func step(to other: Plan) {
        plan = other
        isChanged = true
        row = min(row, max(paths.count - 1, 0))
    }

    /// The path of the part in the row; nil in an empty plan.
    private var path: PlanPath? { paths.indices.contains(row) ? paths[row] : nil }

    private mutating func duplicate() {
        guard let path else { return }
        let part = plan.parts[path]
        if change({ $0.parts.insert(part, at: path.next) }) { go(to: path.next) }
    }

    private mutating func delete() {
        if let path { change { $0.parts.remove(path) } }
    }

    /// Moves a part past its neighbor: into a group that comes next, or out of a group at its end.
    private mutating func move(by step: Int) {
        guard let path else { return }
        let part = plan.parts[path]
        let parent = PlanPath(path.dropLast())
        var siblings = plan.parts.count
        if !parent.isEmpty, case .group(_, let inner) = plan.parts[parent] { siblings = inner.count }
        let neighbor = parent + [path[path.count - 1] + step]
        var target: PlanPath
        if neighbor[neighbor.count - 1] < 0 || neighbor[neighbor.count - 1] >= siblings {
            guard !parent.isEmpty, siblings > 1 else { return message = localized("it is already at the end") }
            target = step < 0 ? parent : parent.next
        } else if case .group(_, let inner) = plan.parts[neighbor] {
            // Once the part is removed, the parts after it move up.
            target = (step > 0 ? parent + [path[path.count - 1]] : neighbor) + [step > 0 ? 0 : inner.count]
        } else {
            target = neighbor
        }
        let moved = change {
            $0.parts.remove(path)
            $0.parts.insert(part, at: target)
        }
        if moved { go(to: target) }
    }

    private mutating func go(to path: PlanPath) { row = paths.firstIndex(of: path) ?? row }

    // MARK: - Without keys

    /// Goes to a part, or as near to it as there is one.
    package mutating func go(toRow wanted: Int) {
        (entry, message) = (nil, "")
        row = min(max(wanted, 0), max(paths.count - 1, 0))
    }

    /// Carries out a line as if it were typed. Returns false, with a message, if that is not possible.
    package mutating func enter(_ text: String, as purpose: Entry.Purpose) -> Bool {
        message = ""
        let isOfPart = purpose == .edit || purpose == .count
        let line = Entry(purpose: isOfPart && paths.isEmpty ? .add : purpose, text: text)
        entry = line
        finish(line)
        defer { entry = nil }
        return entry == nil
    }

    package mutating func lock(_ quantity: Run.Quantity) { (result, message) = (quantity, "") }

    // MARK: - Typing

    private mutating func begin(_ purpose: Entry.Purpose) {
        var text = ""
        if purpose == .edit || purpose == .count {
            guard let path else { return begin(.add) }
            if purpose == .edit { text = plan.parts[path].shownText(in: paceUnit) }
        }
        entry = Entry(purpose: purpose, text: text, offered: text)
    }

    private mutating func type(_ key: CalculatorKey) {
        guard var line = entry else { return }
        switch key {
        case .character(let character): line.text.append(character)
        case .backspace, .delete: _ = line.text.popLast()
        case .clear: line.text = ""
        case .escape: return entry = nil
        case .enter: return finish(line)
        default: break
        }
        entry = line
    }

    private mutating func finish(_ line: Entry) {
        do throws(RunTextFault) {
            guard try apply(line) else { return }
            entry = nil
            if isUnitOpen, let unit = DistanceUnit(mentionedIn: line.text) {
                isUnitOpen = false
                distanceUnit = unit
                paceUnit = unit.paceUnit
            }
        } catch {
            message = error.description
        }
    }

    private mutating func apply(_ line: Entry) throws(RunTextFault) -> Bool {
        switch line.purpose {
        case .add:
            if let remarks = try PlanEditor.remarks(line.text) {
                guard plan.remarks.count + remarks.count <= Plan.remarkLimit else {
                    throw RunTextFault(
                        0..<line.text.utf8.count, localized("a plan has at most \(Plan.remarkLimit) texts to speak"))
                }
                return change { $0.remarks += remarks }
            }
            let parts = try PlanEditor.parts(line.text)
            let start = path?.next ?? [0]
            guard change({ $0.parts.insert(contentsOf: parts, at: start) }) else { return false }
            go(to: PlanPath(start.dropLast()) + [start[start.count - 1] + parts.count - 1])
            return true
        case .edit:
            if !line.text.isEmpty, line.text == line.offered { return true }
            var parts = try PlanEditor.parts(line.text)
            let path = paths[row]
            if !line.offered.isEmpty { parts[0] = parts[0].keeping(plan.parts[path], shownIn: paceUnit) }
            return change {
                $0.parts.replace(path, parts[0])
                $0.parts.insert(contentsOf: Array(parts.dropFirst()), at: path.next)
            }
        case .count:
            guard let count = Int(line.text), Plan.countRange.contains(count) else {
                throw RunTextFault(0..<line.text.utf8.count, localized("a group must be repeated 1 to 10 000 times"))
            }
            let path = paths[row]
            let part = plan.parts[path]
            if case .group(_, let inner) = part { return change { $0.parts.replace(path, .group(count, inner)) } }
            return change { $0.parts.replace(path, .group(count, [part])) }
        case .pace:
            let set = try PlanEditor.paces(line.text, per: distanceUnit)
            let isSame = set.allSatisfy { plan.paces[$0.key] == $0.value }
            guard change({ $0.paces.merge(set) { $1 } }) else { return false }
            let ofKind = plan.written.filter { set[$0.kind] != nil }
            if isSame {
                message = localized("this was the pace already")
            } else if !ofKind.isEmpty, ofKind.allSatisfy({ $0.hasOwnPace || $0.known(at: nil).pace != nil }) {
                message = localized("no interval of this kind lacks a pace, so nothing else changes")
            }
            return true
        case .length:
            let length = try PlanEditor.length(line.text)
            return change { $0.length = length }
        case .total:
            let before = plan.paces[.run]
            let found = try planWithTotal(line.text)
            guard change({ $0 = found.plan }) else { return false }
            var notes: [String] = []
            if found.result != result { notes.append(found.result.says.isResultNow) }
            if let pace = plan.paces[.run], pace != before {
                notes.append(localized("run at \(pace.goalText(in: paceUnit))"))
            }
            message = notes.joined(separator: "; ")
            result = found.result
            return true
        }
    }

    /// Reads the parts in a line, at least one.
    private static func parts(_ text: String) throws(RunTextFault) -> [Plan.Part] {
        let read = try Plan(runText: text)
        guard read.length == .once, read.paces.isEmpty, read.title.isEmpty, read.remarks.isEmpty else {
            throw RunTextFault(
                0..<text.utf8.count, localized("expected an interval or a group"),
                hint: localized("for example run 0:30"))
        }
        return read.parts
    }
}

extension PlanPath {
    /// The path of the place after it.
    var next: PlanPath { dropLast() + [(last ?? 0) + 1] }
}

extension [Plan.Part] {
    mutating func insert(contentsOf parts: [Plan.Part], at path: PlanPath) {
        for part in parts.reversed() { insert(part, at: path) }
    }
}
