internal import Languages
package import Playback
internal import Scores
internal import UserSettings

/// A performance in lines of text at a terminal with keys: a line for each bar, and one for each command.
///
/// It is meant for screen readers: bars that are repeated without end are printed in the first pass only, and dropouts when
/// they begin and at the end.
package struct PlainScreen: Screen {
    private let stand: PlainStand
    private let words: any PieceWords
    private var lines: LineScreen
    private let part: String?

    /// A screen that prints what `stand` has to say, too. With `joins`, the music may have begun long before, somewhere else.
    package init(_ stand: PlainStand, _ words: any PieceWords, joins: Bool = false, part: String? = nil) {
        (self.stand, self.words, self.part) = (stand, words, part)
        lines = LineScreen(words, isSpoken: true, joins: joins, isLed: stand.isLed, part: part) { stand.print($0) }
    }

    package mutating func show(_ status: Status, at now: Int64) -> Int64 {
        guard let (confirmations, status) = stand.take(status) else { return .max }
        if lines.isNew {
            let names = [KeyAction.help, .pause, .quit].map(stand.usefulKeys.spokenName)
            let says = [
                localized("\(names[0]) lists the keys"), localized("\(names[1]) pauses"), localized("\(names[2]) ends"),
            ]
            let hints = zip(names, says).filter { name, _ in !name.isEmpty }.map { _, text in text }
            lines.begin(status)
            if !hints.isEmpty { stand.print(hints.joined(separator: ", ") + "\n") }
        }
        if !confirmations.isEmpty { lines.tellAll(before: status) }
        for confirmation in confirmations where !confirmation.text.isEmpty {
            stand.print(confirmation.text.printable + "\n")
            if let boundary = confirmation.boundary { lines.skip(to: boundary, in: status.performance.passage) }
            if confirmation.isOfPause { lines.skipPause(status) }
        }
        return lines.show(status, at: now)
    }

    package mutating func end(_ status: Status?) {
        guard let status, status.ending != .complete else { return lines.end(status) }
        lines.printRest(status)
        stand.print(StandScreen.farewell(status, words, part: part))
    }
}
