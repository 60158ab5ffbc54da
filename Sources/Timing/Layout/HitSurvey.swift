internal import Languages
internal import Scores

/// What is known of the hits of a page while it is laid out: where they are, and what lies between them.
///
/// Everything counts from the beginning of the page. Bars with hits are played once, in order, so each has one time.
struct HitSurvey {
    struct Reached {
        var hit: Hit
        /// The index of its bar among all bars of the page.
        var bar: Int
        /// The time from the beginning of the bar to it.
        var offset: Duration
        /// The distance from the beginning of the bar in whole notes; nil at the beginning.
        var position: Fraction?
        /// The time from the beginning of the page to it, and how much of that has a tempo.
        var total: Duration
        var metered: MeteredTime
        /// What lies between the hit before and this one.
        var approach: Approach
        /// Where it is written.
        var place: Layout.Problem
    }

    /// The music from one hit to the next.
    struct Approach {
        /// The written tempo of its first bar with a meter; nil if it has none.
        var first: TempoPoint?
        /// The written tempo at its end.
        var last: TempoPoint?
        /// Whether a tempo is written at its beginning.
        var isMarked = false
        /// Whether a ramp can lead through it.
        var isUniform = true
        /// Whether its tempo is written at all, and not the tempo of a score that has none.
        var isWritten = false
    }

    /// Where the current line begins: the bars, the time, and the metered time before it.
    private(set) var bars = 0
    private(set) var total = Duration.zero
    private(set) var metered = MeteredTime()
    private(set) var hits: [Reached] = []
    private var approach = Approach()
    /// The written tempo at the end of the bars that have been passed.
    private var last: TempoPoint
    private var isWritten: Bool
    /// Whether a tempo, or a ramp, is written since the last bar with a meter.
    private var (hasMark, hasRampMark) = (false, false)
    /// How many parts that are played several times, or fragments, contain the current place.
    var nesting = 0
    /// Whether there has been a jump.
    var hasJump = false

    init(_ score: Score) {
        last = TempoPoint(value: score.tempo.value, wholeNotes: score.tempo.wholeNotes.value)
        isWritten = score.writtenTempo != nil
    }

    // MARK: - On the way

    /// Notes that a tempo or a ramp is written here. It belongs to the approach of the next bar with a meter.
    mutating func mark(isRamp: Bool = false) {
        isWritten = true
        guard nesting == 0 else { return }
        hasMark = true
        hasRampMark = hasRampMark || isRamp
    }

    /// Notes a bar with a meter: the written tempo at its beginning, and whether it has its own speed.
    mutating func enter(_ point: TempoPoint, hasSpeed: Bool) {
        if hasMark, approach.first == nil { approach.isMarked = true }
        if hasSpeed || hasRampMark || hasMark && approach.first != nil { approach.isUniform = false }
        (hasMark, hasRampMark) = (false, false)
        if approach.first == nil { approach.first = point }
    }

    /// Notes the written tempo at the end of a bar.
    mutating func leave(_ point: TempoPoint) { last = point }

    /// Moves on by a line, or by what is played several times, if that is not a part of something else.
    mutating func pass(_ node: Layout.Node) {
        guard nesting == 0 else { return }
        bars += node.bars
        total += node.duration
        metered.add(node.metered)
        if node.metered.notes > 0, !node.metered.isUniform { approach.isUniform = false }
    }

    /// Notes a hit, after which the next approach begins; `last` is the written tempo before it, if that has changed.
    mutating func reach(_ hit: Reached, last: TempoPoint?) {
        var hit = hit
        approach.last = last ?? self.last
        approach.isWritten = isWritten
        hit.approach = approach
        hits.append(hit)
        approach = Approach()
    }
}

/// A hit at its place in a bar.
struct PlacedHit {
    var hit: Hit
    /// The distance from the beginning of the bar in whole notes; nil at the beginning.
    var position: Fraction?
    /// How long the holds before it last. A beat that is held is struck before its hold.
    var holds = Duration.zero

    /// The hits of a bar in order. Errors: no such beat; a hold whose place among them depends on the tempo.
    static func hits(of details: Score.Details) throws(TextError) -> [PlacedHit] {
        guard let meter = details.meter else {
            for hit in details.hits where hit.beat > .one {
                throw TextError(
                    localized("a bar of seconds can have a hit only at its beginning"),
                    hint: localized("write the hit without a beat"))
            }
            return details.hits.prefix(Hit.limitInBar).map { PlacedHit(hit: $0) }
        }
        let beats = BeatPlaces(meter, marked: details.beats)
        var placed: [PlacedHit] = []
        for hit in details.hits.prefix(Hit.limitInBar) { placed.append(try PlacedHit(hit, beats, details)) }
        return placed.enumerated().sorted { one, two in
            let (a, b) = (one.element.position, two.element.position)
            return a == b ? one.offset < two.offset : a.isEarlier(than: b)
        }.map(\.element)
    }

    private init(hit: Hit) { self.hit = hit }

    private init(_ hit: Hit, _ beats: BeatPlaces, _ details: Score.Details) throws(TextError) {
        self.hit = hit
        guard hit.beat > .one else { return }
        guard beats.contains(hit.beat) else {
            throw TextError(
                beats.count == 1
                    ? localized("the hit is at beat \(hit.beat.text), but the bar has 1 beat")
                    : localized("the hit is at beat \(hit.beat.text), but the bar has \(beats.count) beats"))
        }
        position = beats.place(of: hit.beat)
        for hold in details.holds {
            switch hold.place {
            case .end: break
            case .beat(let number):
                guard number <= beats.count else { break }
                if beats.place(of: Fraction(Int64(number))).isEarlier(than: position) { holds += hold.length }
            case .offset:
                throw TextError(
                    localized("in a bar with a hit, the place of a hold is a beat"),
                    hint: localized("for example hold: 5 at beat 3"))
            }
        }
    }
}

extension Fraction? {
    /// Whether a place in a bar is before another; nil is the beginning.
    func isEarlier(than other: Fraction?) -> Bool {
        guard let other else { return false }
        return map { $0 < other } ?? true
    }
}
