internal import Languages
public import Scores

/// The order in which boundaries are played: stretches of a timeline in turn, once, several times, or until stopped.
///
/// Boundary n begins the nth bar that is played. Positions count score time (at the speed of a stretch, not of the
/// performance) from the start of the passage, all passes laid end to end. They are a closed form of n.
public struct Passage: Sendable {
    /// The piece.
    public let timeline: Timeline
    /// The stretches of one pass, in order.
    public let stretches: [Stretch]
    /// The number of passes; nil = until stopped.
    public let passes: Int?
    /// The number of bars in one pass; in the first one, if its last stretch goes on.
    public let barsInPass: Int
    /// The duration of one pass; of the first one, if its last stretch goes on.
    public let pass: Duration
    /// What is played again and again: the whole pass, or its last stretch if that goes on.
    private let round: Begin
    /// The boundary of the first pass, and the position, at which each stretch begins; and the start of its first bar in
    /// the piece.
    private let begins: [Begin]
    private typealias Begin = (boundary: Int, position: Duration, start: Duration)
    /// The largest number of passes whose positions can be computed.
    private let mostPasses: Int
    /// The last boundary of a pass whose bar waits for the player in live music; nil if there is none.
    private let waitInPass: Int?

    /// Consecutive bars of the piece, played at one speed.
    public struct Stretch: Sendable, Equatable {
        /// The bars; never empty in a passage.
        public var bars: Range<Int>
        /// The speed, a factor on top of the speed of the performance.
        public var speed = Speed.asWritten
        /// The label on a screen, such as `2 of 3`; empty for none.
        public var label = ""
        /// Whether, as the last stretch of a passage that is played until stopped, it is repeated instead of the passage.
        public var goesOn = false
        /// The practice program that it belongs to, as a player types it; empty for none.
        public var program = ""

        /// Makes a stretch.
        public init(_ bars: Range<Int>, speed: Speed = .asWritten, label: String = "") {
            (self.bars, self.speed, self.label) = (bars, speed, label)
        }
    }

    /// Makes a passage through some bars of a piece. `passes` is 1 or more; nil = until stopped.
    public init(_ timeline: Timeline, bars: Range<Int>? = nil, passes: Int? = 1) {
        self.init(timeline, [Stretch(bars ?? 0..<timeline.barCount)], passes: passes)
    }

    /// Makes a passage through stretches of a piece. `passes` is 1 or more; nil = until stopped.
    ///
    /// Bars that the piece does not have are ignored. If no bar is left, the passage goes through the whole piece.
    public init(_ timeline: Timeline, _ stretches: [Stretch], passes: Int? = 1) {
        let all = 0..<timeline.barCount
        var stretches = stretches
        for index in stretches.indices { stretches[index].bars = stretches[index].bars.clamped(to: all) }
        stretches.removeAll(where: \.bars.isEmpty)
        if stretches.isEmpty { stretches = [Stretch(all)] }
        self.timeline = timeline
        self.stretches = stretches
        var begins: [Begin] = []
        var next = (boundary: 0, position: Duration.zero)
        var wait: Int?
        for stretch in stretches {
            let first = stretch.bars.lowerBound
            let start = timeline.start(ofBar: first)
            begins.append((next.boundary, next.position, start))
            if let bar = timeline.lastWait(in: stretch.bars) {
                wait = next.boundary + bar - first
            }
            next.boundary += stretch.bars.count
            next.position += stretch.length(of: timeline, from: start, before: stretch.bars.upperBound)
        }
        self.begins = begins
        waitInPass = wait
        (barsInPass, pass) = next
        var round: Begin = (barsInPass, pass, .zero)
        if passes == nil, stretches[stretches.count - 1].goesOn, let last = begins.last {
            (round.boundary, round.position) = (barsInPass - last.boundary, pass - last.position)
        }
        self.round = round
        // 30 000 years: far more than `longest`, and within 64 bits of frames at every speed and rate.
        let most = Duration.seconds(1_000_000_000_000).attoseconds / max(round.position.attoseconds, 1)
        let limit = Int(min(max(most, 1), Int128(Int.max / 2 / barsInPass)))
        mostPasses = limit
        self.passes = passes.map { min(max($0, 1), limit) }
    }

    /// In how many rounds boundary `n` comes after the first pass, and which boundary of that pass it is like.
    private func split(_ n: Int) -> (rounds: Int, rest: Int) {
        let rounds = max(n - (barsInPass - round.boundary), 0) / round.boundary
        return (rounds, n - rounds * round.boundary)
    }

    /// `n` clamped to the boundaries that exist; the end counts as one.
    private func clamped(_ n: Int) -> Int { min(max(n, 0), barsInPass + ((passes ?? mostPasses) - 1) * round.boundary) }

    /// The range of the piece from the first bar that is played to the last.
    public var bars: Range<Int> {
        let first = stretches.map(\.bars.lowerBound).min() ?? 0
        return first..<max(first, stretches.map(\.bars.upperBound).max() ?? 0)
    }

    /// The time in the piece at which the first bar begins.
    public var start: Duration { timeline.start(ofBar: stretches[0].bars.lowerBound) }

    /// The number of boundaries; nil if the passage has no end.
    public var count: Int? { passes.map { $0 * barsInPass } }

    /// The duration of all passes; nil if the passage has no end.
    public var total: Duration? { passes.map { pass * $0 } }

    /// The longest passage with an end: 100 000 h as written, 2 000 000 h at 5 %, still within 64 bits of ns or frames.
    public static let longest = Duration.seconds(360_000_000)

    /// The error for a passage longer than `longest`, or of a piece with more than 10 000 jumps; nil for others.
    public var excess: TextError? {
        if timeline.order.isCut { return PlayOrder.jumpsExcess }
        guard let passes, pass > Passage.longest / passes else { return nil }
        return TextError(
            localized("this would last more than 100 000 h"), hint: localized("play less of it, or fewer times"))
    }

    /// The last boundary whose bar waits for the player in live music; nil if there is none.
    public var lastWait: Int? {
        guard let waitInPass else { return nil }
        return passes.map { ($0 - 1) * barsInPass + waitInPass } ?? .max
    }

    /// Whether boundary `n` exists.
    public func has(boundary n: Int) -> Bool { n >= 0 && count.map { n < $0 } ?? true }

    /// The position of boundary `n`; `count` and above give the end, negative numbers the start.
    public func position(of n: Int) -> Duration {
        let (whole, rest) = split(clamped(n))
        let index = stretchIndex(rest)
        let (stretch, begin) = (stretches[index], begins[index])
        let bar = stretch.bars.lowerBound + rest - begin.boundary
        return round.position * whole + begin.position + stretch.length(of: timeline, from: begin.start, before: bar)
    }

    /// The bar that boundary `n` begins, at the stretch's speed; `n` is clamped to the boundaries that exist.
    public func bar(of n: Int) -> TimedBar {
        let n = min(max(n, 0), (count ?? .max) - 1)
        let rest = split(n).rest
        let index = stretchIndex(rest)
        let stretch = stretches[index]
        var bar = timeline[stretch.bars.lowerBound + rest - begins[index].boundary]
        if stretch.speed != .asWritten { bar.duration = position(of: n + 1) - position(of: n) }
        return bar
    }

    /// The stretch that boundary `n` belongs to.
    public func stretch(of n: Int) -> Stretch { stretches[stretchIndex(split(max(n, 0)).rest)] }

    /// The boundaries of the stretch that boundary `n` belongs to, in the same pass.
    public func boundaries(aroundBoundary n: Int) -> Range<Int> {
        let (whole, rest) = split(clamped(n))
        let index = stretchIndex(rest)
        let first = whole * round.boundary + begins[index].boundary
        return first..<first + stretches[index].bars.count
    }

    /// The number of the pass that boundary `n` belongs to, from 1.
    public func passNumber(of n: Int) -> Int { split(clamped(n)).rounds + 1 }

    /// The boundary whose bar `position` lies in: the last one at or before it; 0 before the first.
    public func boundary(at position: Duration) -> Int {
        guard position > .zero else { return 0 }
        // Clamped to the end of the last pass that can be computed.
        let clamped = min(position, pass + round.position * ((passes ?? mostPasses) - 1))
        let later = max(clamped - (pass - round.position), .zero).attoseconds
        let whole = Int(later / max(round.position.attoseconds, 1))
        let inPass = clamped - round.position * whole
        let index = begins.lastIndexByHalving { $0.position <= inPass }
        let (stretch, begin) = (stretches[index], begins[index])
        let first = stretch.bars.lowerBound
        let offset = stretch.speed.scoreDuration(of: inPass - begin.position)
        var bar = timeline.bar(at: timeline.start(ofBar: first) + offset)
        bar = min(max(bar, first), stretch.bars.upperBound - 1)
        var n = whole * round.boundary + begin.boundary + bar - first
        // A stretch's speed rounds durations: the positions of boundaries decide which bar it is.
        while n > 0, self.position(of: n) > clamped { n -= 1 }
        let last = barsInPass + ((passes ?? mostPasses) - 1) * round.boundary - 1
        while stretch.speed != .asWritten, n < last, self.position(of: n + 1) <= clamped { n += 1 }
        return count.map { min(n, $0 - 1) } ?? n
    }

    /// The boundary nearest to `n` in the same pass that begins bar `index` of the piece; nil if there is none.
    public func boundary(ofBar index: Int, near n: Int) -> Int? {
        let n = clamped(n)
        let rounds = split(n).rounds
        let first = rounds * round.boundary
        // After the first pass, only what is played again.
        let from = rounds == 0 ? 0 : stretchIndex(barsInPass - round.boundary)
        let found = (from..<stretches.count).filter { stretches[$0].bars.contains(index) }
            .map { first + begins[$0].boundary + index - stretches[$0].bars.lowerBound }
        return found.min { abs($0 - n) < abs($1 - n) }
    }

    private func stretchIndex(_ boundaryInPass: Int) -> Int {
        begins.count == 1 ? 0 : begins.lastIndexByHalving { $0.boundary <= boundaryInPass }
    }
}

extension Passage.Stretch {
    /// How long the bars before bar `end` last, at the stretch's speed; the first one starts at `start` in the piece.
    fileprivate func length(of timeline: Timeline, from start: Duration, before end: Int) -> Duration {
        let length = timeline.start(ofBar: end) - start
        return speed == .asWritten ? length : speed.realDuration(of: length)
    }
}
