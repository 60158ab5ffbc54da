import Application
import Foundation
import Scores
import Shared
import Testing

/// One row of `timeline --json`.
private struct Row: Decodable, Equatable {
    var index: Int
    var section: String
    var line: Int
    var bar: Int
    var label: String
    var start_s: Double
    var duration_s: Double
}

@Suite struct TimelineTests {
    @Test("the table lists every bar, and the total") func theTableListsEveryBarAndTheTotal() async throws {
        let text = try await timeline()
        #expect(
            text == """
                  index    line.bar         start s      duration s  label
                      1         1.1        0.000000        0.500000  A
                      2         1.2        0.500000        0.300000  say "x", y
                      3         2.1        0.800000        0.400000
                      4         2.2        1.200000        0.300000  日本  Go
                4 bars, 0:01.500

                """)
    }

    @Test("the total of a single bar uses the singular") func theTotalOfASingleBarUsesTheSingular() async throws {
        let text = try await timeline { $0.passage.from = "2.2" }
        #expect(
            text == """
                  index    line.bar         start s      duration s  label
                      4         2.2        0.000000        0.300000  日本  Go
                1 bar, 0:00.300

                """)
    }

    @Test("CSV quotes the fields that need it") func csvQuotesTheFieldsThatNeedIt() async throws {
        let text = try await timeline { $0.style = .csv }
        #expect(
            text == """
                index,section,line,bar,label,start_s,duration_s,number
                1,,1,1,A,0.000000000,0.500000000,1
                2,,1,2,"say ""x"", y",0.500000000,0.300000000,2
                3,,2,1,,0.800000000,0.400000000,3
                4,,2,2,日本,1.200000000,0.300000000,4

                """)
    }

    @Test("JSON has one object per line") func jsonHasOneObjectPerLine() async throws {
        let text = try await timeline { $0.style = .json }
        #expect(
            text == #"""
                [
                  {"index": 1, "section": "", "line": 1, "bar": 1, "label": "A", "start_s": 0.000000000, "duration_s": 0.500000000, "number": 1},
                  {"index": 2, "section": "", "line": 1, "bar": 2, "label": "say \"x\", y", "start_s": 0.500000000, "duration_s": 0.300000000, "number": 2},
                  {"index": 3, "section": "", "line": 2, "bar": 1, "label": "", "start_s": 0.800000000, "duration_s": 0.400000000, "number": 3},
                  {"index": 4, "section": "", "line": 2, "bar": 2, "label": "日本", "start_s": 1.200000000, "duration_s": 0.300000000, "number": 4}
                ]

                """#)
    }

    @Test("another JSON parser reads the same values") func anotherJSONParserReadsTheSameValues() async throws {
        let text = try await timeline {
            $0.style = .json
            $0.passage.speed = try Speed(scoreText: "50%")
        }
        let rows = try JSONDecoder().decode([Row].self, from: Data(text.utf8))
        #expect(
            rows == [
                Row(index: 1, section: "", line: 1, bar: 1, label: "A", start_s: 0, duration_s: 1),
                Row(index: 2, section: "", line: 1, bar: 2, label: "say \"x\", y", start_s: 1, duration_s: 0.6),
                Row(index: 3, section: "", line: 2, bar: 1, label: "", start_s: 1.6, duration_s: 0.8),
                Row(index: 4, section: "", line: 2, bar: 2, label: "日本", start_s: 2.4, duration_s: 0.6),
            ])
    }

    /// Any label is read back unchanged, by a JSON parser and by Barline's own CSV reader.
    @Test(
        "labels survive CSV and JSON",
        arguments: [#"say "x""#, "a, b", #"back\slash"#, "日本語 «é» 🎼", "'single'", " inner  spaces ", #""""#])
    func labelsSurviveCSVAndJSON(label: String) async throws {
        let home = Home()
        let field = "\"" + label.replacing("\"", with: "\"\"") + "\""
        try home.folder.write("labels.csv", "label,duration\n\(field),1.5\n,2\n")
        let json = try await home.timeline("labels.csv") { $0.style = .json }
        let rows = try JSONDecoder().decode([Row].self, from: Data(json.utf8))
        #expect(rows.map(\.label) == [label, ""])
        let csv = try await home.timeline("labels.csv") { $0.style = .csv }
        let needsQuotes = label.contains { $0 == "\"" || $0 == "," } || label.hasPrefix(" ")
        #expect(csv.contains("\n1,,1,1,\(needsQuotes ? field : label),0.000000000,1.500000000,1\n"))
        // Only the columns of a score are read again.
        let written = csv.split(separator: "\n").dropFirst().map { line in
            let fields = line.split(separator: ",", maxSplits: 4, omittingEmptySubsequences: false)[4].split(
                separator: ",", omittingEmptySubsequences: false)
            return fields.dropLast(3).joined(separator: ",") + "," + fields[fields.count - 2]
        }
        try home.folder.write("again.csv", "label,duration\n" + written.joined(separator: "\n") + "\n")
        #expect(try await home.timeline("again.csv") { $0.style = .csv } == csv)
    }

    /// The durations of the piece in tenths of a second; boundaries are sums of them times 100 / speed.
    @Test("Sequenza VII agrees with exact arithmetic", arguments: [100, 73])
    func sequenzaSevenAgreesWithExactArithmetic(percent: Int) async throws {
        let tenths = [30, 27, 20, 20, 20, 20, 18, 15, 13, 13, 10, 10, 10]
        /// A sum of tenths as seconds with 9 decimals, rounded to nearest in integer arithmetic.
        func seconds(_ sum: Int) -> String {
            let (numerator, denominator) = (sum * 10 * 1_000_000_000, percent)
            let nanoseconds = (2 * numerator + denominator) / (2 * denominator)
            let decimals = String(nanoseconds % 1_000_000_000)
            return "\(nanoseconds / 1_000_000_000)." + String(repeating: "0", count: 9 - decimals.count) + decimals
        }
        var expected = "index,section,line,bar,label,start_s,duration_s,number\n"
        var sum = 0
        for index in 0..<169 {
            let (line, bar) = index.quotientAndRemainder(dividingBy: 13)
            expected += "\(index + 1),,\(line + 1),\(bar + 1),,\(seconds(sum)),\(seconds(tenths[bar])),\(bar + 1)\n"
            sum += tenths[bar]
        }
        #expect(sum == 2938)
        let text = try await Home().timeline("sequenza-vii") {
            $0.style = .csv
            $0.passage.speed = try Speed(scoreText: "\(percent)%")
        }
        #expect(firstDifference(Array(text.utf8), Array(expected.utf8)) == nil)
    }

    @Test("an order is refused for several voices, which would no longer be together, and taken for one of them")
    func orderOfVoices() async throws {
        let home = Home()
        let parts = "sections: [{label: A, bars: [2, 2]}, {label: B, bars: [3]}]"
        try home.folder.write("duo.yaml", "voices:\n  a: {\(parts)}\n  b: {\(parts)}\n")
        let refused = try await home.timelineTold("duo.yaml") { $0.passage.version.order = "B,A" }
        #expect(refused.code == 64 && refused.text == "")
        #expect(refused.errors.contains("--order: ") && refused.errors.contains("--voice"))
        let alone = try await home.timeline("duo.yaml") {
            ($0.style, $0.passage.version.order, $0.passage.version.voice) = (.csv, "B,A", "b")
        }
        #expect(alone.hasPrefix("index,section,line,bar,label,start_s,duration_s,number\n1,B,"))
        _ = try await home.timeline("duo.yaml") { $0.passage.version.order = "page" }
    }

    @Test("a range counts its seconds from its own start") func aRangeCountsItsSecondsFromItsOwnStart() async throws {
        let rows = """
            index,section,line,bar,label,start_s,duration_s,number
            2,,1,2,"say ""x"", y",0.000000000,0.300000000,2
            3,,2,1,,0.300000000,0.400000000,3

            """
        for (from, to) in [("2", "2.1"), ("say \"x\", y", "3")] {
            let text = try await timeline {
                $0.style = .csv
                ($0.passage.from, $0.passage.to) = (from, to)
            }
            #expect(text == rows)
        }
    }

    @Test("columns of the table never touch, and a number is shown by the rule of the screens")
    func columns() async throws {
        let home = Home()
        try home.folder.write("far.yaml", "tempo: 1/4 = 7000\nlines: [{repeat: 1000000, bars: [1/12 x 999, 1/16]}]\n")
        let text = try await home.timeline("far.yaml") { $0.passage.from = "1000000.1000" }
        #expect(text.contains("\n1000000000 1000000.1000 "), "\(text)")
        try home.folder.write("repeat.yaml", "lines: [{repeat: 2, bars: [1, 1]}, [1]]\n")
        let numbers = try await home.timeline("repeat.yaml").split(separator: "\n").filter { $0.contains("no. ") }
        #expect(numbers.count == 1 && numbers[0].contains(" 3.1 ") && numbers[0].hasSuffix("  no. 3"))
    }

    @Test("the printed bar number is shown where it differs") func thePrintedBarNumberIsShownWhereItDiffers()
        async throws
    {
        let home = Home()
        try home.folder.write(
            "printed.yaml", "first-bar: 5\npickup: 1\nlines: [{repeat: 2, bars: [1, {duration: 2, label: B}]}]\n")
        let table = try await home.timeline("printed.yaml")
        #expect(
            table == """
                  index    line.bar         start s      duration s  label
                      1         1.1        0.000000        1.000000  no. 4
                      2         1.2        1.000000        2.000000  no. 5  B
                      3         2.1        3.000000        1.000000  no. 4
                      4         2.2        4.000000        2.000000  no. 5  B
                4 bars, 0:06.000

                """)
        let rows = try await home.timeline("printed.yaml") { $0.style = .csv }.split(separator: "\n")
        let last: [Substring?] = rows.map { $0.split(separator: ",").last }
        #expect(last == ["number", "4", "5", "4", "5"])
        try home.folder.write("again.csv", rows.joined(separator: "\n") + "\n")
        #expect(try await home.timeline("again.csv").hasSuffix("4 bars, 0:06.000\n"))
    }

    @Test("every pass is listed") func everyPassIsListed() async throws {
        let text = try await timeline {
            $0.style = .csv
            ($0.passage.from, $0.passage.to, $0.passage.times) = ("3", "4", 2)
        }
        #expect(
            text == """
                index,section,line,bar,label,start_s,duration_s,number
                3,,2,1,,0.000000000,0.400000000,3
                4,,2,2,日本,0.400000000,0.300000000,4
                3,,2,1,,0.700000000,0.400000000,3
                4,,2,2,日本,1.100000000,0.300000000,4

                """)
    }

    @Test("a beginning alone chooses where the first pass begins; a count-in moves all times")
    func fromAlone() async throws {
        func rows(_ change: (inout TimelineRequest) -> Void = { _ in }) async throws -> [Substring] {
            let text = try await timeline {
                $0.style = .csv
                change(&$0)
            }
            return Array(text.split(separator: "\n").dropFirst())
        }
        let whole = try await rows()
        let twice = try await rows { ($0.passage.from, $0.passage.times) = ("3", 2) }
        func places(_ rows: some Sequence<Substring>) -> [Substring] { rows.map { $0.prefix { $0 != "," } } }
        #expect(places(twice) == places(whole.dropFirst(2)) + places(whole))
        let counted = try await rows { ($0.passage.from, $0.countIn) = ("3", .seconds(2)) }
        #expect(counted.first?.contains(",2.000000000,") == true)
    }

    @Test("every beat is listed with its tempo, meter and hold, as a table, CSV and JSON")
    func beats() async throws {
        let home = Home()
        try home.folder.write(
            "beats.yaml",
            """
            tempo: 1/4 = 90
            sections:
              - label: A
                bars:
                  - {meter: 3/4, ramp: {to: 1/4 = 180, over: 1 bar}, label: go}
                  - {meter: 1/4, hold: 5}
              - label: B
                bars: [{duration: 2, hold: until cue}]
            """)
        let table = try await home.timeline("beats.yaml") {
            ($0.beats, $0.passage.version.order) = (true, "B,A")
        }
        #expect(
            table == """
                  index    line.bar  beat         start s      duration s    1/4 per min  meter     hold       label
                      1         1.1     1        0.000000        2.000000                           until cue  no. 3  B
                      2         2.1     1        2.000000        0.575364             90  3/4                  A  go
                      2         2.1     2        2.575364        0.446287            120  3/4
                      2         2.1     3        3.021651        0.364643            150  3/4
                      3         2.2     1        3.386294        5.333333            180  1/4       5.000 s
                5 beats, 0:08.720

                """)
        let csv = try await home.timeline("beats.yaml") {
            ($0.beats, $0.style, $0.passage.from) = (true, .csv, "A")
            $0.passage.speed = try Speed(scoreText: "50%")
        }
        #expect(
            csv == """
                index,section,line,bar,beat,label,start_s,duration_s,quarters_per_minute,meter,hold_start_s,hold_s,hold_until,number
                1,A,1,1,1,go,0.000000000,1.150728290,45,3/4,,,,1
                1,A,1,1,2,go,1.150728290,0.892574205,60,3/4,,,,1
                1,A,1,1,3,go,2.043302495,0.729286227,75,3/4,,,,1
                2,A,1,2,1,,2.772588722,10.666666667,90,1/4,3.439255389,10.000000000,,2
                3,B,2,1,1,,13.439255389,4.000000000,,,17.439255389,0.000000000,cue,3

                """)
        let json = try await home.timeline("beats.yaml") {
            ($0.beats, $0.style, $0.passage.from) = (true, .json, "1.2")
        }
        #expect(
            json == #"""
                [
                  {"index": 2, "section": "A", "line": 1, "bar": 2, "beat": 1, "label": "", "start_s": 0.000000000, "duration_s": 5.333333333, "quarters_per_minute": 180, "meter": "1/4", "hold": {"start_s": 0.333333333, "length_s": 5.000000000, "until": null}, "number": 2},
                  {"index": 3, "section": "B", "line": 2, "bar": 1, "beat": 1, "label": "", "start_s": 5.333333333, "duration_s": 2.000000000, "quarters_per_minute": null, "meter": null, "hold": {"start_s": 7.333333333, "length_s": 0.000000000, "until": "cue"}, "number": 3}
                ]

                """#)
        var wrong = TimelineRequest(home.folder("beats.yaml"))
        wrong.passage.version.order = "B,a"
        let wanted = wrong
        #expect(try await home.run { try wanted.print() } == 64)
        #expect(home.errors == "barline: error: --order: there is no section 'a'; did you mean 'A'?\n")
    }

    private func timeline(
        _ change: (inout TimelineRequest) throws -> Void = { _ in }
    ) async throws -> String {
        let home = Home()
        try home.folder.write("small.yaml", SampleTexts.small)
        return try await home.timeline("small.yaml", change)
    }
}
