package import Playback
internal import Scores
package import Timing

/// A tuner on the whole terminal.
package struct TuneScreen: Screen {
    private let terminal: Terminal
    private let depth: Palette.Depth
    private let tuner: @Sendable () -> Tuner
    private var drawn: Canvas?
    private var spoiled = 0

    /// The time between two drawings, in ns.
    private static let frame: Int64 = 50_000_000

    /// A screen on a held terminal. `tuner` is asked for each picture.
    package init(_ terminal: Terminal, colors depth: Palette.Depth, tuner: @escaping @Sendable () -> Tuner) {
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

extension Tuner.Setting {
    /// What a player is set against while a performance plays.
    package init(_ performance: Performance) {
        self.init()
        (tuning, a4) = (performance.tuning, performance.a4)
        guard let drone = performance.drone, !performance.isDroneMuted, !drone.level.isSilent else { return }
        isSteady = drone.timbre.variation == 0 && drone.timbre.beating == 0 && drone.timbre.waveform != .strings
        droneLevel = drone.level
        drones = drone.notes.map { performance.tuning.frequency(of: $0.pitch, a4: performance.a4) }
        partials = drones.flatMap { hertz in
            (1...max(1, min(drone.timbre.waveform.harmonics, Int(Tuner.Setting.highest / hertz)))).map {
                Double($0) * hertz
            }
        }
    }

    /// No partial above this is looked for, in Hz.
    private static let highest = 12_000.0
}

extension Score.Waveform {
    /// How many harmonics it has at most.
    fileprivate var harmonics: Int { self == .sine ? 1 : 1000 }
}
