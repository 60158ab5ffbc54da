internal import Languages
package import Scores

/// An editor for a plan on one screen: the totals with their lock at the top, the table of parts below. Every state is
/// a valid plan.
package struct PlanEditor: Sendable {
    package private(set) var plan: Plan
    /// The part that keys act on, as an index of `paths`; 0 in an empty plan.
    package internal(set) var row = 0
    /// The total that follows from the other two.
    package internal(set) var result = Run.Quantity.time
    /// The unit that distances are shown in. While it is open, the first unit that is typed becomes it.
    package internal(set) var distanceUnit: DistanceUnit
    /// The unit that paces are shown in.
    package internal(set) var paceUnit: PaceUnit
    /// The line that is being typed; nil while keys are commands.
    package internal(set) var entry: Entry?
    /// The message after the last key; empty if there is none.
    package internal(set) var message = ""
    /// Whether the plan is another one than that which was opened or saved last.
    package var isChanged: Bool { plan != kept }
    private var kept: Plan
    var isUnitOpen: Bool
    private var undone: [Plan] = []
    private var history: [Plan] = []
    var wantsToLeave = false
    var mayOverwrite = false

    /// Makes an editor for a plan. If `unit` is nil, the first unit that is typed decides; before that, it is km.
    package init(_ plan: Plan, unit: DistanceUnit? = nil) {
        (self.plan, kept) = (plan, plan)
        isUnitOpen = unit == nil
        distanceUnit = unit ?? .kilometers
        paceUnit = distanceUnit.paceUnit
    }

    /// The paths of all parts, groups before their contents.
    package var paths: [PlanPath] { plan.parts.paths }

    /// Tells the editor that the plan has been saved under a name.
    package mutating func saved(as name: String) { (kept, message) = (plan, localized("saved as \(name)")) }

    package mutating func say(_ text: String) { message = text }

    // MARK: - Changes

    /// Changes the plan if the result is a valid plan.
    @discardableResult
    mutating func change(_ body: (inout Plan) -> Void) -> Bool {
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

    mutating func undo() {
        guard let before = history.popLast() else { return message = localized("there is nothing to undo") }
        undone.append(plan)
        step(to: before)
    }

    mutating func redo() {
        guard let after = undone.popLast() else { return message = localized("there is nothing to redo") }
        history.append(plan)
        step(to: after)
    }

    private mutating func step(to other: Plan) {
        plan = other
        row = min(row, max(paths.count - 1, 0))
    }

    /// The path of the part in the row; nil in an empty plan.
    var path: PlanPath? { paths.indices.contains(row) ? paths[row] : nil }

    mutating func duplicate() {
        guard let path else { return }
        let part = plan.parts[path]
        if change({ $0.parts.insert(part, at: path.next) }) { go(to: path.next) }
    }

    mutating func delete() {
        if let path { change { $0.parts.remove(path) } }
    }

    /// Moves a part past its neighbor: into a group that comes next, or out of a group at its end.
    mutating func move(by step: Int) {
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

    // MARK: - Lines

    /// Carries out a line that was typed. Returns false, with a message, if that is not possible.
    mutating func finish(_ line: Entry) -> Bool {
        do throws(Problem) {
            guard try carryOut(line) else { return false }
            if isUnitOpen, let unit = DistanceUnit(mentionedIn: line.text) {
                isUnitOpen = false
                distanceUnit = unit
                paceUnit = unit.paceUnit
            }
            return true
        } catch {
            message = error.description
            return false
        }
    }

    private mutating func carryOut(_ line: Entry) throws(Problem) -> Bool {
        switch line.purpose {
        case .add:
            if let remarks = try PlanEditor.remarks(line.text) {
                guard plan.remarks.count + remarks.count <= Plan.remarkLimit else {
                    throw Problem(
                        0..<line.text.utf8.count, localized("a plan has at most \(Plan.remarkLimit) texts to speak"))
                }
                return change { $0.remarks += remarks }
            }
            let (parts, note) = try PlanEditor.parts(line.text)
            let start = path?.next ?? [0]
            guard change({ $0.parts.insert(contentsOf: parts, at: start) }) else { return false }
            go(to: PlanPath(start.dropLast()) + [start[start.count - 1] + parts.count - 1])
            message = note
            return true
        case .edit:
            if !line.text.isEmpty, line.text == line.offered { return true }
            var (parts, note) = try PlanEditor.parts(line.text)
            let path = paths[row]
            if !line.offered.isEmpty { parts[0] = parts[0].keeping(plan.parts[path], shownIn: paceUnit) }
            let isDone = change {
                $0.parts.replace(path, parts[0])
                $0.parts.insert(contentsOf: Array(parts.dropFirst()), at: path.next)
            }
            if isDone { message = note }
            return isDone
        case .count:
            guard let count = Int(line.text), Plan.countRange.contains(count) else {
                throw Problem(0..<line.text.utf8.count, localized("a group must be repeated 1 to 10 000 times"))
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

    /// Reads the parts in a line, at least one, and how the first was understood that may not mean what was wanted.
    private static func parts(_ text: String) throws(Problem) -> (parts: [Plan.Part], note: String) {
        let reading = Plan.read(Array(text.utf8))
        if let fault = reading.faults.first { throw fault }
        let read = reading.plan ?? Plan()
        guard read == Plan(read.parts) else {
            throw Problem(
                0..<text.utf8.count, localized("expected an interval or a group"),
                hint: localized("for example run 0:30"))
        }
        return (read.parts, reading.notes.first?.description ?? "")
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
