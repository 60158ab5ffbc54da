internal import Languages
package import Scores
package import Timing

/// The table that `check` prints of hit points: the tempo up to each hit, and its difference from the written one.
package enum HitTable {
    /// The table of a score, with the hits of each voice; nil if it has none.
    package static func table(_ score: Score, _ timeline: Timeline) -> Table? {
        let voices = ([timeline] + timeline.companions).filter { !$0.hits.isEmpty }
        guard !voices.isEmpty else { return nil }
        let hasVoices = !timeline.companions.isEmpty
        var table = Table(columns: [
            .text(localized("bars"), "bars"), .text(localized("written tempo"), "written"),
            .text(localized("fitted tempo"), "fitted"), .number(localized("change"), "change"),
            .text(localized("hit at"), "hit"), .number(localized("time"), "time_s"),
            .number(localized("timecode"), "timecode"), .text(localized("label"), "label"),
        ])
        if hasVoices { table.columns.insert(.text(localized("voice"), "voice"), at: 0) }
        for voice in voices {
            let name = hasVoices ? [voice.voice.name] : []
            table.rows += rows(of: voice, score).map { (name + $0).map(Table.Cell.text) }
        }
        return table
    }

    private static func rows(of timeline: Timeline, _ score: Score) -> [[String]] {
        var first = 0
        return timeline.hits.map { hit in
            let last = hit.position == nil && hit.bar > first ? hit.bar - 1 : hit.bar
            let (from, to, bar) = (timeline[first].number, timeline[last].number, timeline[hit.bar].number)
            let wished = hit.tempi?.wished.map { shown($0.first, $0.last) }
            let fitted = hit.tempi.map { shown($0.first, $0.last) }
            let place =
                hit.hit.beat == .one ? localized("bar \(bar)") : localized("bar \(bar), beat \(hit.hit.beat.text)")
            let timecode = score.timecode?.after(hit.time).text
            first = hit.bar
            return [
                from == to ? "\(from)" : "\(from)–\(to)", wished ?? "", fitted ?? "", change(hit.tempi) ?? "",
                place, hit.time.clock(decimals: 3), timecode ?? "", hit.hit.label,
            ]
        }
    }

    /// A tempo, or two of them: `1/4 = 96`, `1/4 = 96 to 104.2`.
    private static func shown(_ first: Tempo, _ last: Tempo) -> String {
        let (from, to) = (first.shown, last.shown)
        if from == to { return from }
        return localized("\(from) to \(first.value == last.value ? last.rate.value.roundedText : to)")
    }

    /// The difference in percent with its sign, and in notes per minute.
    private static func change(_ tempi: HitPoint.Tempi?) -> String? {
        guard let tempi, let change = tempi.change else { return nil }
        let (wished, fitted) = tempi.farthest
        func signed(_ number: Double) -> String {
            // A difference that is not shown has no sign.
            let text = abs(number).roundedText
            return text == "0" ? text : (number > 0 ? "+" : "-") + text
        }
        return "\(signed(change * 100))%, \(signed(fitted.rate.value - wished.rate.value))"
    }
}
