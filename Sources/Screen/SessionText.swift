public import Playback
internal import Score
internal import Timing

/// What a session says of itself to who asks.
public enum SessionText {
    /// Commands that take as long as this are worth a word.
    private static let longDelay = Duration.milliseconds(150)

    /// One line: what is played, where it is, and what is left.
    public static func line(_ status: Status?, at now: Int64) -> String {
        guard let status else { return "about to begin" }
        let title = status.performance.title.isEmpty ? "" : status.performance.title + ", "
        let delay =
            status.commandDelay < SessionText.longDelay ? "" : ", commands take \(Wording.left(status.commandDelay)) s"
        switch status.moment(at: now) {
        case .waiting(let left): return title + "begins in \(Wording.clock(left))"
        case .countIn(let left): return title + "count-in, \(Wording.left(left)) s"
        case .end: return title + "at its end"
        case .bar(let heard):
            let bar = heard.bar
            let place = bar.label.isEmpty ? "line \(bar.line) bar \(bar.bar)" : "\(bar.label) (\(bar.line).\(bar.bar))"
            let total = heard.total.map { " of \(Wording.clock($0))" } ?? ""
            return title + "\(place), \(Wording.left(heard.left)) s left, \(Wording.clock(heard.elapsed))\(total)"
                + (heard.isPaused ? ", paused" : heard.isHolding ? ", holding: `barline continue` goes on" : "") + delay
        }
    }

    /// The same as one JSON object. `quoted` writes a string as JSON does.
    public static func json(_ status: Status?, at now: Int64, quoted: (String) -> String) -> String {
        guard let status else { return "{\"state\": \"beginning\"}" }
        let title =
            "\"title\": \(quoted(status.performance.title)), "
            + "\"command_delay_s\": \(status.commandDelay.seconds(decimals: 3))"
        switch status.moment(at: now) {
        case .waiting(let left): return "{\"state\": \"waiting\", \(title), \"left_s\": \(left.seconds(decimals: 3))}"
        case .countIn(let left): return "{\"state\": \"count-in\", \(title), \"left_s\": \(left.seconds(decimals: 3))}"
        case .end: return "{\"state\": \"end\", \(title)}"
        case .bar(let heard):
            let bar = heard.bar
            let total = heard.total.map { $0.seconds(decimals: 3) } ?? "null"
            let state = heard.isPaused ? "paused" : heard.isHolding ? "holding" : "playing"
            return "{\"state\": \"\(state)\", \(title), \"line\": \(bar.line), "
                + "\"bar\": \(bar.bar), \"label\": \(quoted(bar.label)), \"left_s\": \(heard.left.seconds(decimals: 3)), "
                + "\"elapsed_s\": \(heard.elapsed.seconds(decimals: 3)), \"total_s\": \(total)}"
        }
    }

    /// CLOCK_MONOTONIC in ns.
    public static var now: Int64 { monotonicNanoseconds() }
}
