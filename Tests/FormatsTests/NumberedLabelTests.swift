import Formats
import SampleScores
import Scores
import Shared
import Testing
import Timing

@Suite("Lines and numbers in formats that have neither")
struct NumberedLabelTests {
    private static let formats = [Format.audacity, .reaper, .midi]

    /// The numbers of the bars as played, with the place of each in its line: "3.2 no. 7".
    private func bars(_ played: PlayedScore) -> [String] {
        (0..<played.barCount).map { "\(played.bar($0).place) no. \(played.bar($0).number)" }
    }

    @Test(
        "whatever a page repeats, jumps to and numbers, its bars, lines, numbers and labels are read back",
        arguments: formats)
    func random(format: Format) throws {
        var random = Seeded(state: 17)
        var jumps = 0
        for _ in 0..<400 {
            let score = Score.randomLines(&random)
            guard Timeline(score).barCount <= 300 else { continue }
            let (one, two) = (played(score), played(try again(score, format).score))
            try #require(one.barCount == two.barCount)
            #expect(farthest(starts(score), starts(again: two)) <= .microseconds(20))
            // A line that a jump went into is read as the bars that were played of it.
            var expected: [String] = []
            var (line, before) = (0, 0)
            for bar in (0..<one.barCount).map(one.bar) {
                if bar.line != line { (line, before) = (bar.line, bar.bar - 1) }
                if before > 0 { jumps += 1 }
                expected.append("\(bar.line).\(bar.bar - before) no. \(bar.number)")
            }
            try #require(bars(two) == expected, "\(score.yaml)")
            #expect((0..<one.barCount).map { two.bar($0).label } == (0..<one.barCount).map { one.bar($0).title })
        }
        #expect(jumps > 20)
    }

    @Test("a table keeps the numbers of repeats, too")
    func table() throws {
        let text = "lines: [[4/4 x 2], {repeat: 2, bars: [3/4]}, [2/4, 2/4]]"
        let score = try score(text)
        #expect(bars(played(score)).last == "4.2 no. 5")
        #expect(bars(played(try again(score, .csv).score)) == bars(played(score)))
        let page = "lines: [{repeat: 2, bars: [1, 2]}]"
        let repeated = played(try again(try SampleScores.score(page), .csv).score)
        #expect(bars(repeated) == ["1.1 no. 1", "1.2 no. 2", "2.1 no. 1", "2.2 no. 2"])
    }

    @Test("labels have a number only where the place does not tell it, or where none would have one")
    func text() throws {
        let text = "lines: [{repeat: 2, bars: [1, 2]}, [3]]"
        let bytes = try Format.audacity.write(played(try score(text))).bytes
        let labels = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { $0.split(separator: "\t")[2] }
        #expect(labels == ["1.1", "1.2", "2.1", "2.2", "3.1 no. 3"])
    }

    @Test(
        "bars of a part that begins inside a line keep their places and numbers as labels",
        arguments: [Format.audacity, .reaper])
    func part(format: Format) throws {
        let score = try score("lines: [[1, 2], [3, 4, 5]]")
        let part = PlayedScore(score, passage: Passage(Timeline(score), bars: 3..<5), speed: .asWritten)
        let read = try #require(Score.read(try format.write(part).bytes, file: "x", format: format).score)
        #expect(read.lines.map { $0.bars.map(\.label) } == [["2.2 no. 4", "2.3 no. 5"]])
    }
}

/// The boundaries of a piece as played.
private func starts(again played: PlayedScore) -> [Duration] {
    (0..<played.barCount).map { played.bar($0).start } + [played.total]
}

extension Score {
    /// A random page of short bars with repeats, endings, fragments, jumps, orders, numbers and labels of every kind.
    fileprivate static func randomLines(_ random: inout Seeded) -> Score {
        let sections = (0..<random.int(1...3)).map { "S\($0)" }
        var score = Score(sections: [])
        var names: [String] = []
        if random.chance(3) {
            names = ["F"]
            score.fragments = [Fragment(name: "F", parts: [.line(random.line(jumps: []))])]
        }
        score.sections = sections.map { label in
            let parts = (0..<random.int(1...3)).map { _ in random.linesPart(names, jumps: sections + ["X"]) }
            return Section(label: random.chance(2) ? label : "", parts: parts)
        }
        if random.chance(4), sections.count > 1, score.sections.allSatisfy({ !$0.label.isEmpty }) {
            score.orders = [Order(name: "o", sections: (0..<3).map { _ in random.any(of: sections) })]
            score.order = "o"
        }
        if random.chance(4) { score.firstBar = random.int(-3...30) }
        if random.chance(4) { score.pickup = random.int(1...3) }
        return score
    }
}

extension Seeded {
    fileprivate mutating func any<Value>(of values: [Value]) -> Value { values[int(0...values.count - 1)] }

    fileprivate mutating func linesPart(_ names: [String], jumps: [String]) -> Score.Part {
        if chance(5), let name = names.first {
            return .use(.init(name, label: chance(2) ? "u" : "", passes: int(1...3)))
        }
        guard chance(4) else { return .line(line(jumps: jumps)) }
        let endings = chance(2) ? [Score.Ending(passes: [1...1], parts: [.line(line(jumps: []))])] : []
        return .group(
            .init(
                label: chance(2) ? "g" : "", passes: int(1...3),
                parts: (0..<int(1...2)).map { _ in .line(line(jumps: jumps)) }, endings: endings))
    }

    fileprivate mutating func line(jumps: [String]) -> Score.Line {
        let bars = (0..<int(1...4)).map { _ in
            var bar =
                chance(2) ? Score.Bar(Meter(Int64(int(1...4)), over: 4)) : Score.Bar(.milliseconds(int(1...9) * 250))
            if chance(4) {
                bar.label = any(of: ["X", "Y", "no. 3", "no. 3 Y", "no.", "5.1", "2.1 no. 4", "hit 0:03 Z", "a, b"])
            }
            if chance(12) { bar.details.number = any(of: [.counted(int(-3...40)), .named("57a"), .named("1 b")]) }
            if !jumps.isEmpty, chance(5) {
                bar.details.jump = Jump(to: chance(3) ? .start : .label(any(of: jumps)), on: [int(1...2)])
            }
            return bar
        }
        return Score.Line(label: chance(5) ? "L" : "", passes: chance(3) ? int(1...3) : 1, bars: bars)
    }
}
