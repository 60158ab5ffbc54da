import Formats
import SampleScores
import Scores
import Testing

struct LabelTests {
    @Test("a label that looks like the number of a bar changes no number, in any format that has numbers")
    func labelLikeNumber() throws {
        let text = """
            lines:
              - {label: A, bars: [1, {duration: 2, label: no. 3}]}
              - {label: B, bars: [4, {duration: 1, label: C}]}
            """
        let score = try #require(Score.read(Array(text.utf8), file: "x.yaml").score)
        for format in [Format.audacity, .reaper, .midi, .csv] {
            let bytes = try format.write(played(score)).bytes
            let again = try #require(Score.read(bytes, file: "x", format: format).score)
            let bars = (0..<4).map { played(again).bar($0) }
            #expect(bars.map(\.number) == (1...4).map { .counted($0) }, "\(format)")
            #expect(bars.map(\.label) == ["A", "no. 3", "B", "C"], "\(format)")
        }
    }

    @Test("points and regions become bars; so do gaps, and the last end is the end of the piece")
    func bars() throws {
        let regions = try sampleScore("regions.txt")
        #expect(regions.score.lines[0].bars.map(\.label) == ["intro", "A", "", "B"])
        #expect(starts(regions.score) == [0, 4000, 6700, 9000, 12_000].map { .milliseconds($0) })
        #expect(regions.warnings.count == 1)
        let points = try sampleScore("points.txt")
        #expect(points.score.countIn == .seconds(3))
        #expect(points.score.lines[0].bars.map(\.label) == ["A", "", "B"])
        #expect(starts(points.score) == [0, 2500, 6250, 9000].map { .milliseconds($0) })
        let reaper = try sampleScore("regions.csv")
        #expect(reaper.score.lines[0].bars.map(\.label) == ["intro", "", "A, slow", "B"])
    }

    @Test("labels in whole seconds are recognized, unless another format fits better") func wholeSeconds() throws {
        let labels = Array("1\t2\tA\n2\t5\tB\n".utf8)
        for file in ["x.txt", "standard input"] {
            let score = try #require(Score.read(labels, file: file).score, "\(file)")
            #expect(starts(score) == [.zero, .seconds(1), .seconds(4)])
        }
        let map = Array("12\t120\n8\t90\n".utf8)
        #expect(Score.read(map, file: "x.txt").score == Score.read(map, file: "x.txt", format: .klick).score)
    }

    @Test(
        "an invalid label is an error at its place",
        arguments: [
            ("", "1:1: error: the file has no labels"),
            (
                "1 2 a",
                "1:1: error: a label must be a start, an end and a text, separated by tabs, for example 2.7, tab, 5, tab, A"
            ),
            ("1,5\t2\ta", "1:1: error: '1,5' is not a time in seconds, 0 to 10 000 h, for example 2.7"),
            ("-1\t2\ta", "1:1: error: a label before the beginning cannot be played; move the labels to 0 and later"),
            ("2\t1\ta", "1:3: error: this label ends before it begins"),
            ("1\t1\ta", "1:1: error: a single point is not enough for a bar; the last point is the end of the piece"),
            (
                "0\t1\ta\n1.0000001\t1.0000002\tb",
                "2:1: error: from here it is 0.0000001 s to the next label; a bar lasts 1 ms to 24 h"
            ),
            (
                "86401\t86402\ta",
                "1:1: error: the first label is at 86401 s; the time before it is a silent bar, which lasts at most 24 h; put a label at 0"
            ),
        ])
    func audacity(text: String, expected: String) {
        let reading = Score.read(Array(text.utf8), file: "x.txt", format: .audacity)
        #expect(reading.diagnostics.first?.rendered().firstLine == "x.txt:" + expected)
    }

    @Test("up to 60 s before the first label are a count-in, longer times a silent bar in a line of its own")
    func late() throws {
        let score = try #require(
            Score.read(Array("60.5\t62.5\t1.1 a\n62.5\t63.0\t1.2\n".utf8), file: "x.labels").score)
        #expect(score.countIn == .off)
        #expect(starts(score) == [.zero, .milliseconds(60_500), .milliseconds(62_500), .seconds(63)])
        #expect(score.lines.map { $0.bars.map(\.label) } == [[""], ["a", ""]])
        #expect(score.lines[0].bars[0].details.click?.isSilent == true)
        let early = try #require(Score.read(Array("60.0\t62.5\ta\n".utf8), file: "x.labels").score)
        #expect(early.countIn == .seconds(60) && early.lines.count == 1)
    }

    @Test("times in measures are refused with advice for Reaper")
    func measures() throws {
        let reading = Score.read(try sample("markers-in-bars.csv"), file: "x.csv")
        #expect(
            reading.diagnostics.first?.rendered().firstLine
                == "x.csv:2:10: error: '1.1.00' is a position in measures and beats, not a time; set Reaper's ruler to minutes:seconds and export again"
        )
    }
}

struct TimelineTableTests {
    @Test("the table from `timeline` can be read as a score with sections, lines and bars")
    func timeline() throws {
        let score = try sampleScore("timeline.csv").score
        #expect(score.sections.map(\.label) == ["I", "II"])
        #expect(score.lines.map(\.bars.count) == [2, 1, 1])
        #expect(
            starts(score) == [
                .zero, .nanoseconds(4_109_589_041), .nanoseconds(7_808_219_178), .nanoseconds(10_547_945_205),
                .nanoseconds(11_547_945_205),
            ])
    }

    @Test("a repeated section, as in open form, gets a number after its label")
    func sectionsAgain() throws {
        let score = try score("section,duration\nI,3\nII,2\nI,3\nI,3\nII,1\n", file: "x.csv")
        #expect(score.sections.map(\.label) == ["I", "II", "I (2)", "II (2)"])
        #expect(try again(score, .yaml).score == score)
    }

    @Test("starts that do not fit the durations are an error")
    func contradiction() {
        #expect(
            rendered("start,duration\n0,2\n2.5,1\n", file: "x.csv").firstLine
                == "x.csv:3:1: error: this row begins at 2.5 s, but the one before it ends at 2 s; correct the starts, or leave out that column"
        )
    }
}
