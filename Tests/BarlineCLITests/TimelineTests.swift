internal import Foundation
internal import Testing

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
        let outcome = try await timeline([])
        #expect(
            outcome.text == """
                  index    line.bar         start s      duration s  label
                      1         1.1        0.000000        0.500000  A
                      2         1.2        0.500000        0.300000  say "x", y
                      3         2.1        0.800000        0.400000
                      4         2.2        1.200000        0.300000  日本  Go
                4 bars, 0:01.500

                """)
    }

    @Test("the total of a single bar uses the singular") func theTotalOfASingleBarUsesTheSingular() async throws {
        let outcome = try await timeline(["--from", "2.2"])
        #expect(
            outcome.text == """
                  index    line.bar         start s      duration s  label
                      4         2.2        0.000000        0.300000  日本  Go
                1 bar, 0:00.300

                """)
    }

    @Test("CSV quotes the fields that need it") func csvQuotesTheFieldsThatNeedIt() async throws {
        let outcome = try await timeline(["--csv"])
        #expect(
            outcome.text == """
                index,section,line,bar,label,start_s,duration_s,number
                1,,1,1,A,0.000000000,0.500000000,1
                2,,1,2,"say ""x"", y",0.500000000,0.300000000,2
                3,,2,1,,0.800000000,0.400000000,3
                4,,2,2,日本,1.200000000,0.300000000,4

                """)
    }

    @Test("JSON has one object per line") func jsonHasOneObjectPerLine() async throws {
        let outcome = try await timeline(["--json"])
        #expect(
            outcome.text == #"""
                [
                  {"index": 1, "section": "", "line": 1, "bar": 1, "label": "A", "start_s": 0.000000000, "duration_s": 0.500000000, "number": 1},
                  {"index": 2, "section": "", "line": 1, "bar": 2, "label": "say \"x\", y", "start_s": 0.500000000, "duration_s": 0.300000000, "number": 2},
                  {"index": 3, "section": "", "line": 2, "bar": 1, "label": "", "start_s": 0.800000000, "duration_s": 0.400000000, "number": 3},
                  {"index": 4, "section": "", "line": 2, "bar": 2, "label": "日本", "start_s": 1.200000000, "duration_s": 0.300000000, "number": 4}
                ]

                """#)
    }

    @Test("another JSON parser reads the same values") func anotherJSONParserReadsTheSameValues() async throws {
        let outcome = try await timeline(["--json", "--speed", "50%"])
        let rows = try JSONDecoder().decode([Row].self, from: Data(outcome.output))
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
        let scratch = try Scratch()
        let field = "\"" + label.replacing("\"", with: "\"\"") + "\""
        try scratch.write("labels.csv", "label,duration\n\(field),1.5\n,2\n")
        let json = try await Program.run(["timeline", "labels.csv", "--json"], in: scratch)
        let rows = try JSONDecoder().decode([Row].self, from: Data(json.output))
        #expect(rows.map(\.label) == [label, ""])
        let csv = try await Program.run(["timeline", "labels.csv", "--csv"], in: scratch)
        let needsQuotes = label.contains { $0 == "\"" || $0 == "," } || label.hasPrefix(" ")
        #expect(csv.text.contains("\n1,,1,1,\(needsQuotes ? field : label),0.000000000,1.500000000,1\n"))
        // Only the columns of a score are read again.
        let written = csv.text.split(separator: "\n").dropFirst().map { line in
            let fields = line.split(separator: ",", maxSplits: 4, omittingEmptySubsequences: false)[4].split(
                separator: ",", omittingEmptySubsequences: false)
            return fields.dropLast(3).joined(separator: ",") + "," + fields[fields.count - 2]
        }
        try scratch.write("again.csv", "label,duration\n" + written.joined(separator: "\n") + "\n")
        let again = try await Program.run(["timeline", "again.csv", "--csv"], in: scratch)
        #expect(again.text == csv.text)
        #expect(again.errors == "")
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
        let scratch = try Scratch()
        let outcome = try await Program.run(
            ["timeline", "sequenza-vii", "--csv", "--speed", "\(percent)%"], in: scratch)
        #expect(firstDifference(outcome.text.split(separator: "\n"), expected.split(separator: "\n")) == nil)
        #expect(outcome.text.last == "\n")
        #expect(outcome.errors == "" && outcome.code == 0)
    }

    @Test("a range counts its seconds from its own start") func aRangeCountsItsSecondsFromItsOwnStart() async throws {
        let rows = """
            index,section,line,bar,label,start_s,duration_s,number
            2,,1,2,"say ""x"", y",0.000000000,0.300000000,2
            3,,2,1,,0.300000000,0.400000000,3

            """
        #expect(try await timeline(["--csv", "--from", "2", "--to", "2.1"]).text == rows)
        #expect(try await timeline(["--csv", "--from", "say \"x\", y", "--to", "3"]).text == rows)
    }

    @Test("the printed bar number is shown where it differs") func thePrintedBarNumberIsShownWhereItDiffers()
        async throws
    {
        let scratch = try Scratch()
        try scratch.write(
            "printed.yaml", "first-bar: 5\npickup: 1\nlines: [{repeat: 2, bars: [1, {duration: 2, label: B}]}]\n")
        let table = try await Program.run(["timeline", "printed.yaml"], in: scratch)
        #expect(
            table.text == """
                  index    line.bar         start s      duration s  label
                      1         1.1        0.000000        1.000000  no. 4
                      2         1.2        1.000000        2.000000  no. 5  B
                      3         2.1        3.000000        1.000000  no. 4
                      4         2.2        4.000000        2.000000  no. 5  B
                4 bars, 0:06.000

                """)
        let rows = try await Program.run(["timeline", "printed.yaml", "--csv"], in: scratch).text.split(separator: "\n")
        #expect(rows.map { $0.split(separator: ",").last } == ["number", "4", "5", "4", "5"])
        try scratch.write("again.csv", rows.joined(separator: "\n") + "\n")
        #expect(try await Program.run(["check", "again.csv"], in: scratch).code == 0)
    }

    @Test("every pass is listed") func everyPassIsListed() async throws {
        let outcome = try await timeline(["--csv", "--from", "3", "--to", "4", "--times", "2"])
        #expect(
            outcome.text == """
                index,section,line,bar,label,start_s,duration_s,number
                3,,2,1,,0.000000000,0.400000000,3
                4,,2,2,日本,0.400000000,0.300000000,4
                3,,2,1,,0.700000000,0.400000000,3
                4,,2,2,日本,1.100000000,0.300000000,4

                """)
    }

    @Test("--from alone chooses where the first pass begins; --count-in moves all times")
    func fromAlone() async throws {
        let whole = try await timeline(["--csv"]).text.split(separator: "\n").dropFirst()
        let twice = try await timeline(["--csv", "--from", "3", "--times", "2"]).text.split(separator: "\n").dropFirst()
        func places(_ rows: some Sequence<Substring>) -> [Substring] { rows.map { $0.prefix { $0 != "," } } }
        #expect(places(twice) == places(whole.dropFirst(2)) + places(whole))
        let counted = try await timeline(["--csv", "--from", "3", "--count-in", "2"]).text.split(separator: "\n")
        #expect(counted.dropFirst().first?.contains(",2.000000000,") == true)
    }

    @Test("a reader that closes the pipe ends the program quietly") func aReaderThatClosesThePipeEndsTheProgramQuietly()
        async throws
    {
        let scratch = try Scratch()
        let outcome = try await Program.run(
            ["timeline", "metronome", "--times", "1000", "--csv"], in: scratch, output: .closed(after: 100))
        #expect(outcome.text.hasPrefix("index,section,line,bar,label,start_s,duration_s,number\n1,,1,1,,0.000000000,"))
        #expect(outcome.errors == "")
        #expect(outcome.code == 0 || outcome.code == 128 + 13, "ended by itself, or by SIGPIPE")
    }

    @Test("--beats lists every beat with its tempo, meter and hold, as a table, CSV and JSON")
    func beats() async throws {
        let scratch = try Scratch()
        try scratch.write(
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
        let table = try await Program.run(["timeline", "beats.yaml", "--beats", "--order", "B,A"], in: scratch)
        #expect(
            table.text == """
                  index    line.bar  beat         start s      duration s    1/4 per min  meter     hold       label
                      1         1.1     1        0.000000        2.000000                           until cue  no. 3  B
                      2         2.1     1        2.000000        0.575364             90  3/4                  A  go
                      2         2.1     2        2.575364        0.446287            120  3/4
                      2         2.1     3        3.021651        0.364643            150  3/4
                      3         2.2     1        3.386294        5.333333            180  1/4       5.000 s
                5 beats, 0:08.720

                """)
        let csv = try await Program.run(
            ["timeline", "beats.yaml", "--beats", "--csv", "--speed", "50%", "--from", "A"], in: scratch)
        #expect(
            csv.text == """
                index,section,line,bar,beat,label,start_s,duration_s,quarters_per_minute,meter,hold_start_s,hold_s,hold_until,number
                1,A,1,1,1,go,0.000000000,1.150728290,45,3/4,,,,1
                1,A,1,1,2,go,1.150728290,0.892574205,60,3/4,,,,1
                1,A,1,1,3,go,2.043302495,0.729286227,75,3/4,,,,1
                2,A,1,2,1,,2.772588722,10.666666667,90,1/4,3.439255389,10.000000000,,2
                3,B,2,1,1,,13.439255389,4.000000000,,,17.439255389,0.000000000,cue,3

                """)
        let json = try await Program.run(["timeline", "beats.yaml", "--beats", "--json", "--from", "1.2"], in: scratch)
        #expect(
            json.text == #"""
                [
                  {"index": 2, "section": "A", "line": 1, "bar": 2, "beat": 1, "label": "", "start_s": 0.000000000, "duration_s": 5.333333333, "quarters_per_minute": 180, "meter": "1/4", "hold": {"start_s": 0.333333333, "length_s": 5.000000000, "until": null}, "number": 2},
                  {"index": 3, "section": "B", "line": 2, "bar": 1, "beat": 1, "label": "", "start_s": 5.333333333, "duration_s": 2.000000000, "quarters_per_minute": null, "meter": null, "hold": {"start_s": 7.333333333, "length_s": 0.000000000, "until": "cue"}, "number": 3}
                ]

                """#)
        let wrong = try await Program.run(["timeline", "beats.yaml", "--order", "B,a"], in: scratch)
        #expect(wrong.code == 64)
        #expect(wrong.errors == "barline: error: --order: there is no section 'a'; did you mean 'A'?\n")
    }

    private func timeline(_ options: [String]) async throws -> Outcome {
        let scratch = try Scratch()
        try scratch.write("small.yaml", SampleTexts.small)
        let outcome = try await Program.run(["timeline", "small.yaml"] + options, in: scratch)
        #expect(outcome.errors == "")
        #expect(outcome.code == 0, "\(outcome.errors)")
        return outcome
    }
}
