internal import Languages
package import Scores

extension TextCursor {
    /// Whether the end of an interval comes next that lasts until the lap button: `until lap`, or `open`.
    package var isAtOpenEnd: Bool { ["until", "open"].contains(text(word()).lowercased()) }

    /// Reads `until lap @ 5:00/km about 10:00`; `until the lap button`, `until cue` and `open` are the same as `until lap`,
    /// and `~` is the same as `about`.
    package mutating func openEnd() throws(Problem) -> (end: OpenEnd, demands: Demands) {
        let start = position
        if !accept(word: "open") {
            _ = accept(word: "until")
            skipBlanks()
            _ = accept(word: "the")
            skipBlanks()
            guard accept(word: "lap", "cue") else {
                throw Problem(
                    token(), localized("an interval lasts until the lap button, or has a time or a distance"),
                    hint: localized("for example rest until lap"))
            }
            var ahead = self
            ahead.skipBlanks()
            if ahead.accept(word: "button") { position = ahead.position }
        }
        var end = OpenEnd()
        var demands = Demands()
        while true {
            let before = position
            if demands.isEmpty {
                demands = try self.demands()
                guard !demands.hasPace || end.pace == nil else {
                    throw Problem(
                        before..<position, localized("the pace is given twice"),
                        hint: localized("for example run until lap @ 5:00/km about 10:00"))
                }
                if !demands.isEmpty { continue }
            }
            var ahead = self
            ahead.skipBlanks()
            let isPace = ahead.accept("@") || ahead.accept(word: "at")
            guard isPace || ahead.accept("~") || ahead.accept(word: "about") else { return (end, demands) }
            ahead.skipBlanks()
            let isSecond = isPace ? end.pace != nil || demands.hasPace : end.about != nil
            let found = try ahead.quantity()
            switch found.value {
            case .pace(let pace) where isPace && !isSecond: end.pace = pace
            case .time(let time) where !isPace && !isSecond: end.about = time
            default:
                throw Problem(
                    isSecond ? start..<found.range.upperBound : found.range,
                    isSecond
                        ? isPace ? localized("the pace is given twice") : localized("the time is given twice")
                        : (isPace ? Run.Quantity.pace : .time).says.isNot,
                    hint: localized("for example run until lap @ 5:00/km about 10:00"))
            }
            position = ahead.position
        }
    }
}
