package import Playback

/// A tuner on the whole terminal.
package struct TuneScreen: Screen {
    private let terminal: Terminal
    private let depth: ColorDepth
    private let tuner: @Sendable () -> Tuner
    private var drawn: Canvas?
    private var spoiled = 0

    /// The time between two drawings, in ns.
    private static let frame: Int64 = 50_000_000

    /// A screen on a held terminal. `tuner` is asked for each picture.
    package init(_ terminal: Terminal, colors depth: ColorDepth, tuner: @escaping @Sendable () -> Tuner) {
        (self.terminal, self.depth, self.tuner) = (terminal, depth, tuner)
    }

    package mutating func show(_ status: Status, at now: Int64) -> Int64 {
        let canvas = TuneView(tuner(), status).canvas(Terminal.size)
        guard terminal.hasDrawn else { return now + TuneScreen.frame }
        if terminal.timesSpoiled != spoiled { drawn = nil }
        spoiled = terminal.timesSpoiled
        let text = canvas.changes(from: drawn, colors: depth)
        drawn = canvas
        if !text.isEmpty { terminal.draw(text) }
        return now + TuneScreen.frame
    }

    package mutating func end(_ status: Status?) {}
}
