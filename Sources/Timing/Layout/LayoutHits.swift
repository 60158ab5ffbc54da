internal import Languages
internal import Scores

// The hit points of a page.
extension LayoutBuilder {
    /// The hits of a bar in order; reports those that cannot have a fixed time.
    mutating func hits(of details: Score.Details, _ index: Int) -> [PlacedHit] {
        guard !details.hits.isEmpty else { return [] }
        do throws(TextError) {
            if survey.nesting > 0 {
                throw TextError(
                    localized("a hit has one time, but this bar is part of a repeat, an ending or a fragment"),
                    hint: localized("write the bars of a hit where they are played"))
            }
            // An alias can repeat the hits of a file.
            if survey.hits.count >= Hit.limit { throw TextError(localized("a score has at most 10 000 hits")) }
            if survey.hasJump {
                throw TextError(localized("a hit cannot follow a jump: it would not have a fixed time"))
            }
            if !score.orders.isEmpty {
                throw TextError(
                    localized("a score with orders of its sections cannot have hits: they would not have a fixed time"))
            }
            return try PlacedHit.hits(of: details)
        } catch {
            report(error, index)
            return []
        }
    }

    /// Notes a hit that has `music` before it in its bar, and begins the next approach.
    mutating func reach(_ hit: PlacedHit, _ index: Int, start: Duration, music: Duration) {
        let offset = music + hit.holds
        var before = survey.metered
        before.add(metered)
        before.add(MeteredTime(duration: music, notes: hit.position?.value ?? 0))
        let place = Layout.Problem(error: TextError(""), line: line, bar: index, container: container)
        survey.reach(
            HitSurvey.Reached(
                hit: hit.hit, bar: survey.bars + index, offset: offset, position: hit.position,
                total: survey.total + start + offset, metered: before, approach: HitSurvey.Approach(), place: place),
            last: hit.position == nil ? nil : state.point)
        guard !fits.isEmpty else { return }
        let next = survey.hits.count
        state.fit = next < fits.count ? fits[next] : .asWritten
    }
}
