internal import Foundation
internal import Testing

/// `log`.
@Suite struct LogTests: PracticeLogTests {
    private func path(_ scratch: Scratch) -> String {
        (scratch.environment["HOME"] ?? "") + "/.local/state/barline/practice.csv"
    }

    /// Writes a practice log with these rows.
    private func write(_ rows: [String], _ scratch: Scratch) throws {
        let folder = String(path(scratch).dropLast("/practice.csv".count))
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let text = (["date,piece,bars,speed,minutes,target"] + rows).map { $0 + "\n" }.joined()
        try text.write(toFile: path(scratch), atomically: false, encoding: .utf8)
    }

    @Test("without a log, no sessions are listed") func withoutALogNoSessionsAreListed() async throws {
        let scratch = try Scratch()
        let plain = try await run([], scratch)
        #expect(plain.text == "there is no practice yet: `barline play` records it in '\(path(scratch))'\n")
        #expect(plain.errors == "" && plain.code == 0)
        #expect(try await run(["--csv"], scratch).text == "date,piece,bars,speed,minutes,target,program,marks\n")
        #expect(try await run(["--json"], scratch).text == "[]\n")
        let piece = try await run(["--piece", "x"], scratch)
        #expect(piece.errors == "barline: error: --piece: there is no piece 'x' in the log\n" && piece.code == 64)
    }

    @Test("sessions, days and pieces add up, and invalid rows are skipped")
    func sessionsDaysAndPiecesAddUpAndInvalidRowsAreSkipped() async throws {
        let scratch = try Scratch()
        try write(
            [
                "\(day(2))T20:15:00+00:00,Sequenza VII (1969),1.1-13.13,70,40.00", "garbage",
                "\(day(0))T08:15:00+00:00,\"Study, No 1\",1.1-2.3,72.5,2.50",
                "\(day(0))T09:15:00+00:00,Sequenza VII (1969),1.1-1.13,80,7.50",
            ], scratch)
        let outcome = try await run([], scratch)
        #expect(outcome.errors == "barline: note: '\(path(scratch))': 1 invalid row was skipped\n")
        let lines = outcome.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.first == "  date              piece                bars       speed  minutes")
        #expect(lines[1] == "  \(day(2)) 20:15  Sequenza VII (1969)  1.1-13.13    70%    40.00")
        #expect(lines[2] == "  \(day(0)) 08:15  Study, No 1          1.1-2.3    72.5%     2.50")
        #expect(lines[4...5] == ["", "minutes per day"])
        let bars = lines[6...8].map { line in line.count { $0 == "█" } }
        #expect(bars[0] > 40 && bars[1] == 0 && bars[2] == bars[0] / 4)
        #expect(lines[6].hasSuffix(" 40") && lines[8].hasSuffix(" 10"))
        #expect(lines[10] == "  piece                sessions  minutes  speed  last")
        #expect(lines[11] == "  Sequenza VII (1969)         2    47.50    80%  \(day(0))")
        #expect(lines[13] == "  all                         3    50.00")
        #expect(!outcome.text.contains("what next"))

        let one = try await run(["--piece", "sequenza"], scratch)
        #expect(!one.text.contains("Study") && one.text.contains("\nspeed\n\(day(2)) "))
        #expect(one.text.contains(" 70%\n") && one.code == 0)
        let several = try await run(["--piece", "u"], scratch)
        #expect(
            several.errors.hasSuffix("--piece: 'u' matches several titles: Sequenza VII (1969); Study, No 1\n"))
        let none = try await run(["--piece", "Sequenza VI (1969)"], scratch)
        #expect(none.errors.hasSuffix("'Sequenza VI (1969)' in the log; did you mean 'Sequenza VII (1969)'?\n"))
    }

    @Test("CSV and JSON contain every session, and a picture is drawn")
    func csvAndJSONContainEverySessionAndAPictureIsDrawn()
        async throws
    {
        let scratch = try Scratch()
        try write((0..<30).map { "\(day(40 - $0))T20:15:00+00:00,P & <Q>,1.1-1.2,80,1.25," }, scratch)
        let csv = try await run(["--csv"], scratch)
        let old = String(decoding: try Scratch.read(path(scratch)), as: UTF8.self)
        #expect(csv.text == old.replacing("\n", with: ",,\n").replacing("target,,", with: "target,program,marks"))
        let json = try JSONSerialization.jsonObject(with: Data(try await run(["--json"], scratch).output))
        let rows = json as? [[String: Any]] ?? []
        #expect(rows.count == 30 && rows.allSatisfy { $0["minutes"] as? Double == 1.25 && $0["speed"] as? Int == 80 })
        let plain = try await run([], scratch)
        #expect(plain.text.contains("\nthe last 10 of 30 sessions; --all shows all\n"))
        #expect(try await run(["--all"], scratch).text.split(separator: "\n").count { $0.contains("20:15") } == 30)
        let picture = try await run(["--svg", "p.svg", "--days", "20", "--piece", "P & <Q>"], scratch)
        #expect(picture.code == 0, "\(picture.errors)")
        let svg = String(decoding: try scratch.read("p.svg"), as: UTF8.self)
        #expect(svg.contains("<title>P &amp; &lt;Q&gt;: 11 min in 20 days</title>"))
        // Nine of the last 20 days had practice.
        #expect(svg.split(separator: "<rect class=\"day\"").count == 1 + 9)
        #expect(svg.split(separator: "<title>").count == svg.split(separator: "</title>").count)
    }
}
