public import Playback
internal import Timing

/// One line for a drone that sounds alone, and another whenever something is the matter with it.
public struct DroneScreen: Screen {
    private let write: (String) -> Void
    private var isShown = false
    private var isMuted = false
    private var trouble: String?

    /// A screen that hands each line, line end included, to `write`.
    public init(write: @escaping (String) -> Void) { self.write = write }

    /// Shows what is new. Returns when to call again.
    public mutating func show(_ status: Status, at now: Int64) -> Int64 {
        if !isShown { write(Wording.drone(status.performance) + ", until Ctrl-C\n") }
        isShown = true
        if status.isMuted != isMuted { write(status.isMuted ? "muted\n" : "sounding\n") }
        isMuted = status.isMuted
        let trouble = Wording.trouble(status)
        if let trouble, trouble != self.trouble { write(trouble + "\n") }
        self.trouble = trouble
        return .max
    }

    /// Says nothing: who ends a drone knows.
    public mutating func end(_ status: Status?) {}
}
