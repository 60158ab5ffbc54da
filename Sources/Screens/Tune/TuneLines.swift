package import Playback

/// A tuner in lines of text: what is heard, no more often than asked for.
package struct TuneLines: Screen {
    private let write: (String) -> Void
    private let tuner: @Sendable () -> Tuner
    private let every: Int64
    private var screen: DroneScreen
    private var said = (text: "", next: Int64.min)

    /// A note is told once it has been heard for so many seconds.
    private static let least = 0.3

    /// Passes lines to `write`, at most one in so many ns.
    package init(every: Int64, write: @escaping (String) -> Void, tuner: @escaping @Sendable () -> Tuner) {
        (self.every, self.tuner) = (every, tuner)
        self.write = { write($0.printable + "\n") }
        screen = DroneScreen(write: write)
    }

    package mutating func show(_ status: Status, at now: Int64) -> Int64 {
        _ = screen.show(status, at: now)
        let tuner = tuner()
        guard now >= said.next else { return min(said.next, now + 100_000_000) }
        guard let heard = tuner.heard, tuner.length >= TuneLines.least, heard.text != said.text else {
            if tuner.heard == nil { said.text = "" }
            return now + 100_000_000
        }
        said = (heard.text, now + every)
        write(heard.text)
        return now + 100_000_000
    }

    package mutating func end(_ status: Status?) {}
}
