internal import Running
internal import Scores

/// The names of kinds of intervals in files of other programs.
enum WorkoutWords {
    /// The title that Barline writes for a plan without one, because devices show a title.
    static let noTitle = "Plan"

    /// The kind and label for a name in a file; the kind is nil if the name does not tell it.
    static func meaning(_ name: String) -> (kind: Interval.Kind?, label: String) {
        let text = clean(name)
        if let told = told(text) { return told }
        let lower = text.lowercased()
        let kinds =
            Interval.Kind.allCases.map { ($0.rawValue, $0) } + [
                ("warm", .warmUp), ("cool", .coolDown), ("recover", .rest), ("stand", .rest), ("jog", .run),
            ]
        let isPlain = ["warmup", "warm up", "cooldown", "cool down"].contains(lower)
        return (kinds.first { lower.hasPrefix($0.0) }?.1, isPlain ? "" : text)
    }

    /// The kind and label of a text that begins with the name of a kind; nil for any other. "Walk briskly" is a walk with
    /// the label "briskly".
    static func told(_ text: String) -> (kind: Interval.Kind?, label: String)? {
        let lower = text.lowercased()
        guard let kind = Interval.Kind.allCases.first(where: { "\(lower) ".hasPrefix("\($0.rawValue) ") }) else {
            return nil
        }
        return (kind, clean(String(text.dropFirst(kind.rawValue.count + 1))))
    }

    /// A title or label from a file, in the form that plans allow: one line of at most 200 characters, no quotes.
    static func clean(_ text: String) -> String {
        let line = text.split(whereSeparator: { $0.isWhitespace }).joined(separator: " ")
        let scalars = line.unicodeScalars.filter { scalar in
            let category = scalar.properties.generalCategory
            return scalar != "\"" && category != .control && category != .lineSeparator
                && category != .paragraphSeparator
        }
        return String(String.UnicodeScalarView(scalars)).cutToTextLimit
    }
}
