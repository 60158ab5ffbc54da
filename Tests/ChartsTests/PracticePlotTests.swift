import Scores
import Charts
import Testing
import UserSettings

@Suite("Plot of practice")
struct PracticePlotTests {
    private func days(_ minutes: [Double]) throws -> [PracticeSummary.Day] {
        let first = LocalDay(year: 2026, month: 11, day: 16)
        let entries = try minutes.enumerated().map { offset, minutes in
            let day = LocalDay(number: first.number + offset)
            return PracticeLog.Entry(
                date: try #require(LocalTime(text: "\(day.text)T00:00:00+00:00")), piece: "P", bars: "1.1",
                speed: .asWritten, minutes: minutes)
        }
        return PracticeSummary(entries).days(100, upTo: LocalDay(number: first.number + minutes.count - 1))
    }

    private func rows(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

    @Test("each day has a row whose length shows its minutes to an eighth of a character, within the columns")
    func minutes() throws {
        let rows = rows(PracticePlot.minutes(try days([10, 0, 5, 0.01, 2.5]), columns: 80))
        #expect(rows[0].hasPrefix("2026-11-16 Mon █"))
        #expect(rows.map { $0.count { $0 == "█" } } == [60, 0, 30, 0, 15])
        #expect(rows[0].hasSuffix("█ 10") && rows[1] == "2026-11-17 Tue" && rows[2].hasSuffix("█ 5"))
        // A few seconds are still visible.
        #expect(rows[3] == "2026-11-19 Thu ▏ 0" && rows[4].hasSuffix("█ 3"))
        #expect(PracticePlot.minutes([], columns: 80) == "")
    }

    @Test("no row is wider than the terminal, down to forty columns", arguments: [40, 60, 80, 200])
    func width(columns: Int) throws {
        for minutes in [[0.1, 1000], [99, 3, 50], [7]] {
            #expect(rows(PracticePlot.minutes(try days(minutes), columns: columns)).allSatisfy { $0.count <= columns })
        }
        let day = LocalDay(year: 2026, month: 11, day: 16)
        let speeds = PracticePlot.speeds([(day, 72.5...87.5), (day, 100...100)], columns: columns)
        #expect(rows(speeds).allSatisfy { $0.count <= columns })
    }

    @Test("speeds are drawn full up to the slowest and gray up to the fastest")
    func speeds() {
        let day = LocalDay(year: 2026, month: 11, day: 16)
        let rows = rows(PracticePlot.speeds([(day, 50...75), (day, 100...100)], columns: 200))
        #expect(
            rows[0] == "2026-11-16 Mon " + String(repeating: "█", count: 30) + String(repeating: "▒", count: 15)
                + " 50% to 75%")
        #expect(rows[1] == "2026-11-16 Mon " + String(repeating: "█", count: 60) + " 100%")
    }

    @Test("the picture has a column for each day with practice, within its frame, and its title as text")
    func picture() throws {
        let svg = PracticePicture.svg(of: try days([10, 0, 121, 0.5]), title: "A & <B>")
        #expect(svg.contains("<title>A &amp; &lt;B&gt;</title>"))
        #expect(svg.split(separator: "<rect class=\"day\"").count == 1 + 3)
        #expect(svg.contains("2026-11-18: 121.00 min"))
        for part in svg.split(separator: " y=\"").dropFirst() {
            let y = try #require(Double(part.prefix { $0 != "\"" }))
            #expect((0...320).contains(y))
        }
        #expect(PracticePicture.svg(of: [], title: "").hasSuffix("</svg>\n"))
    }
}
