import Application
import Foundation
import Running
import Shared
import Testing

/// Plans of weeks.
@Suite struct WeeksTests {
    private static let tuesday = WorkoutChoice(week: 1, day: .weekday(.tuesday))
    private static let hills = WorkoutChoice(week: 2, day: .weekday(.wednesday))

    private func home() throws -> Home {
        let home = Home()
        try home.folder.write("spring.plan", SampleTexts.weeks)
        return home
    }

    @Test("the overview of a plan of weeks has the totals of each week")
    func overview() async throws {
        let home = try home()
        #expect(
            try await home.plan("spring.plan").text == """
                Spring
                  week  day  date        at     workout                                                 time  distance
                     1  tue  2026-11-24  –               3x(run 400m @ 4:30/km, walk 1:30 @ 10:00/km)   9:54   1.65 km
                     1  sun  2026-11-29  08:00           run "Long" 10km                               50:00     10 km
                     2  wed  2026-12-02  –      Hills    run 10:00                                     10:00      2 km
                week 1: 2 workouts, 59:54, 11.65 km, 5:08 /km
                week 2: 1 workout, 10:00, 2 km, 5:00 /km
                2 weeks, 3 workouts, 1:09:54, 13.65 km, 5:07 /km

                """)
        let tenths = try await home.plan(
            "week 1: {tue: run 5:00.5, wed: run 4:00.25} week 2: {tue: run 5km @ 5:01.3/km}")
        for told in [" 5:00.5 ", " 4:00.25 ", "\nweek 1: 2 workouts, 9:00.75\n", " 25:07 ", ", 34:07\n"] {
            #expect(tenths.text.contains(told), "\(told): \(tenths.text)")
        }
        let json = try await home.plan("spring.plan") { ($0.workout.week, $0.style) = (2, .json) }
        #expect(
            json.text == """
                [
                  {"week": 2, "day": "wed", "date": "2026-12-02", "start_time": null, "title": "Hills", "workout": "run 10:00", "time_s": 600.000, "distance_m": 2000.000}
                ]

                """)
    }

    @Test("a week is printed with all parts of its workouts, also by the name under which the plan is stored")
    func week() async throws {
        let home = try home()
        let week = try await home.plan("spring.plan") { $0.workout.week = 1 }
        #expect(
            week.text == """
                Tuesday 2026-11-24
                  3x(run 400m @ 4:30/km, walk 1:30 @ 10:00/km)
                  6 intervals, 9:54, 1.65 km, 6:00 /km, 10 km/h

                Sunday 2026-11-29 08:00
                  run "Long" 10km
                  1 interval, 50:00, 10 km, 5:00 /km, 12 km/h

                week 1: 2 workouts, 59:54, 11.65 km, 5:08 /km

                """)
        #expect(try await home.plan("spring.plan") { $0.save = "season" }.isFine)
        #expect(try await home.scores().text.contains("Spring"))
        #expect(try await home.plan("season") { $0.workout.week = 1 }.text == week.text)
        _ = try await home.timeline("season") {
            $0.passage.reading.workout = WorkoutChoice(week: 1, day: .weekday(.sunday))
        }
    }

    @Test("every command takes the workout of a day, by week or by date")
    func day() async throws {
        let home = try home()
        let date = WorkoutChoice(day: try DayChoice(text: "2026-12-02"))
        for choice in [Self.hills, date] {
            let timeline = try await home.timeline("spring.plan") {
                ($0.style, $0.passage.reading.workout) = (.csv, choice)
            }
            #expect(timeline.split(separator: "\n").count == 2)
            let table = try await home.plan("spring.plan") { $0.workout = choice }
            #expect(table.text.hasSuffix("1 interval, 10:00, 2 km, 5:00 /km, 12 km/h\n"))
        }
        let zwift = try await home.plan("spring.plan") {
            ($0.workout, $0.output) = (Self.hills, home.folder("hills.zwo"))
        }
        #expect(zwift.code == 0 && home.folder.text("hills.zwo").contains("<name>Hills</name>"))
        let sound = try await home.render("spring.plan") {
            ($0.performance.passage.reading.workout, $0.performance.passage.to) = (Self.tuesday, "1.1")
        }
        #expect(sound == 0 && home.errors == "")
        try home.folder.write(
            "today.plan",
            """
            start: \(monday())
            week 1: {mon: run 1:00, tue: run 1:00, wed: run 1:00, thu: run 1:00, fri: run 1:00, sat: run 1:00, sun: run 1:00}
            week 2: {mon: run 1:00}
            """)
        let today = WorkoutChoice(day: try DayChoice(text: "today"))
        _ = try await home.timeline("today.plan") { $0.passage.reading.workout = today }
    }

    /// The Monday of this week.
    private func monday() -> String {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .current
        let parts = calendar.dateComponents([.yearForWeekOfYear, .weekOfYear], from: Date())
        let day = calendar.dateComponents([.year, .month, .day], from: calendar.date(from: parts) ?? Date())
        return String(format: "%04d-%02d-%02d", day.year ?? 0, day.month ?? 0, day.day ?? 0)
    }

    @Test("no command writes one of its inputs, and no workout replaces a plan of weeks")
    func inputsStay() async throws {
        let home = try home()
        let (spring, one) = (home.folder("spring.plan"), home.folder("one.plan"))
        try home.folder.write("other.plan", SampleTexts.weeks)
        try home.folder.write("one.plan", "run 1:00\n")
        #expect(try await home.plan("spring.plan") { $0.save = "spring" }.code == 0)
        let cases: [(plan: String, why: String, change: (inout PlanRequest) -> Void)] = [
            (
                "spring.plan", "'spring.plan' is the plan: give the new file another name",
                { ($0.workout, $0.output) = (Self.tuesday, spring) }
            ),
            ("spring.plan", "'spring.plan' is the plan: give the new file another name", { $0.output = spring }),
            (
                "one.plan", "'./one.plan' is the plan: give the new file another name",
                { ($0.fill, $0.output) = (.time(.seconds(3600)), home.folder("./one.plan")) }
            ),
            (
                "spring.plan", "'other.plan' is a plan of weeks, which this workout would replace; choose another name",
                { ($0.workout, $0.output) = (Self.tuesday, home.folder("other.plan")) }
            ),
            (
                "spring.plan", "is a plan of weeks",
                { ($0.workout, $0.save, $0.replaces) = (Self.tuesday, "spring", true) }
            ),
        ]
        for (plan, why, change) in cases {
            let told = try await home.plan(plan, [:], change)
            #expect(told.errors.contains(why) && told.code == 73, "\(told)")
        }
        for (score, next) in [(one, []), ("sequenza-vii", [one])] {
            let told = try await home.play(score) { ($0.next, $0.clock.timingLog) = (next, one) }
            #expect(told.errors.contains("'one.plan' is the score: give the timing log another name"), "\(told)")
            #expect(told.code == 73)
        }
        for name in ["spring.plan", "other.plan"] { #expect(home.folder.text(name) == SampleTexts.weeks) }
        #expect(home.folder.text("one.plan") == "run 1:00\n")
    }

    @Test("all workouts of a plan become files in a folder, named by week and day, or none does")
    func allFiles() async throws {
        let home = try home()
        func types(_ names: String...) -> [WorkoutFileType] { names.compactMap { WorkoutFileType(name: $0) } }
        let told = try await home.plan("spring.plan") {
            ($0.types, $0.output) = (types("fit", "zwo", "wav"), home.folder("files/"))
            $0.gaps.threshold = Pace(.seconds(270), per: .kilometers)
        }
        let names = ["1-2-tue", "1-7-sun", "2-3-wed"].flatMap { name in
            ["fit", "zwo", "wav"].map { "week-\(name).\($0)" }
        }
        #expect(told.code == 0 && told.text == names.map { "files/\($0)\n" }.joined(), "\(told)")
        let found = try FileManager.default.contentsOfDirectory(atPath: home.folder("files"))
        #expect(found.sorted() == names.sorted())
        let hills = try await home.plan("files/week-2-3-wed.fit")
        #expect(hills.text.hasSuffix("1 interval, 10:00, 2 km, 5:00 /km, 12 km/h\n"))
        let week = try await home.plan("spring.plan") {
            ($0.workout.week, $0.types, $0.output) = (2, types("fit"), home.folder("two"))
        }
        #expect(week.text == "two/week-2-3-wed.fit\n")
        let refusals = [
            ("run 5k", types("fit"), "x", "--all is for a plan of weeks, and this has none", Int32(64)),
            (
                "spring.plan", types("fit"), "spring.plan/x",
                "the folder 'spring.plan/x' cannot be made: Not a directory", 73
            ),
            ("week 1: {tue: run 5:00, wed: run 5k}", types("zwo", "wav"), "x", "week 1, Wednesday: ", 65),
        ]
        for (plan, types, output, why, code) in refusals {
            let told = try await home.plan(plan) { ($0.types, $0.output) = (types, home.folder(output)) }
            #expect(told.errors.contains(why) && told.code == code, "\(told)")
        }
        #expect(home.folder.contents == ["files", "spring.plan", "two"])
    }

    @Test("if one of many workouts cannot be written, none is, and what was there stays", arguments: ["fit", "wav"])
    func noneOfAll(ending: String) async throws {
        let home = try home()
        try home.folder.write("files/week-2-3-wed.\(ending)/x", "")
        try home.folder.write("files/week-1-7-sun.zwo", "old")
        try home.folder.write("files/week-1-2-tue.\(ending)", "older")
        let told = try await home.plan("spring.plan") {
            $0.types = ["zwo", ending].compactMap { WorkoutFileType(name: $0) }
            $0.output = home.folder("files")
            $0.gaps.threshold = Pace(.seconds(270), per: .kilometers)
        }
        #expect(told.code == 73 && told.text.isEmpty, "\(told)")
        #expect(told.errors.contains("week-2-3-wed.\(ending)' cannot be written: Is a directory"), "\(told)")
        let found = try FileManager.default.contentsOfDirectory(atPath: home.folder("files"))
        #expect(found.sorted() == ["week-1-2-tue.\(ending)", "week-1-7-sun.zwo", "week-2-3-wed.\(ending)"])
        #expect(home.folder.text("files/week-1-7-sun.zwo") == "old")
        #expect(home.folder.text("files/week-1-2-tue.\(ending)") == "older")
    }

    @Test("the overview shows the workouts without the threshold")
    func threshold() async throws {
        let told = try await Home().plan("week 1: {tue: run 10:00 @ 80%}") {
            $0.gaps.threshold = Pace(.seconds(300), per: .kilometers)
        }
        #expect(told.text.contains("  run 10:00 @ 80%") && !told.text.contains("threshold"), "\(told)")
    }

    @Test("a command that needs one workout says how to choose it") func oneWorkout() async throws {
        let home = try home()
        let choose = "choose a workout: --week 1 --day tue, or --day today\n"
        let timeline = try await home.timelineTold("spring.plan")
        #expect(timeline.errors.hasSuffix(choose) && timeline.code == 64)
        #expect(try await home.render("spring.plan") == 64 && home.errors.hasSuffix(choose))
        let convert = try await home.convert("spring.plan", to: "a.mid")
        #expect(convert.errors.hasSuffix(choose) && convert.code == 64)
    }

    @Test("what does not fit a plan of weeks, or a single workout, is refused") func refusals() async throws {
        let home = try home()
        let cases: [(plan: String, why: String, change: (inout PlanRequest) throws -> Void)] = [
            ("spring.plan", "the plan has no week 3; it has weeks 1, 2", { $0.workout.week = 3 }),
            (
                "spring.plan", "--day tue needs a week; add --week with a number",
                { $0.workout.day = .weekday(.tuesday) }
            ),
            (
                "spring.plan", "no workout on Monday of week 1; the week has tue, sun",
                { $0.workout = WorkoutChoice(week: 1, day: .weekday(.monday)) }
            ),
            (
                "spring.plan", "'a.fit' holds one workout, but this is a plan of weeks",
                { $0.output = home.folder("a.fit") }
            ),
            (
                "spring.plan", "--fill, --target and --every are for one workout",
                { $0.fill = .distance(Distance(10, .kilometers)) }
            ),
            (
                "week 1: {tue: run 5k}", "a calendar needs the date of week 1",
                { $0.output = home.folder("a.ics") }
            ),
            (
                "week 1: {tue: run 5k}", "the plan has no dates",
                { $0.workout.day = try DayChoice(text: "today") }
            ),
            ("run 5k", "'a.ics' is a calendar, which needs a plan of weeks", { $0.output = home.folder("a.ics") }),
            ("run 5k", "are for a plan of weeks, and this has none", { $0.workout.week = 1 }),
        ]
        for (plan, why, change) in cases {
            let told = try await home.plan(plan, [:], change)
            #expect(told.errors.contains(why) && told.code == 64, "\(told)")
        }
        let score = try await home.timelineTold("sequenza-vii") { $0.passage.reading.workout.day = .weekday(.tuesday) }
        #expect(score.errors.contains("are for a plan of weeks, and this has none") && score.code == 64)
        // A faulty plan of weeks has them.
        let faulty = try await home.timelineTold("week 1: {tue: run 5\n wed: run 1:00}") {
            $0.passage.reading.workout.week = 1
        }
        #expect(faulty.code == 65 && !faulty.errors.contains("has none"), "\(faulty)")
        let broken = try await home.plan("week 1: {teu: run 5k}")
        #expect(broken.errors.hasPrefix("plan:1:10: error: 'teu' is not a day; did you mean 'tue'?"))
        #expect(broken.code == 65 && home.folder.contents == ["spring.plan"])
    }

    @Test("the calendar is the same bytes at the same SOURCE_DATE_EPOCH, its dates follow the start, and it reminds")
    func calendar() async throws {
        let home = try home()
        let told = try await home.plan("spring.plan", ["SOURCE_DATE_EPOCH": "0"]) {
            ($0.workout.start, $0.output) = (try CalendarWeek(startText: "2027-01-04"), home.folder("spring.ics"))
        }
        #expect(told.isFine, "\(told)")
        let text = home.folder.text("spring.ics")
        #expect(text.components(separatedBy: "BEGIN:VEVENT").count == 4)
        #expect(text.contains("\r\nDTSTAMP:19700101T000000Z\r\nDTSTART:20270110T080000\r\nDURATION:PT0H50M0S\r\n"))
        let one = try await home.plan("spring.plan") {
            ($0.workout, $0.output) = (WorkoutChoice(week: 1, day: .weekday(.sunday)), home.folder("one.ics"))
            $0.remind = .seconds(3600)
        }
        #expect(one.isFine)
        #expect(home.folder.text("one.ics").components(separatedBy: "BEGIN:VEVENT").count == 2)
        #expect(home.folder.text("one.ics").contains("TRIGGER:-PT1H0M0S"))
    }

    @Test("a plan with intervals until the lap button can be played, and so it passes its check") func lapButton()
        async throws
    {
        let home = try home()
        let plan = try home.write("lap.plan", "week 1: {tue: warm-up until lap, sun: long 10mi @ 9:00/mi}\n")
        #expect(try await home.run(CheckRequest([plan])) { try $0.check() } == 0, "\(home.errors)")
        #expect(home.errors == "" && home.text.contains("2 workouts"), "\(home.text)")
    }

    @Test("a workout is resumed where it was left, by whatever words it is chosen") func resumed() async throws {
        let shared = Home()
        try shared.folder.write("one.plan", "start: 2026-11-23\nweek 1: {tue: 60x(run 0:00.5)}\n")
        /// Plays until a run is heard, and stops; returns the number of the first run.
        func play(_ choice: WorkoutChoice, resumes: Bool, until text: String) async throws -> Int? {
            let home = Home(of: shared)
            async let code = home.playSilently("one.plan") {
                ($0.performance.passage.reading.workout, $0.performance.countIn, $0.resume) = (choice, .off, resumes)
            }
            try await home.wait(for: text) { home.text.contains(text) }
            #expect(try await home.ask(.stop) == "stopped")
            #expect(try await code == 0 && home.errors == "", "\(home.errors)")
            return home.text.split(separator: "run ").dropFirst().first?.split(separator: " ").first.flatMap { Int($0) }
        }
        let date = try DayChoice(text: "2026-11-24")
        let tuesday = WorkoutChoice(week: 1, day: .weekday(.tuesday))
        #expect(try await play(tuesday, resumes: false, until: "run 6 of 60") == 1)
        for choice in [WorkoutChoice(day: date), WorkoutChoice(day: .weekday(.tuesday)), tuesday] {
            #expect(try await play(choice, resumes: true, until: " of 60") ?? 0 >= 5, "\(choice)")
        }
    }
}
