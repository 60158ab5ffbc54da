internal import Timing

/// Where a command goes in the music: `Command.jump`.
public enum Jump: Sendable, Equatable {
    /// The start of the next bar; no effect in the last one.
    case nextBar
    /// The start of this bar, or of the previous one if this bar has only just begun.
    case previousBar
    /// The first bar of the next line; no effect in the last one.
    case nextLine
    /// The first bar of this line, or of the previous one if this line has only just begun.
    case previousLine
    /// The start of this bar; if the music was paused, it goes on from there.
    case thisBar
    /// The first bar of the practice program that is played, otherwise of the passage that was asked for at the start.
    case firstBar
    /// A bar of the piece, counted from 0; no effect if that bar is not played.
    case bar(Int)
    /// The bar at a time of the score at 100 %, as `bar` does. In a score that repeats forever, and in a plan, the time counts all
    /// passes, and a practiced passage whose time is not shown is left.
    case time(Duration)
}

extension Music {
    /// Jumps at a frame. Returns the flags of the boundary there; nil if the jump has no effect.
    mutating func go(_ jump: Jump, at frame: Int64) -> TimingRow.Flags? {
        let passage = scheduler.performance.passage
        let position = position(at: frame)
        let n = passage.boundary(at: position)
        switch jump {
        case .nextBar: return passage.has(boundary: n + 1) ? go(to: n + 1, at: frame) : nil
        case .previousBar: return go(to: hasJustBegun(n, at: frame) ? max(n - 1, 0) : n, at: frame)
        case .nextLine:
            let bar = passage.bar(of: n)
            let endOfStretch = passage.boundaries(aroundBoundary: n).upperBound
            let next = min(n + bar.barsInLine - bar.bar + 1, endOfStretch)
            return passage.has(boundary: next) ? go(to: next, at: frame) : nil
        case .previousLine:
            let begin = startOfLine(n)
            return go(to: begin > 0 && hasJustBegun(begin, at: frame) ? startOfLine(begin - 1) : begin, at: frame)
        case .thisBar:
            let wasPaused = scheduler.isPaused
            let flags = go(to: n, at: frame)
            guard wasPaused else { return flags }
            scheduler.resume(at: frame)
            return flags.union(.resumed)
        case .firstBar:
            let first = passage.stretch(of: n).program.isEmpty ? home : passage
            return go(toBar: first.bar(of: 0).index, near: n, at: frame)
        case .bar(let bar): return go(toBar: bar, near: n, at: frame)
        case .time(let time):
            let time = min(max(time, .zero), Passage.longest)
            guard start.countsPasses else { return go(toBar: home.timeline.bar(meantBy: time), near: n, at: frame) }
            if !scheduler.performance.countsPasses { goHome(at: frame) }
            return go(to: scheduler.performance.passage.boundary(at: time + SameMoment.tolerance), at: frame)
        }
    }

    private mutating func go(to boundary: Int, at frame: Int64) -> TimingRow.Flags {
        scheduler.jump(to: boundary, at: frame)
        return .jump
    }

    /// Jumps to a bar, for which a practiced passage without it is left; nil if the home passage lacks it, too.
    private mutating func go(toBar bar: Int, near n: Int, at frame: Int64) -> TimingRow.Flags? {
        if let boundary = scheduler.performance.passage.boundary(ofBar: bar, near: n) {
            return go(to: boundary, at: frame)
        }
        guard let leftHome, let boundary = home.boundary(ofBar: bar, near: leftHome) else { return nil }
        goHome(at: frame)
        return go(to: boundary, at: frame)
    }

    /// How long after the start of a bar or line a jump back still goes to the previous one.
    private static let justBegun = Duration.milliseconds(500)

    private func hasJustBegun(_ n: Int, at frame: Int64) -> Bool {
        let since = position(at: frame) - scheduler.performance.passage.position(of: n)
        return scheduler.anchor.speed.realDuration(of: since) + scheduler.waited(at: frame) < Music.justBegun
    }

    /// The first boundary of the line that contains boundary `n`, or of its stretch if that begins within the line.
    private func startOfLine(_ n: Int) -> Int {
        let passage = scheduler.performance.passage
        return max(n - passage.bar(of: n).bar + 1, passage.boundaries(aroundBoundary: n).lowerBound)
    }
}
