/// How many messages a page may send: bursts are fine, a flood is not. A bucket that fills at a steady rate.
package struct Allowance: Sendable {
    /// The messages that may come at once, and how many more each second.
    package static let (burst, perSecond) = (60.0, 20.0)

    private var left = Allowance.burst
    private var time: Int64

    /// A full allowance at `now`, CLOCK_MONOTONIC in ns.
    package init(at now: Int64) { time = now }

    /// Whether one more message is allowed at `now`.
    package mutating func take(at now: Int64) -> Bool {
        left = min(left + Double(max(now - time, 0)) * 1e-9 * Allowance.perSecond, Allowance.burst)
        time = max(now, time)
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
