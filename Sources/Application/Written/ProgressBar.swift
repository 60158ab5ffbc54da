internal import Languages
internal import Playback
internal import Scores
internal import Screens

/// A progress bar on standard error, for commands that take more than half a second.
package struct ProgressBar {
    private let name: String
    private let started = monotonicNanoseconds()
    private var last: Int64 = 0
    private var isShown = false
    /// The time between two lines of a plain terminal, in ns.
    private static let plainPause: Int64 = 5_000_000_000
    private let isWatched = StandardError.isTerminal

    /// Creates a progress bar for the file at `path`; it shows the file's name.
    package init(_ path: String) { name = (path.split(separator: "/").last?.prefix(20) ?? "").printable }

    /// Shows a share of 0 ... 1, at most ten times a second, and only after half a second.
    package mutating func show(_ share: Double) {
        guard isWatched else { return }
        let now = monotonicNanoseconds()
        let pause = Terminal.isPlain ? ProgressBar.plainPause : 100_000_000
        guard now - started > 500_000_000, now - last > pause else { return }
        last = now
        isShown = true
        let percent = Int(share * 100)
        let left = Double(now - started) / 1e9 * (1 - share) / max(share, 1e-9)
        let rest = localized("\(percent) %  \(name)  \(Int(left.rounded(.up))) s left")
        guard !Terminal.isPlain else { return StandardError.write(rest + "\n") }
        let width = 40
        let full = Int(share * Double(width))
        let bar = String(repeating: "█", count: full) + String(repeating: "·", count: width - full)
        StandardError.write("\r\u{1B}[2K\(bar) \(rest)")
    }

    /// Clears the line of the bar.
    package func clear() {
        if isShown, !Terminal.isPlain { StandardError.write("\r\u{1B}[2K") }
    }
}
