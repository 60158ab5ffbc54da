import Foundation
import Scores
import Testing
import UserSettings

@Suite("The practice log")
struct PracticeLogTests {
    static func entry(
        _ date: String, _ piece: String = "Piece", _ minutes: Double = 1, percent: Int64 = 80
    ) throws -> PracticeLog.Entry {
        let speed = try #require(Speed(millionths: percent * 10_000))
        return PracticeLog.Entry(
            date: try #require(LocalTime(text: date)), piece: piece, bars: "1.1-13.13", speed: speed, minutes: minutes)
    }

    @Test("a log is read back as it was written, whatever the pieces are called")
    func roundTrip() throws {
        let folder = TemporaryFolder()
        let log = try #require(PracticeLog(environment: ["XDG_STATE_HOME": folder.path]))
        #expect(try log.read().entries.isEmpty)
        let titles = ["Sequenza VII (1969) · Luciano Berio", "a, \"b\"", "日本", "#1", " x", ""]
        let entries = try titles.map { try Self.entry("2026-11-21T20:15:00+01:00", $0, 12.345) }
        for entry in entries { try log.append(entry) }
        #expect(try log.read().entries == entries)
        #expect(try log.read().skipped == 0)
        let lines = folder.text("barline/practice.csv").split(separator: "\n")
        #expect(lines[0] == Substring(PracticeLog.header))
        #expect(
            lines[1] == "2026-11-21T20:15:00+01:00,Sequenza VII (1969) · Luciano Berio,1.1-13.13,80,12.35,,,,,,,,,,")
    }

    @Test("the target of a practice program is kept, and rows from before there were targets are read")
    func target() throws {
        var entry = try Self.entry("2026-11-21T20:15:00Z")
        entry.target = .asWritten
        let old = "2026-11-20T20:15:00Z,P,1.1,80,1.00"
        for header in [PracticeLog.header, "date,piece,bars,speed,minutes,target", "date,piece,bars,speed,minutes"] {
            let log = PracticeLog.read(Array("\(header)\n\(old)\n\(entry.row)\n".utf8))
            #expect(log.entries.map(\.target) == [nil, .asWritten] && log.skipped == 0)
        }
    }

    @Test("how long bars were held is kept, and rows from before there were taps are read")
    func held() throws {
        var entry = try Self.entry("2026-11-21T20:15:00Z")
        entry.held = HeldSummary(bars: 12, held: 101.26, off: 3.44, columns: [1.04, nil, -2.5])
        #expect(entry.row.hasSuffix(",12,101.3,3.4,1 - -2.5,,,,,"))
        let older = "2026-11-20T20:15:00Z,P,1.1,80,1.00,100"
        let bad = ["0,1,1,", "x,1,1,", "1,nan,1,", "1,1,1,1 x", "1,,1,"].map {
            "2026-11-20T20:15:00Z,P,1.1,80,1.00,," + $0
        }
        let text = ([PracticeLog.header, older, entry.row] + bad).map { $0 + "\n" }.joined()
        let log = PracticeLog.read(Array(text.utf8))
        #expect(log.entries.map(\.held) == [nil, entry.held] && log.skipped == bad.count)
        #expect(log.entries.last == entry)
    }

    @Test("all notes of a session are kept, however many they are")
    func manyMarks() throws {
        var entry = try Self.entry("2026-11-21T20:15:00Z")
        entry.marks = (1...100).map { "1.\($0) \(String(repeating: "é", count: 200))" }.joined(separator: "; ")
        #expect(PracticeLog.read(Array(entry.row.utf8)).entries == [entry])
    }

    @Test("a program, marks and figures of bars are kept, and rows from before there were any are read")
    func marks() throws {
        var entry = try Self.entry("2026-11-21T20:15:00Z")
        (entry.program, entry.marks) = (
            "faster 2% every 3 to 100%; silent random 30% 42", "5.7 good; 6.1 \"too\" loud, b"
        )
        entry.lengths = [BarFigure(line: 5, bar: 7, value: 12.34), BarFigure(line: 6, bar: 1, value: -4)]
        entry.cents = [BarFigure(line: 5, bar: 7, value: -8.5)]
        entry.notes = [NoteFigure(note: "F#5", value: 4.26), NoteFigure(note: "Bb-1", value: -12)]
        #expect(entry.row.hasSuffix(",5.7:12.3 6.1:-4,5.7:-8.5,F#5:4.3 Bb-1:-12"))
        let taps = "2026-11-20T20:15:00Z,P,1.1,80,1.00,,12,101.3,3.4,1 - -2.5"
        let bad = ["5.7", "5.7:", "5:1", "5.0:1", "-5.7:1", "5.7:1e3", "5.7:1:2", "5.7:nan", "x.y:1"].map {
            "2026-11-20T20:15:00Z,P,1.1,80,1.00,,,,,,,,\($0),"
        }
        let badNotes = ["F#5", "F#5:", "X5:1", "F5:nan", "F5:1:2", "F:1", "F#5:1e3"].map {
            "2026-11-20T20:15:00Z,P,1.1,80,1.00,,,,,,,,5.7:1,,\($0)"
        }
        #expect(PracticeLog.read(Array("\u{FEFF}\(PracticeLog.header)\n".utf8)).skipped == 0)
        let before = PracticeLog.read(Array("2026-11-20T20:15:00Z,P,1.1,80,1.00,,,,,,,,5.7:1,5.7:-3\n".utf8))
        #expect(before.entries.first?.cents.first?.value == -3 && before.entries.first?.notes.isEmpty == true)
        let headers = [
            PracticeLog.header, PracticeLog.header.replacing(",notes_cents", with: ""),
            "date,piece,bars,speed,minutes,target,held_bars,held_percent,off_percent,columns_percent",
        ]
        for header in headers {
            let log = PracticeLog.read(
                Array(([header, taps, entry.row] + bad + badNotes).map { $0 + "\n" }.joined().utf8))
            #expect(log.entries.count == 2 && log.entries.last == entry && log.skipped == bad.count + badNotes.count)
            #expect(log.entries.first?.held?.bars == 12 && log.entries.first?.marks == "")
        }
        let many = [BarFigure](repeating: BarFigure(line: 1, bar: 1, value: 1), count: BarFigure.most + 5)
        entry.lengths = many
        #expect(PracticeLog.read(Array(entry.row.utf8)).entries.first?.lengths.count == BarFigure.most)
        let mixed =
            [5.0, 1, 3].map { BarFigure(line: 2, bar: 1, value: $0) } + [BarFigure(line: 1, bar: 9, value: .nan)]
        #expect(
            BarFigure.medians(mixed) == [BarFigure(line: 1, bar: 9, value: 0), BarFigure(line: 2, bar: 1, value: 3)])
    }

    @Test("control characters in a title neither end its row nor control the terminal")
    func hostileTitle() throws {
        let entry = try Self.entry("2026-11-21T20:15:00Z", "a\nb\u{1B}[2J,\"c")
        let log = PracticeLog.read(Array((PracticeLog.header + "\n" + entry.row + "\n").utf8))
        #expect(log.entries.map(\.piece) == ["a\u{FFFD}b\u{FFFD}[2J,\"c"] && log.skipped == 0)
    }

    @Test("invalid rows are skipped and counted, and the others are read")
    func garbage() throws {
        let good = try Self.entry("2026-11-21T20:15:00Z").row
        let bad = [
            "garbage", "2026-02-30T20:15:00Z,P,1,80,1", "2026-11-21T20:15:00Z,P,1,0,1",
            "2026-11-21T20:15:00Z,P,1,80,-1",
            "2026-11-21T20:15:00Z,P,1,80,nan", "2026-11-21T20:15:00Z,P,1,80,1,,1", "2026-11-21T20:15:00Z,\"P,1,80,1",
            "2026-11-21T24:15:00Z,P,1,80,1", "2026-11-21,P,1,80,1", "2026-11-21T20:15:00Z,P,1,80,1e3",
        ]
        var bytes = Array(([PracticeLog.header] + bad + [good]).joined(separator: "\n").utf8)
        bytes += [0x0A, 0xFF, 0x00, 0x0A]
        let log = PracticeLog.read(bytes)
        #expect(log.entries.count == 1 && log.skipped == bad.count + 1)
    }

    @Test("a log with any bytes is read without a trap", arguments: 0..<200)
    func hostile(seed: Int) throws {
        var random = SeededGenerator(seed)
        var bytes = Array((PracticeLog.header + "\n" + (try Self.entry("2026-11-21T20:15:00+01:00").row) + "\n").utf8)
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        let log = PracticeLog.read(bytes)
        #expect(log.entries.count + log.skipped >= 1)
        _ = PracticeSummary(log.entries).days(28, upTo: LocalDay(year: 2026, month: 11, day: 21))
    }

    @Test("rows that are appended at the same time are all kept")
    func together() async throws {
        let folder = TemporaryFolder()
        let log = try #require(PracticeLog(environment: ["XDG_STATE_HOME": folder.path]))
        let entry = try Self.entry("2026-11-21T20:15:00+01:00")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { for _ in 0..<25 { try? log.append(entry) } } }
        }
        #expect(try log.read().entries == Array(repeating: entry, count: 100))
    }

    @Test("each minute belongs to exactly one day, and days without practice are included")
    func days() throws {
        let today = LocalDay(year: 2026, month: 11, day: 21)
        let dates = ["2026-11-19T23:59:59+01:00", "2026-11-19T00:00:00+01:00", "2026-11-21T12:00:00-05:00"]
        let summary = PracticeSummary(try dates.map { try Self.entry($0, "P", 10) })
        #expect(summary.days(28, upTo: today).map(\.hundredths) == [2000, 0, 1000])
        #expect(summary.days(2, upTo: today).map(\.hundredths) == [0, 1000])
        #expect(summary.days(28, upTo: LocalDay(number: today.number + 1)).map(\.hundredths) == [2000, 0, 1000, 0])
        #expect(summary.days(28, upTo: LocalDay(number: today.number - 9)).isEmpty)
        #expect(PracticeSummary([]).days(28, upTo: today).isEmpty)
        #expect(summary.hundredths == 3000)
    }

    @Test("pieces add up; the latest is first, with the speed of its last session")
    func pieces() throws {
        let summary = PracticeSummary([
            try Self.entry("2026-11-19T10:00:00Z", "A", 10, percent: 60),
            try Self.entry("2026-11-21T10:00:00Z", "A", 5, percent: 70),
            try Self.entry("2026-11-20T10:00:00Z", "B", 1), try Self.entry("2026-11-19T11:00:00Z", "A", 1, percent: 65),
            // Listened to, and not played.
            try Self.entry("2026-11-21T11:00:00Z", "A", 0, percent: 100),
        ])
        #expect(summary.pieces.map(\.piece) == ["A", "B"])
        #expect(summary.pieces.map(\.hundredths) == [1600, 100])
        #expect(summary.pieces.map(\.sessions) == [3, 1])
        #expect(summary.pieces[0].speed.percent == 70)
        #expect(summary.of("A").speeds.map(\.range) == [60...65, 70...70])
    }
}

@Suite("Local time")
struct LocalTimeTests {
    @Test("every day from 1600 to 2400 has its number, its date and its weekday")
    func calendar() {
        var day = LocalDay(year: 1600, month: 1, day: 1)
        var wrong: [String] = []
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        for year in 1600..<2400 {
            for month in 1...12 {
                let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
                for date in 1...(lengths[month - 1] + (month == 2 && isLeap ? 1 : 0)) {
                    let found = LocalDay(year: year, month: month, day: date)
                    if found != day || found.parts != (year, month, date) { wrong.append("\(year)-\(month)-\(date)") }
                    day.number += 1
                }
            }
        }
        #expect(wrong == [])
        #expect(LocalDay(year: 1970, month: 1, day: 1).number == 0)
        #expect(LocalDay(year: 2026, month: 11, day: 21).weekday == 5)
        #expect(LocalDay(year: 1969, month: 12, day: 28).weekday == 6)
    }

    @Test(
        "a local time is read back as it was written",
        arguments: ["2026-11-21T20:15:00+01:00", "0999-01-01T00:00:00-11:30", "2026-02-28T23:59:59+00:00"])
    func roundTrip(text: String) { #expect(LocalTime(text: text)?.text == text) }

    @Test(
        "a text that is not a time is nil",
        arguments: [
            "", "2026-11-21", "2026-11-21T20:15+01:00", "2026-11-21T20:15:00", "2026-13-01T00:00:00Z",
            "2026-12-01T00:00:60Z",
            "+026-11-21T00:00:00Z", "2026-11-21T20:15:00+1:00", "2026-11-21T20:15:00+01:00Z", "2026-11-21T24:00:00Z",
            "2026-11-21T20:15:00+24:00",
        ])
    func none(text: String) { #expect(LocalTime(text: text) == nil) }

    @Test("the current time is read back as it was written")
    func now() {
        let now = LocalTime.now
        #expect(LocalTime(text: now.text) == now)
        #expect(now.day > LocalDay(year: 2020, month: 1, day: 1))
    }
}
