import Application
import Foundation
import Testing

/// The practice log.
@Suite struct PracticeLogTests {
    @Test("without a log, no sessions are listed") func withoutALogNoSessionsAreListed() async throws {
        let home = Home()
        let path = home.folder(Home.practiceFile())
        #expect(try await home.log() == 0 && home.errors == "")
        #expect(home.text == "there is no practice yet: `barline play` records it in '\(path)'\n")
        try await home.log { $0.style = .csv }
        #expect(home.text == "date,piece,bars,speed,minutes,target,program,marks\n")
        try await home.log { $0.style = .json }
        #expect(home.text == "[]\n")
        #expect(try await home.log { $0.piece = "x" } == 64)
        #expect(home.errors == "barline: error: --piece: there is no piece 'x' in the log\n")
        #expect(try await home.run(LogRequest(), ["BARLINE_PRACTICE_LOG": "off"]) { try $0.print() } == 0)
        #expect(home.text == "there is no practice yet, and the setting practice-log is off\n")
        #expect(try await home.log { $0.taps = true } == 0)
        #expect(home.text == "there are no taps yet: the key j taps where a bar begins\n")
    }

    @Test("sessions, days and pieces add up, and invalid rows are skipped")
    func sessionsDaysAndPiecesAddUpAndInvalidRowsAreSkipped() async throws {
        let home = Home()
        try home.writePractice(
            [
                "\(day(2))T20:15:00+00:00,Sequenza VII (1969),1.1-13.13,70,40.00", "garbage",
                "\(day(0))T08:15:00+00:00,\"Study, No 1\",1.1-2.3,72.5,2.50",
                "\(day(0))T09:15:00+00:00,Sequenza VII (1969),1.1-1.13,80,7.50",
            ])
        try await home.log()
        #expect(home.errors == "barline: note: '\(home.folder(Home.practiceFile()))': 1 invalid row was skipped\n")
        let lines = home.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
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
        #expect(!home.text.contains("what next"))

        #expect(try await home.log { $0.piece = "sequenza" } == 0)
        #expect(!home.text.contains("Study") && home.text.contains("\nspeed\n\(day(2)) "))
        #expect(home.text.contains(" 70%\n"))
        try await home.log { $0.piece = "u" }
        #expect(home.errors.hasSuffix("--piece: 'u' matches several titles: Sequenza VII (1969); Study, No 1\n"))
        try await home.log { $0.piece = "Sequenza VI (1969)" }
        #expect(home.errors.hasSuffix("'Sequenza VI (1969)' in the log; did you mean 'Sequenza VII (1969)'?\n"))
    }

    @Test("in Markdown, charts are fenced, and no title becomes a tag or a column")
    func markdown() async throws {
        let home = Home()
        try home.writePractice(["\(day(0))T08:15:00+00:00,a|<b>c,1.1-2.3,70,2.50"])
        #expect(try await home.log { $0.style = .markdown } == 0)
        #expect(home.text.contains("| a\\|\\<b>c |") && home.text.contains("\n\n```text\n\(day(0)) "), "\(home.text)")
        #expect(home.text.contains("\n```\n\n| piece "))
    }

    @Test("CSV and JSON contain every session, and a picture is drawn")
    func csvAndJSONContainEverySessionAndAPictureIsDrawn()
        async throws
    {
        let home = Home()
        try home.writePractice((0..<30).map { "\(day(40 - $0))T20:15:00+00:00,P & <Q>,1.1-1.2,80,1.25," })
        try await home.log { $0.style = .csv }
        let old = home.folder.text(Home.practiceFile())
        #expect(home.text == old.replacing("\n", with: ",,\n").replacing("target,,", with: "target,program,marks"))
        try await home.log { $0.style = .json }
        let rows = try JSONSerialization.jsonObject(with: Data(home.output)) as? [[String: Any]] ?? []
        #expect(rows.count == 30 && rows.allSatisfy { $0["minutes"] as? Double == 1.25 && $0["speed"] as? Int == 80 })
        try await home.log()
        #expect(home.text.contains("\nthe last 10 of 30 rows; --all shows all\n"))
        try await home.log { $0.all = true }
        #expect(home.text.split(separator: "\n").count { $0.contains("20:15") } == 30)
        let code = try await home.log {
            ($0.svg, $0.days, $0.piece) = (home.folder("p.svg"), 20, "P & <Q>")
        }
        #expect(code == 0, "\(home.errors)")
        let svg = home.folder.text("p.svg")
        #expect(svg.contains("<title>P &amp; &lt;Q&gt;: 11 min in 20 days</title>"))
        // Nine of the last 20 days had practice.
        let days: [Substring] = svg.split(separator: "<rect class=\"day\"")
        #expect(days.count == 1 + 9)
        #expect(svg.split(separator: "<title>").count == svg.split(separator: "</title>").count)
    }

    @Test(
        "sessions that were only listened to count in no sum, and a table for programs has the days that are asked for")
    func listened() async throws {
        let home = Home()
        try home.writePractice(
            ["A,1.1-1.2,80,1.25", "B,1.1-1.2,80,2.50", "B,1.1-1.2,100,0.00"].enumerated().map { ago, row in
                "\(day(10 - ago))T20:15:00+00:00,\(row)"
            })
        try await home.log()
        #expect(home.text.split(separator: "\n").last?.hasPrefix("  all           2     3.75") ?? false, "\(home.text)")
        for (days, rows) in [(9, 1), (10, 2), (11, 3), (nil, 3)] {
            try await home.log { ($0.days, $0.style) = (days, .csv) }
            #expect(home.text.split(separator: "\n").count == 1 + rows, "\(home.text)")
        }
        try await home.log { $0.days = 10 }
        #expect(home.text.split(separator: "\n").last?.hasPrefix("  B             1     2.50") ?? false, "\(home.text)")
        #expect(!home.text.contains("1.25"), "\(home.text)")
    }
}
