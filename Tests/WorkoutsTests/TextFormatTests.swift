import Running
import Testing
import Formats

struct TextFormatTests {
    @Test("the text of intervals.icu is read with blocks, counts, minutes and meters, cues and paces")
    func intervals() throws {
        let plan = try workout(
            Array(
                """
                Warmup
                - 10m Z2 HR
                - Drills 1m30

                Main Set 6x
                - Hard 2km 4:00-4:10/km Pace
                - Walk 90s 60%

                2x

                - 500mtr 5:00/km Pace
                - 1'30"

                Cooldown
                - 1h5m easy
                """.utf8), .intervals, warns: true)
        #expect(plan.written.map(\.kind) == [.warmUp, .warmUp, .run, .walk, .run, .run, .coolDown])
        #expect(plan.written.map(\.name) == ["Warm-up", "Drills", "Hard", "Walk", "Run", "Run", "Cool-down"])
        let known = 600 + 90 + 6 * (2 * 245 + 90) + 2 * (150 + 90) + 3900
        #expect(try PlanTable(plan).total.time?.runText() == Duration.seconds(known).runText())
    }

    @Test("a step without a duration and a count that is too large are reported at their places")
    func faults() {
        #expect(
            said(Array("- 10m\n- easy jog\n".utf8), .intervals) == """
                x:2:1: error: the step has no duration, for example 30s, 10m, 1m30, 2km or 400mtr
                - easy jog
                ^~~~~~~~~~
                """)
        #expect(said(Array("99999x\n- 10m\n".utf8), .intervals).contains("a block must be repeated 1 to 10 000 times"))
        #expect(said([], .intervals).contains("the workout has no step"))
    }

    @Test("a table with kinds is read as a plan, in Barline's notation or in seconds and meters")
    func csv() throws {
        let own = try workout(
            Array("kind,label,time,distance,pace\nrun,\"a, b\",0:30,,5:00/km\nwalk,,,400m,\nrest,,90s,,\r\n".utf8), .csv
        )
        #expect(own.written.map(\.name) == ["a, b", "Walk", "Rest"])
        let numbers = try workout(
            Array("interval,kind,time_s,distance_m\n1,run,30.5,\n2,walk,,400\n3,rest,60,0.000\n4,run,60,200\n".utf8),
            .csv)
        #expect(numbers.written[0].measure == .time(.milliseconds(30_500)))
        #expect(numbers.written[1].measure == .distance(Distance(meters: 400)))
        #expect(numbers.written[2].measure == .time(.seconds(60)))
        #expect(numbers.written[3].measure == .run(try Run(Distance(meters: 200), in: .seconds(60))))
    }

    @Test(
        "a label with any characters stays one field of its row",
        arguments: ["a\nb", "a\r\nb", "a, \"b\"", " a ", "# a", "\"", ","])
    func labels(label: String) throws {
        let plan = Plan([
            .interval(Interval(.run, .time(.seconds(30)), label: label)),
            .interval(Interval(.walk, .time(.seconds(40)), label: label)),
        ])
        let again = try workout(try Format.csv.write(plan, now: 0).bytes, .csv)
        #expect(again.written.map(\.kind) == [.run, .walk])
        #expect(again.written.map(\.measure) == [.time(.seconds(30)), .time(.seconds(40))])
    }

    @Test("a table with semicolons and decimal commas is read as one with commas and points")
    func semicolons() throws {
        let plan = try workout(
            Array(
                "kind;label;time_s;distance_m;pace\nrun;\"a;b\";90,5;;\nrest;;60;0,0;\nrun;;;5500,5;4:30,5/km\n".utf8),
            .csv)
        let other = try workout(
            Array("kind,label,time_s,distance_m,pace\nrun,a;b,90.5,,\nrest,,60,0.0,\nrun,,,5500.5,4:30.5/km\n".utf8),
            .csv)
        #expect(plan == other && plan.written.count == 3)
    }

    @Test(
        "a pace beside a share gives the threshold, if all rows agree; values that contradict each other are told",
        arguments: [
            ("kind,distance,pace,effort\nrun,1km,5:15.789/km,95%\nrun,1km,6:15/km,80%\n", 11, ""),
            ("kind,distance,pace_s_per_km,effort\nrun,1km,375,80%\n", 6, ""),
            (
                "kind,distance,pace,effort\nrun,1km,5:00/km,95%\nrun,1km,5:00/km,80%\n", nil,
                "paces that do not follow from the shares beside them (2 times)"
            ),
            (
                "kind,distance,pace,effort\nrun,1km,6:00/km,5:00-5:10/km\n", 5,
                "paces that do not follow from the shares beside them"
            ),
            (
                "kind,time,time_s\nrun,10:00,300\nrun,5:00,300.4\nrun,,60\n", 16,
                "values of 'time_s' that contradict those of another column"
            ),
            (
                "kind,distance,distance_m,pace,pace_s_per_km\nrun,1km,2000,5:00/km,200\n", 5,
                "values of 'distance_m' that contradict those of another column, "
                    + "values of 'pace_s_per_km' that contradict those of another column"
            ),
        ] as [(String, Int?, String)])
    func contradictions(text: String, minutes: Int?, left: String) throws {
        let reading = Format.csv.plan(Array(text.utf8), file: "x")
        let plan = try #require(reading.plan)
        let warnings = reading.diagnostics.map(\.message).filter { $0.hasPrefix("left out") }
        #expect(warnings == (left.isEmpty ? [] : ["left out: " + left]))
        #expect(try PlanTable(plan).total.time.map { Int(($0.inSeconds / 60).rounded(.down)) } == minutes)
    }

    @Test("a wrong quote in a table is reported at its place")
    func csvQuotes() {
        #expect(
            said(Array("kind,label,time\nrun,a \"b\",0:30\nwalk,\"x\"y,0:30\nrest,\"open,0:30\n".utf8), .csv) == """
                x:2:7: error: there is a quote inside a field without quotes; put the whole field in quotes and write this \
                one twice
                run,a "b",0:30
                      ^
                x:3:9: error: expected a comma or the end of the row after a closing quote; a quote inside quotes is \
                written twice
                walk,"x"y,0:30
                        ^
                x:4:6: error: the quote that opens here is never closed
                rest,"open,0:30
                     ^
                """)
    }

    @Test("an invalid row of a table is reported at its place")
    func csvFaults() {
        #expect(
            said(Array("kind,time\nrun,0:30\nswim,0:30\nrun\nrun,x\nrun,\n".utf8), .csv) == """
                x:3:1: error: 'swim' is not a kind of interval; write run, walk, rest, warm-up or cool-down
                swim,0:30
                ^~~~~~~~~
                x:4:1: error: this row has 1 fields, but the header has 2
                run
                ^~~
                x:5:1: error: expected a distance, time or pace, not 'x', for example 400m, 5k, 26.2mi, 0:30, 25 min, \
                5:30/km or 6 mph
                run,x
                ^~~~~
                x:6:1: error: the interval has neither a time nor a distance
                run,
                ^~~~
                """)
    }
}
