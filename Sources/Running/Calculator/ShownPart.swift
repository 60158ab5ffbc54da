internal import Scores

// Parts as an editor offers them for a change: a computed pace is rounded as it is shown, and stays exact if nobody changes
// it.

extension Plan.Part {
    /// The part on one line, with rounded paces, times and distances.
    func shownText(in unit: PaceUnit) -> String {
        switch self {
        case .interval(let interval):
            interval.text(interval.measure.shownText(in: unit))
        case .group(let count, let parts):
            "\(count)x(" + parts.map { $0.shownText(in: unit) }.joined(separator: ", ") + ")"
        }
    }

    /// The part with the exact measures of another one, wherever both have as many intervals and show the same.
    func keeping(_ exact: Plan.Part, shownIn unit: PaceUnit) -> Plan.Part {
        let measures = exact.written.map(\.measure)
        guard written.count == measures.count else { return self }
        var index = -1
        let kept = [self].mapIntervals { interval in
            index += 1
            guard interval.measure.shownText(in: unit) == measures[index].shownText(in: unit) else { return interval }
            var exact = interval
            exact.measure = measures[index]
            return exact
        }
        return kept.first ?? self
    }
}

extension Interval.Measure {
    fileprivate func shownText(in unit: PaceUnit) -> String {
        switch self {
        case .time(let time): time.shownExactly
        case .distance(let distance): distance.shownExactly
        case .open(let end):
            "until lap" + (end.pace.map { " @ \($0.shownExactly(in: unit))" } ?? "")
                + (end.about.map { " about \($0.clock)" } ?? "")
        case .run(let run):
            switch run.result {
            case .time: "\(run.distance.shownExactly) @ \(run.pace.shownExactly(in: unit))"
            case .pace: "\(run.distance.shownExactly) in \(run.time.shownExactly)"
            case .distance: "\(run.time.shownExactly) @ \(run.pace.shownExactly(in: unit))"
            }
        }
    }
}

/// No value that a person writes is longer.
private let longest = 10

extension Pace {
    fileprivate func shownExactly(in unit: PaceUnit) -> String {
        let exact = exactText
        return exact.count <= longest ? exact : text(in: unit).replacing(" /", with: "/")
    }
}

extension Duration {
    fileprivate var shownExactly: String { clock.count <= longest ? clock : shortText(decimals: 1) }
}

extension Distance {
    fileprivate var shownExactly: String {
        exactText.count <= longest ? exactText : text(in: .meters, decimals: 1).replacing(" ", with: "")
    }
}
