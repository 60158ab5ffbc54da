import Formats
import SampleScores
import Scores
import Shared
import Testing
import Timing

@Suite("Structure")
struct StructureTests {
    private func read(_ text: String, _ location: SourceLocation = #_sourceLocation) throws -> Timeline {
        let reading = Score.read(Array(text.utf8), file: "x.yaml")
        return Timeline(
            try #require(reading.score, "\(reading.diagnostics.map { $0.rendered() })", sourceLocation: location))
    }

    private func durations(_ timeline: Timeline) -> [Int] {
        (0..<timeline.barCount).map { Int(timeline[$0].duration.components.seconds) }
    }

    @Test("groups nest, and each pass has its ending")
    func endings() throws {
        let timeline = try read(
            """
            lines:
              - repeat: 2
                lines:
                  - [1]
                  - repeat: 3
                    bars: [2, 3]
                    endings:
                      - {passes: 1, bars: [4]}
                      - {passes: 2-3, bars: [5]}
              - [6]
            """)
        #expect(durations(timeline) == [1, 2, 3, 4, 2, 3, 5, 2, 3, 5, 1, 2, 3, 4, 2, 3, 5, 2, 3, 5, 6])
        #expect(timeline.lineCount == 15)
        #expect(timeline[6].number == 5)
    }

    @Test("da capo, dal segno, coda and fine are played as written")
    func jumps() throws {
        // 1 2 | to the coda the second time | D.S. | coda
        let timeline = try read(
            """
            lines:
              - [1, {duration: 2, label: Segno}, {duration: 3, go-to: {to: Coda, times: 2}}, {duration: 4, go-to: Segno}, 5]
              - {label: Coda, bars: [6, {duration: 7, go-to: {to: end, times: 2}}, {duration: 8, go-to: start}]}
            """)
        #expect(durations(timeline) == [1, 2, 3, 4, 2, 3, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7])
        #expect((0..<16).map { timeline[$0].line } == [1, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 5, 5])
        #expect(timeline[4].bar == 2)
        #expect(timeline.bars(ofLine: 2) == 4..<6)
        #expect(try Place("2.3", in: timeline).bars == 5..<6)
        #expect(throws: TextError.self) { try Place("2.1", in: timeline) }
        #expect(try Place("Coda", in: timeline).bars == 6..<9)
    }

    @Test("an order plays the sections that it names, in its order")
    func orders() throws {
        let text = """
            sections:
              - {label: A, bars: [1]}
              - {label: B, bars: [2, 3]}
              - {label: C, bars: [4]}
            orders: {short: [C, A], round: [A, B, A, C, B]}
            """
        #expect(durations(try read(text)) == [1, 2, 3, 4])
        let round = try read(text + "\norder: round")
        #expect(durations(round) == [1, 2, 3, 1, 4, 2, 3])
        #expect((0..<7).map { round[$0].section } == ["A", "B", "B", "A", "C", "B", "B"])
        #expect((0..<7).map { round[$0].isSectionStart } == [true, true, false, true, true, true, false])
        #expect(durations(try read(text + "\norder: short")) == [4, 1])
        #expect(try Place("B", in: round).bars == 1..<3)
    }

    @Test("a jump to a section that the order leaves out is not taken, and its line goes on")
    func missedJump() throws {
        let text = """
            sections:
              - {label: A, bars: [1, 1]}
              - {label: B, bars: [1, {duration: 2, go-to: A}, {duration: 3, go-to: {to: B, times: 1}}, 4]}
            orders: {short: [B]}
            """
        #expect(try read(text).missedJumps == [])
        let short = try read(text + "\norder: short")
        #expect(durations(short) == [1, 2, 3, 1, 2, 3, 4])
        #expect(
            (0..<7).map { "\(short[$0].line).\(short[$0].bar)" } == ["1.1", "1.2", "1.3", "2.1", "2.2", "2.3", "2.4"])
        #expect(short.missedJumps == ["A"] && short.lineCount == 2)
        let message = { text in (#expect(throws: TextError.self) { try Place(text, in: short) })?.description }
        #expect(message("A") == "the label 'A' is on the page, but its place is not played")
        #expect(message("a") == "there is no label 'a' in the piece")
    }

    @Test("a score made or ordered so that it takes more than 10 000 jumps is too much to play")
    func tooManyJumps() throws {
        let labels = (0..<11).map { "A\($0)" }
        let sections = labels.map { "{label: \($0), bars: [{duration: 1, go-to: {to: \($0), times: 1-1000}}]}" }
        let text = "sections: [\(sections.joined(separator: ", "))]\norders: {x: [A0]}\norder: x"
        var score = try #require(Score.read(Array(text.utf8), file: "x.yaml").score)
        for (count, excess) in [(10, nil), (11, "more than 10 000 jumps are taken")] as [(Int, String?)] {
            try score.play(sections: labels.prefix(count).joined(separator: ", "))
            #expect(Passage(Timeline(score)).excess?.description == excess)
        }
    }

    @Test("a label of which a jump leaves out the first pass names the first bar that shows it")
    func labelsAfterJumps() throws {
        let entered = try read(
            """
            sections:
              - {label: S0, lines: [[{duration: 1, go-to: L2}]]}
              - {label: S1, lines: [[2], {label: L1, repeat: 2, bars: [3, {duration: 4, label: L2}]}]}
            """)
        #expect(durations(entered) == [1, 4, 3, 4])
        #expect(try Place("L1", in: entered).bars == 2..<4)
        #expect(try Place("L2", in: entered).bars == 1..<2)
        #expect(throws: TextError.self) { try Place("S1", in: entered) }
        let back = try read(
            """
            sections:
              - label: S
                lines:
                  - {repeat: 2, bars: [1, 2]}
                  - [{duration: 3, go-to: L1}, 4]
                  - {label: L0, repeat: 2, bars: [5, {duration: 6, label: L1, go-to: start}, 7]}
            """)
        let first = try #require((0..<back.barCount).first { back[$0].label == "L0" })
        #expect(try Place("L0", in: back).bars.lowerBound == first && durations(back)[first] == 5)
    }

    @Test("whatever a page repeats and jumps to, a label names the first bar that shows it")
    func shownLabels() {
        var random = Seeded(state: 23)
        var missing = 0
        for _ in 0..<300 {
            let score = Score.randomPage(&random)
            let timeline = Timeline(score)
            // The edges of several brackets share a label.
            guard score.brackets.isEmpty, timeline.barCount <= 2000 else { continue }
            var shown: [String: Int] = [:]
            for bar in (0..<timeline.barCount).map({ timeline[$0] }) {
                let labels =
                    bar.label.split(separator: ", ").map(String.init) + (bar.isSectionStart ? [bar.section] : [])
                for label in labels where shown[label] == nil { shown[label] = bar.index }
            }
            for label in timeline.labels {
                #expect(timeline.bars(labeled: label)?.lowerBound == shown[label], "\(label)")
                if shown[label] == nil { missing += 1 }
            }
        }
        #expect(missing > 20)
    }

    @Test("bar numbers count written bars from the first bar, with the pickup before it")
    func numbers() throws {
        let timeline = try read("first-bar: 1\npickup: 2\nlines: [{repeat: 2, bars: [1, 1, 1]}, [1]]")
        #expect((0..<7).map { timeline[$0].number } == [-1, 0, 1, -1, 0, 1, 2])
        #expect(try read("first-bar: 20\nbars: [1, 1]")[1].number == 21)
    }

    @Test("a bar begins at every edge of a time bracket, and a realization stays inside its windows")
    func brackets() throws {
        let text = """
            brackets:
              - {start: 0:00 - 0:45, end: 0:30 - 1:15}
              - {label: b, start: 1:00, end: 2:00}
            """
        let timeline = try read(text)
        #expect((0...5).map { Int(timeline.start(ofBar: $0).components.seconds) } == [0, 30, 45, 60, 75, 120])
        #expect(timeline[0].cue == "bracket 1 may begin")
        #expect(timeline[3].cue == "b begins")
        #expect(timeline[3].label == "b")
        for seed in 0..<200 {
            let reading = Score.read(Array((text + "\nrealize: \(seed)").utf8), file: "x.yaml")
            let score = try #require(reading.score)
            let bracket = score.playedBrackets[0]
            #expect(bracket.isFixed)
            #expect(bracket.start.lowerBound <= bracket.end.lowerBound)
            #expect((Duration.zero ... .seconds(45)).contains(bracket.start.lowerBound))
            #expect((Duration.seconds(30) ... .seconds(75)).contains(bracket.end.lowerBound))
            #expect(score.playedBrackets == score.playedBrackets)
        }
    }

    @Test("a seed gives the random numbers of the reference implementation")
    func seeds() {
        var random = SplitMix64(seed: 1_234_567)
        let expected: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        ]
        #expect(expected.map { _ in random.next() } == expected)
    }

    @Test("starts are the sums of durations, and seeking finds every bar again")
    func seeking() throws {
        let timeline = try read(
            """
            tempo: 1/4 = 90
            fragments:
              f: {lines: [[3/8, 1.1], {repeat: 3, bars: [2/7, {meter: 5/8, hold: 1.3 at beat 2}]}]}
            sections:
              - label: A
                lines:
                  - use: f
                  - {repeat: 4, bars: [{meter: 4/4, ramp: {to: 1/4 = 140, over: 3 bars, curve: time}}, 3/4, 7/8, 2]}
              - label: B
                lines:
                  - {repeat: 2, lines: [{use: f, repeat: 2}, [1/4]], endings: [{passes: 1, bars: [{duration: 2, go-to: A}]}]}
              - {label: C, bars: [{duration: 1, go-to: {to: A, times: 1-2}}]}
            orders: {x: [A, B, C, B]}
            order: x
            """)
        #expect(timeline.barCount > 150)
        var sum = Duration.zero
        for index in 0..<timeline.barCount {
            let bar = timeline[index]
            #expect(bar.start == sum)
            #expect(timeline.start(ofBar: index) == sum)
            #expect(timeline.bar(at: sum) == index)
            sum += bar.duration
            #expect(timeline.bar(at: sum - .attosecond) == index)
        }
        #expect(timeline.total == sum)
        let lines = (1...timeline.lineCount).compactMap { timeline.bars(ofLine: $0) }
        #expect(lines.flatMap { Array($0) } == Array(0..<timeline.barCount))
        for (line, bars) in lines.enumerated() {
            for bar in bars {
                #expect(timeline[bar].line == line + 1)
                #expect(try Place("\(line + 1).\(timeline[bar].bar)", in: timeline).bars == bar..<bar + 1)
            }
        }
    }
}
