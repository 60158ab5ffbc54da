package import Playback
internal import Scores
internal import Timing

/// The practice stand: the whole terminal, drawn in time with what is heard.
package struct StandScreen: Screen {
    private let terminal: Terminal
    private let stand: Stand
    private let depth: Palette.Depth
    private var drawn: Canvas?
    /// Which hold of the terminal `drawn` was drawn in.
    private var hold = 0
    private var flash = FlashLight()

    /// How often the figures are drawn.
    private static let frame: Int64 = 50_000_000

    /// A screen on a terminal that is held, for what a player has chosen at a stand.
    package init(_ terminal: Terminal, _ stand: Stand, colors depth: Palette.Depth) {
        self.terminal = terminal
        self.stand = stand
        self.depth = depth
    }

    /// Shows what is new. Returns when to call again.
    package mutating func show(_ status: Status, at now: Int64) -> Int64 {
        stand.see(status)
        let choices = stand.choices
        let moment = status.moment(at: now)
        flash.look(moment, choices, at: now)
        draw(StandView(status, moment, choices, at: now).canvas(Terminal.size, lit: flash.color))
        var wake = now + StandScreen.frame
        if case .bar(let heard) = moment {
            // What stands still is looked at when something changes, and now and then for a new size.
            let stands = heard.isPaused || heard.isHolding
            wake = stands ? now + 4 * StandScreen.frame : min(wake, status.heard(boundary: heard.boundary + 1))
        }
        return min(wake, flash.ends ?? wake)
    }

    /// Shows that it is over.
    package mutating func end(_ status: Status?) {
        guard let status else { return }
        flash = FlashLight()
        draw(StandView(status, .end, stand.choices, at: 0).canvas(Terminal.size, lit: nil))
    }

    /// What is said once the stand is gone: `Piece: stopped at line 2, bar 1, 0:05.7 of 0:07.7`.
    package static func farewell(_ status: Status) -> String {
        let title = Wording.title(status.performance)
        let place =
            if case .bar(let bar) = status.last {
                "stopped at line \(bar.bar.line), bar \(bar.bar.bar), \(Wording.clock(bar.elapsed))"
                    + (bar.total.map { " of \(Wording.clock($0))" } ?? "")
            } else if case .end = status.last {
                "played to the end"
            } else if case .waiting = status.last {
                "stopped before the start"
            } else {
                "stopped in the count-in"
            }
        let line =
            [title, place].filter { !$0.isEmpty }.joined(separator: ": ")
            + (Wording.trouble(status).map { "; \($0)" } ?? "")
        return line.printable + "\n"
    }

    private mutating func draw(_ canvas: Canvas) {
        // A terminal that has stopped reading gets the newest picture once it goes on.
        guard terminal.hasDrawn else { return }
        let hold = terminal.holds
        if hold != self.hold { drawn = nil }
        self.hold = hold
        let text = canvas.changes(from: drawn, colors: depth)
        drawn = canvas
        if !text.isEmpty { terminal.draw(text) }
    }
}

/// The light of a flash: on when a bar is heard, off a moment later.
struct FlashLight {
    private var lastBoundary: Int?
    private var lastBegan = Int64.min / 2
    private var light: (color: Color, edgeOnly: Bool)?
    /// When the light goes off, CLOCK_MONOTONIC in ns; nil while it is off.
    private(set) var ends: Int64?

    /// How long a flash lasts; how late one may come; how far apart they are for sensitive eyes: three a second at most
    /// (WCAG 2.3.1).
    private static let (length, lateness, apart) = (Int64(80_000_000), Int64(60_000_000), Int64(334_000_000))

    /// What is lit now, and whether that is the edge alone.
    var color: (color: Color, edgeOnly: Bool)? { ends == nil ? nil : light }

    /// Sees what is heard at `now`.
    mutating func look(_ moment: Moment, _ choices: StandChoices, at now: Int64) {
        if let end = ends, now >= end { ends = nil }
        guard case .bar(let heard) = moment, !heard.isPaused, !heard.isHolding, heard.boundary != lastBoundary else {
            return
        }
        lastBoundary = heard.boundary
        let age = Int64((heard.duration - heard.left) / .nanoseconds(1))
        // Too late to be one with the sound: no flash is better than a wrong one.
        guard choices.flash != .off, age < FlashLight.lateness else { return }
        if choices.flash == .border, now - lastBegan < FlashLight.apart { return }
        let own = heard.bar.written.isPlain ? nil : heard.bar.written.details.flash
        light = (own ?? (heard.bar.bar == 1 ? choices.lineColor : choices.barColor), choices.flash == .border)
        lastBegan = now
        ends = now + FlashLight.length
    }
}
