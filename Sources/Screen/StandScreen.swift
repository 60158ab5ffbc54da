public import Playback
internal import Score
internal import Timing

/// A few lines at the foot of the terminal that follow the music: line, bar, what is left, and the keys.
public struct StandScreen: Screen {
    private let terminal: Terminal
    private let flashes: Bool
    private let color: Bool
    private var drawn: [String] = []
    /// Which hold of the terminal `drawn` was drawn in.
    private var hold = 0
    private var flashedBoundary: Int?
    private var flashEnds: Int64?

    /// How long a flash lasts, and how often the figures are drawn.
    private static let flash: Int64 = 80_000_000
    private static let frame: Int64 = 40_000_000

    /// A screen on a terminal that is held. `flashes` inverts the whole screen for a moment at every bar.
    public init(_ terminal: Terminal, flashes: Bool, color: Bool) {
        self.terminal = terminal
        self.flashes = flashes
        self.color = color
    }

    /// Shows what is new. Returns when to call again.
    public mutating func show(_ status: Status, at now: Int64) -> Int64 {
        let moment = status.moment(at: now)
        draw(StandScreen.lines(status, moment, columns: Terminal.size.columns, color: color))
        flash(moment, at: now)
        var wake = now + StandScreen.frame
        if case .bar(let heard) = moment, !heard.isPaused, !heard.isHolding {
            wake = min(wake, status.heard(boundary: heard.boundary + 1))
        }
        return min(wake, flashEnds ?? wake)
    }

    /// Shows that it is over.
    public mutating func end(_ status: Status?) {
        if flashEnds != nil { terminal.write("\u{1B}[?5l") }
        if let status {
            draw(StandScreen.lines(status, .end, columns: Terminal.size.columns, color: color))
        }
    }

    /// What the screen says, line by line, none wider than the terminal.
    static func lines(_ status: Status, _ moment: Moment, columns: Int, color: Bool) -> [String] {
        let performance = status.performance
        let head = [Wording.title(performance), "\(status.speed)", Wording.drone(status)]
            .filter { !$0.isEmpty }.joined(separator: "   ")
        let keys = "Space pause  ←→ bar  ↑↓ line  +− speed  q quit"
        var lines = [head]
        switch moment {
        case .countIn(let left):
            lines += ["count-in   \(Wording.left(left)) s", gauge(0, columns), keys]
        case .end:
            lines += ["end", gauge(1, columns), ""]
        case .bar(let heard):
            let bar = heard.bar
            let texts = [bar.label, bar.cue].filter { !$0.isEmpty }.map { "   \($0)" }.joined()
            // As the print has it, where that is not the count of bars.
            let number = bar.number == bar.index + 1 ? "" : "no. \(bar.number)   "
            let pass = performance.walk.passes == 1 ? "" : "   pass \(heard.pass)"
            let state = heard.isPaused ? "   PAUSED" : heard.isHolding ? "   HOLDING: Space goes on" : ""
            let section = bar.section.isEmpty ? "" : "\(bar.section)   "
            lines.append(
                section + "line \(bar.line)   bar \(bar.bar) of \(bar.barsInLine)   \(number)"
                    + "\(Wording.left(heard.left)) s of \(heard.duration.seconds(decimals: 1))" + pass + state + texts)
            lines.append(gauge(1 - heard.left / heard.duration, columns))
            let total = heard.total.map { " of \(Wording.clock($0))" } ?? ""
            lines.append("\(Wording.clock(heard.elapsed))\(total)   \(keys)")
        }
        if let trouble = Wording.trouble(status) { lines.append(trouble) }
        lines = lines.map { $0.cut(toColumns: max(columns - 1, 1)) }
        if color { lines[1] = "\u{1B}[1m\(lines[1])\u{1B}[0m" }
        return lines
    }

    /// A bar that fills, in eighths of a column.
    static func gauge(_ share: Double, _ columns: Int) -> String {
        let width = max(min(columns - 1, 60), 1)
        let eighths = Int((min(max(share, 0), 1) * Double(width * 8)).rounded(.down))
        let part = eighths % 8
        let partial = part == 0 ? "" : String(UnicodeScalar(0x2590 - UInt32(part)).map(Character.init) ?? " ")
        let full = String(repeating: "█", count: eighths / 8) + partial
        return full + String(repeating: "·", count: width - full.count)
    }

    /// Draws only the lines that changed.
    private mutating func draw(_ lines: [String]) {
        let hold = terminal.holds
        if hold != self.hold { drawn = [] }
        self.hold = hold
        guard lines != drawn else { return }
        var text = drawn.isEmpty ? "" : "\u{1B}[\(drawn.count)A"
        for i in 0..<max(lines.count, drawn.count) {
            let line = i < lines.count ? lines[i] : ""
            if i >= drawn.count || drawn[i] != line { text += "\r\u{1B}[2K" + line }
            text += "\r\n"
        }
        // What is no longer said keeps an empty line, so that the place of the rest stays.
        drawn = lines + Array(repeating: "", count: max(drawn.count - lines.count, 0))
        terminal.write(text)
    }

    private mutating func flash(_ moment: Moment, at now: Int64) {
        guard flashes else { return }
        if let ends = flashEnds, now >= ends {
            terminal.write("\u{1B}[?5l")
            flashEnds = nil
        }
        guard case .bar(let heard) = moment, !heard.isPaused, !heard.isHolding, heard.boundary != flashedBoundary else {
            return
        }
        flashedBoundary = heard.boundary
        // Too late to be one with the sound: no flash is better than a wrong one.
        guard heard.duration - heard.left < .milliseconds(100) else { return }
        terminal.write("\u{1B}[?5h")
        flashEnds = now + StandScreen.flash
    }
}
