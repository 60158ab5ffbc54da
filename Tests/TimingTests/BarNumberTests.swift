import SampleScores
import Scores
import Shared
import Testing
import Timing

@Suite("Numbers of bars")
struct BarNumberTests {
    private func numbers(_ yaml: String) throws -> [String] {
        let timeline = Timeline(try score(yaml))
        return (0..<timeline.barCount).map { "\(timeline[$0].number)" }
    }

    @Test("a whole number counts on, and any other number is not counted")
    func counting() throws {
        #expect(
            try numbers("bars: [1, {duration: 1, number: 41}, 1, {duration: 1, number: 57a}, 1]")
                == ["1", "41", "42", "57a", "43"])
        #expect(
            try numbers("first-bar: 5\npickup: 1\nbars: [1, 1, {duration: 1, number: X1, times: 2}]")
                == ["4", "5", "X1", "6"])
        #expect(
            try numbers("bars: [{duration: 1, number: -2}, 1, 1, {duration: 1, number: 007}]") == [
                "-2", "-1", "0", "7",
            ])
    }

    @Test("every pass has the same numbers, and so has every place that a jump goes to")
    func passes() throws {
        let line = "{repeat: 2, bars: [1, {duration: 1, number: 9}, 1]}"
        #expect(
            try numbers("lines: [\(line), [1, {duration: 1, go-to: start}]]")
                == ["1", "9", "10", "1", "9", "10", "11", "12", "1", "9", "10", "1", "9", "10", "11", "12"])
        let group =
            "{repeat: 2, lines: [[1]], endings: [{passes: 1, bars: [{duration: 1, number: 1a}]}, {passes: 2, bars: [1]}]}"
        #expect(try numbers("lines: [\(group), [1]]") == ["1", "1a", "1", "2", "3"])
    }

    @Test("a fragment without numbers of its own counts on wherever it is used")
    func fragments() throws {
        let yaml = """
            fragments: {f: [1, 1]}
            lines: [{use: f}, [{duration: 1, number: 20}], {use: f, repeat: 2}]
            """
        #expect(try numbers(yaml) == ["1", "2", "20", "21", "22", "21", "22"])
    }

    @Test("'no. 57' is the first bar with this number that is played, and 'no. 57 (2)' the second")
    func everyPass() throws {
        var random = Seeded(state: 34)
        var found = 0
        for _ in 0..<150 {
            let timeline = Timeline(Score.randomPage(&random))
            guard timeline.barCount < 3000 else { continue }
            var passes: [BarNumber: [Int]] = [:]
            for index in 0..<timeline.barCount { passes[timeline[index].number, default: []].append(index) }
            let labels = Set(timeline.labels)
            for (number, bars) in passes.sorted(by: { $0.value[0] < $1.value[0] }).prefix(40) {
                #expect(timeline.passes(ofNumber: number) == bars.count)
                for (pass, bar) in bars.enumerated() where pass < 3 || pass == bars.count - 1 {
                    guard !labels.contains("no. \(number)") else { continue }
                    #expect(try Place("no. \(number) (\(pass + 1))", in: timeline).bars == bar..<bar + 1)
                    found += 1
                }
                #expect(try Place("No \(number)", in: timeline).bars.lowerBound == bars[0])
                #expect(timeline.bar(numbered: number, pass: bars.count + 1) == nil)
            }
        }
        #expect(found > 2000)
    }

    @Test("a number that is not whole is a place without its word, unless a label has this name")
    func named() throws {
        let timeline = Timeline(
            try score("bars: [1, {duration: 1, number: 57a}, {duration: 1, number: X1}, {duration: 1, label: X1}]"))
        #expect(try Place("57a", in: timeline).bars == 1..<2)
        #expect(try Place("X1", in: timeline).bars == 3..<4)
        #expect(try Place("no. X1", in: timeline).bars == 2..<3)
    }

    private static let dalSegno = """
        first-bar: 1
        lines:
          - [1, 1, 1]
          - [{duration: 1, number: 2}, 1, {duration: 1, number: 9}]
        """

    @Test("a bare number that could mean two bars is explained, if the page has numbers of its own")
    func ambiguous() throws {
        let timeline = Timeline(try score(Self.dalSegno))
        // Bar 4 as played has the number 2, and no bar has the number 4.
        #expect(try ["1", "2", "3", "4"].map { try Place($0, in: timeline).bars.lowerBound } == [0, 1, 2, 3])
        // Only one bar can be meant.
        #expect(try Place("9", in: timeline).bars == 5..<6)
        let pages = Timeline(try score("lines: [{repeat: 2, bars: [1, 1]}, [{duration: 1, number: 3}, 1]]"))
        #expect(
            message("3", pages)
                == "3 could mean the bar with this number, 3.1, or bar 3 as played, 2.1; write 'no. 3' or '2.1'")
        #expect(try Place("no. 3", in: pages).bars == 4..<5)
        // A page that is only counted has no numbers that the player could know.
        let counted = Timeline(try score("lines: [{repeat: 2, bars: [1, 1]}, [1, 1]]"))
        #expect(try Place("3", in: counted).bars == 2..<3)
        #expect(try Place("no. 3", in: counted).bars == 4..<5)
    }

    @Test("a number or a pass that the piece does not have is refused with what it has")
    func missing() throws {
        let timeline = Timeline(try score(Self.dalSegno))
        #expect(message("no. 7", timeline) == "there is no bar no. 7: the piece begins with no. 1 and ends with no. 9")
        #expect(message("7", timeline) == message("no. 7", timeline))
        #expect(message("no. 1 (2)", timeline) == "there is no pass 2 of bar no. 1: it is played once")
        #expect(message("no. 2 (3)", timeline) == "there is no pass 3 of bar no. 2: it is played 2 times")
        #expect(message("no such place", timeline) == "there is no label 'no such place' in the piece")
        #expect(message("no.", timeline) == "there is no label 'no.' in the piece")
    }

    private func message(_ text: String, _ timeline: Timeline) -> String {
        Shared.message { try Place(text, in: timeline) }
    }

    @Test("a bar tells its number where that says more than its place")
    func printed() throws {
        func printed(_ yaml: String) throws -> [String?] {
            let timeline = Timeline(try score(yaml))
            return (0..<timeline.barCount).map { timeline[$0].printedNumber?.description }
        }
        #expect(try printed("lines: [[1, 1], [1, 1]]") == [nil, nil, nil, nil])
        #expect(try printed("lines: [[1, 1], [{duration: 1, number: 3}, 1]]") == [nil, nil, "3", "4"])
        #expect(try printed("lines: [{repeat: 2, bars: [1, 1]}, [1]]") == [nil, nil, nil, nil, "3"])
    }

    @Test("the voice says the numbers of the page if the author gave them")
    func speech() throws {
        func spoken(_ every: Int, lines: Int = 0) throws -> [String] {
            let yaml = "lines: [[1, 1], [{duration: 1, number: 17}, {duration: 1, number: 17a}, 1]]"
            let passage = Passage(Timeline(try score(yaml)))
            var speech = SpeechSettings()
            (speech.bars, speech.lines) = (every, lines)
            return (0..<5).map { speech.text(forBoundary: $0, in: passage) }
        }
        #expect(try spoken(1) == ["bar 1", "bar 2", "bar 17", "bar 17a", "bar 18"])
        #expect(try spoken(2) == ["", "bar 2", "", "", "bar 18"])
        #expect(try spoken(1, lines: 2) == ["bar 1", "bar 2", "line 2, bar 17", "bar 17a", "bar 18"])
    }
}
