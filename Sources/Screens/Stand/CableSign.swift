internal import Languages
package import Playback
internal import Scores

/// A cable to or from another machine, and its sign of life at the stand.
package struct CableSign: Sendable, Equatable {
    /// Its name and its direction: `OSC→`, `→MIDI`.
    package let name: String
    /// When something went through it last, CLOCK_MONOTONIC in ns; nil if nothing has.
    package var lastAt: Int64?
    /// Whether the other end is gone.
    package var isGone = false
    /// How many of several other ends are gone while others are there.
    package var missing = 0

    /// For how long something that has gone through is shown, in ns.
    package static let life: Int64 = 1_000_000_000

    package init(_ name: String) { self.name = name }

    /// The sign of timecode on a channel of the card, which goes out while the music plays.
    package static func timecode(_ moment: Moment, at now: Int64) -> CableSign {
        var sign = CableSign("LTC→")
        if case .bar(let bar) = moment, !bar.isPaused, !bar.isWaiting { sign.lastAt = now }
        return sign
    }

    private func lives(at now: Int64) -> Bool {
        lastAt.map { (0...CableSign.life).contains(now - $0) } ?? false
    }

    /// The name with a full dot while something goes through, an empty one while nothing does, or a cross if it is gone; with
    /// both if only some of several other ends are gone.
    package func text(at now: Int64) -> String {
        if isGone { return name + "×" }
        return name + (lives(at: now) ? "●" : "○") + (missing > 0 ? "×" : "")
    }

    private var isOutput: Bool { name.hasSuffix("→") }

    private var kind: String { name.filter { $0 != "→" } }

    /// The same to be read aloud: `MIDI in quiet`.
    package func words(at now: Int64) -> String {
        let cable = isOutput ? localized("\(kind) out") : localized("\(kind) in")
        if isGone { return localized("\(cable) gone") }
        let state = lives(at: now) ? localized("\(cable) alive") : localized("\(cable) quiet")
        return missing > 0 ? localized("\(state), not to all: \(missing) gone") : state
    }

    /// The same for programs.
    func json(at now: Int64) -> JSON {
        JSON.fields(
            [
                ("cable", .text(kind.lowercased())), ("direction", .text(isOutput ? "out" : "in")),
                ("state", .text(isGone ? "gone" : lives(at: now) ? "alive" : "quiet")),
            ] + (missing > 0 ? [("gone", .number(missing))] : []))
    }
}
