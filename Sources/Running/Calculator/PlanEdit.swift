internal import Languages
internal import Scores

/// What can be done to a plan, from whatever screen: no cursor and no keys are needed.
extension PlanEditor {
    package enum Edit: Sendable, Equatable {
        case act(Act)
        /// A line as it was typed.
        case line(Entry.Purpose, String)
        /// A value as it was typed into a cell of the row.
        case cell(PlanCell, String)
        /// A total as it was typed.
        case total(Run.Quantity, String)
        /// This total becomes the result.
        case lock(Run.Quantity)
        /// Another unit of distances, or of paces.
        case distanceUnit, paceUnit
    }

    /// Goes to a part, or as near to it as there is one.
    package mutating func go(toRow wanted: Int) {
        (entry, message) = (nil, "")
        row = min(max(wanted, 0), max(paths.count - 1, 0))
    }

    /// Carries out an edit of the present row or of the whole. Returns false, with a message, if that is not possible.
    @discardableResult
    package mutating func apply(_ edit: Edit) -> Bool {
        message = ""
        switch edit {
        case .act(let act):
            carryOut(act)
            return message.isEmpty
        case .line(let purpose, let text):
            let isOfPart = purpose == .edit || purpose == .count
            return finish(Entry(purpose: isOfPart && paths.isEmpty ? .add : purpose, text: text))
        case .cell(let cell, let text): return enter(text, in: cell)
        case .total(let quantity, let text): return apply(.line(.total, totalText(text, quantity)))
        case .lock(let quantity): result = quantity
        case .distanceUnit:
            isUnitOpen = false
            distanceUnit = distanceUnit == .kilometers ? .miles : .kilometers
        case .paceUnit:
            isUnitOpen = false
            paceUnit = paceUnit.next
        }
        return true
    }

    private mutating func carryOut(_ act: Act) {
        switch act {
        case .duplicate: duplicate()
        case .delete: delete()
        case .clear: change { $0.parts = [] }
        case .undo: undo()
        case .redo: redo()
        case .up: move(by: -1)
        case .down: move(by: 1)
        }
    }

    /// A change for which nothing has to be typed.
    package enum Act: Sendable, CaseIterable {
        case duplicate, delete, clear, undo, redo
        /// The part moves past its neighbor.
        case up, down

        package var text: String {
            switch self {
            case .duplicate: localized("duplicate")
            case .delete: localized("delete")
            case .clear: localized("clear")
            case .undo: localized("undo")
            case .redo: localized("redo")
            case .up: localized("move up")
            case .down: localized("move down")
            }
        }
    }
}
