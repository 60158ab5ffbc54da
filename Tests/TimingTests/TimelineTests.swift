import Foundation
import SampleScores
import Scores
import Testing
import Timing

@Suite("Timeline")
struct TimelineTests {
    @Test("a tenth of a second ten times is exactly one second")
    func tenths() {
        let timeline = Timeline(Score(milliseconds: [Array(repeating: 100, count: 10)]))
        #expect(timeline.total == .seconds(1))
        #expect(timeline.start(ofBar: 3) == .milliseconds(300))
        #expect(timeline.start(ofBar: 10) == .seconds(1))
    }

    @Test("the bars of Sequenza VII begin at the sums of its durations, 293.8 s in all")
    func sequenza() {
        let timeline = Timeline(.sequenza)
        #expect(timeline.barCount == 169)
        #expect(timeline.lineCount == 13)
        #expect(timeline.total == .milliseconds(293_800))
        let line = [0, 3000, 5700, 7700, 9700, 11700, 13700, 15500, 17000, 18300, 19600, 20600, 21600]
        for index in 0..<169 {
            let expected = Duration.milliseconds(index / 13 * 22_600 + line[index % 13])
            #expect(timeline.start(ofBar: index) == expected)
            #expect(timeline[index].start == expected)
        }
        #expect(timeline.start(ofBar: 168) == .milliseconds(292_800))
        #expect(timeline.start(ofBar: 169) == .milliseconds(293_800))
    }

    @Test("every bar begins at the naive sum of the bars before it")
    func naiveSums() {
        var random = Seeded(state: 1)
        for _ in 0..<40 {
            let score = Score.random(&random)
            let timeline = Timeline(score)
            let played = score.played
            let expected = sums(played)
            #expect(timeline.barCount == played.count)
            #expect((0...played.count).map { timeline.start(ofBar: $0) } == expected)
            #expect(played.indices.map { timeline[$0].start } == expected.dropLast())
            #expect(played.indices.map { timeline[$0].duration } == played)
            #expect(timeline.total == expected.last)
        }
    }

    @Test("a bar covers the time from its start to one attosecond before the next")
    func barAtPosition() {
        var random = Seeded(state: 2)
        for _ in 0..<40 {
            let score = Score.random(&random)
            let timeline = Timeline(score)
            for (index, start) in sums(score.played).dropLast().enumerated() {
                #expect(timeline.bar(at: start) == index)
                #expect(timeline.bar(at: start - .attosecond) == max(index - 1, 0))
            }
        }
    }

    @Test("positions outside the piece belong to its first or last bar")
    func outside() {
        let timeline = Timeline(.sequenza)
        #expect(timeline.bar(at: .seconds(-1)) == 0)
        #expect(timeline.bar(at: .zero) == 0)
        #expect(timeline.bar(at: timeline.total - .attosecond) == 168)
        #expect(timeline.bar(at: timeline.total) == 168)
        #expect(timeline.bar(at: .seconds(1_000_000)) == 168)
    }

    @Test("each pass of a repeated line counts as a separate line")
    func linesPerPass() {
        let score = Score(lines: [
            .init(passes: 2, bars: [.init(.seconds(1)), .init(.seconds(2))]),
            .init(bars: [.init(.seconds(4))]),
            .init(passes: 3, bars: [.init(.seconds(8)), .init(.seconds(16)), .init(.seconds(32))]),
        ])
        let timeline = Timeline(score)
        #expect(timeline.lineCount == 6)
        #expect(timeline.barCount == 14)
        let bars = (0..<14).map { timeline[$0] }
        #expect(bars.map(\.line) == [1, 1, 2, 2, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6])
        #expect(bars.map(\.bar) == [1, 2, 1, 2, 1, 1, 2, 3, 1, 2, 3, 1, 2, 3])
        #expect(bars.map(\.barsInLine) == [2, 2, 2, 2, 1, 3, 3, 3, 3, 3, 3, 3, 3, 3])
        #expect(bars.map(\.index) == Array(0..<14))
        #expect((0...7).map { timeline.bars(ofLine: $0) } == [nil, 0..<2, 2..<4, 4..<5, 5..<8, 8..<11, 11..<14, nil])
    }

    @Test("the bars of the lines are the bars of the piece, in order")
    func barsOfLines() {
        var random = Seeded(state: 3)
        for _ in 0..<40 {
            let timeline = Timeline(Score.random(&random))
            let lines = (1...timeline.lineCount).compactMap { timeline.bars(ofLine: $0) }
            #expect(lines.flatMap { Array($0) } == Array(0..<timeline.barCount))
            for (line, bars) in lines.enumerated() { #expect(bars.allSatisfy { timeline[$0].line == line + 1 }) }
        }
    }

    @Test("labels find a bar or a line's first pass; a line's first bar shows the line's label")
    func labels() {
        let score = Score(lines: [
            .init(bars: [.init(.seconds(1)), .init(.seconds(1), label: "bell", cue: "now")]),
            .init(label: "chorus", passes: 2, bars: [.init(.seconds(1)), .init(.seconds(1)), .init(.seconds(1))]),
            .init(label: "coda", bars: [.init(.seconds(1), label: "last")]),
        ])
        let timeline = Timeline(score)
        #expect(timeline.labels == ["bell", "chorus", "coda", "last"])
        #expect(timeline.bars(labeled: "bell") == 1..<2)
        #expect(timeline.bars(labeled: "chorus") == 2..<5)
        #expect(timeline.bars(labeled: "coda") == 8..<9)
        #expect(timeline.bars(labeled: "last") == 8..<9)
        #expect(timeline.bars(labeled: "Bell") == nil)
        #expect(timeline.bars(labeled: "") == nil)
        let shown = ["", "bell", "chorus", "", "", "chorus", "", "", "coda, last"]
        #expect((0..<9).map { timeline[$0].label } == shown)
        #expect((0..<9).map { timeline[$0].cue } == ["", "now"] + Array(repeating: "", count: 7))
    }

    @Test("where labels of a group, a fragment, a line and a bar begin together, all are shown, the outermost first")
    func outerLabels() throws {
        let text = """
            fragments: {half: [{duration: 1, label: Sigh}, 1]}
            sections:
              - label: Storm
                lines:
                  - {label: G, lines: [{label: Refrain, bars: [{duration: 1, label: Breath}, 1]}, [1]]}
                  - {label: A, lines: [{label: A, bars: [1, 1]}]}
                  - {label: Again, use: half}
            """
        let timeline = Timeline(try score(text))
        #expect(timeline[0].label == "G, Refrain, Breath" && timeline[1].label.isEmpty)
        #expect(timeline[3].label == "A" && timeline[4].label.isEmpty)
        #expect(timeline[5].label == "Again, Sigh")
        #expect(timeline.bars(labeled: "Refrain") == 0..<2 && timeline.bars(labeled: "Breath") == 0..<1)
        let long = String(repeating: "x", count: 150)
        let both = "lines: [{label: \(long), bars: [{duration: 1, label: \(long)y}]}]"
        #expect(Timeline(try score(both))[0].label.count == Score.textLimit)
    }

    @Test("a bar takes 40 bytes, and bars with their timeline less than 64 each")
    func memory() throws {
        #expect(MemoryLayout<Score.Bar>.stride == 40)
        let count = 2_000_000
        // A copy of the bars, or a stored start for each, would be too much. What other tests take meanwhile is in the
        // process, too, so the least of several attempts counts.
        var least = Int.max
        for _ in 0..<5 where least > 64 * count {
            let before = try residentBytes()
            let bars = (0..<count).map { Score.Bar(.milliseconds($0 % 1000 + 1)) }
            let timeline = Timeline(Score(lines: [.init(bars: bars)]))
            let after = try residentBytes()
            withExtendedLifetime((bars, timeline)) { least = min(least, after - before) }
            #expect(timeline.total == .milliseconds(1_001_000_000))
        }
        #expect(least <= 64 * count)
    }

    private func residentBytes() throws -> Int {
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return try #require(Int(fields[1])) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    @Test("a thousand million repeated bars cost nothing")
    func repeats() {
        let timeline = Timeline(Score(milliseconds: [[1000, 2000], [500]], passes: 400_000_000))
        #expect(timeline.barCount == 1_200_000_000)
        #expect(timeline.lineCount == 800_000_000)
        #expect(timeline.total == .seconds(1_400_000_000))
        #expect(timeline.start(ofBar: 799_999_999) == .milliseconds(1_199_999_998_000))
        #expect(timeline.start(ofBar: 1_199_999_999) == .milliseconds(1_399_999_999_500))
        #expect(timeline.bar(at: .milliseconds(1_199_999_998_000)) == 799_999_999)
        #expect(timeline.bars(ofLine: 800_000_000) == 1_199_999_999..<1_200_000_000)
    }
}
