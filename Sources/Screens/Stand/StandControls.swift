package import Playback
package import Scores
internal import UserSettings

/// The controls of the stand for screens without a terminal: its actions, named by their standard keys, and its questions,
/// with their texts. The user's own keys do not change them.
package struct StandControls: Sendable {
    package let name: String
    package let says: String
    private let action: KeyAction

    /// A question whose answer is typed.
    package typealias Question = StandChoices.Prompt.Kind

    /// Every key that changes the music, in the order of the stand's help. Keys that change what a terminal shows are left
    /// out, and questions, and actions without a standard key.
    package static let all: [StandControls] = KeyAction.allCases.compactMap { action in
        switch action.standKey.action {
        case .ask, .nextDigits, .nextFlash, .nextPiece, .addresses, .help: nil
        default:
            action.standardKeys.first.map { StandControls(name: $0.name, says: action.standKey.says, action: action) }
        }
    }

    /// The commands for the key with this name, pressed at `now` (CLOCK_MONOTONIC, ns) on a stand that sees `status`; none
    /// for another name.
    package static func press(_ name: String, on stand: Stand, _ status: Status, at now: Int64) -> [Command] {
        guard let control = all.first(where: { $0.name == name }) else { return [] }
        stand.see(status)
        return stand.perform(control.action, at: now)
    }

    /// The commands for the answer to a question. Errors: the text is not valid; the message is for the player.
    package static func answer(_ question: Question, _ text: String, _ status: Status) throws(TextError) -> [Command] {
        try StandChoices.Prompt(kind: question, text: text).commands(status)
    }
}
