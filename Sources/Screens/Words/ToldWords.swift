internal import Languages
package import Playback
internal import Scores
package import Timing

/// Taps, notes and messages in the words of screens, and who else is shown them.
extension PieceWords {
    /// Where a tap fell, `5.7: 40 ms late`; what was noted, `noted at 5.7: good`.
    package func told(_ told: Told, _ performance: Performance) -> String {
        let name = name(ofBar: told.bar.index, performance)
        return switch told.word {
        case .tap: Wording.late(name, told.late)
        case .mark(let text): localized("noted at \(name): \(text.printable)")
        case .message(let text): localized("said at \(name): \(text.printable)")
        }
    }
}

extension Told.Word {
    /// Who else is told.
    package var listeners: Set<Guest.Kind> {
        switch self {
        case .tap: [.page]
        case .mark: []
        case .message: [.page, .follower]
        }
    }

    /// Whether pages only read it aloud: a line that comes and goes with every bar would move what they show.
    package var isOnlyRead: Bool {
        switch self {
        case .tap: true
        case .mark, .message: false
        }
    }
}
