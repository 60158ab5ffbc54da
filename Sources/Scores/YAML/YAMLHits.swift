internal import Languages

// Hit points.
extension YAMLScore {
    private enum HitKey: String, CaseIterable { case time, beat, ramp, label }

    mutating func hits(_ id: YAMLTree.ID) -> [Hit] {
        guard tree.kind(id) == .list else { return [hit(id)].compactMap(\.self) }
        guard tree.childCount(id) <= Hit.limitInBar else {
            log.error(at: tree.range(id), localized("a bar has at most \(Hit.limitInBar) hits"))
            return []
        }
        return tree.children(id).compactMap { hit($0) }
    }

    private mutating func hit(_ id: YAMLTree.ID) -> Hit? {
        hitCount += 1
        guard hitCount <= Hit.limit else {
            if hitCount == Hit.limit + 1 { log.error(at: tree.range(id), localized("a score has at most 10 000 hits")) }
            return nil
        }
        let rate = rate
        var hit: Hit?
        switch tree.kind(id) {
        case .scalar:
            hit = value(id, localized("a hit")) { text throws(TextError) in try Hit(scoreText: text, rate: rate) }
        case .list:
            log.error(at: tree.range(id), localized("a hit is not a list"), hint: Hit.example)
        case .map:
            let fields = fields(of: id, HitKey.self, in: localized("a hit"))
            guard let time = fields[.time] else {
                if !fields.hasUnknownKey {
                    log.error(
                        at: tree.range(id), localized("a hit needs 'time'"), hint: localized("for example 1:23.480"))
                }
                return nil
            }
            let read = value(time, localized("the time of a hit")) { text throws(TextError) in
                try Hit.Time(scoreText: text, rate: rate)
            }
            hit = read.map { Hit($0, label: text(fields[.label], localized("a label"))) }
            if let id = fields[.beat], let beat = value(id, localized("a beat"), Hit.beat(scoreText:)) {
                hit?.beat = beat
            }
            if let id = fields[.ramp] { hit?.ramp = value(id, localized("the ramp"), Ramp.Curve.init(scoreText:)) }
        }
        if case .timecode = hit?.time, rate == nil {
            log.error(
                at: tree.range(id), localized("a hit by timecode needs the timecode of the score's start"),
                hint: localized("write 'timecode: 01:00:00:00 @ 25' at the top of the score"))
            return nil
        }
        return hit
    }
}
