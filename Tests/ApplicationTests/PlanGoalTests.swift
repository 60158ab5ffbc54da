import Application
import Running
import Shared
import Testing

/// Plans that are fitted to a distance or a time.
@Suite struct PlanGoalTests {
    private static let fiveMiles = Plan.Length.distance(Distance(5, .miles))
    private static let walk = Pace(.seconds(960), per: .miles)

    @Test("a plan can fill a distance, and its pace can be solved for a target time")
    func fillAndTarget() async throws {
        let home = Home()
        let tenMiles = Plan.Length.distance(Distance(10, .miles))
        let fill = try await home.plan("run: 10:00/mi\nwalk: 15:00/mi\n4x(run 1:00, walk 0:30)") { $0.fill = tenMiles }
        #expect(fill.text.hasSuffix("\n10 mi: 18 times (1:48:00, 9.6 mi, 11:15 /mi, 5.33 mph), 0.4 mi left\n"))
        let solved = try await home.plan("6x(run 400m, rest 1:30)") { $0.target = .seconds(1500) }
        #expect(
            solved.text.hasSuffix(
                "12 intervals, 25:00, 2.4 km, 10:25 /km, 5.76 km/h\nto finish in 25:00, run at 6:40 /km\n"))
        let both = try await home.plan("run 1:00, walk 0:30") {
            ($0.paces[.walk], $0.fill, $0.target) = (Self.walk, tenMiles, .seconds(8210))
        }
        #expect(both.text.contains(" intervals, 2:16:50, 10 mi, "))
        #expect(both.text.contains("to finish 10 mi in 2:16:50, run at 12:"))
    }

    @Test("a time that was given has its tenths wherever a plan tells it, and a time that follows from paces has none")
    func tenths() async throws {
        let home = Home()
        let given = try await home.plan("warm-up 10:00.6, 10k in 49:59.6, cool-down 5:00")
        #expect(given.text.contains("  10:00.6\n") || given.text.contains("  10:00.6  "), "\(given.text)")
        #expect(given.text.contains("1:00:00.2") && given.text.hasSuffix("3 intervals, 1:05:00.2\n"), "\(given.text)")
        let splits = try await home.plan("10k in 49:59.6") { $0.every = Distance(5, .kilometers) }
        #expect(splits.text.contains(" 10 km  49:59.6\n1 interval, 49:59.6, 10 km, "), "\(splits.text)")
        let goal = try await home.plan("10k") { $0.target = .milliseconds(2_999_600) }
        #expect(goal.text.contains("\n1 interval, 49:59.6, 10 km, "), "\(goal.text)")
        #expect(goal.text.hasSuffix("to finish in 49:59.6, run at 5:00 /km\n"), "\(goal.text)")
        let computed = try await home.plan("10k @ 4:59.96/km")
        #expect(computed.text.contains("  50:00  10 km\n1 interval, 50:00, 10 km, "), "\(computed.text)")
    }

    @Test("a plan that is stored has the paces of a goal per the unit that is shown")
    func goalsInMiles() async throws {
        let home = Home()
        let saved = try await home.plan("6x(run 1000m, rest 1:00)", ["BARLINE_UNIT": "mi"]) {
            ($0.target, $0.save) = (.seconds(1860), "gg")
        }
        #expect(saved.text.contains("run at 6:42.3 /mi"), "\(saved)")
        #expect(home.folder.text("data/barline/scores/gg.plan").hasPrefix("run: 6:42.336/mi\n"))
        // In meters alone, it would follow the setting.
        #expect(try await home.plan("gg").text.hasSuffix("12 intervals, 31:00, 3.728 mi, 8:19 /mi, 7.22 mph\n"))
    }

    @Test("one request finds the pace for a goal and stores a plan with exactly these totals")
    func aGoalIsOneRequest() async throws {
        let home = Home()
        let saved = try await home.plan("run 10:00, walk 2:00") {
            ($0.paces[.walk], $0.fill, $0.target) = (Self.walk, Self.fiveMiles, .seconds(3000))
            $0.save = "goal"
        }
        #expect(
            saved.text == """
                9 intervals, 50:00, 5 mi, 10:00 /mi, 6 mph
                to finish 5 mi in 50:00, run at 9:20 /mi
                data/barline/scores/goal.plan

                """)
        #expect(saved.isFine)
        let text = home.folder.text("data/barline/scores/goal.plan")
        #expect(text == "run: 9:20/mi\nwalk: 16:00/mi\n\nrun 10:00\nwalk 2:00\nfor 5mi\n")
        let rows = try await home.timeline("goal") { $0.style = .csv }.split(separator: "\n")
        #expect(rows.last?.contains(",2880.000000000,120.000000000") ?? false, "\(rows.last ?? "")")
        let csv = try await home.plan("goal") { $0.style = .csv }.text.split(separator: "\n")
        #expect(csv.last?.hasSuffix(",3000.000,8046.720") ?? false)
    }

    @Test("a length in the plan is a goal too, and a length that is filled is stored")
    func lengths() async throws {
        let home = Home()
        let length = try await home.plan("run 10:00, walk 2:00, for 5mi") {
            ($0.paces[.walk], $0.target) = (Self.walk, .seconds(3000))
        }
        #expect(length.text.hasSuffix("to finish 5 mi in 50:00, run at 9:20 /mi\n"))
        let paced = try await home.plan("run 10:00, walk 2:00, for 5mi") {
            $0.paces = [.walk: Self.walk, .run: Pace(.seconds(540), per: .miles)]
        }
        #expect(paced.text.hasSuffix("9 intervals, 48:30, 5 mi, 9:42 /mi, 6.19 mph\n"))
        let filled = try await home.plan("run 1:00") {
            ($0.fill, $0.output) = (.time(.seconds(600)), home.folder("x.plan"))
        }
        #expect(filled.text.hasSuffix("10:00: 10 times (10:00), 0:00 left\n"))
        #expect(home.folder.text("x.plan") == "run 1:00\nfor 10:00\n")
    }

    @Test("if every run has its own pace, all of these change by the same factor; a target alone keeps the rounds")
    func ownPaces() async throws {
        let home = Home()
        let own = try await home.plan("6x(run 400m @ 4:00/km, rest 1:30)") {
            ($0.fill, $0.target) = (.distance(Distance(10, .kilometers)), .seconds(3600))
        }
        #expect(own.text.hasSuffix("to finish 10 km in 1:00:00, run each part at 166.7 % of the speed you wrote\n"))
        let target = try await home.plan("6x(run 400m @ 5:00/km, walk 1:30)") {
            ($0.target, $0.output) = (.seconds(1500), home.folder("tg.plan"))
        }
        #expect(target.text.hasSuffix("to finish in 25:00, run each part at 75 % of the speed you wrote\n"))
        #expect(home.folder.text("tg.plan") == "6x(run 400m @ 6:40/km, walk 1:30)\n")
        // Shares and ranges change as paces do.
        for plan in ["threshold: 5:00/km, 4x(run 1km @ 80%, rest 1:00)", "4x(run 1km @ 6:00-6:30/km, rest 1:00)"] {
            let changed = try await home.plan(plan) { $0.target = .seconds(54 * 60) }
            #expect(
                changed.text.hasSuffix("to finish in 54:00, run each part at 50 % of the speed you wrote\n"), "\(plan)")
        }
    }

    @Test("a warm-up comes once, and the results are columns for programs") func warmUp() async throws {
        let home = Home()
        func warm(_ change: (inout PlanRequest) -> Void) async throws -> String {
            try await home.plan("warm-up 10:00, run 2:00, walk 6:00") {
                $0.fill = .time(.seconds(54 * 60))
                change(&$0)
            }.text
        }
        let rounds = try await warm { $0.output = home.folder("warm.plan") }
        #expect(rounds.hasSuffix("54:00: 5 times (50:00), and a last round that is cut after 4:00\n"))
        let table = try await warm { $0.style = .csv }.split(separator: "\n")
        #expect(table.first?.hasSuffix(",fill_rounds,fill_time_s,fill_distance_m,left_time_s,left_distance_m") == true)
        #expect(table.last?.hasSuffix(",5,3000.000,,240.000,") == true)
    }

    @Test("a goal that cannot be is an error, and nothing is stored") func impossible() async throws {
        let home = Home()
        let cases: [(plan: String, why: [String], change: (inout PlanRequest) -> Void)] = [
            (
                "run 1:00, walk 0:30", ["no run is over a distance", "--fill 1:00 repeats it"],
                { $0.target = .seconds(60) }
            ),
            (
                "run 1:00, walk 9:00", ["everything else alone goes"],
                {
                    ($0.paces[.walk], $0.fill) = (Self.walk, .distance(Distance(2, .miles)))
                    ($0.target, $0.save) = (.seconds(3600), "no")
                }
            ),
            (
                "run 1:00, walk 1:00, for 5mi", ["plan:1:11: error: the distance of this interval is unknown"],
                { $0.paces[.run] = Pace(.seconds(540), per: .miles) }
            ),
            (
                "run 1:00, for 5:00", ["the plan is for 5:00, so it cannot have a target of 6:00"],
                { $0.target = .seconds(360) }
            ),
        ]
        for (plan, why, change) in cases {
            let told = try await home.plan(plan, [:], change)
            #expect(told.code == 65 && told.text == "" && why.allSatisfy(told.errors.contains), "\(told)")
        }
        #expect(home.folder.contents == [])
    }
}
