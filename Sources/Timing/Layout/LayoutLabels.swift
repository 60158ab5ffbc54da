internal import Scores

// The labels of a page, and what they name. Each written part is visited once.
extension Layout {
    /// The bars that a label names within a section, at its first place among some bars of the page: the whole section,
    /// group or fragment, a line in one pass, or a bar; nil if there is no such label.
    func bars(labeled label: String, in section: Int, among page: Range<Int>) -> Range<Int>? {
        let bars = sections[section].bars
        if sections[section].heading.label == label, page.contains(bars.lowerBound) { return bars }
        var searched: Set<Int> = []
        return first(in: sections[section].node, among: page.shifted(by: -bars.lowerBound), &searched) { $0 == label }?
            .shifted(by: bars.lowerBound)
    }

    /// The bars of the page that a label names, at its first place on the page; nil if there is no such label.
    func bars(labeled label: String) -> Range<Int>? {
        guard !label.isEmpty else { return nil }
        return sections.indices.lazy.compactMap { bars(labeled: label, in: $0, among: 0..<Int.max) }.first
    }

    /// The sections that contain some bars of the page.
    func sections(in bars: Range<Int>) -> Range<Int> {
        let first = sections.lastIndexByHalving { $0.bars.lowerBound <= bars.lowerBound }
        let last = sections.lastIndexByHalving { $0.bars.lowerBound < bars.upperBound }
        return first..<last + 1
    }

    /// Every label in the order of the page, for suggestions.
    package var labels: [String] {
        var found: [String] = []
        var searched: Set<Int> = []
        for section in sections {
            found.append(section.heading.label)
            _ = first(in: section.node, among: 0..<Int.max, &searched) { label in
                found.append(label)
                return false
            }
        }
        return found.filter { !$0.isEmpty }
    }

    /// The bars of the first part of a node, itself included, that begins among some of its bars with the label that is
    /// looked for. A part that was searched from its beginning has no such label.
    private func first(
        in id: Int, among bars: Range<Int>, _ searched: inout Set<Int>, where isMeant: (String) -> Bool
    ) -> Range<Int>? {
        let (node, from) = (nodes[id], max(bars.lowerBound, 0))
        guard bars.upperBound > 0, from == 0 ? searched.insert(id).inserted : from < node.bars else { return nil }
        if from == 0, isMeant(node.label) { return 0..<node.bars }
        func first(in child: Int, at bar: Int) -> Range<Int>? {
            self.first(in: child, among: bars.shifted(by: -bar), &searched, where: isMeant)?.shifted(by: bar)
        }
        switch node.content {
        case .passes(let inner, let count):
            let length = max(nodes[inner].bars, 1)
            let pass = from / length
            return first(in: inner, at: pass * length)
                ?? (pass + 1 < count ? first(in: inner, at: (pass + 1) * length) : nil)
        case .sequence(let children):
            for child in children { if let found = first(in: child.node, at: child.bar) { return found } }
            return nil
        case .line(let leaf):
            let all = leaves[leaf].bars
            return all[from..<min(bars.upperBound, all.count)].firstIndex { isMeant($0.label) }.map { $0..<$0 + 1 }
        }
    }
}

extension Range<Int> {
    /// The range `distance` further on.
    func shifted(by distance: Int) -> Range<Int> { lowerBound + distance..<upperBound + distance }
}
