internal import Languages
internal import Scores
internal import Timing

extension YAMLPlaces {
    /// Reports errors that show only after layout in time: durations of bars with tempo, ramps, labels of jumps, the
    /// total.
    fileprivate func check(_ score: Score, leads: Bool, _ log: inout DiagnosticLog) {
        let layout = Layout(score)
        for problem in layout.problems { log.error(at: place(of: problem), problem.error) }
        for warning in layout.warnings + (leads ? [] : [layout.droneChange].compactMap(\.self)) {
            log.warning(at: place(of: warning), warning.error.message, hint: warning.error.hint)
        }
        let known = Set(labels.isEmpty ? [] : layout.labels)
        for (label, place) in labels where !known.contains(label) {
            log.error(
                at: place, localized("there is no label \(TextError.quoted(label))"),
                hint: Suggestion.hint(for: label, in: known.sorted())
                    ?? localized("write start, end or a label of the score"))
        }
        if !log.hasErrors { checkOrders(of: score, layout, &log) }
        guard !log.hasErrors, let place = total, let total = score.total else { return }
        let sum = Timeline(score, layout).total
        guard !total.allows(sum), let difference = total.difference(of: sum) else { return }
        log.warning(at: place, localized("the score lasts \(sum.shortClock), which is \(difference)"))
    }

    /// Reports an order of sections that is too long, and a jump that is one too many, in any order that can be played.
    private func checkOrders(of score: Score, _ layout: Layout, _ log: inout DiagnosticLog) {
        let sections = Dictionary(
            score.sections.enumerated().map { ($1.label, $0) }, uniquingKeysWith: { first, _ in first })
        var orders = score.orders.map {
            (place: self.orders[$0.name], sections: $0.sections.compactMap { sections[$0] })
        }
        if score.order == nil { orders.insert((nil, score.playedSections), at: 0) }
        for order in orders {
            let played = PlayOrder(layout, sections: order.sections)
            if let excess = played.excess { return log.error(at: place(of: excess), excess.error) }
            guard played.total > Passage.longest else { continue }
            log.error(at: order.place ?? 0..<0, localized("this order would last more than 100 000 h"))
        }
    }

    private func place(of problem: Layout.Problem) -> Range<Int> {
        guard let bar = problem.bar else {
            return place(ofPasses: problem.passes, afterLines: problem.line, of: problem.container)
        }
        return place(ofBar: bar, inLine: problem.line, of: problem.container)
    }
}

extension YAMLScore {
    /// Reads a score and checks its layout in time; nil only after an error was reported.
    static func checked(_ source: SourceText, _ log: inout DiagnosticLog) -> Score? {
        guard let (score, places) = read(source, &log) else { return nil }
        let voices = [score] + score.companions.map(\.music)
        for (index, (voice, places)) in zip(voices, places).enumerated() {
            places.check(voice, leads: index == 0, &log)
        }
        return score
    }

    /// The share of the first lines that are keys, or belong to one; 0 if none of the keys has bars.
    static func fit(_ source: SourceText) -> Double {
        var hasMusic = false
        let fit = source.fit(content: content) { range in
            let text = source.text(range.lowerBound..<min(range.upperBound, range.lowerBound + 200))
            let isIndented = range.lowerBound > 0 && source.bytes[range.lowerBound - 1].isBlank
            if isIndented || ["- ", "---", "]", "}"].contains(where: text.hasPrefix) { return true }
            if text.hasPrefix("{") {
                hasMusic = true
                return true
            }
            guard let colon = text.firstIndex(of: ":") else { return false }
            let key = text[..<colon].filter { $0 != "\"" && $0 != "'" }
            if isMusic(key) { hasMusic = true }
            // A word that is no key may be a misspelled one.
            return !key.contains(" ")
        }
        return hasMusic ? fit : 0
    }

    /// A line without a comment and blanks around it; a comment that follows a value does no harm.
    private static func content(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Range<Int> {
        let content = bytes.trimmed(line)
        return !content.isEmpty && bytes[content.lowerBound] == UInt8(ascii: "#") ? 0..<0 : content
    }
}
