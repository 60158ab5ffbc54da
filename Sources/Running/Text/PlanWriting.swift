internal import Scores

extension Plan {
    /// The plan as text, one part per line, which `Plan.read` reads back.
    public var text: String {
        var lines: [String] = []
        if !title.isEmpty { lines.append("title: \(title)") }
        for kind in Interval.Kind.allCases {
            if let pace = paces[kind] { lines.append("\(kind.rawValue): \(pace.exactText)") }
        }
        if countIn != Plan.standardCountIn { lines.append("count-in: \(countIn.exactSeconds)") }
        if let cadence { lines.append("cadence: \(cadence)") }
        if !lines.isEmpty { lines.append("") }
        lines += parts.map(\.text)
        switch length {
        case .once: break
        case .time(let time): lines.append("for \(time.clock)")
        case .distance(let distance): lines.append("for \(distance.exactText)")
        case .forever: lines.append("forever")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Plan.Part {
    /// The part on one line.
    public var text: String {
        switch self {
        case .interval(let interval): interval.text
        case .group(let count, let parts): "\(count)x(" + parts.map(\.text).joined(separator: ", ") + ")"
        }
    }
}

extension Interval {
    /// The interval as text in a plan.
    public var text: String {
        let name = label.isEmpty ? kind.rawValue : "\(kind.rawValue) \"\(label)\""
        return name + " " + measure.text
    }
}

extension Interval.Measure {
    /// The time, the distance, or the two given quantities of a run.
    public var text: String {
        switch self {
        case .time(let time): time.clock
        case .distance(let distance): distance.exactText
        case .run(let run): run.text
        }
    }
}

extension Run {
    /// The two given quantities, as a text that reads back as the same run.
    public var text: String {
        switch result {
        case .time: "\(distance.exactText) @ \(pace.exactText)"
        case .pace: "\(distance.exactText) in \(time.clock)"
        case .distance: "\(time.clock) @ \(pace.exactText)"
        }
    }
}
