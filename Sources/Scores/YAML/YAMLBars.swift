internal import Languages

// Bars and their details.
extension YAMLScore {
    private enum HoldKey: String, CaseIterable { case length, at, until }
    private enum JumpKey: String, CaseIterable { case to, label, times }
    private enum ClickKey: String, CaseIterable { case sound, level }

    /// The bars of a list; nil if one of them has an error.
    mutating func bars(_ id: YAMLTree.ID) -> [Score.Bar]? {
        let target = tree.resolve(id)
        if let known = barsOfTargets[target] {
            guard count(known?.count ?? 0, at: id) else { return nil }
            return known
        }
        var bars: [Score.Bar] = []
        bars.reserveCapacity(min(tree.childCount(target), Score.writtenBarLimit))
        var isWhole = true
        for child in tree.children(target) {
            let (bar, times) = bar(child)
            guard count(times, at: times > 1 ? child : id) else { return nil }
            if let bar {
                bars.append(bar)
                if times > 1 { bars += repeatElement(bar.continued, count: times - 1) }
            } else {
                isWhole = false
            }
        }
        let read = isWhole ? bars : nil
        if tree.hasAliases { barsOfTargets[target] = .some(read) }
        return read
    }

    /// Counts bars toward the limit. Returns false above the limit, and reports the error once.
    private mutating func count(_ bars: Int, at id: YAMLTree.ID) -> Bool {
        let wasWithinLimit = isWithinLimit
        writtenBars += bars
        if wasWithinLimit, !isWithinLimit {
            error(id, localized("a score file has at most 10 000 000 written bars"))
        }
        return isWithinLimit
    }

    /// A bar, and how many times it is written in a row; nil after an error.
    private mutating func bar(_ id: YAMLTree.ID) -> (bar: Score.Bar?, times: Int) {
        switch tree.kind(id) {
        case .scalar:
            // Most bars are plain durations.
            if let duration = try? tree.duration(id, as: .bar) { return (Score.Bar(duration), 1) }
            return written(id)
        case .map: return described(id)
        case .list:
            error(
                id, localized("a bar is a duration, not a list"),
                hint: localized("for example 2.7 or {duration: 2.7, label: A}"))
            return (nil, 1)
        }
    }

    /// Reads a bar such as `5/8`, `2.7 x 4` or `3+2/8 x 12`.
    private mutating func written(_ id: YAMLTree.ID) -> (bar: Score.Bar?, times: Int) {
        let text = tree.text(id)
        if let error = YAMLSynonyms.error(forBar: text) {
            log.error(at: tree.range(id), error)
            return (nil, 1)
        }
        guard let (length, times) = YAMLScore.times(text) else {
            return (text.contains("/") ? meter(id, text) : duration(id, as: .bar).map { Score.Bar($0) }, 1)
        }
        guard countMultiplied(times) else {
            error(
                id,
                (1...Score.multipliedBarLimit).contains(times)
                    ? localized("a score multiplies at most 1 000 000 bars")
                    : localized("the number of times after 'x' must be 1 to 1 000 000"),
                hint: localized("'repeat' a line for more"))
            return (nil, 1)
        }
        if length.contains("/") { return (meter(id, length), times) }
        do { return (Score.Bar(try Duration(scoreText: length)), times) } catch {
            log.error(at: tree.range(id), error)
            return (nil, 1)
        }
    }

    /// Counts multiplied bars toward their limit; false for a number that is out of range or above the limit.
    private mutating func countMultiplied(_ times: Int) -> Bool {
        guard times >= 1, times <= Score.multipliedBarLimit - multipliedBars else { return false }
        multipliedBars += times
        return true
    }

    /// The parts of a text such as `5/8 x 4`; nil for a text without `x`.
    static func times(_ text: String) -> (length: String, times: Int)? {
        guard let x = text.lastIndex(where: { $0 == "x" || $0 == "×" }), x != text.startIndex,
            let times = Int(wholeText: text[text.index(after: x)...].trimmingBlanks)
        else { return nil }
        return (text[..<x].trimmingBlanks, times)
    }

    private mutating func meter(_ id: YAMLTree.ID, _ text: String) -> Score.Bar? {
        if let known = metered[text] { return known }
        let meter = value(id, localized("a meter")) { _ throws(TextError) in try Meter(scoreText: text) }
        metered[text] = meter.map { Score.Bar($0) }
        return metered[text]
    }

    /// Reads a bar with keys, and how many times it is written in a row.
    private mutating func described(_ id: YAMLTree.ID) -> (bar: Score.Bar?, times: Int) {
        let fields = fields(of: id, YAMLBarKey.self, in: localized("a bar"))
        let bar = described(id, fields)
        guard let id = fields[.times], let times = whole(id, "'times'", 1...Score.multipliedBarLimit) else {
            return (bar, 1)
        }
        if times > 1, let jump = fields[.goTo] {
            error(
                jump, localized("a bar with 'times' cannot have a jump"),
                hint: localized("write the bar with 'go-to' on its own after the others"))
        }
        guard countMultiplied(times) else {
            error(
                id, localized("a score multiplies at most 1 000 000 bars"), hint: localized("'repeat' a line for more"))
            return (nil, 1)
        }
        return (bar, times)
    }

    private mutating func described(_ id: YAMLTree.ID, _ fields: YAMLFields<YAMLBarKey>) -> Score.Bar? {
        var bar = Score.Bar(.zero, label: text(fields[.label], localized("a label")))
        var details = Score.Details()
        for key in YAMLBarKey.allCases {
            if let id = fields[key] { read(key, id, &details) }
        }
        if let id = fields[.meter] ?? fields[.duration], tree.kind(id) == .scalar,
            let (length, times) = YAMLScore.times(tree.text(id))
        {
            error(
                id, localized("in a set of keys, the number of bars is a key of its own"),
                hint: localized("write \(TextError.quoted(length)) and times: \(times)"))
            return nil
        }
        if let both = fields[.meter], fields[.duration] != nil {
            error(both, localized("a bar has 'duration' or 'meter', not both"))
            return nil
        }
        if let id = fields[.meter] {
            guard let meter = value(id, localized("a meter"), Meter.init(scoreText:)) else { return nil }
            details.meter = meter
        } else if let id = fields[.duration] {
            guard let duration = duration(id, as: .bar) else { return nil }
            bar.duration = duration
        } else {
            if !fields.hasUnknownKey { error(id, localized("this bar has no 'duration' and no 'meter'")) }
            return nil
        }
        details.beats = fields[.beats].flatMap { beats($0, details.meter) }
        readTempi(tempo: fields[.tempo], ramp: fields[.ramp], &details)
        bar.details = details
        checkClicks(bar, fields)
        checkHolds(bar, at: fields[.hold])
        return bar
    }

    // MARK: - Details

    private mutating func beats(_ id: YAMLTree.ID, _ meter: Meter?) -> [Beat]? {
        guard tree.kind(id) == .list else { return isScalar(id, "'beats'") ? pattern(id, meter) : nil }
        guard isList(id, "'beats'", localized("'beats' is a list of beats"), example: "[1/4 X, 1/8, 1/8]") else {
            return nil
        }
        let beats = tree.children(id).compactMap { child in value(child, localized("a beat"), Beat.init(scoreText:)) }
        guard beats.count == tree.childCount(id) else { return nil }
        guard beats.count <= Meter.beatLimit else {
            error(id, localized("a bar has at most 1000 beats"))
            return nil
        }
        let values = beats.compactMap(\.value)
        let sum = values.dropFirst().reduce(values[0], +)
        if let length = meter?.length, sum != length {
            error(id, localized("the beats add up to \(sum.noteText), but the bar has \(length.noteText)"))
        }
        return beats
    }

    /// Reads `on`, `off`, YAML's other words for them, or one letter per beat.
    private mutating func pattern(_ id: YAMLTree.ID, _ meter: Meter?) -> [Beat]? {
        let count = meter.map { Int($0.beatCount) }
        if let isOn = Bool(switchText: tree.text(id)) {
            return isOn ? [] : [Beat(.beat)] + Array(repeating: Beat(.silent), count: max(count ?? 1, 1) - 1)
        }
        guard let beats = value(id, "'beats'", Beat.pattern(scoreText:)) else { return nil }
        if let count, beats.count != count {
            error(
                id,
                beats.count == 1
                    ? localized("the pattern has 1 beat, but the bar has \(count)")
                    : localized("the pattern has \(beats.count) beats, but the bar has \(count)"))
        }
        return beats
    }

    mutating func holds(_ id: YAMLTree.ID) -> [Hold] {
        items(of: id, limit: 100, orSay: localized("a bar has at most 100 holds")) { $0.hold($1) }
    }

    mutating func sends(_ id: YAMLTree.ID) -> [StageMessage] {
        let limit = StageMessage.limitInBar
        return items(of: id, limit: limit, orSay: localized("a bar sends at most \(limit) messages")) { score, id in
            score.value(id, localized("a message"), StageMessage.init(scoreText:))
        }
    }

    /// The valid items of a list, which has at most `limit`, or a single item that stands for a list.
    mutating func items<Item>(
        of id: YAMLTree.ID, limit: Int, orSay message: @autoclosure () -> String,
        _ read: (inout YAMLScore, YAMLTree.ID) -> Item?
    ) -> [Item] {
        guard tree.kind(id) == .list else { return [read(&self, id)].compactMap(\.self) }
        guard tree.childCount(id) <= limit else {
            error(id, message())
            return []
        }
        return tree.children(id).compactMap { read(&self, $0) }
    }

    private mutating func hold(_ id: YAMLTree.ID) -> Hold? {
        switch tree.kind(id) {
        case .scalar: return value(id, localized("a hold"), Hold.init(scoreText:))
        case .list:
            error(id, localized("a hold is not a list"), hint: localized("for example 5 at 1.5, or until cue"))
            return nil
        case .map: break
        }
        let fields = fields(of: id, HoldKey.self, in: localized("a hold"))
        var hold = Hold(.zero)
        if let id = fields[.length] {
            guard let length = duration(id, as: .hold) else { return nil }
            hold.length = length
        }
        read(fields[.at], localized("the place of a hold"), into: &hold.place, Hold.Place.init(scoreText:))
        if let id = fields[.until] {
            guard isScalar(id, "'until'") else { return nil }
            hold.waits = tree.text(id).trimmingBlanks.lowercased() == "cue"
            if !hold.waits {
                error(id, localized("a hold lasts until cue, or has a length"), hint: localized("write until: cue"))
            }
        }
        if fields[.length] == nil, fields[.until] == nil, !fields.hasUnknownKey {
            error(id, localized("a hold needs 'length' or 'until'"))
        }
        return hold
    }

    mutating func jump(_ id: YAMLTree.ID) -> Jump? {
        if case .fragment = container {
            error(
                id, localized("a fragment cannot have jumps"),
                hint: localized("write 'go-to' where the fragment is used"))
            return nil
        }
        guard tree.kind(id) == .map else { return target(id).map { Jump(to: $0) } }
        let fields = fields(of: id, JumpKey.self, in: localized("a jump"))
        let to = target(fields[.to])
        let target = self.target(fields[.label], isLabel: true) ?? to
        if fields[.to] == nil, fields[.label] == nil, !fields.hasUnknownKey {
            error(id, localized("a jump needs 'to'"), hint: localized("for example {to: A, times: 1}"))
        }
        var arrivals: Set<Int> = [1]
        if let id = fields[.times] {
            let ranges = value(id, "'times'") { text throws(TextError) in
                try RangeText.parse(text, within: Jump.arrivalRange, what: "'times'")
            }
            arrivals = Set((ranges ?? []).flatMap { Array($0) })
        }
        return target.map { Jump(to: $0, on: arrivals) }
    }

    /// Reads where a jump goes: `start`, `end` or a label; only a label if `isLabel`.
    private mutating func target(_ id: YAMLTree.ID?, isLabel: Bool = false) -> Jump.Target? {
        guard let id, let text = label(id, localized("a label")) else { return nil }
        if text == "start", !isLabel { return .start }
        if text == "end", !isLabel { return .end }
        places.labels.append((text, tree.range(id)))
        return .label(text)
    }

    mutating func click(_ id: YAMLTree.ID) -> BarClick? {
        guard tree.kind(id) == .map else { return value(id, localized("a click"), BarClick.init(scoreText:)) }
        let fields = fields(of: id, ClickKey.self, in: localized("a click"))
        var click = BarClick()
        read(fields[.sound], localized("a sound"), into: &click.sound) { text throws(TextError) in
            let click = try BarClick(scoreText: text)
            guard click.sound != nil else {
                throw TextError(
                    localized("\(TextError.quoted(text)) is not a sound"), hint: localized("for example line"))
            }
            return click.sound
        }
        read(fields[.level], localized("a level"), into: &click.decibels, BarClick.decibels(scoreText:))
        return click
    }
}
