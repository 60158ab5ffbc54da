package import Scores

extension Plan {
    /// The plan as text, one part per line, which `Plan.read` reads back. Titles and labels that no text can give have
    /// blanks for line ends, single quotes for double ones, and at most 200 characters.
    public var text: String {
        var lines: [String] = []
        let title = TextRule.cleaned(title)
        if !title.isEmpty { lines.append("title: \(title)") }
        // A computed pace is written in the unit of the rest.
        let isMiles = unit == .miles
        for kind in Interval.Kind.allCases {
            guard let pace = paces[kind] else { continue }
            lines.append("\(kind.rawValue): \(pace.exactText(per: isMiles ? .miles : .kilometers))")
        }
        if let threshold { lines.append("threshold: \(threshold.exactText(per: isMiles ? .miles : .kilometers))") }
        if let countIn { lines.append("count-in: \(Score.Lead.time(countIn).text)") }
        if let cadence { lines.append("cadence: \(cadence)") }
        if !lines.isEmpty { lines.append("") }
        lines += parts.map(\.text)
        if let length = length.text { lines.append(length) }
        if !remarks.isEmpty { lines += [""] + remarks.map(\.text) }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Plan {
    /// The unit of its distances and paces, miles before kilometers; nil if it has neither. Titles, labels and comments do
    /// not count: "mi" is also a word.
    package var unit: DistanceUnit? {
        let texts =
            written.flatMap { [$0.measure.text, $0.demands.text] } + remarks.map(\.place.text)
            + paces.values.map(\.exactText) + [length.text ?? "", threshold?.exactText ?? ""]
        return DistanceUnit(mentionedIn: texts.joined(separator: " "))
    }

    /// Whether the text of a plan has comments, which the plan does not keep.
    package static func hasComments(_ text: [UInt8]) -> Bool {
        text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).contains { line in
            // A title extends to the end of its line.
            guard !String(decoding: line, as: UTF8.self).trimmingBlanks.lowercased().hasPrefix("title:") else {
                return false
            }
            let parts = line.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
            return parts.enumerated().contains { $0.offset % 2 == 0 && $0.element.contains(UInt8(ascii: "#")) }
        }
    }
}

extension Plan.Remark {
    /// The remark as a line of a plan.
    public var text: String {
        let scope = scope.map { scope in
            let names = [scope.kind?.rawValue, scope.label.inQuotes]
            let written = names.compactMap(\.self)
            return " in " + (written.isEmpty ? "each interval" : written.joined(separator: " "))
        }
        return "\(isRepeated ? "every" : "at") \(place.text)\(scope ?? ""): \(words.inQuotes ?? "\"\"")"
    }
}

extension String {
    /// The text in quotes, as a plan can have it; nil if it is empty.
    fileprivate var inQuotes: String? {
        let text = TextRule.cleaned(self).replacing("\"", with: "'")
        return text.isEmpty ? nil : "\"\(text)\""
    }
}

extension Plan.Remark.Place {
    /// The time or distance.
    public var text: String {
        switch self {
        case .time(let time): time.clock
        case .distance(let distance): distance.exactText
        }
    }
}

extension Plan.Length {
    /// The length as the last line of a plan; nil for a plan that is done once.
    fileprivate var text: String? {
        switch self {
        case .once: nil
        case .time(let time): "for \(time.clock)"
        case .distance(let distance): "for \(distance.exactText)"
        case .forever: "forever"
        }
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
    public var text: String { text(measure.text) }

    /// The same with its measure in other words.
    func text(_ measure: String) -> String {
        nameText + " " + measure + (demands.isEmpty ? "" : " @ " + demands.text)
    }

    /// The kind and the label, as they are written in a plan.
    var nameText: String { label.inQuotes.map { "\(kind.rawValue) \($0)" } ?? kind.rawValue }
}

extension Interval.Measure {
    /// The time, the distance, or the two given quantities of a run.
    public var text: String {
        switch self {
        case .time(let time): time.clock
        case .distance(let distance): distance.exactText
        case .run(let run): run.text
        case .open(let end):
            "until lap" + (end.pace.map { " @ \($0.exactText)" } ?? "") + (end.about.map { " about \($0.clock)" } ?? "")
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
