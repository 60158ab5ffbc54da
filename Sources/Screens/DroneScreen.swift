package import Playback
internal import Scores
internal import Timing

/// A line for a drone that sounds alone, another whenever it is changed, and one when something is the matter with it.
package struct DroneScreen: Screen {
    /// Writes a line, made safe to show, and a line end.
    private let write: (String) -> Void
    private var shown: String?
    private var trouble: String?

    /// A screen that hands each line, line end included, to `write`.
    package init(write: @escaping (String) -> Void) { self.write = { write($0.printable + "\n") } }

    /// Shows what is new. Returns when to call again.
    package mutating func show(_ status: Status, at now: Int64) -> Int64 {
        let performance = status.performance
        let level = performance.drone.map { " \(Wording.decibels($0.level))" } ?? ""
        let words = performance.isDroneMuted ? "muted" : Wording.drone(performance) + level
        if shown == nil {
            write(Wording.drone(performance) + ", until Ctrl-C")
        } else if words != shown {
            write(words)
        }
        shown = words
        let trouble = Wording.trouble(status)
        if let trouble, trouble != self.trouble { write(trouble) }
        self.trouble = trouble
        return .max
    }

    /// Says nothing: who ends a drone knows.
    package mutating func end(_ status: Status?) {}
}
