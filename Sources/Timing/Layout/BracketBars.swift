internal import Scores

extension Score {
    /// Brackets as bars: every edge of a window begins one, and says what may begin or end.
    ///
    /// Edges less than 1 ms apart are one. The last edge, or the declared total where that is later, is the end.
    var sectionOfBrackets: Section {
        var edges: [(time: Duration, label: String, cue: String)] = []
        for (i, bracket) in playedBrackets.enumerated() {
            let name = bracket.label.isEmpty ? "bracket \(i + 1)" : bracket.label
            edges += bracket.edges(name)
        }
        edges = edges.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
        var bars: [Bar] = []
        var begin = Duration.zero
        var here = (labels: [String](), cues: [String]())
        func close(at time: Duration) {
            bars.append(
                Bar(time - begin, label: here.labels.joined(separator: ", "), cue: here.cues.joined(separator: ", ")))
            here = ([], [])
            begin = time
        }
        for edge in edges {
            if edge.time - begin >= .milliseconds(1) { close(at: edge.time) }
            if !edge.label.isEmpty { here.labels.append(edge.label) }
            here.cues.append(edge.cue)
        }
        if let total, total - begin >= .milliseconds(1) { close(at: total) }
        // All at the very beginning: a bar all the same.
        if bars.isEmpty { close(at: .milliseconds(1)) }
        return Section(parts: [.line(Line(bars: bars))])
    }
}

extension Bracket {
    /// The edges of the windows, with what they mean; the label stands where the bracket opens.
    fileprivate func edges(_ name: String) -> [(time: Duration, label: String, cue: String)] {
        let word = cue.isEmpty ? name : "\(name): \(cue)"
        let (start, end) = (start.held, end.held)
        var edges = [(start.lowerBound, name, "\(word) \(start.isMoment ? "begins" : "may begin")")]
        if !start.isMoment { edges.append((start.upperBound, "", "\(name) must have begun")) }
        if !end.isMoment { edges.append((end.lowerBound, "", "\(name) may end")) }
        edges.append((end.upperBound, "", end.isMoment ? "\(name) ends" : "\(name) must have ended"))
        return edges
    }
}

extension ClosedRange<Duration> {
    /// Within what can be laid out: brackets that have been read are.
    fileprivate var held: Self { clamped(to: .zero ... .seconds(1_000_000_000)) }

    fileprivate var isMoment: Bool { lowerBound == upperBound }
}
