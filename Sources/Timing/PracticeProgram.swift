internal import Languages
public import Scores

/// A way to practice a piece: which bars, in which order, and how fast.
public enum PracticeProgram: Sendable, Equatable {
    /// All bars, faster each time, from one speed up to another in steps of `step` millionths.
    case ladder(from: Speed, step: Int64, to: Speed)
    /// Each line `times` times, then the next line.
    case eachLine(times: Int)
    /// The bars with these numbers in every line.
    case column(ClosedRange<Int>)
    /// The lines in a random order that depends only on the seed.
    case random(seed: UInt64)

    /// The largest number of stretches of a program.
    public static let limit = 100_000

    /// Reads `ladder 60% 5% 100%`, `each 3`, `column 7`, `column 5-7`, `random` or `random 42`. `newSeed` is the seed of a
    /// random order that has none; by default, a new one each time, short enough to be typed again.
    public init(scoreText text: String, newSeed: UInt64 = .random(in: 1...9999)) throws(TextError) {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        let rest = Array(words.dropFirst())
        switch words.first {
        case "ladder": self = try PracticeProgram.ladder(rest)
        case "each":
            guard rest.count == 1, let times = Int(rest[0]), (1...1000).contains(times) else {
                throw TextError(
                    localized("each line must be played 1 to 1000 times"), hint: localized("for example each 3"))
            }
            self = .eachLine(times: times)
        case "column":
            let edges = rest.joined().split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard (1...2).contains(edges.count), let first = edges[0], let last = edges[edges.count - 1], first >= 1,
                first <= last
            else {
                throw TextError(
                    localized("a column must be a bar, or a range of bars, of every line"),
                    hint: localized("for example column 7 or column 5-7"))
            }
            self = .column(first...last)
        case "random":
            guard rest.count <= 1, let seed = rest.isEmpty ? newSeed : UInt64(rest[0]) else {
                throw TextError(
                    localized("the seed of a random order must be a whole number"),
                    hint: localized("for example random 42"))
            }
            self = .random(seed: seed)
        default:
            let near = Suggestion.nearest(to: words.first ?? "", in: ["ladder", "each", "column", "random"])
            throw TextError(
                localized("there is no practice program '\(words.first ?? "")'"),
                hint: near.map { localized("did you mean '\($0)'?") }
                    ?? localized("for example ladder 60% 5%, each 3, column 7, random"))
        }
    }

    private static func ladder(_ words: [String]) throws(TextError) -> PracticeProgram {
        let example = localized("for example ladder 60% 5% 100%")
        guard (2...3).contains(words.count) else {
            throw TextError(
                localized("a ladder needs a first speed and a step, and can have a last speed"), hint: example)
        }
        let first = try Speed(scoreText: words[0])
        let last = words.count == 3 ? try Speed(scoreText: words[2]) : .asWritten
        let digits = words[1].hasSuffix("%") ? String(words[1].dropLast()) : words[1]
        guard let step = Double(digits), step >= 0.1, step <= 500 else {
            throw TextError(localized("the step of a ladder must be 0.1 % to 500 %"), hint: example)
        }
        guard first.millionths < last.millionths else {
            throw TextError(localized("a ladder must go up, from its first speed to its last"), hint: example)
        }
        return .ladder(from: first, step: Int64((step * 10_000).rounded()), to: last)
    }

    /// The bars of a piece in the order of the program. Errors: no such bars, or more than `limit` stretches.
    public func stretches(of timeline: Timeline, bars: Range<Int>) throws(TextError) -> [Passage.Stretch] {
        var result: [Passage.Stretch] = []
        func add(_ stretch: Passage.Stretch) throws(TextError) {
            guard result.count < PracticeProgram.limit else {
                throw TextError(localized("a practice program has at most \(PracticeProgram.limit) stretches"))
            }
            result.append(stretch)
        }
        switch self {
        case .ladder(let first, let step, let last):
            var speed = first.millionths
            while true {
                speed = min(speed, last.millionths)
                let here = Speed(millionths: speed) ?? last
                try add(Passage.Stretch(bars, speed: here, label: localized("at \(here)")))
                guard speed < last.millionths else { break }
                speed += step
            }
        case .eachLine(let times):
            for line in try PracticeProgram.lines(of: timeline, bars) {
                for time in 1...times { try add(Passage.Stretch(line, label: localized("\(time) of \(times)"))) }
            }
        case .column(let numbers):
            var missing = [numbers.lowerBound, numbers.upperBound]
            for line in try PracticeProgram.lines(of: timeline, bars) {
                let first = timeline[line.lowerBound].bar
                let present = first...first + line.count - 1
                missing.removeAll(where: present.contains)
                guard numbers.overlaps(present) else { continue }
                let here = numbers.clamped(to: present)
                let begin = line.lowerBound + here.lowerBound - first
                try add(Passage.Stretch(begin..<begin + here.count))
            }
            if let bar = missing.first { throw TextError(localized("no line has a bar \(bar)")) }
        case .random(let seed):
            var random = SplitMix64(seed: seed)
            for line in try PracticeProgram.lines(of: timeline, bars).shuffled(using: &random) {
                try add(Passage.Stretch(line, label: "random \(seed)"))
            }
        }
        return result
    }

    /// The lines of some bars, cut to these bars. Errors: more than `limit` lines.
    private static func lines(of timeline: Timeline, _ bars: Range<Int>) throws(TextError) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var next = bars.lowerBound
        while next < bars.upperBound {
            guard lines.count < limit else {
                throw TextError(localized("a practice program goes through at most \(limit) lines"))
            }
            let line =
                timeline.bars(ofLine: timeline[next].line)?.clamped(to: next..<bars.upperBound) ?? next..<next + 1
            lines.append(line)
            next = max(line.upperBound, next + 1)
        }
        return lines
    }
}

extension Performance.Silence {
    /// Reads `silent 2 of 8` or `2 of 8`: the last 2 bars of every 8.
    public init(scoreText text: String) throws(TextError) {
        let words = text.split(whereSeparator: \.isWhitespace).drop { $0 == "silent" }
        guard words.count == 3, let bars = words.first.flatMap({ Int($0) }), words.dropFirst().first == "of",
            let group = words.last.flatMap({ Int($0) }), let silence = Performance.Silence(bars: bars, of: group)
        else {
            throw TextError(
                localized("silent bars must be a number of bars out of at most 10000"),
                hint: localized("for example 2 of 8"))
        }
        self = silence
    }
}
