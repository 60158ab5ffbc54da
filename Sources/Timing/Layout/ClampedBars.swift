internal import Scores

// A program can put values into a score that the reader would refuse. They are clamped, so that nothing overflows.
extension Score.Line {
    /// The line with every bar clamped to what can be laid out. One that was read stays as it is, and shares its bars.
    var clamped: Score.Line {
        if bars.allSatisfy(\.isWithinLimits) { return self }
        var line = self
        for index in bars.indices where !bars[index].isWithinLimits { line.bars[index].clamp() }
        return line
    }
}

extension Score.Bar {
    /// Far above the limits of the reader, and far from overflow.
    private static let limit = Duration.seconds(1_000_000_000)
    private static let range = Duration(attoseconds: 1)...limit

    fileprivate var isWithinLimits: Bool {
        let isOfSeconds = isPlain || details.meter == nil
        if isOfSeconds, !Score.Bar.range.contains(duration) { return false }
        return isPlain || details.holds.allSatisfy { $0 == $0.clamped(to: Score.Bar.limit) }
    }

    fileprivate mutating func clamp() {
        duration = min(max(duration, Score.Bar.range.lowerBound), Score.Bar.limit)
        if !isPlain { details.holds = details.holds.prefix(1000).map { $0.clamped(to: Score.Bar.limit) } }
    }
}

extension Hold {
    fileprivate func clamped(to limit: Duration) -> Hold {
        var clamped = self
        clamped.length = min(max(length, .zero), limit)
        if case .offset(let offset) = place { clamped.place = .offset(min(max(offset, .zero), limit)) }
        return clamped
    }
}
