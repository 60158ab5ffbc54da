internal import Languages

// Hit points.
extension YAMLScore {
    private enum HitKey: String, CaseIterable { case time, beat, ramp, label }

    mutating func hits(_ id: YAMLTree.ID) -> [Hit] {
        items(of: id, limit: Hit.limitInBar, orSay: localized("a bar has at most \(Hit.limitInBar) hits")) {
            $0.hit($1)
        }
    }

    private mutating func hit(_ id: YAMLTree.ID) -> Hit? {
        hitCount += 1
        guard hitCount <= Hit.limit else {
            if hitCount == Hit.limit + 1 { error(id, localized("a score has at most 10 000 hits")) }
            return nil
        }
        let rate = rate
        var hit: Hit?
        switch tree.kind(id) {
        case .scalar:
            hit = value(id, localized("a hit")) { text throws(TextError) in try Hit(scoreText: text, rate: rate) }
        case .list:
            error(id, localized("a hit is not a list"), hint: Hit.example)
        case .map:
            let fields = fields(of: id, HitKey.self, in: localized("a hit"))
            guard fields[.time] != nil else {
                if !fields.hasUnknownKey {
                    error(id, localized("a hit needs 'time'"), hint: localized("for example 1:23.480"))
                }
                return nil
            }
            let time = value(fields[.time], localized("the time of a hit")) { text throws(TextError) in
                try Hit.Time(scoreText: text, rate: rate)
            }
            hit = time.map { Hit($0, label: text(fields[.label], localized("a label"))) }
            if let beat = value(fields[.beat], localized("a beat"), Hit.beat(scoreText:)) { hit?.beat = beat }
            let ramp = value(fields[.ramp], localized("the ramp"), Ramp.Curve.init(scoreText:))
            hit?.ramp = ramp
        }
        if case .timecode = hit?.time, rate == nil {
            error(
                id, localized("a hit by timecode needs the timecode of the score's start"),
                hint: localized("write 'timecode: 01:00:00:00 @ 25' at the top of the score"))
            return nil
        }
        return hit
    }
}
