import Foundation
import Running
import Scores
import Shared
import Testing

struct TrainingPlanTests {
    static let spring = """
        title: Spring marathon
        start: 2026-11-23
        time: 07:00
        run: 5:30/km        # for what has no pace of its own
        walk: 10:00/km

        week 1: {tue: 3x(run 400m @ 4:30/km, walk 1:30), sun: long 10mi}
        week 2: {
          tue at 18:30 "Hills":
            warm-up 10:00 @ 6:00/km
            6x(run "Hill" 0:45, walk 1:00)   # sun: this is a comment }
            count-in: 10
          thursday: rest
          sun: long 12mi, for 3:00:00
        }
        week 4: {}

        """

    @Test("a week in one line has a workout on Tuesday and one on Sunday")
    func example() throws {
        let plan = try trainingPlan("week 1: {tue: 3x(run 400m @ 4:30/km, walk 1:30), sun: long 10mi}")
        #expect(plan.slots.map(\.name) == ["Week 1, Tuesday", "Week 1, Sunday"])
        #expect(plan[.init(week: 1, day: .tuesday)]?.plan == (try Plan(runText: "3x(run 400m @ 4:30/km, walk 1:30)")))
        #expect(plan[.init(week: 1, day: .sunday)]?.plan == (try Plan(runText: "run \"Long\" 10mi")))
        #expect(plan.start == nil && plan.date(.init(week: 1, day: .sunday)) == nil)
    }

    @Test("workouts inherit the settings of the plan, and may change them; rest days have no workout")
    func settings() throws {
        let plan = try trainingPlan(Self.spring)
        #expect(plan.title == "Spring marathon" && plan.start?.monday.text == "2026-11-23")
        #expect(plan.weeks.keys.sorted() == [1, 2, 4] && plan.weeks[4] == [:])
        let hills = TrainingPlan.Slot(week: 2, day: .tuesday)
        let workout = try #require(plan[hills]?.plan)
        #expect(workout.title == "Hills" && workout.countIn == .seconds(10))
        #expect(workout.paces[.run] == Pace(.seconds(330), per: .kilometers))
        #expect(workout.parts.count == 2)
        #expect(plan.time(hills)?.text == "18:30" && plan.date(hills)?.text == "2026-12-01")
        let sunday = TrainingPlan.Slot(week: 2, day: .sunday)
        #expect(plan.time(sunday)?.text == "07:00" && plan.date(sunday)?.text == "2026-12-06")
        #expect(plan[sunday]?.plan.length == .time(.seconds(3 * 3600)))
        #expect(plan.slots.map(\.day) == [.tuesday, .sunday, .tuesday, .sunday])
        #expect(plan.plan(hills)?.title == "Hills")
        #expect(plan.plan(sunday)?.title == "Spring marathon, week 2, Sunday")
        #expect(plan.slot(on: try #require(LocalDay(text: "2026-12-06"))) == sunday)
        #expect(plan.slot(on: try #require(LocalDay(text: "2026-12-09"))) == nil)
        #expect(plan.slot(on: try #require(LocalDay(text: "2026-11-22"))) == nil)
    }

    @Test("the totals of a week are the sums of its workouts, and unknown if one of them is")
    func totals() throws {
        let plan = try trainingPlan(Self.spring)
        let first = plan.extent(week: 1)
        // 3 × 400 m at 4:30/km, 3 × 1:30, 10 mi at 5:30/km.
        let expected = 3 * (0.4 * 270 + 90) + 16.09344 * 330
        #expect(agree((first.time ?? .zero).inSeconds, expected))
        let meters: Double = 1200 + 3 * 150 + 16093.44
        #expect(agree((first.distance ?? .zero).meters, meters))
        #expect(plan.extent(week: 4) == Extent(time: .zero, distance: .zero))
        #expect(agree((plan.extent.time ?? .zero).inSeconds, expected + 600 + 6 * 105 + 3 * 3600))
        let unknown = try trainingPlan("week 1: {mon: long 10mi, tue: run 1:00}")
        #expect(unknown.extent(week: 1) == Extent())
        #expect(try trainingPlan("week 1: {mon: run 1:00, forever}").extent == Extent())
    }

    @Test("the text of a training plan reads back the same")
    func text() throws {
        let plan = try trainingPlan(Self.spring)
        #expect(try trainingPlan(plan.text) == plan)
        #expect(
            plan.text == """
                title: Spring marathon
                start: 2026-11-23
                time: 07:00
                run: 5:30/km
                walk: 10:00/km

                week 1: {
                  tue: 3x(run 400m @ 4:30/km, walk 1:30)
                  sun: run "Long" 10mi
                }

                week 2: {
                  tue at 18:30 "Hills":
                    count-in: 10
                    warm-up 10:00 @ 6:00/km
                    6x(run "Hill" 0:45, walk 1:00)
                  sun:
                    run "Long" 12mi
                    for 3:00:00
                }

                week 4: {}

                """)
    }

    @Test("each fault is shown at its place, with what would be right")
    func faults() {
        let cases: [(String, String)] = [
            ("week 1: {teu: run 5k}", "1:10: error: 'teu' is not a day; did you mean 'tue'?"),
            ("week 1: {tue: run 5k, tue: run 1k}", "1:23: error: Tuesday is given a second time in week 1"),
            ("week 1: {tue: run 5k}\nweek 1: {sun: run 1k}", "2:1: error: week 1 is given a second time"),
            (
                "week 1: {tue: run 5k\nweek 2: {sun: run 1k}",
                "1:9: error: the week that opens here is never closed; write a } after it"
            ),
            ("week 1: {tue: run 5k", "1:9: error: the week that opens here is never closed; write a } after it"),
            ("week 1: tue: run 5k", "1:9: error: the days of a week are in braces"),
            ("week 1: {run 5k}", "1:10: error: a week begins with a day"),
            ("week 1: {tue run 5k}", "1:10: error: expected a colon after the day"),
            ("week 0: {tue: run 5k}", "1:1: error: a week has a number from 1 to 520"),
            ("week: {tue: run 5k}", "1:1: error: a week has a number from 1 to 520"),
            (
                "start: 2026-11-24\nweek 1: {tue: run 5k}",
                "1:8: error: 2026-11-24 is a Tuesday, but week 1 starts on a Monday; write 2026-11-23"
            ),
            ("start: 2026-02-30\nweek 1: {tue: run 5k}", "1:8: error: '2026-02-30' is not a date"),
            (
                "start: 9999-12-27\nweek 1: {tue: run 5k}",
                "1:8: error: a plan of weeks starts in the years 1970 to 9000"
            ),
            ("start: soon\nweek 1: {tue: run 5k}", "1:8: error: 'soon' is not a date"),
            ("start: 2026-11-23\nstart: 2026-11-30\nweek 1: {tue: run 5k}", "2:1: error: 'start' is set a second time"),
            ("week 1: {tue at 25:00: run 5k}", "1:17: error: '25:00' is not a time of day"),
            ("time: noon\nweek 1: {tue: run 5k}", "1:7: error: 'noon' is not a time of day"),
            ("week 1: {tue: rum 5k}", "1:15: error: 'rum' is not a kind of interval; did you mean 'run'?"),
            ("week 1: {tue: 3x(run 5k, sun: run 1k}", "1:15: error: the group that opens here is never closed"),
            ("week 1: {tue: }", "1:10: error: the plan has no interval"),
            ("week 1: {tue: {run 5k}}", "1:15: error: a day has no braces of its own"),
            ("run 5k\nweek 1: {tue: run 5k}", "1:1: error: this interval is in no week"),
            ("week 1: {tue: run 5k}\nfor 2:00:00", "2:1: error: a length belongs to a workout"),
            ("week 1: {tue: run 5k}}", "1:22: error: this brace belongs to no week"),
            ("week 1: {tue \"A: run 5k}", "1:14: error: the quote that opens here is never closed"),
            ("pace: 5:00/km\nweek 1: {tue: run 5k}", "1:1: error: a plan has no setting 'pace'"),
            ("week 1: {}", "1:1: error: the weeks have no workout"),
        ]
        for (text, expected) in cases {
            let shown = weekFaults(text)
            #expect(shown.hasPrefix("plan:\(expected)"), "\(text): \(shown)")
            #expect(!shown.dropFirst(5).contains("plan:"), "more than one fault in \(text): \(shown)")
        }
    }

    @Test("only a text with a week is a training plan")
    func likely() {
        for text in ["week 1: {tue: run 5k}", "# mine\n\ntitle: A\nweek 2: {}", "run: 5:00/km, week 1: {", "}week 1"] {
            #expect(TrainingPlan.isLikely(Array(text.utf8)), "\(text)")
        }
        for text in [
            "run 5k", "title: week 1: {tue: run 5k}", "# week 1: {}", "run \"week 1: {\" 5k", "weekly 1", "", "{{",
        ] {
            #expect(!TrainingPlan.isLikely(Array(text.utf8)), "\(text)")
        }
    }

    @Test("a byte order mark and line ends of Windows change nothing")
    func windows() throws {
        let plan = try trainingPlan(Self.spring)
        let text = "\u{FEFF}" + Self.spring.replacingOccurrences(of: "\n", with: "\r\n")
        #expect(try trainingPlan(text) == plan)
    }

    @Test("days and dates agree with the calendar of Foundation for more than a thousand years")
    func dates() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        var numbers = Seeded(state: 31)
        for _ in 0..<2000 {
            let number = Int.random(in: -100_000..<365_000, using: &numbers)
            let date = Date(timeIntervalSince1970: Double(number) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: date)
            let day = LocalDay(number: number)
            #expect(day.parts == (parts.year ?? 0, parts.month ?? 0, parts.day ?? 0))
            #expect(LocalDay(text: day.text) == day)
            // Sunday is 1 there.
            #expect(Weekday(of: day).rawValue == ((parts.weekday ?? 0) + 5) % 7)
            #expect(Weekday(of: CalendarWeek(of: day).monday) == .monday)
        }
        for text in ["2026-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "26-01-01", "2026-01-01x", "", "2026-01-32"]
        {
            #expect(LocalDay(text: text) == nil, "\(text)")
        }
        #expect(LocalDay(text: "2028-02-29") != nil)
    }
}

/// The errors in the text of a training plan, as a terminal shows them.
func weekFaults(_ text: String) -> String {
    let bytes = Array(text.utf8)
    return TrainingPlan.read(bytes).faults.map { $0.diagnostic(in: bytes, file: "plan").rendered() }
        .joined(separator: "\n")
}

/// Reads a training plan, and expects it to be valid.
func trainingPlan(_ text: String, _ location: SourceLocation = #_sourceLocation) throws -> TrainingPlan {
    #expect(weekFaults(text) == "", sourceLocation: location)
    return try #require(TrainingPlan.read(Array(text.utf8)).weeks, sourceLocation: location)
}
