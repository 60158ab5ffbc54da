internal import Scores

/// Labels that begin with the place of a bar, such as `5.7`, `5.7 Hold` or `5.7 no. 57 Hold`: they keep lines and numbers
/// in formats that have neither.
enum NumberedLabels {
    /// The place, the number and the label, truncated to the maximum length of a label.
    static func text(_ bar: PlayedBar) -> String {
        [bar.place, bar.printedNumber?.written ?? "", bar.title].filter { !$0.isEmpty }.joined(separator: " ")
            .cutToTextLimit
    }

    /// The score of bars: their lines and numbers according to the places in their labels if every bar has one and they
    /// are consecutive; otherwise one line. A line that a jump went into has the bars that were played.
    static func score(_ bars: [Score.Bar]) -> Score {
        var lines: [[Score.Bar]] = []
        var numbers: [(place: Int, number: BarNumber?)] = []
        var next = (line: 1, bar: 1)
        for bar in bars {
            guard let (place, number, rest) = place(bar.label),
                place == next || place.line > (lines.isEmpty ? 0 : next.line) && (place.bar == 1 || !lines.isEmpty)
            else { return Score(lines: [Score.Line(bars: bars)]) }
            if lines.isEmpty || place.line > next.line { lines.append([]) }
            lines[lines.count - 1].append(Score.Bar(bar.duration, label: rest, cue: bar.cue))
            numbers.append((place.bar, number))
            next = (place.line, place.bar + 1)
        }
        let first = number(&lines, numbers)
        var score = Score(lines: lines.map { Score.Line(bars: $0) })
        score.firstBar = first
        return score
    }

    /// Gives the bars of lines their numbers, and returns that of the first. If some are written, each of the others is
    /// the place of its bar in its line.
    private static func number(
        _ lines: inout [[Score.Bar]], _ numbers: [(place: Int, number: BarNumber?)]
    ) -> Int {
        guard numbers.contains(where: { $0.number != nil }) else { return 1 }
        let all = numbers.map { $0.number ?? .counted($0.place) }
        var first = 1
        if case .counted(let number) = all[0] { first = number }
        var (numbered, index) = (NumberedBars(first: first), 0)
        for line in lines.indices {
            for bar in lines[line].indices {
                numbered.number(&lines[line][bar], all[index])
                index += 1
            }
        }
        return first
    }

    /// The place and the number at the beginning of a label, and what follows them; nil if there is no place.
    static func place(_ label: String) -> ((line: Int, bar: Int), number: BarNumber?, rest: String)? {
        let words = label.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        let numbers = words[0].split(separator: ".", omittingEmptySubsequences: false)
        guard numbers.count == 2, let line = Int(wholeText: String(numbers[0])),
            let bar = Int(wholeText: String(numbers[1])), line > 0
        else { return nil }
        let rest = words.count > 1 ? String(words[1]) : ""
        guard let (number, label) = BarNumber.written(in: rest) else { return ((line, bar), nil, rest) }
        return ((line, bar), number, label)
    }
}
