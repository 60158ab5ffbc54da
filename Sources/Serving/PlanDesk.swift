internal import Languages
package import Running
package import Scores

/// The plan that pages with control edit together, and the one that plays, which the others see.
package struct PlanDesk: Sendable {
    private var editor = PlanEditor(Plan())
    private var playing = PlanEditor(Plan())
    /// The number of the tables below; it grows with each change.
    package private(set) var version = 1
    /// The tables as messages.
    package private(set) var (edited, played): ([UInt8], [UInt8]) = ([], [])

    /// The largest number of rows to which pages can extend a plan; a longer one is shown up to here.
    package static let rowLimit = 500

    package init() { refresh() }

    /// A performance begins. What pages have changed and not yet started stays on the desk.
    package mutating func play(_ plan: Plan?, in unit: DistanceUnit?) {
        playing = PlanEditor(plan ?? Plan(), unit: unit)
        if !editor.isChanged { editor = playing }
        refresh()
    }

    /// What a page is told of its change.
    package struct Outcome {
        /// Whether the change was made.
        package var isDone: Bool
        /// A message for the player; empty for none.
        package var message = ""
        /// The plan to play in place of the present performance.
        package var started: Plan?
        /// The plan as the text of a file.
        package var saved: String?

        package static func refused(_ message: String) -> Outcome { Outcome(isDone: false, message: message) }
    }

    /// Carries out a change. Whoever has kept a plan that is to be started or saved calls `keep`.
    package mutating func carryOut(_ request: DeskRequest) -> Outcome {
        guard request.version == version else {
            return .refused(localized("the plan has just changed on another page; look at it and try again"))
        }
        let rows = editor.paths.count
        guard rows <= PlanDesk.rowLimit || request.change.shortens else {
            return .refused(localized("a plan of more than \(PlanDesk.rowLimit) rows can be edited only in its file"))
        }
        editor.go(toRow: request.row)
        var outcome = Outcome(isDone: true)
        switch request.change {
        case .edit(let edit): outcome.isDone = editor.apply(edit)
        case .save, .start:
            guard rows > 0 else { return .refused(localized("there is nothing to save")) }
            if request.change == .start { outcome.started = editor.plan } else { outcome.saved = editor.plan.text }
            return outcome
        }
        outcome.message = editor.message
        if outcome.isDone { refresh() }
        return outcome
    }

    /// The plan is kept elsewhere: it is the one that is played next, or in a file.
    package mutating func keep() {
        editor.saved(as: "")
        refresh()
    }

    private mutating func refresh() {
        version += 1
        func message(_ editor: PlanEditor, isEditable: Bool) -> [UInt8] {
            let isPlaying = !playing.plan.parts.isEmpty
            return Array(RunningMessage.plan(editor, version, isEditable: isEditable, isPlaying: isPlaying).utf8)
        }
        edited = message(editor, isEditable: true)
        played = message(playing, isEditable: false)
    }
}

extension DeskRequest.Change {
    /// Whether it makes no plan longer, and may so be done to one that is too long.
    fileprivate var shortens: Bool {
        switch self {
        case .edit(.act(let act)): act != .duplicate
        case .edit(.line), .edit(.cell), .edit(.total): false
        case .edit(.lock), .edit(.distanceUnit), .edit(.paceUnit), .save, .start: true
        }
    }
}
