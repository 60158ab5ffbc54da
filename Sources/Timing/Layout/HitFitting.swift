internal import Languages
internal import Scores

/// Fits the tempo between hits, so that each hit sounds at its time.
///
/// From one hit to the next, bars of seconds and holds last as written, and all tempi, ramps too, are multiplied by one
/// factor; or a single ramp leads from the tempo that sounds at the hit before to the tempo that is needed.
struct HitFitting {
    /// How the tempo before each hit is fitted.
    private(set) var fits: [TempoFit] = []
    /// The tempi before each hit: as they are written, and as they sound.
    private(set) var tempi: [HitPoint.Tempi?] = []
    /// What makes it impossible.
    private(set) var problems: [Layout.Problem] = []
    /// What the player should know.
    private(set) var warnings: [Layout.Problem] = []

    private let score: Score
    /// The time of the hit before, and the tempo that sounds there, in whole notes per minute.
    private var time = Duration.zero
    private var sounding: Double?

    /// The largest factor by which hits change a written tempo.
    static let limit = 4.0
    /// The tempi that are computed where none is written, in whole notes per minute.
    static let range = 2.5...250.0
    /// The share of a written tempo from which on a change is reported.
    static let warning = 0.1

    init(_ score: Score, _ hits: [HitSurvey.Reached]) {
        self.score = score
        var before: HitSurvey.Reached?
        for hit in hits {
            if before == nil, score.speed != .asWritten {
                note(
                    TextError(
                        localized("at the score's speed of \(score.speed), hits come at other times than those written")
                    ),
                    hit, in: &warnings)
            }
            var fitted = (fit: TempoFit.asWritten, tempi: HitPoint.Tempi?.none)
            do throws(TextError) { fitted = try fit(hit, after: before) } catch {
                note(error, hit, in: &problems)
                sounding = nil
            }
            fits.append(fitted.fit)
            tempi.append(fitted.tempi)
            time = max(score.position(of: hit.hit), time)
            before = hit
        }
    }

    private func note(_ error: TextError, _ hit: HitSurvey.Reached, in problems: inout [Layout.Problem]) {
        guard problems.count < 100 else { return }
        var problem = hit.place
        problem.error = error
        problems.append(problem)
    }

    private mutating func fit(
        _ hit: HitSurvey.Reached, after before: HitSurvey.Reached?
    ) throws(TextError) -> (TempoFit, HitPoint.Tempi?) {
        let wanted = score.position(of: hit.hit)
        guard wanted >= .zero else {
            throw TextError(localized("the hit is before the start of the score at \(score.timecode?.text ?? "0:00")"))
        }
        guard before == nil || wanted > time else {
            throw TextError(localized("the hit is at \(shown(wanted)), but the hit before it is at \(shown(time))"))
        }
        var metered = hit.metered.duration - (before?.metered.duration ?? .zero)
        let notes = hit.metered.notes - (before?.metered.notes ?? 0)
        let fixed = hit.total - (before?.total ?? .zero) - metered
        let room = wanted - time - fixed
        guard notes > 0, let first = hit.approach.first, let last = hit.approach.last else {
            guard max(room, .zero - room) < .microseconds(1) else {
                let (lasts, should) = (shown(fixed), shown(wanted - time))
                throw TextError(
                    before == nil
                        ? localized(
                            "from the start to this hit, no bar has a tempo: it lasts \(lasts), but should last \(should)"
                        )
                        : localized(
                            "from the hit before to this hit, no bar has a tempo: it lasts \(lasts), but should last \(should)"
                        )
                )
            }
            return (.asWritten, nil)
        }
        guard room > .zero else {
            throw TextError(
                localized(
                    "up to this hit, bars of seconds and holds last \(shown(fixed)), but there are only \(shown(wanted - time))"
                )
            )
        }
        metered = max(metered, Duration(attoseconds: 1))
        var fitted = HitPoint.Tempi(
            wished: hit.approach.isWritten ? (first.tempo(), last.tempo()) : nil, first: first.tempo(),
            last: last.tempo())
        let fit: TempoFit
        if let curve = hit.hit.ramp {
            guard hit.approach.isUniform else {
                throw TextError(
                    localized("a ramp to a hit cannot lead through repeats, other tempi or bars with their own speed"),
                    hint: localized("leave out the ramp, or write another hit before it"))
            }
            let start = hit.approach.isMarked ? first.wholeNotes : sounding ?? first.wholeNotes
            guard let shape = TempoFit.ramp(from: start, length: notes, in: room, curve) else {
                throw TextError(
                    localized("no ramp of this kind meets the hit"), hint: localized("write a tempo at the hit before"))
            }
            fit = .ramp(shape, from: 0)
            sounding = shape.wholeNotes(at: notes)
            fitted.first = first.tempo(times: start / first.wholeNotes)
            fitted.last = last.tempo(times: (sounding ?? start) / last.wholeNotes)
        } else {
            let factor = Fraction(nearest: metered.attoseconds, room.attoseconds)
            fit = .scaled(factor)
            sounding = last.wholeNotes * factor.value
            fitted.first = first.tempo(times: factor.value)
            fitted.last = last.tempo(times: factor.value)
        }
        try check(fitted, hit)
        return (fit, fitted)
    }

    /// Errors: a tempo that nobody can have meant. Warns of one that is far from what is written.
    private mutating func check(_ fitted: HitPoint.Tempi, _ hit: HitSurvey.Reached) throws(TextError) {
        let ends = [fitted.first, fitted.last]
        guard fitted.wished != nil, let change = fitted.change else {
            for tempo in ends where !HitFitting.range.contains(HitFitting.rounded(tempo.wholeNotes.value)) {
                throw TextError(
                    localized("to meet this hit, the tempo would be \(tempo.shown)"),
                    hint: localized("check its time and its bar, or write a tempo"))
            }
            return
        }
        let (from, to) = fitted.farthest
        let factor = HitFitting.rounded(1 + change)
        guard factor <= HitFitting.limit, factor >= 1 / HitFitting.limit else {
            throw TextError(
                localized("to meet this hit, the tempo would be \(to.shown) instead of \(from.shown)"),
                hint: localized("check its time and its bar"))
        }
        if abs(change) > HitFitting.warning {
            let percent = "\((abs(change) * 1000).rounded() / 10)%"
            note(
                TextError(
                    change > 0
                        ? localized("to meet this hit, the tempo is \(to.shown), \(percent) faster than \(from.shown)")
                        : localized("to meet this hit, the tempo is \(to.shown), \(percent) slower than \(from.shown)")
                ), hit, in: &warnings)
        }
    }

    /// A number without the rounding errors of its computation, so that tempi and factors at a limit are within it.
    private static func rounded(_ value: Double) -> Double { (value * 1e9).rounded() / 1e9 }

    private func shown(_ time: Duration) -> String {
        time.attoseconds % 1_000_000_000_000_000 == 0 ? time.clock : time.clock(decimals: 3)
    }
}
