internal import Languages

// Checks that no key for clicks or holds is without effect.
extension YAMLScore {
    /// Reports keys of the score that apply to none of its bars.
    mutating func checkClicks(_ fields: YAMLFields<Key>, _ score: Score) {
        guard !log.hasErrors else { return }
        if let id = fields[.grid], score.grid != .off, score.brackets.isEmpty, !score.hasBar(where: { $0 == nil }) {
            log.warning(
                at: tree.range(id),
                localized("the grid has no effect: it is for bars of seconds, and all bars have a meter"),
                hint: localized("write subdivide: 2, or give a bar its own grid"))
        }
        if let id = fields[.subdivide], score.subdivision > 1, !score.hasBar(where: { $0 != nil }) {
            log.warning(
                at: tree.range(id),
                localized("'subdivide' has no effect: it is for bars with a meter, and the score has none"),
                hint: localized("write grid: 4 parts"))
        }
    }

    /// Reports holds that are not within their bar.
    mutating func checkHolds(_ bar: Score.Bar, at id: YAMLTree.ID?) {
        guard let id else { return }
        let (holds, count) = (bar.details.holds, bar.beatCount)
        let nodes = tree.kind(id) == .list ? Array(tree.children(id)) : [id]
        for (number, hold) in holds.enumerated() {
            // After an error in another hold, the nodes cannot be told apart.
            let place = nodes.count == holds.count ? nodes[number] : id
            switch hold.place {
            case .offset(let offset) where bar.meter == nil && offset > bar.duration:
                let seconds = bar.duration.exactSeconds
                error(place, localized("the hold is at \(offset.exactSeconds) s, but the bar lasts \(seconds) s"))
            case .beat(let beat) where count == 0:
                error(
                    place, localized("the hold is at beat \(beat), but this bar of seconds has no beats"),
                    hint: localized("write after how many seconds it is, for example 5 at 1.5"))
            case .beat(let beat) where beat > count:
                error(
                    place,
                    count == 1
                        ? localized("the hold is at beat \(beat), but the bar has 1 beat")
                        : localized("the hold is at beat \(beat), but the bar has \(count) beats"))
            default: break
            }
        }
    }
}

extension Score.Bar {
    /// How many beats a hold can be at: those of the meter or of the bar itself, or the parts of its own grid.
    fileprivate var beatCount: Int {
        let details = details
        if let beats = details.beats, meter == nil || beats.contains(where: { $0.value != nil }) { return beats.count }
        if let meter { return Int(meter.beatCount) }
        if case .parts(let count) = details.grid { return count }
        return 0
    }
}

extension Score {
    /// Whether the meter of one of the bars of any voice, nil for a bar of seconds, satisfies a condition.
    fileprivate func hasBar(where condition: (Meter?) -> Bool) -> Bool {
        ([self] + companions.map(\.music)).contains { page in
            (page.lines + page.fragments.flatMap { $0.parts.flatMap(\.lines) }).contains { line in
                line.bars.contains { condition($0.isPlain ? nil : $0.meter) }
            }
        }
    }
}
