internal import Scores

// The labels of a page, and what they name. Each written part is visited once.
extension Layout {
    /// The bars of the page that a label names within a section: the whole section, group or fragment, a line in its
    /// first pass, or a bar; nil if the section has no such label.
    func bars(labeled label: String, in section: Int) -> Range<Int>? {
        if sections[section].label == label { return sections[section].bars }
        var searched: Set<Int> = []
        guard let found = search(label, sections[section].node, &searched) else { return nil }
        let base = sections[section].bars.lowerBound
        return base + found.lowerBound..<base + found.upperBound
    }

    /// The bars of the page that a label names, at its first place on the page; nil if there is no such label.
    func bars(labeled label: String) -> Range<Int>? {
        guard !label.isEmpty else { return nil }
        for section in sections.indices {
            if let found = bars(labeled: label, in: section) { return found }
        }
        return nil
    }

    /// The sections that contain some bars of the page.
    func sections(in bars: Range<Int>) -> Range<Int> {
        let first = sections.lastIndex { $0.bars.lowerBound <= bars.lowerBound }
        let last = sections.lastIndex { $0.bars.lowerBound < bars.upperBound }
        return first..<last + 1
    }

    private func search(_ label: String, _ id: Int, _ searched: inout Set<Int>) -> Range<Int>? {
        guard searched.insert(id).inserted else { return nil }
        let node = nodes[id]
        if node.label == label { return 0..<node.bars }
        switch node.content {
        case .passes(let inner, _): return search(label, inner, &searched)
        case .sequence(let children):
            for child in children {
                if let found = search(label, child.node, &searched) {
                    return child.bar + found.lowerBound..<child.bar + found.upperBound
                }
            }
            return nil
        case .line(let leaf):
            return leaves[leaf].bars.firstIndex { $0.label == label }.map { $0..<$0 + 1 }
        }
    }

    /// Every label in the order of the page, for suggestions.
    package var labels: [String] {
        var found: [String] = []
        var searched: Set<Int> = []
        for section in sections {
            found.append(section.label)
            collect(section.node, &searched, &found)
        }
        return found.filter { !$0.isEmpty }
    }

    private func collect(_ id: Int, _ searched: inout Set<Int>, _ found: inout [String]) {
        guard searched.insert(id).inserted else { return }
        found.append(nodes[id].label)
        switch nodes[id].content {
        case .passes(let inner, _): collect(inner, &searched, &found)
        case .sequence(let children): for child in children { collect(child.node, &searched, &found) }
        case .line(let leaf): found += leaves[leaf].bars.lazy.map(\.label).filter { !$0.isEmpty }
        }
    }
}
