internal import Playback

/// A cable to or from another machine, and its sign of life at the stand.
package struct CableSign: Sendable, Equatable {
    /// Its name and its direction: `OSC→`, `→MIDI`.
    package let name: String
    /// When something went through it last, CLOCK_MONOTONIC in ns; nil if nothing has.
    package var lastAt: Int64?
    /// Whether the other end is gone.
    package var isGone = false

    /// For how long something that has gone through is shown, in ns.
    package static let life: Int64 = 1_000_000_000

    package init(_ name: String) { self.name = name }

    /// The name with a full dot while something goes through, an empty one while nothing does, or a cross if it is gone.
    package func text(at now: Int64) -> String {
        if isGone { return name + "×" }
        return name + (lastAt.map { (0...CableSign.life).contains(now - $0) } == true ? "●" : "○")
    }
}
