internal import Languages
internal import Scores

/// The editor at a terminal: a cursor, keys, and a line that is typed.
extension PlanEditor {
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
        case .shiftUp: apply(.act(.up))
        case .shiftDown: apply(.act(.down))
        case .enter: begin(.edit)
        case .delete, .backspace: apply(.act(.delete))
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
        case "l": apply(.lock(result.next))
        case "u": apply(.distanceUnit)
        case "v": apply(.paceUnit)
        default: if let act = Act.allCases.first(where: { $0.key == character }) { apply(.act(act)) }
        }
    }

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
        case .enter:
            if finish(line) { entry = nil }
            return
        default: break
        }
        entry = line
    }
}

extension PlanEditor.Act {
    /// The key at a terminal.
    var key: Character {
        switch self {
        case .duplicate: "d"
        case .delete: "x"
        case .clear: "c"
        case .undo: "z"
        case .redo: "y"
        case .up: "K"
        case .down: "J"
        }
    }
}
