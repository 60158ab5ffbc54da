internal import Playback

/// How many commands of a cable are taken: at most a hundred in a second.
package struct Allowance: Sendable {
    /// The most commands that are taken in a second.
    package static let mostPerSecond = 100

    private var second = Int64.min
    private var count = 0

    package init() {}

    package mutating func takesOne() -> Bool {
        let now = monotonicNanoseconds() / 1_000_000_000
        if now != second { (second, count) = (now, 0) }
        count += 1
        return count <= Allowance.mostPerSecond
    }
}
