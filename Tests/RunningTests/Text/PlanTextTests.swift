import Running
import Scores
import Testing

struct PlanTextTests {
    @Test(
        "the unit of a plan is that of its quantities, not of its words",
        arguments: [
            ("title: Mi casa\nrun \"Mi\" 5k @ 5:00/km # 3 mi", DistanceUnit.kilometers), ("run 1:00 @ 6mph", .miles),
            ("400m in 1:30", nil), ("run 1:00\nfor 5mi\nrun: 5:00/km", .miles),
            ("every 1 mile: \"km\"\nrun: 9:00/mi\nrun 10:00", .miles),
        ] as [(String, DistanceUnit?)])
    func unit(text: String, unit: DistanceUnit?) throws { #expect(try plan(text).unit == unit) }

    @Test("comments of a plan are found, and a # in a title or a label is none")
    func comments() {
        for (text, has) in [
            ("run 1:00 # easy", true), ("# easy\nrun 1:00", true), ("title: Run #5\nrun \"#1\" 1:00", false),
            ("run \"#1\" 1:00 # easy", true), ("run 1:00", false),
        ] { #expect(Plan.hasComments(Array(text.utf8)) == has, "\(text)") }
    }

    @Test("the same plan can be written in many ways")
    func ways() throws {
        let expected = try plan("10x(run 0:30, walk 0:30), walk 1:00")
        for text in [
            "10 x (run 0:30, walk 0:30), walk 1:00", "10×(0:30 run, 0:30 walk)\n1:00 walk\n",
            "10*(run for 30s, walk 30 sec,),\r\nwalk 1 min",
            "# mine\n10x(\n  run 30s # quick\n  walk 0:30\n)\n\nwalk 60s",
            "10x(RUN 0:30; walk 0:30); Walk 1:00", "\u{FEFF}10x(0:30, walk 0:30), walk 1:00",
        ] {
            #expect(try plan(text) == expected, "\(text)")
        }
    }

    @Test("a label can be after the kind, with or without a blank or \"for\", or at the end")
    func labels() throws {
        let expected = try plan("walk \"Home\" 2:05")
        for text in ["walk for \"Home\" 2:05", "walk\"Home\"2:05", "walk 2:05 \"Home\"", "2:05 walk \"Home\""] {
            #expect(try plan(text) == expected, "\(text)")
        }
    }

    @Test("a written plan has an empty line between its settings and its parts")
    func header() throws {
        #expect(try plan("run 1:00").text == "run 1:00\n")
        #expect(try plan("title: T\nrun 1:00").text == "title: T\n\nrun 1:00\n")
    }

    @Test("a plan written as text reads back as the same plan")
    func written() throws {
        var numbers = Seeded(state: 9)
        for _ in 0..<500 {
            var plan = randomPlan(&numbers)
            plan.title = Bool.random(using: &numbers) ? "" : "Tuesday, #4: hills"
            plan.countIn = .milliseconds(Int.random(in: 0...9_000, using: &numbers))
            plan.cadence = Bool.random(using: &numbers) ? nil : 172
            if Bool.random(using: &numbers) { plan.length = .forever }
            let reading = Plan.read(Array(plan.text.utf8))
            #expect(reading.faults == [], "\(plan.text)")
            let again = try #require(reading.plan)
            #expect(again.text == plan.text)
            #expect(again.title == plan.title)
            #expect(again.countIn == plan.countIn)
            #expect(again.cadence == plan.cadence)
            #expect(again.written.map(\.kind) == plan.written.map(\.kind))
            #expect(again.written.map(\.label) == plan.written.map(\.label))
            let (a, b) = (try PlanTable(again).total, try PlanTable(plan).total)
            #expect(agree(try #require(a.time).inSeconds, try #require(b.time).inSeconds))
            #expect(agree(try #require(a.distance).meters, try #require(b.distance).meters))
        }
    }

    @Test("a plan is written with the units in which it was read")
    func units() throws {
        let parts = ["6x(run 1000m, walk 0.4km)", "run 0.5mi @ 12km/h", "run 1km @ 6mph", "run 1:00 @ 3.5m/s"]
        let ends = ["for 20000m", "", "every 1000m: \"Drink\""]
        let text = "walk: 6km/h\n\n" + (parts + ends).joined(separator: "\n") + "\n"
        #expect(try plan(text).text == text)
        #expect(try plan("run 1000m").parts == plan("run 1km").parts)
    }

    @Test("title, the pace of each kind, count-in, cadence and length can be set")
    func settings() throws {
        let plan = try plan(
            """
            title: Long run
            run: 10:00/mi
            walk: 4 mph
            count-in: 5
            cadence: 170
            warm-up 5:00, 6x400m @ 4:00/km, jog 5:00 @ 9 km/h, run "The hill" 1k
            forever
            """)
        #expect(plan.title == "Long run")
        #expect(plan.paces[.run]?.text(in: .perMile) == "10:00 /mi")
        #expect(plan.paces[.walk]?.text(in: .milesPerHour) == "4 mph")
        #expect(plan.countIn == .seconds(5))
        #expect(plan.cadence == 170)
        #expect(plan.length == .forever)
        #expect(plan.written.map(\.name) == ["Warm-up", "Run", "Jog", "The hill"])
        #expect(plan.parts.count == 4)
    }

    @Test("all mistakes are reported at once, each at its place")
    func faultsAtOnce() {
        let text = faults("10x(run 30, wlak 0:30), walk 1:00 run 0:30\nrunn: 5:00/km\nrun 1:00/km")
        #expect(
            text == """
                plan:1:9: error: '30' has no unit, for example 400m, 5k, 26.2mi, 0:30, 25 min, 5:30/km or 6 mph
                10x(run 30, wlak 0:30), walk 1:00 run 0:30
                        ^~
                plan:1:13: error: 'wlak' is not a kind of interval; did you mean 'walk'?
                10x(run 30, wlak 0:30), walk 1:00 run 0:30
                            ^~~~
                plan:1:35: error: expected a comma or a new line, for example run 0:30, walk 0:30
                10x(run 30, wlak 0:30), walk 1:00 run 0:30
                                                  ^~~
                plan:2:1: error: a plan has no setting 'runn'; did you mean 'run'?
                runn: 5:00/km
                ^~~~
                plan:3:5: error: an interval needs a time or a distance, not only a pace, for example 400m @ 5:00/km
                run 1:00/km
                    ^~~~~~~
                """)
    }

    @Test(
        "a mistake in a group or a setting is reported at its place",
        arguments: [
            ("", "plan:1:1: error: the plan has no interval"), ("10x(", "plan:1:1: error: the group that opens here"),
            ("10x()", "plan:1:1: error: the group is empty"),
            ("run 0:30)", "plan:1:9: error: this parenthesis closes no group"),
            ("0x(run 0:30)", "plan:1:1: error: a group must be repeated 1 to 10 000 times"),
            ("99999999999999999999x(run 0:30)", "plan:1:1: error: a group must be repeated"),
            ("run 0:30, for 5:00/km", "plan:1:15: error: the length of a plan must be a time"),
            ("walk 400m, for 1h", "plan:1:1: error: the time of this interval is unknown"),
            ("run: 0:30\nrun 1:00", "plan:1:6: error: 'run:' sets a pace, but this is a time"),
            ("title:\nrun 1:00", "plan:1:7: error: a title cannot be empty"),
            ("cadence: 20\nrun 1:00", "plan:1:10: error: a cadence must be 60 to 300"),
            ("run: 5:00/km\nrun: 5:00/km\nrun 1:00", "plan:2:1: error: 'run' is set a second time"),
            ("run \"Hill 1:00", "plan:1:5: error: the quote that opens here is never closed"),
            ("run 1:00, forever, for 1h", "plan:1:20: error: the length of the plan is given twice"),
        ])
    func single(text: String, expected: String) {
        #expect(faults(text).hasPrefix(expected), "\(faults(text))")
    }

    @Test(
        "the limits of a range are accepted, values beyond them are not",
        arguments: [
            ("cadence: 60\n", true), ("cadence: 59\n", false), ("cadence: 300\n", true), ("cadence: 301\n", false),
            ("1x(run 1:00)\n", true), ("0x(run 1:00)\n", false), ("10000x(run 0:01)\n", true),
            ("10001x(run 0:01)\n", false), ("title: " + String(repeating: "x", count: 200) + "\n", true),
            ("title: " + String(repeating: "x", count: 201) + "\n", false), ("title: a\u{7}b\n", false),
            ("10x(10000x(run 0:01))\n", false), ("9x(10000x(run 0:01))\n", true),
        ])
    func ends(text: String, isTaken: Bool) {
        #expect(faults(text + "run 0:30").isEmpty == isTaken)
    }

    @Test("every superfluous character is reported once, at its place")
    func signs() {
        let faults = Plan.read(Array("run 0:30)), (run 5q))".utf8)).faults
        #expect(faults.map(\.range) == [8..<9, 9..<10, 18..<19, 20..<21])
    }

    @Test("at most twenty mistakes are reported")
    func manyFaults() {
        let text = Array(repeating: "runn 1:00", count: 30).joined(separator: "\n")
        #expect(Plan.read(Array(text.utf8)).faults.count == 20)
        #expect(Plan.read(Array(text.prefix(19 * 10 - 1).utf8)).faults.count == 19)
    }

    @Test("a plan can repeat for a time, for a distance or forever, also written \"for ever\"")
    func lengths() throws {
        #expect(try plan("run 1:00, for ever").length == .forever)
        #expect(try plan("run 1:00, forever").length == .forever)
        #expect(try plan("run 1:00, for 1h").length == .time(.seconds(3600)))
        #expect(try plan("run 1k @ 5:00/km, for 10k").length == .distance(Distance(10, .kilometers)))
        #expect(try plan("run 1:00").length == .once)
    }

    @Test("groups can be nested sixteen deep, and no deeper")
    func nesting() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "1x(", count: depth) + "run 0:01" + String(repeating: ")", count: depth)
        }
        _ = try plan(nested(16))
        #expect(faults(nested(17)).contains("groups can be nested at most 16 deep"))
        #expect(faults(String(repeating: "2x(", count: 1_000_000)).contains("at most 16 deep"))
    }
}
