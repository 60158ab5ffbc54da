internal import Languages
public import Scores

/// A way to practice a piece: which bars, in which order, and how fast.
///
/// A step beyond `stepRange`, and a number of times beyond `timesRange`, counts as the nearest one within it.
public enum PracticeProgram: Sendable, Equatable {
    /// All bars, faster each time, from one speed up to another in steps of `step` millionths; `comesDown` goes back by the
    /// same steps. The speeds are on top of the player's.
    case ladder(from: Speed, step: Int64, to: Speed, comesDown: Bool = false)
    /// All bars, `every` times at the player's speed, then `step` millionths faster, up to a speed, at which they go on.
    case faster(step: Int64, every: Int, to: Speed)
    /// Each line `times` times, then the next line.
    case eachLine(times: Int)
    /// The bars with these numbers in every line.
    case column(ClosedRange<Int>)
    /// The lines in a random order that depends only on the seed.
    case random(seed: UInt64)
    /// The bars that go wrong again and again, each with the bar before it and `PracticeProgram.weakTimes` times.
    case weak

    /// How often a weak bar is played before the next one.
    public static let weakTimes = 4
    /// The largest number of stretches of a program.
    public static let limit = 100_000
    /// The steps between speeds, in millionths: 0.1 % to 500 %.
    public static let stepRange: ClosedRange<Int64> = 1000...5_000_000
    /// How often a line or a speed can be played.
    public static let timesRange = 1...1000

    /// What can be typed: an example, the last speed that it may end with, and what it does.
    private static var typed: [(example: String, last: String, meaning: String)] {
        [
            ("ladder 60% 5%", " 100%", localized("faster each time through; with 'down', then slower again")),
            ("faster 2% every 3", " to 100%", localized("from the speed that is set")),
            ("each 3", "", localized("every line three times")), ("column 7", "", localized("bar 7 of every line")),
            ("random", "", localized("lines in a new order; 'random 42' repeats one")),
            ("weak", "", localized("the bars that the practice log shows late, early or out of tune again and again")),
        ]
    }

    /// An example of each program; without a practice log, there is no `weak`.
    package static func examples(hasLog: Bool = true) -> String {
        typed.map(\.example).filter { hasLog || $0 != "weak" }.joined(separator: ", ")
    }

    /// An example of each program, with what it does.
    package static var help: String {
        typed.map { "'\($0.example)\($0.last)' (\($0.meaning))" }.joined(separator: ", ")
    }

    /// Reads `ladder 60% 5% 100%`, `ladder 60% 5% 100% down`, `faster 2% every 3 to 100%`, `each 3`, `column 7`, `column 5-7`, `random` or `random 42`. `newSeed` is the seed of a
    /// random order that has none; by default, a new one each time, short enough to be typed again.
    public init(scoreText text: String, newSeed: UInt64 = .random(in: 1...9999)) throws(TextError) {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        let rest = Array(words.dropFirst())
        switch words.first {
        case "ladder": self = try PracticeProgram.ladder(rest)
        case "faster": self = try PracticeProgram.faster(rest)
        case "each":
            guard rest.count == 1, let times = Int(rest[0]), PracticeProgram.timesRange.contains(times) else {
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
        case "weak" where rest.isEmpty: self = .weak
        default:
            let known = PracticeProgram.typed.map { $0.example.prefix { $0 != " " } }.map(String.init)
            let near = Suggestion.nearest(to: words.first ?? "", in: known)
            throw TextError(
                localized("there is no practice program '\(words.first ?? "")'"),
                hint: near.map { localized("did you mean '\($0)'?") }
                    ?? localized("for example \(PracticeProgram.examples())"))
        }
    }

    private static func ladder(_ words: [String]) throws(TextError) -> PracticeProgram {
        let example = localized("for example ladder 60% 5% 100%")
        let comesDown = words.last == "down"
        let words = comesDown ? words.dropLast() : words
        guard (2...3).contains(words.count) else {
            throw TextError(
                localized("a ladder needs a first speed and a step, and can have a last speed"), hint: example)
        }
        let first = try Speed(scoreText: words[0])
        let last = words.count == 3 ? try Speed(scoreText: words[2]) : .asWritten
        let step = try step(words[1], example)
        guard first.millionths < last.millionths else {
            throw TextError(localized("a ladder must go up, from its first speed to its last"), hint: example)
        }
        return .ladder(from: first, step: step, to: last, comesDown: comesDown)
    }

    /// The step of a ladder, or of a loop that gets faster, in millionths.
    private static func step(_ word: String, _ example: String) throws(TextError) -> Int64 {
        guard let step = Double(word.hasSuffix("%") ? String(word.dropLast()) : word), step >= 0.1, step <= 500 else {
            throw TextError(localized("the step of a ladder must be 0.1 % to 500 %"), hint: example)
        }
        return Int64((step * 10_000).rounded())
    }

    /// Reads what follows `faster`: `2%`, then `every 3` and `to 100%` in any order.
    private static func faster(_ words: [String]) throws(TextError) -> PracticeProgram {
        let example = localized("for example faster 2% every 3 to 100%")
        let keys = stride(from: 1, to: words.count, by: 2).map { words[$0] }
        guard words.count % 2 == 1, Set(keys).count == keys.count, keys.allSatisfy(["every", "to"].contains) else {
            throw TextError(localized("a loop that gets faster needs a step"), hint: example)
        }
        func value(_ key: String) -> String? { words.firstIndex(of: key).map { words[$0 + 1] } }
        let every = value("every").map { Int($0) ?? 0 } ?? 1
        guard timesRange.contains(every) else {
            throw TextError(localized("a step must be played 1 to 1000 times"), hint: example)
        }
        let last = try value("to").map { text throws(TextError) in try Speed(scoreText: text) } ?? .asWritten
        return .faster(step: try step(words[0], example), every: every, to: last)
    }

    /// The program as a player types it.
    public var text: String {
        switch inRange {
        case .ladder(let first, let step, let last, let comesDown):
            "ladder \(first) \(PracticeProgram.percent(step)) \(last)\(comesDown ? " down" : "")"
        case .faster(let step, let every, let last):
            "faster \(PracticeProgram.percent(step)) every \(every) to \(last)"
        case .eachLine(let times): "each \(times)"
        case .column(let bars) where bars.lowerBound == bars.upperBound: "column \(bars.lowerBound)"
        case .column(let bars): "column \(bars.lowerBound)-\(bars.upperBound)"
        case .random(let seed): "random \(seed)"
        case .weak: "weak"
        }
    }

    /// The same with numbers that can be typed.
    private var inRange: PracticeProgram {
        func times(_ count: Int) -> Int {
            min(max(count, PracticeProgram.timesRange.lowerBound), PracticeProgram.timesRange.upperBound)
        }
        func step(_ step: Int64) -> Int64 {
            min(max(step, PracticeProgram.stepRange.lowerBound), PracticeProgram.stepRange.upperBound)
        }
        return switch self {
        case .ladder(let from, let by, let to, let down): .ladder(from: from, step: step(by), to: to, comesDown: down)
        case .faster(let by, let every, let to): .faster(step: step(by), every: times(every), to: to)
        case .eachLine(let count): .eachLine(times: times(count))
        case .column, .random, .weak: self
        }
    }

    private static func percent(_ millionths: Int64) -> String { "\((Double(millionths) / 10_000).plainText)%" }

    /// Whether it plays all bars at several speeds: of a player who has a loop on, the bars of the loop.
    package var changesSpeed: Bool {
        switch self {
        case .ladder, .faster: true
        case .eachLine, .column, .random, .weak: false
        }
    }

    /// The speeds from one to another, both included, as steps of so many millionths lead up.
    private static func speeds(from first: Speed, step: Int64, to last: Speed) -> [Speed] {
        stride(from: first.millionths, to: last.millionths, by: Int64.Stride(step)).compactMap(Speed.init) + [last]
    }

    /// The bars of a piece in the order of the program, which begins at the player's speed; `weak` finds those that go wrong
    /// again and again. Bars that the piece does not have are left out.
    ///
    /// Errors: no such bars, more than `limit` stretches, or a player who is fast enough.
    public func stretches(
        of timeline: Timeline, bars: Range<Int>, at speed: Speed = .asWritten, weak: () -> [Int] = { [] }
    ) throws(TextError) -> [Passage.Stretch] {
        let bars = bars.clamped(to: 0..<timeline.barCount)
        var result: [Passage.Stretch] = []
        func add(_ stretch: Passage.Stretch) throws(TextError) {
            guard result.count < PracticeProgram.limit else {
                throw TextError(localized("a practice program has at most \(PracticeProgram.limit) stretches"))
            }
            result.append(stretch)
            result[result.count - 1].program = text
        }
        switch inRange {
        case .ladder(let first, let step, let last, let comesDown):
            let up = PracticeProgram.speeds(from: first, step: step, to: last)
            for here in up + (comesDown ? up.dropLast().reversed() : []) {
                try add(Passage.Stretch(bars, speed: here, label: localized("at \(here)")))
            }
        case .faster(let step, let every, let last):
            guard speed.millionths < last.millionths else {
                throw TextError(localized("it is played at \(speed) already"))
            }
            for here in PracticeProgram.speeds(from: speed, step: step, to: last) {
                // A stretch's speed is on top of the player's.
                guard let factor = Speed(here, over: speed) else {
                    throw TextError(localized("it gets at most ten times as fast"))
                }
                let at = localized("at \(here)")
                for time in 1...every {
                    let label = every == 1 ? at : "\(at), " + localized("\(time) of \(every)")
                    try add(Passage.Stretch(bars, speed: factor, label: label))
                }
            }
            result[result.count - 1].goesOn = true
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
        case .weak:
            for stretch in PracticeProgram.stretches(around: weak(), bars) {
                for time in 1...PracticeProgram.weakTimes {
                    let label = localized("\(time) of \(PracticeProgram.weakTimes)")
                    try add(Passage.Stretch(stretch, label: label))
                }
            }
            guard !result.isEmpty else {
                throw TextError(localized("no bar of it goes wrong again and again, as far as the practice log tells"))
            }
        case .random(let seed):
            var random = SplitMix64(seed: seed)
            for line in try PracticeProgram.lines(of: timeline, bars).shuffled(using: &random) {
                try add(Passage.Stretch(line, label: "random \(seed)"))
            }
        }
        return result
    }

    /// Bars with the bar before each, in the order of the piece; those that touch are one stretch.
    private static func stretches(around weak: [Int], _ bars: Range<Int>) -> [Range<Int>] {
        weak.filter(bars.contains).sorted().reduce(into: []) { found, bar in
            let here = max(bar - 1, bars.lowerBound)..<bar + 1
            if let last = found.last, here.lowerBound <= last.upperBound {
                found[found.count - 1] = last.lowerBound..<here.upperBound
            } else {
                found.append(here)
            }
        }
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
