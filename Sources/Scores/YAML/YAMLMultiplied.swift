// Bars that are written once and played several times in a row: `4/4 x 12`, `{meter: 4/4, label: A, times: 12}`.
extension Score.Bar {
    /// The same bar once more, as a multiplied bar continues. It keeps what belongs to every bar. Texts, and changes that
    /// hold from their bar on, belong to the first bar only.
    package var continued: Score.Bar {
        guard !isPlain || !label.isEmpty else { return self }
        var bar = self
        bar.label = ""
        guard !isPlain else { return bar }
        var next = Score.Details()
        for key in YAMLBarKey.allCases { key.multiply(details, to: &next) }
        bar.details = next
        return bar
    }
}

extension YAMLScore {
    /// How many bars an item of a list of bars stands for; 1 after an error.
    static func times(of id: YAMLTree.ID, in tree: YAMLTree) -> Int {
        switch tree.kind(id) {
        case .scalar: return times(tree.text(id))?.times ?? 1
        case .list: return 1
        case .map:
            let found = tree.pairs(id).first { tree.kind($0.key) == .scalar && tree.text($0.key) == "times" }
            guard let value = found?.value, tree.kind(value) == .scalar else { return 1 }
            return Int(wholeText: tree.text(value).trimmingBlanks) ?? 1
        }
    }
}

extension YAMLBarText {
    /// A bar with keys as the item of a list, and how many of `bars` from `first` on it stands for; at most `limit`.
    /// Timecodes at `rate` are written without one.
    static func item(
        _ bars: [Score.Bar], from first: Int, limit: Int, _ rate: Timecode.Rate?
    ) -> (text: String, count: Int) {
        let bar = bars[first]
        let next = bar.continued
        var end = first + 1
        if bar.details.jump == nil {
            while end < bars.count, end - first < limit, bars[end] == next { end += 1 }
        }
        return (map(bar, times: end - first, rate), end - first)
    }
}
