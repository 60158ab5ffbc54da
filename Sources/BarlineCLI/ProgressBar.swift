internal import Playback
internal import Scores

/// A progress bar on standard error, for commands that take more than half a second.
struct ProgressBar {
    private let name: String
    private let started = monotonicNanoseconds()
    private var last: Int64 = 0
    private var isShown = false
    private let isWatched = StandardError.isTerminal

    /// Creates a progress bar for the file at `path`; it shows the file's name.
    init(_ path: String) { name = (path.split(separator: "/").last?.prefix(20) ?? "").printable }

    /// Shows a share of 0 ... 1, at most ten times a second, and only after half a second.
    mutating func show(_ share: Double) {
        guard isWatched else { return }
        let now = monotonicNanoseconds()
        guard now - started > 500_000_000, now - last > 100_000_000 else { return }
        last = now
        isShown = true
        let width = 40
        let full = Int(share * Double(width))
        let bar = String(repeating: "█", count: full) + String(repeating: "·", count: width - full)
        let left = Double(now - started) / 1e9 * (1 - share) / max(share, 1e-9)
        StandardError.write("\r\u{1B}[2K\(bar) \(Int(share * 100)) %  \(name)  \(Int(left.rounded(.up))) s left")
    }

    /// Clears the line of the bar.
    func clear() {
        if isShown { StandardError.write("\r\u{1B}[2K") }
    }
}
