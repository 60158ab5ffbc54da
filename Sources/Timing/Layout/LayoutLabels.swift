internal import Scores

// The labels of a page, and what they name. Each written part is visited once.
extension Layout {
    /// The bars of the page that a label names within a section: the whole section, group or fragment, a line in its
    /// first pass, or a bar; nil if the section has no such label.
    func bars(labeled label: String, in section: Int) -> Range<Int>? {
        if sections[section].heading.label == label { return sections[section].bars }
        var searched: Set<Int> = []
        guard let found = first(in: sections[section].node, &searched, where: { $0 == label }) else { return nil }
        let base = sections[section].bars.lowerBound
        return base + found.lowerBound..<base + found.upperBound
    }

    /// The bars of the page that a label names, at its first place on the page; nil if there is no such label.
    func bars(labeled label: String) -> Range<Int>? {
        guard !label.isEmpty else { return nil }
        return sections.indices.lazy.compactMap { bars(labeled: label, in: $0) }.first
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
            _ = first(in: section.node, &searched) { label in
                found.append(label)
                return false
            }
        }
        return found.filter { !$0.isEmpty }
    }

    /// The bars of the first part of a node, itself included, whose label is the one that is looked for.
    private func first(in id: Int, _ searched: inout Set<Int>, where isMeant: (String) -> Bool) -> Range<Int>? {
        guard searched.insert(id).inserted else { return nil }
        let node = nodes[id]
        if isMeant(node.label) { return 0..<node.bars }
        switch node.content {
        case .passes(let inner, _): return first(in: inner, &searched, where: isMeant)
        case .sequence(let children):
            for child in children {
                if let found = first(in: child.node, &searched, where: isMeant) {
                    return child.bar + found.lowerBound..<child.bar + found.upperBound
                }
            }
            return nil
        case .line(let leaf): return leaves[leaf].bars.firstIndex { isMeant($0.label) }.map { $0..<$0 + 1 }
        }
    }
}
