internal import Testing

/// The clicks of a piece as the tables of `barline timeline` have them, with those that follow from its score.
struct ExpectedClicks {
    typealias Click = (what: String, time: Double)

    var name: String
    /// The length of its count-in in s: a click each second.
    var countIn: Int
    /// For each voice, the bar of each line that is a rest.
    var rests: [Substring: Substring] = [:]
    /// For each voice, the bar of each line that is warned of, and the number of clicks, a second apart.
    var warning: [Substring: (bar: Substring, count: Int)] = [:]
    /// A plan counts down to each part, and says half time, the last minute and the end.
    var isPlan = false

    /// All clicks, from the beginning of a file of `render` at a speed.
    func clicks(_ percent: Int, in scratch: Scratch) async throws -> [Click] {
        var clicks = (0..<countIn).map { ("count-in", Double($0 - countIn)) }
        let bars = try await table(percent, [], in: scratch)
        for bar in bars where rests[bar["voice"] ?? ""] != bar["bar"] || rests.isEmpty {
            clicks.append(("bar", try bar.number("start_s")))
        }
        for bar in bars {
            guard let (number, count) = warning[bar["voice"] ?? ""], bar["bar"] == number else { continue }
            clicks += try before(bar.number("start_s"), count, "warning")
        }
        for beat in try await table(percent, ["--beats"], in: scratch) {
            if let number = beat["beat"], number != "1" { clicks.append(("beat", try beat.number("start_s"))) }
            guard let length = beat["hold_s"], !length.isEmpty else { continue }
            // The hold ends with its bar, which ends with a click.
            clicks += try before(beat.number("hold_start_s") + beat.number("hold_s"), 3, "hold")
        }
        if isPlan, let last = bars.last {
            for part in bars.dropFirst() { clicks += try before(part.number("start_s"), 3, "tick") }
            let end = try last.number("start_s") + last.number("duration_s")
            clicks += [("half time", end / 2), ("last minute", end - 60), ("end", end)]
        }
        return clicks.map { ($0, $1 + Double(countIn)) }
    }

    private func before(_ time: Double, _ count: Int, _ what: String) -> [Click] {
        (1...count).map { (what, time - Double($0)) }
    }

    private func table(_ percent: Int, _ options: [String], in scratch: Scratch) async throws -> [[Substring:
        Substring]]
    {
        let arguments = ["timeline", name, "--speed", "\(percent)%", "--csv"] + options
        let outcome = try await Program.run(arguments, in: scratch)
        let lines = outcome.text.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        let head = try #require(lines.first)
        return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(head, $0)) }
    }
}

extension [Substring: Substring] {
    fileprivate func number(_ column: Substring) throws -> Double { try #require(self[column].flatMap { Double($0) }) }
}
