internal import Languages
package import Playback
internal import Scores
internal import Timing

/// Prints a line when a drone starts to sound alone, and another whenever it changes or has a problem.
package struct DroneScreen: Screen {
    /// Writes a line, made safe for a terminal, and a line ending.
    private let write: (String) -> Void
    private var shown: String?
    private var trouble: String?

    /// A screen that passes each line, including its line ending, to `write`.
    package init(write: @escaping (String) -> Void) { self.write = { write($0.printable + "\n") } }

    package mutating func show(_ status: Status, at now: Int64) -> Int64 {
        let performance = status.performance
        let level = performance.drone.map { " \(Wording.decibels($0.level))" } ?? ""
        let words =
            performance.isDroneMuted ? localized("muted") : Wording.drone(performance.drone, performance) + level
        if shown == nil {
            write(localized("\(Wording.drone(performance.drone, performance)), until Ctrl-C"))
        } else if words != shown {
            write(words)
        }
        shown = words
        let trouble = Wording.trouble(status)
        if let trouble, trouble != self.trouble { write(trouble) }
        self.trouble = trouble
        return .max
    }

    /// Prints nothing: the user who stopped the drone knows that it has ended.
    package mutating func end(_ status: Status?) {}
}
