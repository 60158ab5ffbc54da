internal import Languages

/// Lists of whole numbers such as `1, 3-4`: passes of an ending, arrivals of a jump.
enum RangeText {
    /// Reads numbers and ranges within `limits`, ascending, without overlap. `what` is the name of one in messages.
    static func parse(
        _ text: String, within limits: ClosedRange<Int>, what: String
    ) throws(TextError) -> [ClosedRange<Int>] {
        var ranges: [ClosedRange<Int>] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let edges = part.split(separator: "-", omittingEmptySubsequences: false).map(\.trimmingBlanks)
            guard edges.count <= 2, let first = Int(wholeText: edges[0]),
                let last = Int(wholeText: edges[edges.count - 1])
            else {
                throw TextError(
                    localized("\(TextError.quoted(text)) is not a list of numbers"),
                    hint: localized("for example 2, or 1-3, 5"))
            }
            guard limits.contains(first), limits.contains(last), first <= last else {
                throw TextError(localized("\(what) must be \(limits.lowerBound) to \(limits.upperBound)"))
            }
            guard ranges.last.map({ $0.upperBound < first }) ?? true else {
                throw TextError(localized("the numbers must ascend, and each can be given only once"))
            }
            ranges.append(first...last)
            guard ranges.count <= 1000 else { throw TextError(localized("a list has at most 1000 numbers and ranges")) }
        }
        return ranges
    }

    /// The list as a score writes it.
    static func text(_ ranges: [ClosedRange<Int>]) -> String {
        ranges.map { $0.lowerBound == $0.upperBound ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ", ")
    }

    /// The numbers as ranges.
    static func ranges(_ numbers: Set<Int>) -> [ClosedRange<Int>] {
        numbers.sorted().reduce(into: []) { ranges, number in
            if let last = ranges.last, last.upperBound == number - 1 {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
    }
}

/// Windows of time such as `1:15 - 1:45`; a single moment is also a window.
enum WindowText {
    static func parse(_ text: String) throws(TextError) -> ClosedRange<Duration> {
        let words = text.split(separator: " ").map { $0 == "to" || $0 == "–" ? "-" : String($0) }
        let edges = words.joined(separator: " ")
            .split(omittingEmptySubsequences: false, whereSeparator: { $0 == "-" || $0 == "–" }).map(String.init)
        guard edges.count <= 2 else {
            throw TextError(
                localized("\(TextError.quoted(text)) is not a window of time"),
                hint: localized("for example 1:15 - 1:45"))
        }
        let first = try Duration(scoreText: edges[0], as: .time)
        let last = try Duration(scoreText: edges[edges.count - 1], as: .time)
        guard first <= last else {
            throw TextError(
                localized("a window ends before it begins"), hint: localized("write the earlier time first"))
        }
        return first...last
    }

    static func text(_ window: ClosedRange<Duration>) -> String {
        let first = window.lowerBound.clock
        return window.lowerBound == window.upperBound ? first : "\(first) - \(window.upperBound.clock)"
    }
}
