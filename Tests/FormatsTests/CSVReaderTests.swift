import Formats
import SampleScores
import Scores
import Testing

struct CSVReaderTests {
    @Test("a table with semicolons and decimal commas, as spreadsheets in Europe write it, is the same score")
    func semicolons() throws {
        func read(_ text: String) -> Document { Score.read(Array(text.utf8), file: "x.csv") }
        let european = read("label;duration;start\n\"A;1\";2,75;0\nB, b;1:00,5;2,75\n")
        let other = read("label,duration,start\nA;1,2.75,0\n\"B, b\",1:00.5,2.75\n")
        #expect(european.diagnostics.map { $0.rendered() } == [] && other.diagnostics.isEmpty)
        let found = try #require(european.score)
        #expect(found == other.score)
        #expect(found.lines.flatMap(\.bars).map(\.duration) == [.milliseconds(2750), .milliseconds(60_500)])
        #expect(read("label;duration\nA;x\n").diagnostics.map(\.message) == ["'x' is not a duration"])
        #expect(try score("label;duration\nA;2,7\n", file: "standard input").lines[0].bars.count == 1)
    }

    @Test("a table that begins after zero is told to lose the time before it")
    func lead() {
        for (start, told) in [("0", []), ("2.5", ["the table begins at 2.5 s; the piece begins with its first bar"])] {
            let read = Score.read(Array("duration,start\n1,\(start)\n".utf8), file: "x.csv")
            #expect(read.diagnostics.map(\.message) == told && read.score != nil)
        }
    }

    @Test("repeated cues are not limited, but there are at most 200 000 different ones")
    func cues() throws {
        let same = "duration,cue\n" + String(repeating: "1,breathe\n", count: 300_000)
        let score = try score(same, file: "x.csv")
        #expect(score.lines[0].bars.count == 300_000 && score.lines[0].bars[299_999].cue == "breathe")
        let other = "duration,cue\n" + (0..<200_001).map { "1,\($0)\n" }.joined()
        #expect(
            rendered(other, file: "x.csv").hasPrefix(
                "x.csv:200002:1: error: the piece has more than 200 000 bars with their own tempi, beats or cues"))
    }

    @Test("rows are the bars of one line, with any line ending", arguments: ["\n", "\r\n", "\r"])
    func rows(end: String) throws {
        let rows = ["# comment", "Duration , LABEL", "3,A", "", " # another", "2.7,\"B, \"\"dolce\"\"\"", "1:30,"]
        let read = try score(rows.joined(separator: end), file: "x.csv")
        #expect(
            read
                == Score(lines: [
                    .init(bars: [
                        .init(.seconds(3), label: "A"), .init(.milliseconds(2700), label: "B, \"dolce\""),
                        .init(.seconds(90)),
                    ])
                ]))
    }

    @Test("the content determines the format if the name does not")
    func content() throws {
        #expect(try score("label,duration\nA,3\n", file: "standard input").lines[0].bars[0].label == "A")
        #expect(try score("bars: [1]\n", file: "standard input").lines[0].bars.count == 1)
        #expect(Score.read(Array("duration\n3".utf8), file: "x.yaml", format: .csv).score != nil)
    }

    @Test("all errors of a table are reported at once, at their places")
    func errors() {
        #expect(
            rendered("label,duration\nA,1x\n\"x\"y,3\nz\"z,3\n1\n1,2,3\n,\n\"open,3\n", file: "x.csv") == """
                x.csv:2:3: error: 'x' is not a unit of time; write s, min, h or ms
                A,1x
                  ^~
                x.csv:3:4: error: expected a comma or the end of the row after a closing quote; a quote inside quotes is written twice
                "x"y,3
                   ^
                x.csv:4:2: error: there is a quote inside a field without quotes; put the whole field in quotes and write this one twice
                z"z,3
                 ^
                x.csv:5:1: error: this row has 1 field, but the header has 2
                1
                ^
                x.csv:6:1: error: this row has 3 fields, but the header has 2
                1,2,3
                ^~~~~
                x.csv:7:2: error: a duration is missing, for example 2.7 or 1:30
                ,
                 ^
                x.csv:8:1: error: the quote that opens here is never closed
                "open,3
                ^
                """)
    }

    @Test(
        "a wrong header is refused with its reason",
        arguments: [
            ("", "1:1: error: the file has no header; the first row is label,duration"),
            ("# a\n", "1:1: error: the file has no header; the first row is label,duration"),
            ("3\n2\n", "1:1: error: the header is missing; the first row is label,duration"),
            (
                "label;duration,cue\n",
                "1:1: error: columns are separated by commas or semicolons, for example label,duration"
            ),
            ("lable,duration\n", "1:1: error: there is no column 'lable'; did you mean 'label'?"),
            (
                "duration,key\n",
                "1:10: error: there is no column 'key'; the columns are index, section, line, bar, label, cue, start, duration, number, timecode, frames_per_beat"
            ),
            ("label\nA\n", "1:1: error: the header has no column 'duration', for example label,duration"),
            ("duration,duration\n", "1:10: error: the column 'duration' is given a second time"),
            ("duration\n", "2:1: error: the file has a header but no bars, for example A,2.7"),
        ])
    func header(text: String, expected: String) {
        #expect(rendered(text, file: "x.csv").firstLine == "x.csv:" + expected)
    }
}
