internal import Foundation
internal import Testing

/// Plans of weeks as the program takes them.
@Suite struct WeeksTests {
    private static let plan = """
        title: Spring
        start: 2026-11-23
        run: 5:00/km
        week 1: {tue: 3x(run 400m @ 4:30/km, walk 1:30 @ 10:00/km), sun at 08:00: long 10km}
        week 2: {wed "Hills": run 10:00}

        """

    private func scratch() throws -> Scratch {
        let scratch = try Scratch()
        try scratch.write("spring.plan", Self.plan)
        return scratch
    }

    @Test("the overview of a plan of weeks has the totals of each week")
    func overview() async throws {
        let outcome = try await Program.run(["plan", "spring.plan"], in: try scratch())
        #expect(
            outcome.text == """
                Spring
                  week  day  date        at     workout                                                 time  distance
                     1  tue  2026-11-24  –               3x(run 400m @ 4:30/km, walk 1:30 @ 10:00/km)   9:54   1.65 km
                     1  sun  2026-11-29  08:00           run "Long" 10km                               50:00     10 km
                     2  wed  2026-12-02  –      Hills    run 10:00                                     10:00      2 km
                week 1: 2 workouts, 59:54, 11.65 km, 5:08 /km
                week 2: 1 workout, 10:00, 2 km, 5:00 /km
                2 weeks, 3 workouts, 1:09:54, 13.65 km, 5:07 /km

                """)
        let json = try await Program.run(["plan", "spring.plan", "--week", "2", "--json"], in: try scratch())
        #expect(
            json.text == """
                [
                  {"week": 2, "day": "wed", "date": "2026-12-02", "start_time": null, "title": "Hills", "workout": "run 10:00", "time_s": 600.000, "distance_m": 2000.000}
                ]

                """)
    }

    @Test("a week is printed with all parts of its workouts")
    func week() async throws {
        let outcome = try await Program.run(["plan", "spring.plan", "--week", "1"], in: try scratch())
        #expect(
            outcome.text == """
                Tuesday 2026-11-24
                  3x(run 400m @ 4:30/km, walk 1:30 @ 10:00/km)
                  6 intervals, 9:54, 1.65 km, 6:00 /km, 10 km/h

                Sunday 2026-11-29 08:00
                  run "Long" 10km
                  1 interval, 50:00, 10 km, 5:00 /km, 12 km/h

                week 1: 2 workouts, 59:54, 11.65 km, 5:08 /km

                """)
    }

    @Test("every command takes the workout of a day, by week or by date")
    func day() async throws {
        let scratch = try scratch()
        for choice in [["--week", "2", "--day", "wed"], ["--day", "2026-12-02"]] {
            let timeline = try await Program.run(["timeline", "spring.plan", "--csv"] + choice, in: scratch)
            #expect(timeline.text.split(separator: "\n").count == 2 && timeline.code == 0)
            let table = try await Program.run(["plan", "spring.plan"] + choice, in: scratch)
            #expect(table.text.hasSuffix("1 interval, 10:00, 2 km, 5:00 /km, 12 km/h\n"))
        }
        let zwift = try await Program.run(
            ["plan", "spring.plan", "--week", "2", "--day", "wed", "-o", "hills.zwo"], in: scratch)
        #expect(zwift.code == 0)
        #expect(String(decoding: try scratch.read("hills.zwo"), as: UTF8.self).contains("<name>Hills</name>"))
        let sound = try await Program.run(
            ["render", "spring.plan", "--week", "1", "--day", "tue", "--to", "1.1", "-o", "a.wav"], in: scratch)
        #expect(sound.code == 0 && sound.errors == "")
        let today = """
            start: \(monday())
            week 1: {mon: run 1:00, tue: run 1:00, wed: run 1:00, thu: run 1:00, fri: run 1:00, sat: run 1:00, sun: run 1:00}
            week 2: {mon: run 1:00}
            """
        try scratch.write("today.plan", today)
        #expect(try await Program.run(["timeline", "today.plan", "--day", "today"], in: scratch).code == 0)
    }

    @Test("no command writes one of its inputs, and no workout replaces a plan of weeks")
    func inputsStay() async throws {
        let scratch = try scratch()
        try scratch.write("other.plan", Self.plan)
        try scratch.write("one.plan", "run 1:00\n")
        let tuesday = ["--week", "1", "--day", "tue"]
        let cases: [([String], String)] = [
            (
                ["plan", "spring.plan"] + tuesday + ["-o", "spring.plan"],
                "'spring.plan' is the plan: give the new file"
            ),
            (["plan", "one.plan", "--fill", "1:00:00", "-o", "./one.plan"], "'./one.plan' is the plan: give the new"),
            (
                ["plan", "spring.plan", "-o", "spring.plan"],
                "'spring.plan' is the plan: give the new file another name"
            ),
            (
                ["plan", "spring.plan"] + tuesday + ["-o", "other.plan"],
                "'other.plan' is a plan of weeks, which this workout would replace; choose another name"
            ),
            (["play", "one.plan", "--timing-log", "one.plan"], "'one.plan' is the score: give the timing log another"),
            (
                ["play", "sequenza-vii", "--then", "one.plan", "--timing-log", "one.plan"],
                "'one.plan' is the score: give the timing log another name"
            ),
        ]
        for (arguments, message) in cases {
            let outcome = try await Program.run(arguments, in: scratch)
            #expect(outcome.errors.contains(message) && outcome.code == 73, "\(arguments): \(outcome.errors)")
        }
        for name in ["spring.plan", "other.plan"] {
            #expect(String(decoding: try scratch.read(name), as: UTF8.self) == Self.plan)
        }
        #expect(String(decoding: try scratch.read("one.plan"), as: UTF8.self) == "run 1:00\n")
        let saved = try await Program.run(["plan", "spring.plan", "--save", "spring"], in: scratch)
        let replaced = try await Program.run(
            ["plan", "spring.plan"] + tuesday + ["--save", "spring", "--replace"], in: scratch)
        #expect(saved.code == 0 && replaced.code == 73 && replaced.errors.contains("is a plan of weeks"))
    }

    @Test("all workouts of a plan become files in a folder, named by week and day, or none does")
    func allFiles() async throws {
        let scratch = try scratch()
        let outcome = try await Program.run(
            ["plan", "spring.plan", "--all", "--to", "fit,zwo,wav", "-o", "files/", "--threshold", "4:30/km"],
            in: scratch)
        let names = ["1-2-tue", "1-7-sun", "2-3-wed"].flatMap { name in
            ["fit", "zwo", "wav"].map { "week-\(name).\($0)" }
        }
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.text == names.map { "files/\($0)\n" }.joined())
        let found = try FileManager.default.contentsOfDirectory(atPath: scratch.folder + "/files")
        #expect(found.sorted() == names.sorted())
        let hills = try await Program.run(["plan", "files/week-2-3-wed.fit"], in: scratch)
        #expect(hills.text.hasSuffix("1 interval, 10:00, 2 km, 5:00 /km, 12 km/h\n"))
        let week = try await Program.run(["plan", "spring.plan", "--week", "2", "--all", "-o", "two"], in: scratch)
        #expect(week.text == "two/week-2-3-wed.fit\n")
        let refusals: [([String], String, Int32)] = [
            (["plan", "run 5k", "--all", "-o", "x"], "--all is for a plan of weeks, and this has none", 64),
            (["plan", "spring.plan", "--all"], "--all needs -o with a folder", 64),
            (
                ["plan", "spring.plan", "--all", "--to", "doc", "-o", "x"], "'doc' is not a type of files for workouts",
                64
            ),
            (["plan", "spring.plan", "--to", "fit", "-o", "x.fit"], "--to needs --all", 64),
            (["plan", "spring.plan", "--remind", "1h", "-o", "x.plan"], "--remind needs -o with a calendar", 64),
            (["plan", "spring.plan", "--all", "-o", "spring.plan/x"], "the folder 'spring.plan/x' cannot be made", 73),
            (
                ["plan", "week 1: {tue: run 5:00, wed: run 5k}", "--all", "--to", "zwo,wav", "-o", "x"],
                "week 1, Wednesday: ", 65
            ),
        ]
        for (arguments, message, code) in refusals {
            let outcome = try await Program.run(arguments, in: scratch)
            #expect(outcome.errors.contains(message) && outcome.code == code, "\(arguments): \(outcome.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.folder + "/x"))
        let calendar = try await Program.run(["plan", "spring.plan", "--remind", "1h", "-o", "x.ics"], in: scratch)
        #expect(calendar.code == 0)
        #expect(String(decoding: try scratch.read("x.ics"), as: UTF8.self).contains("TRIGGER:-PT1H0M0S"))
    }

    /// The Monday of this week.
    private func monday() -> String {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .current
        let parts = calendar.dateComponents([.yearForWeekOfYear, .weekOfYear], from: Date())
        let day = calendar.dateComponents([.year, .month, .day], from: calendar.date(from: parts) ?? Date())
        return String(format: "%04d-%02d-%02d", day.year ?? 0, day.month ?? 0, day.day ?? 0)
    }

    @Test("a command that needs one workout says how to choose it")
    func refusals() async throws {
        let scratch = try scratch()
        let choose = "choose a workout: --week 1 --day tue, or --day today\n"
        for arguments in [["timeline"], ["render", "-o", "a.wav"], ["convert"]] {
            let rest = arguments.dropFirst() + (arguments == ["convert"] ? ["a.mid"] : [])
            let outcome = try await Program.run([arguments[0], "spring.plan"] + rest, in: scratch)
            #expect(outcome.errors.hasSuffix(choose) && outcome.code == 64, "\(outcome.errors)")
        }
        let cases: [([String], String)] = [
            (["plan", "spring.plan", "--week", "3"], "the plan has no week 3; it has weeks 1, 2"),
            (["plan", "spring.plan", "--day", "tue"], "--day tue needs a week; add --week with a number"),
            (
                ["plan", "spring.plan", "--week", "1", "--day", "mon"],
                "no workout on Monday of week 1; the week has tue, sun"
            ),
            (["plan", "spring.plan", "-o", "a.fit"], "'a.fit' holds one workout, but this is a plan of weeks"),
            (["plan", "spring.plan", "--fill", "10km"], "--fill, --target and --every are for one workout"),
            (["plan", "week 1: {tue: run 5k}", "-o", "a.ics"], "a calendar needs the date of week 1"),
            (["plan", "week 1: {tue: run 5k}", "--day", "today"], "the plan has no dates"),
            (["plan", "run 5k", "-o", "a.ics"], "'a.ics' is a calendar, which needs a plan of weeks"),
            (["plan", "run 5k", "--week", "1"], "are for a plan of weeks, and this has none"),
            (["timeline", "sequenza-vii", "--day", "tue"], "are for a plan of weeks, and this has none"),
            (
                ["plan", "spring.plan", "--day", "someday"],
                "'someday' is not a day; write for example tue, 2026-11-24 or today"
            ),
            (
                ["plan", "spring.plan", "--start", "2026-11-24"],
                "is a Tuesday, but week 1 starts on a Monday; write 2026-11-23"
            ),
        ]
        for (arguments, message) in cases {
            let outcome = try await Program.run(arguments, in: scratch)
            #expect(outcome.errors.contains(message) && outcome.code == 64, "\(arguments): \(outcome.errors)")
        }
        let broken = try await Program.run(["plan", "week 1: {teu: run 5k}"], in: scratch)
        #expect(
            broken.errors.hasPrefix("plan:1:10: error: 'teu' is not a day; did you mean 'tue'?") && broken.code == 65)
    }

    @Test("a plan of weeks is checked, saved under a name, listed and played by it")
    func names() async throws {
        let scratch = try scratch()
        let check = try await Program.run(["check", "spring.plan"], in: scratch)
        #expect(check.text == "spring.plan: 2 weeks, 3 workouts, 1:09:54, 13.65 km, 5:07 /km\n" && check.code == 0)
        try scratch.write("unknown.plan", "week 1: {\n  tue: run 1:00, run 400m\n}\n")
        let unknown = try await Program.run(["check", "unknown.plan"], in: scratch)
        #expect(unknown.errors.hasPrefix("unknown.plan:2:18: error: the time of this interval is unknown"))
        #expect(unknown.code == 65)
        let saved = try await Program.run(["plan", "spring.plan", "--save", "season"], in: scratch)
        #expect(saved.code == 0 && saved.errors == "")
        #expect(try await Program.run(["scores"], in: scratch).text.contains("Spring"))
        let one = try await Program.run(["plan", "season", "--week", "1"], in: scratch)
        #expect(one.text == (try await Program.run(["plan", "spring.plan", "--week", "1"], in: scratch)).text)
        #expect(try await Program.run(["timeline", "season", "--week", "1", "--day", "sun"], in: scratch).code == 0)
    }

    @Test("the editor changes the workout of one day and keeps the others; without a day it says what to give")
    func edit() async throws {
        let scratch = try scratch()
        let isClean = try await TerminalSession.run(
            ["plan", "edit", "spring.plan", "--week", "2", "--day", "wed"], in: scratch
        ) { session in
            try session.wait(for: "= time 10:00")
            session.type("awalk 0:30\r")
            try session.wait(for: "= time 10:30")
            session.type("s")
            try session.wait(for: "saved as spring.plan")
            session.type("q")
            try session.expectEnd(0)
            return session.isAsBefore
        }
        #expect(isClean)
        #expect(
            String(decoding: try scratch.read("spring.plan"), as: UTF8.self) == """
                title: Spring
                start: 2026-11-23
                run: 5:00/km

                week 1: {
                  tue: 3x(run 400m @ 4:30/km, walk 1:30 @ 10:00/km)
                  sun at 08:00: run "Long" 10km
                }

                week 2: {
                  wed "Hills":
                    run 10:00
                    walk 0:30
                }

                """)
    }

    @Test("the calendar is the same bytes at the same SOURCE_DATE_EPOCH, and its dates follow --start")
    func calendar() async throws {
        let scratch = try scratch()
        let arguments = ["plan", "spring.plan", "--start", "2027-01-04", "-o", "spring.ics"]
        let outcome = try await Program.run(arguments, in: scratch, environment: ["SOURCE_DATE_EPOCH": "0"])
        #expect(outcome.code == 0 && outcome.errors == "")
        let text = String(decoding: try scratch.read("spring.ics"), as: UTF8.self)
        #expect(text.components(separatedBy: "BEGIN:VEVENT").count == 4)
        #expect(text.contains("\r\nDTSTAMP:19700101T000000Z\r\nDTSTART:20270110T080000\r\nDURATION:PT0H50M0S\r\n"))
        _ = try await Program.run(
            ["plan", "spring.plan", "--week", "1", "--day", "sun", "-o", "one.ics"], in: scratch)
        let one = String(decoding: try scratch.read("one.ics"), as: UTF8.self)
        #expect(one.components(separatedBy: "BEGIN:VEVENT").count == 2)
    }
}
