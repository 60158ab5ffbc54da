internal import Languages

// Sections, lines, groups and fragments.
extension YAMLScore {
    private enum SectionKey: String, CaseIterable { case label, tempo, lines, bars, `repeat` }
    private enum PartKey: String, CaseIterable { case label, `repeat`, tempo, bars, lines, use, endings }
    private enum EndingKey: String, CaseIterable { case passes, bars, lines, `repeat` }

    mutating func sections(_ id: YAMLTree.ID) -> [Score.Section] {
        guard
            isList(
                id, "'sections'", localized("'sections' is a list of sections"), example: "- {label: A, bars: [3, 2.7]}"
            )
        else { return [] }
        var sections: [Score.Section] = []
        var labels: Set<String> = []
        for child in tree.children(id) {
            container = .section(sections.count)
            guard isWithinLimit, let section = section(child) else { continue }
            if !section.label.isEmpty, !labels.insert(section.label).inserted {
                log.error(
                    at: tree.range(child), localized("there is already a section \(TextError.quoted(section.label))"))
            }
            sections.append(section)
        }
        return sections
    }

    private mutating func section(_ id: YAMLTree.ID) -> Score.Section? {
        guard tree.kind(id) == .map else {
            log.error(
                at: tree.range(id), localized("a section is a set of keys"),
                hint: localized("for example {label: A, bars: [3, 2.7]}"))
            return nil
        }
        let fields = fields(of: id, SectionKey.self, in: localized("a section"))
        let parts = content(
            lines: fields[.lines], bars: fields[.bars], passes: fields[.repeat], of: id, .section,
            isKnown: !fields.hasUnknownKey)
        return Score.Section(
            label: text(fields[.label], localized("a label")), tempo: tempo(fields[.tempo]), parts: parts)
    }

    mutating func fragments(_ id: YAMLTree.ID) -> [Score.Fragment] {
        guard tree.kind(id) == .map else {
            log.error(
                at: tree.range(id), localized("'fragments' is a set of names"),
                hint: localized("for example {sigh: {bars: [3, 2.7]}}"))
            return []
        }
        var fragments: [Score.Fragment] = []
        for (key, value) in pairs(id) {
            guard let name = label(key, localized("a fragment's name")) else { continue }
            if fragmentNames.contains(name) {
                log.error(at: tree.range(key), localized("there is already a fragment \(TextError.quoted(name))"))
                continue
            }
            container = .fragment(fragments.count)
            let parts: [Score.Part]
            if tree.kind(value) == .map {
                let fields = fields(of: value, SectionKey.self, in: localized("a fragment"))
                for key in [SectionKey.label, .tempo] {
                    guard let wrong = fields[key] else { continue }
                    log.error(at: tree.range(wrong), localized("a fragment cannot have a \(key.rawValue)"))
                }
                parts = content(
                    lines: fields[.lines], bars: fields[.bars], passes: fields[.repeat], of: value, .fragment,
                    isKnown: !fields.hasUnknownKey)
            } else {
                parts = content(
                    lines: nil, bars: value, passes: nil, of: value, .fragment, isKnown: true)
            }
            fragments.append(Score.Fragment(name: name, parts: parts))
            fragmentNames.append(name)
        }
        return fragments
    }

    /// What has 'lines' or 'bars'.
    enum Holder {
        case section, fragment, ending, voice

        /// The error for one that has both.
        fileprivate var hasBoth: String {
            switch self {
            case .section: localized("a section has 'lines' or 'bars', not both")
            case .fragment: localized("a fragment has 'lines' or 'bars', not both")
            case .ending: localized("an ending has 'lines' or 'bars', not both")
            case .voice: localized("a voice has 'lines' or 'bars', not both")
            }
        }

        /// The error for one that has neither.
        fileprivate var hasNeither: String {
            switch self {
            case .section: localized("this section has no 'lines' or 'bars'")
            case .fragment: localized("this fragment has no 'lines' or 'bars'")
            case .ending: localized("this ending has no 'lines' or 'bars'")
            case .voice: localized("this voice has no 'lines' or 'bars'")
            }
        }
    }

    /// Reads the content of 'lines' or 'bars'.
    mutating func content(
        lines: YAMLTree.ID?, bars: YAMLTree.ID?, passes: YAMLTree.ID?, of id: YAMLTree.ID, _ holder: Holder,
        isKnown: Bool
    ) -> [Score.Part] {
        if let lines, bars != nil {
            log.error(at: tree.range(lines), holder.hasBoth)
        } else if let bars {
            return [line(bars: bars, passes: passes, label: nil, tempo: nil)].compactMap(\.self).map(Score.Part.line)
        } else if let lines {
            if let passes {
                log.error(
                    at: tree.range(passes), localized("'repeat' belongs to a line"),
                    hint: localized("a line that has 'lines' is repeated as a whole"))
            }
            return parts(lines)
        } else if isKnown {
            log.error(at: tree.range(id), holder.hasNeither)
        }
        return []
    }

    /// Whether the numbers of bars and lines are within their limits.
    var isWithinLimit: Bool { writtenBars <= Score.writtenBarLimit && writtenLines <= Score.writtenLineLimit }

    mutating func parts(_ id: YAMLTree.ID) -> [Score.Part] {
        guard isList(id, "'lines'", localized("'lines' is a list of lines")) else { return [] }
        var read: [Score.Part] = []
        read.reserveCapacity(min(tree.childCount(id), Score.writtenLineLimit))
        for child in tree.children(id) {
            guard isWithinLimit else { break }
            if let part = part(child) { read.append(part) }
        }
        return read
    }

    private mutating func part(_ id: YAMLTree.ID) -> Score.Part? {
        writtenLines += 1
        guard writtenLines <= Score.writtenLineLimit else {
            log.error(at: tree.range(id), localized("a score file has at most 200 000 written lines"))
            return nil
        }
        switch tree.kind(id) {
        case .list: return line(bars: id, passes: nil, label: nil, tempo: nil).map(Score.Part.line)
        case .map: return part(id, fields(of: id, PartKey.self, in: localized("a line")))
        case .scalar:
            log.error(
                at: tree.range(id), localized("a line is a list of bars"), hint: localized("for example [3, 2.7, 2]"))
            return nil
        }
    }

    private mutating func part(_ id: YAMLTree.ID, _ fields: YAMLFields<PartKey>) -> Score.Part? {
        let contents = [PartKey.bars, .lines, .use].filter { fields[$0] != nil }
        if contents.count > 1, let second = fields[contents[1]] {
            log.error(at: tree.range(second), localized("a line has one of 'bars', 'lines' and 'use'"))
            return nil
        }
        switch contents.first {
        case .bars where fields[.endings] == nil:
            return fields[.bars].flatMap {
                line(bars: $0, passes: fields[.repeat], label: fields[.label], tempo: fields[.tempo])
            }.map(Score.Part.line)
        case .bars, .lines: return group(fields).map(Score.Part.group)
        case .use: return use(fields).map(Score.Part.use)
        default:
            // An unknown key may be a misspelled 'bars'.
            if !fields.hasUnknownKey { log.error(at: tree.range(id), localized("this line has no 'bars'")) }
            return nil
        }
    }

    private mutating func group(_ fields: YAMLFields<PartKey>) -> Score.Group? {
        let label = text(fields[.label], localized("a label"))
        let passes = fields[.repeat].flatMap { self.passes($0) } ?? 1
        var inner: [Score.Part] = []
        if let bars = fields[.bars] {
            inner = [line(bars: bars, passes: nil, label: nil, tempo: fields[.tempo])].compactMap(\.self)
                .map(Score.Part.line)
        } else if let lines = fields[.lines] {
            inner = parts(lines)
            if let tempo = fields[.tempo] {
                log.error(at: tree.range(tempo), localized("a tempo belongs to a line with 'bars'"))
            }
        }
        note(fields[.repeat] ?? fields[.lines] ?? fields[.bars], passes)
        let endings = fields[.endings].map { self.endings($0, passes: passes) } ?? []
        return inner.isEmpty ? nil : Score.Group(label: label, passes: passes, parts: inner, endings: endings)
    }

    private mutating func endings(_ id: YAMLTree.ID, passes: Int) -> [Score.Ending] {
        guard
            isList(id, "'endings'", localized("'endings' is a list of endings"), example: "- {passes: 1-2, bars: [3]}")
        else { return [] }
        var endings: [Score.Ending] = []
        var taken: [ClosedRange<Int>] = []
        for child in tree.children(id) {
            guard tree.kind(child) == .map else {
                log.error(
                    at: tree.range(child), localized("an ending is a set of keys"),
                    hint: localized("for example {passes: 1, bars: [3]}"))
                continue
            }
            let fields = fields(of: child, EndingKey.self, in: localized("an ending"))
            let parts = content(
                lines: fields[.lines], bars: fields[.bars], passes: fields[.repeat], of: child, .ending,
                isKnown: !fields.hasUnknownKey)
            guard let id = fields[.passes] else {
                if !fields.hasUnknownKey { log.error(at: tree.range(child), localized("this ending has no 'passes'")) }
                continue
            }
            let ranges = value(id, "'passes'") { text throws(TextError) in
                try RangeText.parse(text, within: 1...max(passes, 1), what: localized("a pass of this line"))
            }
            guard let ranges else { continue }
            if taken.contains(where: { old in ranges.contains { $0.overlaps(old) } }) {
                log.error(at: tree.range(id), localized("another ending already has one of these passes"))
            }
            taken += ranges
            endings.append(Score.Ending(passes: ranges, parts: parts))
        }
        return endings
    }

    private mutating func use(_ fields: YAMLFields<PartKey>) -> Score.Use? {
        for key in [PartKey.endings, .tempo] {
            guard let wrong = fields[key] else { continue }
            log.error(at: tree.range(wrong), localized("'\(key.rawValue)' cannot be used with 'use'"))
        }
        guard let id = fields[.use], let name = label(id, localized("a fragment's name")) else { return nil }
        guard fragmentNames.contains(name) else {
            log.error(
                at: tree.range(id), localized("there is no fragment \(TextError.quoted(name)) above"),
                hint: Suggestion.hint(for: name, in: fragmentNames) ?? localized("define it in 'fragments'"))
            return nil
        }
        let passes = fields[.repeat].flatMap { self.passes($0) } ?? 1
        note(fields[.repeat] ?? id, passes)
        return Score.Use(name, label: text(fields[.label], localized("a label")), passes: passes)
    }

    /// Remembers where the number of passes of a part is written.
    private mutating func note(_ node: YAMLTree.ID?, _ passes: Int) {
        if let node { places.noteRepeat(node, passes, in: container) }
    }

    mutating func line(
        bars id: YAMLTree.ID, passes: YAMLTree.ID?, label: YAMLTree.ID?, tempo: YAMLTree.ID?
    ) -> Score.Line? {
        let label = text(label, localized("a label"))
        let count = passes.map { self.passes($0) ?? 1 } ?? 1
        let mark = self.tempo(tempo)
        guard isList(id, "'bars'", localized("'bars' is a list of durations")) else { return nil }
        guard let bars = bars(id) else { return nil }
        places.noteLine(id, in: container)
        note(passes ?? id, count)
        return Score.Line(label: label, passes: count, tempo: mark, bars: bars)
    }

    mutating func tempo(_ id: YAMLTree.ID?) -> TempoMark? {
        id.flatMap { value($0, localized("a tempo"), TempoMark.init(scoreText:)) }
    }

    mutating func text(_ id: YAMLTree.ID?, _ what: @autoclosure () -> String) -> String {
        id.flatMap { label($0, what()) } ?? ""
    }

    private mutating func passes(_ id: YAMLTree.ID) -> Int? { whole(id, "'repeat'", Score.passRange) }
}
