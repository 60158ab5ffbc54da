import Application
import Running
import Scores
import Shared
import Testing
import UserSettings

/// Interval plans as text and in files: what is printed of them.
@Suite struct PlanTests {
    @Test("a plan is shown as a table") func table() async throws {
        let told = try await Home().plan("2x(run 1:00 @ 5:00/km, walk 0:30 @ 10:00/km), run 400m in 1:30")
        #expect(
            told.text == """
                  #  set        time  distance       pace  total
                  1    1  run   1:00    0.2 km   5:00 /km   1:00   0.2 km
                  2    1  walk  0:30   0.05 km  10:00 /km   1:30  0.25 km
                  3    2  run   1:00    0.2 km   5:00 /km   2:30  0.45 km
                  4    2  walk  0:30   0.05 km  10:00 /km   3:00   0.5 km
                  5    3  run   1:30     400 m   3:45 /km   4:30   0.9 km
                5 intervals, 4:30, 0.9 km, 5:00 /km, 12 km/h

                """)
    }

    @Test("the table marks intervals until the lap button, and its totals are those of the others")
    func openEndsAreShown() async throws {
        let home = Home()
        let text = "run 5:00 @ 5:00/km, rest until lap, run 400m @ 4:00/km, cool-down until lap about 2:00"
        #expect(
            try await home.plan(text).text == """
                  #  set                              time  distance      pace  total
                  1    1  run                         5:00      1 km  5:00 /km   5:00    1 km
                  2    1  rest                   until lap      0 km         –      –    1 km
                  3    1  run                         1:36     400 m  4:00 /km      –  1.4 km
                  4    1  cool-down  until lap, about 2:00         –         –      –       –
                4 intervals, at least 8:36, 2 until lap

                """)
        #expect(try await home.plan("walk until lap").text.hasSuffix("\n1 interval, 1 until lap\n"))
        let all = try await home.plan(text) { $0.gaps.about = .seconds(60) }
        #expect(all.text.hasSuffix("\n4 intervals, about 9:36, 2 until lap\n"))
        let csv = try await home.plan(text) { $0.style = .csv }
        #expect(csv.text.contains("\n2,1,rest,,,0.000,,,1000.000,lap\n"))
        try home.folder.write("again.csv", csv.text)
        let again = try await home.plan("again.csv")
        #expect(again.isFine && again.text.hasSuffix("\n4 intervals, at least 8:36, 2 until lap\n"))
        // `check` tells what `plan` tells.
        for (plan, told) in [
            ("run 1km @ 5:00/km, rest until lap about 2:00", "2 intervals, about 7:00, 1 km, 1 until lap"),
            ("3x(run 1km @ 5:00/km, rest 1:00)", "6 intervals, 18:00, 3 km, 6:00 /km, 10 km/h"),
        ] {
            var check = CheckRequest([plan])
            check.reading.gaps.canWait = true
            let checked = try await home.told { [check] in try check.check() }
            #expect(checked.text == "plan: \(told)\n")
            #expect(try await home.plan(plan).text.hasSuffix("\n\(told)\n"))
        }
        #expect(try await home.plan(text) { $0.style = .json }.text.contains("\"until\": \"lap\""))
    }

    @Test("in a file, an interval until the lap button needs a time from the plan or the request")
    func openEndsInFiles() async throws {
        let home = Home()
        let text = "run 0:05, rest until lap, run 0:05"
        #expect(try await home.render(text) == 65)
        #expect(
            home.errors == """
                plan:1:11: error: this interval lasts until the lap button, so its time is unknown; say how long it takes \
                about, as in rest until lap about 2:00, or for all with --open 2:00
                run 0:05, rest until lap, run 0:05
                          ^~~~~~~~~~~~~~

                """)
        for (text, about) in [(text, Duration.seconds(20)), ("run 0:05, rest until lap about 0:20, run 0:05", nil)] {
            let rows = try await home.timeline(text) { ($0.style, $0.passage.reading.gaps.about) = (.csv, about) }
            #expect(rows.contains(",Rest,5.000000000,20.000000000,"), "\(rows)")
            let code = try await home.render(text) {
                ($0.performance.countIn, $0.performance.passage.reading.gaps.about) = (.off, about)
            }
            #expect(code == 0 && home.errors == "", "\(home.errors)")
        }
        let zwift = try await home.plan(text) { ($0.gaps.about, $0.output) = (.seconds(20), home.folder("x.zwo")) }
        #expect(zwift.errors.contains("ends after the time that it takes about (in 'rest until lap about 0:20')"))
    }

    @Test("a threshold and a time for the lap button that are given count before a plan is checked")
    func gapsAreFilledFirst() async throws {
        let home = Home()
        let threshold = try Pace(runText: "5:00/km")
        for plan in [
            "run 30:00 @ 80%, at 1k: \"x\"", "run 1:00 @ 80%, for 5km", "run 1km @ 80%, for 10:00",
            "run 1:00, rest until lap, for 10:00", "run until lap @ 5:00/km, at 1km: \"x\"",
        ] {
            let told = try await home.timelineTold(plan) {
                $0.passage.reading.gaps = .init(about: .seconds(360), threshold: threshold)
            }
            #expect(told.isFine, "\(plan): \(told.errors)")
            let without = try await home.timelineTold(plan)
            #expect(without.code == 65 && without.errors.contains(plan.contains("lap") ? "--open" : "--threshold"))
        }
        let set = try await home.told(["BARLINE_THRESHOLD": "5:00/km"]) {
            try CheckRequest(["run 30:00 @ 80%, at 1k: \"x\"", "run 1:00, at 2:00: \"x\""]).check()
        }
        #expect(set.code == 0 && set.errors.hasPrefix("plan:1:11: warning: this text is not spoken"), "\(set)")
        // Texts of other workouts do not matter, nor do their thresholds.
        try home.folder.write(
            "wk.plan",
            "every 1km: \"y\"\nweek 1: {tue: run 10:00 @ 5:00/km, at 1km: \"x\"\n wed: run 10:00 @ Z2, at 1km: \"z\"}\n"
        )
        let tuesday = try await home.timelineTold("wk.plan") {
            $0.passage.reading.workout = WorkoutChoice(week: 1, day: .weekday(.tuesday))
        }
        #expect(tuesday.isFine, "\(tuesday.errors)")
        let wholePlan = home.folder("wk.plan")
        let all = try await home.told { try CheckRequest([wholePlan]).check() }
        #expect(
            all.code == 65 && all.errors.contains("wk.plan:3:23: error: the place of this text is unknown"), "\(all)")
    }

    @Test("an invalid threshold in the settings is an error where a plan needs it")
    func invalidThreshold() async throws {
        let home = Home()
        let invalid = ["BARLINE_THRESHOLD": "abc"]
        let told = try await home.plan("run 2km @ 80%", invalid)
        #expect(told.code == 64 && told.errors.contains("BARLINE_THRESHOLD"), "\(told)")
        #expect(try await home.plan("run 2km @ 5:00/km", invalid).isFine)
        let played = try await home.told(invalid) { try TimelineRequest("run 2km @ 80%").print() }
        #expect(played.code == 64 && played.errors.contains("BARLINE_THRESHOLD"), "\(played)")
        let weeks = try await home.plan("week 1: {tue: run 2km @ 80%}", invalid)
        #expect(weeks.code == 64, "\(weeks)")
    }

    @Test("units are those of the plan or run, not of other words of the request")
    func units() async throws {
        let home = Home()
        try home.folder.write("mi.plan", "run 5k in 25:00\n")
        #expect(try await home.plan("mi.plan").text.hasSuffix("1 interval, 25:00, 5 km, 5:00 /km, 12 km/h\n"))
        let miles = try await home.plan("mi.plan") { $0.unit = .miles }
        #expect(miles.text.hasSuffix("1 interval, 25:00, 3.107 mi, 8:03 /mi, 7.46 mph\n"))
        let marathon = "marathon in 3:45:00"
        let every = try await home.splits(marathon) { $0.every = Distance(5, .kilometers) }
        #expect(every.text.hasSuffix("5:20 /km on average\n"))
        let inMiles = try await home.splits(marathon) { $0.unit = .miles }
        #expect(inMiles.text.hasSuffix("8:35 /mi on average\n"))
        let svg = try await home.splits(marathon) { $0.output = home.folder("mi.svg") }
        #expect(svg.isFine && !home.folder.text("mi.svg").contains("mi</text>"))
        #expect(home.folder.text("mi.svg").hasPrefix("<svg"))
        let mi = ["BARLINE_UNIT": "mi"]
        let set = try await home.splits(marathon, mi)
        #expect(set.text.hasSuffix("8:35 /mi on average\n"))
        // Nobody wrote the paces of a FIT file.
        let fit = try await home.plan("run 30:00 @ 8:00/mi") { $0.output = home.folder("u.fit") }
        #expect(fit.code == 0, "\(fit)")
        #expect(try await home.plan("u.fit", mi).text.hasSuffix("1 interval, 30:00, 3.75 mi, 8:00 /mi, 7.5 mph\n"))
        // Meters are no mention of kilometers, however many there are.
        let meters = try await home.plan("2x(run 1000m in 4:00)", mi)
        #expect(meters.text.hasSuffix("2 intervals, 8:00, 1.243 mi, 6:26 /mi, 9.32 mph\n"))
        let own = try await home.plan("2x(run 1km in 4:00)", mi)
        #expect(own.text.hasSuffix("2 intervals, 8:00, 2 km, 4:00 /km, 15 km/h\n"))
    }

    @Test("a rest after 8x400m comes once, and the plan says so")
    func restAfterGroup() async throws {
        let home = Home()
        let told = try await home.plan("8x400m in 90s, rest 60s")
        #expect(
            told.errors.hasPrefix(
                "plan:1:16: warning: this rest comes once, after all 8; for one after each, write 8x(run 400m in 1:30, rest 1:00)\n"
            ))
        #expect(told.text.contains("9 intervals") && told.code == 0)
        for clear in ["8x(400m in 90s, rest 60s)", "8x400m in 90s\nrest 60s", "8x400m in 90s, cool-down 5:00"] {
            #expect(try await home.plan(clear).errors == "", "\(clear)")
        }
    }

    @Test("the boundaries of a two-hour plan are exact") func boundaries() async throws {
        let rows = try await Home().timeline(PlanFileTests.twoHours) { $0.style = .csv }.split(separator: "\n")
            .dropFirst()
        #expect(rows.count == 216)
        for (index, row) in rows.enumerated() {
            let (set, place) = index.quotientAndRemainder(dividingBy: 9)
            let fields = row.split(separator: ",", omittingEmptySubsequences: false)
            #expect(fields[4] == (place < 8 && place % 2 == 0 ? "Run" : "Walk"))
            #expect(fields[5] == "\(300 * set + 30 * place).000000000")
            #expect(fields[6] == (place == 8 ? "60.000000000" : "30.000000000"))
        }
    }

    @Test("every command reports a faulty or missing plan, and writes nothing") func faulty() async throws {
        let home = Home()
        let missing = try await home.told { try PlanRequest("missing.plan").show() }
        #expect(missing.errors.contains("there is no file and no score named 'missing.plan'") && missing.code == 66)
        #expect(try await home.render("run 5k") == 65)
        #expect(home.errors.contains("plan:1:1: error: the time of this interval is unknown"))
        let plays = [
            (
                "10x(run 0:30, wlak 0:30)", Int32(65),
                "plan:1:15: error: 'wlak' is not a kind of interval; did you mean 'walk'?"
            ), ("missing.fit", 66, "there is no file and no score named 'missing.fit'"),
        ]
        for (plan, code, why) in plays {
            let told = try await home.told { try await PlayRequest(plan).play() }
            #expect(told.errors.contains(why) && told.code == code, "\(told)")
        }
        #expect(home.files == [])
    }
}

extension LiveTests {
    /// Plans that are played.
    @Suite struct PlanTests {
        private func play(_ plan: String, _ change: (inout PlayRequest) -> Void = { _ in }) async throws -> Told {
            let home = Home()
            let card = try home.card()
            return try await home.play(plan) {
                $0.device = DeviceRequest(card)
                ($0.performance.countIn, $0.performance.cues.noCues) = (.off, true)
                change(&$0)
            }
        }

        @Test("a plan is played like any score, with a line for each interval") func played() async throws {
            /// The lines of intervals; between them, a line may tell that the machine was busy.
            func lines(_ plan: String, _ header: String) async throws -> [Substring] {
                let told = try await play(plan)
                let lines = told.text.split(separator: "\n")
                #expect(told.code == 0 && lines.first == header[...] && lines.last == "end", "\(told)")
                return lines.filter { $0.contains(" of 2, ") }
            }
            let paced = try await lines("2x(run 0:00.2 @ 5:00/km, rest 0:00.2)", "4 intervals, 0:00.8")
            #expect(
                paced == [
                    "     0:00  run 1 of 2, 0:00.2, 0 m, pace 5:00/km", "   0:00.2  rest 1 of 2, 0:00.2, 1 m",
                    "   0:00.4  run 2 of 2, 0:00.2, 1 m, pace 5:00/km", "   0:00.6  rest 2 of 2, 0:00.2, 1 m",
                ])
            let bare = try await lines("2x(run 0:00.3, walk 0:00.2)", "4 intervals, 0:01")
            #expect(bare.count == 4 && bare[1] == "   0:00.3  walk 1 of 2, 0:00.2", "\(bare)")
        }

        @Test("the status uses the words of running, not of music") func status() async throws {
            let home = Home()
            let plan = "title: Tuesday\nwalk: 10:00/km\n2x(run 50:00 @ 5:00/km, walk 10:00)\n"
            var request = PlayRequest(try home.write("tuesday.plan", plan))
            request.device = DeviceRequest(try home.card())
            request.performance.countIn = .off
            let wanted = request
            async let code = home.run { try await wanted.play() }
            try await home.wait(for: "an interval") { home.text.contains("run 1 of 2, ") }
            let status = try await home.ask(.status)
            #expect(
                status.hasPrefix("Tuesday, run 1 of 2, ") && status.contains(" left, then walk 10:00, "), "\(status)")
            #expect(status.contains(" m, pace 5:00/km, 0:") && status.contains(" of 2:00:00"), "\(status)")
            let json = try await home.ask(.statusJSON)
            #expect(json.contains("\"pace_s_per_km\": 300.000") && json.contains("\"next_s\": 600.000"), "\(json)")
            #expect(try await home.ask(.stop) == "stopped")
            #expect(try await code == 0, "\(home.errors)")
        }

        @Test("without waiting, an interval until the lap button needs a time") func open() async throws {
            #expect(try await play("run 0:05, rest until lap, run 0:05") { $0[Setting.wait] = false }.code == 65)
        }
    }
}
