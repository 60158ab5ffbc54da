/// How often a plan repeats in a distance or a time, and the remainder: by the rule of `Plan.Length`, by which warm-up and
/// cool-down come once.
public struct Filling: Sendable, Equatable {
    /// The number of whole rounds that fit.
    public var repetitions: Int
    /// Their sum, with warm-up and cool-down.
    public var used: Extent
    /// The distance that is left; nil if a time is filled.
    public var distanceLeft: Distance?
    /// The time that is left; nil if a distance is filled.
    public var timeLeft: Duration?

    /// Fills a distance with a plan whose distance is known.
    ///
    /// A round that falls short by a billionth counts as whole. Errors: a distance in the plan is unknown; its rounds go no
    /// distance; warm-up and cool-down leave no room for them.
    public init(_ distance: Distance, with plan: Plan) throws(PlanError) {
        try plan.checkDistances()
        let (fixed, round) = plan.frameExtents
        guard let each = round.distance, let once = fixed.distance, each > .zero else { throw .nothingRepeats }
        guard once < distance else { throw .lengthUsedUp }
        let room = distance - once
        repetitions = Int(max(min(1e9, room / each + 1e-9), 0).rounded(.down))
        used = fixed + round.times(repetitions)
        let left = room - each * Double(repetitions)
        distanceLeft = left.meters < 1e-6 ? .zero : left
    }

    /// Fills a time with a plan whose duration is known. Errors: as above.
    public init(_ time: Duration, with plan: Plan) throws(PlanError) {
        try plan.checkTimes()
        let (fixed, round) = plan.frameExtents
        guard let each = round.time, let once = fixed.time, each > .zero else { throw .nothingRepeats }
        let time = Extent.clamped(time)
        guard once < time else { throw .lengthUsedUp }
        repetitions = Int(clamping: (time - once).attoseconds / each.attoseconds)
        used = fixed + round.times(repetitions)
        timeLeft = time - once - each * repetitions
    }
}

extension Plan {
    /// The measures of warm-up and cool-down together, and of everything between them.
    fileprivate var frameExtents: (fixed: Extent, round: Extent) {
        let (head, body, tail) = frame
        return (extent(head) + extent(tail), extent(body))
    }
}
