internal import Languages

// Sections, lines, groups and fragments.
extension YAMLScore {
    private enum SectionKey: String, CaseIterable { case label, tempo, lines, bars, `repeat` }
    private enum PartKey: String, CaseIterable { case label, `repeat`, tempo, bars, lines, use, endings }
    private enum EndingKey: String, CaseIterable { case passes, bars, lines, `repeat` }

    mutating func sections(_ id: YAMLTree.ID) -> [Score.Section] {
        let example = "- {label: A, bars: [3, 2.7]}"
        guard isList(id, "'sections'", localized("'sections' is a list of sections"), example: example) else {
            return []
        }
        var sections: [Score.Section] = []
        var labels: Set<String> = []
        for child in tree.children(id) {
            container = .section(sections.count)
            guard isWithinLimit, let section = section(child) else { continue }
            if !section.label.isEmpty, !labels.insert(section.label).inserted {
                error(child, localized("there is already a section \(TextError.quoted(section.label))"))
            }
            sections.append(section)
        }
        return sections
    }

    private mutating func section(_ id: YAMLTree.ID) -> Score.Section? {
        guard tree.kind(id) == .map else {
            error(
                id, localized("a section is a set of keys"), hint: localized("for example {label: A, bars: [3, 2.7]}"))
            return nil
        }
        let fields = fields(of: id, SectionKey.self, in: localized("a section"))
        let parts = content(fields, of: id, .section)
        return Score.Section(
            label: text(fields[.label], localized("a label")), tempo: tempo(fields[.tempo]), parts: parts)
    }

    mutating func fragments(_ id: YAMLTree.ID) -> [Score.Fragment] {
        guard tree.kind(id) == .map else {
            error(
                id, localized("'fragments' is a set of names"), hint: localized("for example {sigh: {bars: [3, 2.7]}}"))
            return []
        }
        var fragments: [Score.Fragment] = []
        for (key, value) in tree.pairs(id) {
            guard let name = label(key, localized("a fragment's name")) else { continue }
            if fragmentNames.contains(name) {
                error(key, localized("there is already a fragment \(TextError.quoted(name))"))
                continue
            }
            container = .fragment(fragments.count)
            let parts: [Score.Part]
            if tree.kind(value) == .map {
                let fields = fields(of: value, SectionKey.self, in: localized("a fragment"))
                for key in [SectionKey.label, .tempo] {
                    guard let wrong = fields[key] else { continue }
                    error(wrong, localized("a fragment cannot have a \(key.rawValue)"))
                }
                parts = content(fields, of: value, .fragment)
            } else {
                parts = line(bars: value)
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
    mutating func content<Name>(_ fields: YAMLFields<Name>, of id: YAMLTree.ID, _ holder: Holder) -> [Score.Part] {
        let (lines, bars, passes) = (fields[shared: "lines"], fields[shared: "bars"], fields[shared: "repeat"])
        if let lines, bars != nil {
            error(lines, holder.hasBoth)
        } else if let bars {
            return line(bars: bars, passes: passes)
        } else if let lines {
            if let passes {
                error(
                    passes, localized("'repeat' belongs to a line"),
                    hint: localized("a line that has 'lines' is repeated as a whole"))
            }
            return parts(lines)
        } else if !fields.hasUnknownKey {
            error(id, holder.hasNeither)
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
            read += part(child)
        }
        return read
    }

    /// The part in a list of one; empty after an error.
    private mutating func part(_ id: YAMLTree.ID) -> [Score.Part] {
        writtenLines += 1
        guard writtenLines <= Score.writtenLineLimit else {
            error(id, localized("a score file has at most 200 000 written lines"))
            return []
        }
        switch tree.kind(id) {
        case .list: return line(bars: id)
        case .map: return part(id, fields(of: id, PartKey.self, in: localized("a line")))
        case .scalar:
            error(id, localized("a line is a list of bars"), hint: localized("for example [3, 2.7, 2]"))
            return []
        }
    }

    private mutating func part(_ id: YAMLTree.ID, _ fields: YAMLFields<PartKey>) -> [Score.Part] {
        let contents = [PartKey.bars, .lines, .use].compactMap { fields[$0] }
        if contents.count > 1 {
            error(contents[1], localized("a line has one of 'bars', 'lines' and 'use'"))
        } else if let bars = fields[.bars], fields[.endings] == nil {
            return line(bars: bars, passes: fields[.repeat], label: fields[.label], tempo: fields[.tempo])
        } else if let use = fields[.use] {
            return self.use(use, fields)
        } else if !contents.isEmpty {
            return group(fields)
        } else if !fields.hasUnknownKey {
            // An unknown key may be a misspelled 'bars'.
            error(id, localized("this line has no 'bars'"))
        }
        return []
    }

    private mutating func group(_ fields: YAMLFields<PartKey>) -> [Score.Part] {
        let label = text(fields[.label], localized("a label"))
        let passes = passes(fields[.repeat])
        var inner: [Score.Part] = []
        if let bars = fields[.bars] {
            inner = line(bars: bars, tempo: fields[.tempo])
        } else if let lines = fields[.lines] {
            inner = parts(lines)
            if let tempo = fields[.tempo] { error(tempo, localized("a tempo belongs to a line with 'bars'")) }
        }
        note(fields[.repeat] ?? fields[.lines] ?? fields[.bars], passes)
        let endings = fields[.endings].map { self.endings($0, passes: passes) } ?? []
        let group = Score.Group(label: label, passes: passes, parts: inner, endings: endings)
        return inner.isEmpty ? [] : [.group(group)]
    }

    private mutating func endings(_ id: YAMLTree.ID, passes: Int) -> [Score.Ending] {
        let example = "- {passes: 1-2, bars: [3]}"
        guard isList(id, "'endings'", localized("'endings' is a list of endings"), example: example) else { return [] }
        var endings: [Score.Ending] = []
        var taken: [ClosedRange<Int>] = []
        for child in tree.children(id) {
            guard tree.kind(child) == .map else {
                error(
                    child, localized("an ending is a set of keys"),
                    hint: localized("for example {passes: 1, bars: [3]}"))
                continue
            }
            let fields = fields(of: child, EndingKey.self, in: localized("an ending"))
            let parts = content(fields, of: child, .ending)
            if fields[.passes] == nil, !fields.hasUnknownKey { error(child, localized("this ending has no 'passes'")) }
            let ranges = value(fields[.passes], "'passes'") { text throws(TextError) in
                try RangeText.parse(text, within: 1...max(passes, 1), what: localized("a pass of this line"))
            }
            guard let id = fields[.passes], let ranges else { continue }
            if taken.contains(where: { old in ranges.contains { $0.overlaps(old) } }) {
                error(id, localized("another ending already has one of these passes"))
            }
            taken += ranges
            endings.append(Score.Ending(passes: ranges, parts: parts))
        }
        return endings
    }

    private mutating func use(_ id: YAMLTree.ID, _ fields: YAMLFields<PartKey>) -> [Score.Part] {
        for key in [PartKey.endings, .tempo] {
            guard let wrong = fields[key] else { continue }
            error(wrong, localized("'\(key.rawValue)' cannot be used with 'use'"))
        }
        guard let name = label(id, localized("a fragment's name")) else { return [] }
        let known = fragmentNames
        guard known.contains(name) else {
            error(
                id, localized("there is no fragment \(TextError.quoted(name)) above"),
                hint: Suggestion.hint(for: name, in: known) ?? localized("define it in 'fragments'"))
            return []
        }
        let passes = passes(fields[.repeat])
        note(fields[.repeat] ?? id, passes)
        return [.use(Score.Use(name, label: text(fields[.label], localized("a label")), passes: passes))]
    }

    /// Remembers where the number of passes of a part is written.
    private mutating func note(_ node: YAMLTree.ID?, _ passes: Int) {
        if let node { places.noteRepeat(node, passes, in: container) }
    }

    /// The line with these bars in a list of one; empty after an error.
    mutating func line(
        bars id: YAMLTree.ID, passes: YAMLTree.ID? = nil, label: YAMLTree.ID? = nil, tempo: YAMLTree.ID? = nil
    ) -> [Score.Part] {
        let label = text(label, localized("a label"))
        let count = self.passes(passes)
        let mark = self.tempo(tempo)
        guard isList(id, "'bars'", localized("'bars' is a list of durations")), let bars = bars(id) else { return [] }
        places.noteLine(id, in: container)
        note(passes ?? id, count)
        return [.line(Score.Line(label: label, passes: count, tempo: mark, bars: bars))]
    }

    mutating func tempo(_ id: YAMLTree.ID?) -> TempoMark? {
        value(id, localized("a tempo"), TempoMark.init(scoreText:))
    }

    private mutating func passes(_ id: YAMLTree.ID?) -> Int { whole(id, "'repeat'", Score.passRange) ?? 1 }
}
