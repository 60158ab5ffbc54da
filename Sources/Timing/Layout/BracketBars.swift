internal import Languages
internal import Scores

extension Score {
    /// The brackets as bars: every edge of a window begins a bar, whose cue tells what may begin or end.
    ///
    /// Edges less than 1 ms apart are merged. The piece ends at the last edge, or at the declared total if later.
    var sectionOfBrackets: Section {
        var edges: [(time: Duration, label: String, cue: String)] = []
        for (i, bracket) in playedBrackets.enumerated() {
            let player = bracket.player.isEmpty ? "" : "\(bracket.player), "
            // Options and files refer to labels, so they are the same in all languages; cues are for people.
            let label = bracket.label.isEmpty ? "bracket \(i + 1)" : bracket.label
            let name = bracket.label.isEmpty ? localized("bracket \(i + 1)") : bracket.label
            edges += bracket.edges(player + name, label: player + label)
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
        if let total = total?.duration, total - begin >= .milliseconds(1) { close(at: total) }
        // All edges are at the very beginning: make a bar all the same.
        if bars.isEmpty { close(at: .milliseconds(1)) }
        return Section(parts: [.line(Line(bars: bars))])
    }
}

extension Bracket {
    /// The edges of the windows with their cues; the label belongs to the edge that opens the bracket.
    fileprivate func edges(_ name: String, label: String) -> [(time: Duration, label: String, cue: String)] {
        let word = cue.isEmpty ? name : "\(name): \(cue)"
        let (start, end) = (start.withinLimits, end.withinLimits)
        var edges = [
            (start.lowerBound, label, start.isMoment ? localized("\(word) begins") : localized("\(word) may begin"))
        ]
        if !start.isMoment { edges.append((start.upperBound, "", localized("\(name) must have begun"))) }
        if !end.isMoment { edges.append((end.lowerBound, "", localized("\(name) may end"))) }
        edges.append(
            (end.upperBound, "", end.isMoment ? localized("\(name) ends") : localized("\(name) must have ended")))
        return edges
    }
}

extension ClosedRange<Duration> {
    /// Clamped to durations that can be laid out; brackets that were read are within them.
    fileprivate var withinLimits: Self { clamped(to: .zero ... .seconds(1_000_000_000)) }

    fileprivate var isMoment: Bool { lowerBound == upperBound }
}
