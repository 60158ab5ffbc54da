internal import Timing

/// What a user can ask of a running performance.
public enum Command: Sendable, Equatable {
    /// Pause, or go on where the music stood.
    case togglePause
    /// Go on from a hold that waits; nothing where the music does not stand at one.
    case `continue`
    /// To the start of the next bar.
    case nextBar
    /// To the start of this bar; of the one before when it has only just begun.
    case previousBar
    /// To the first bar of the next line.
    case nextLine
    /// To the first bar of this line; of the one before when it has only just begun.
    case previousLine
    /// Faster or slower by percentage points.
    case speed(change: Int)
    /// The drone falls silent with its fade, or sounds again.
    case toggleDrone
    /// An end with a fade.
    case stop
}

extension Scheduler {
    /// How long after the start of a bar or line going back still means the one before.
    private static let justBegun = Duration.milliseconds(500)

    /// The boundary that a jump goes to from `position`.
    func target(of command: Command, from position: Duration) -> Int {
        let walk = performance.walk
        let n = walk.boundary(at: position)
        switch command {
        case .nextBar:
            return walk.has(boundary: n + 1) ? n + 1 : n
        case .previousBar:
            return hasJustBegun(n, at: position) ? max(n - 1, 0) : n
        case .nextLine:
            let bar = walk.bar(of: n)
            let endOfPass = walk.passNumber(of: n) * walk.bars.count
            let next = min(n + bar.barsInLine - bar.bar + 1, endOfPass)
            return walk.has(boundary: next) ? next : n
        case .previousLine:
            let begin = startOfLine(n)
            return begin > 0 && hasJustBegun(begin, at: position) ? startOfLine(begin - 1) : begin
        case .togglePause, .continue, .speed, .toggleDrone, .stop:
            return n
        }
    }

    private func hasJustBegun(_ n: Int, at position: Duration) -> Bool {
        anchor.speed.realDuration(of: position - performance.walk.position(of: n)) < Scheduler.justBegun
    }

    /// The first boundary of the line that boundary `n` stands in, or of its pass where that begins within the line.
    private func startOfLine(_ n: Int) -> Int {
        let walk = performance.walk
        let startOfPass = (walk.passNumber(of: n) - 1) * walk.bars.count
        return max(n - walk.bar(of: n).bar + 1, startOfPass)
    }
}
