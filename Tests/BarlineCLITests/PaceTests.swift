internal import Testing

/// The calculator on the command line.
@Suite struct PaceTests {
    private func run(_ arguments: [String]) async throws -> Outcome {
        try await Program.run(arguments, in: try Scratch())
    }

    @Test("any two of distance, time and pace give the third") func anyTwoGiveTheThird() async throws {
        let outcome = try await run(["pace", "26.2mi", "10:00/mi"])
        #expect(
            outcome.text == """
                  distance   42.165 km    26.2 mi
                = time       4:22:00
                  pace       6:13 /km     10:00 /mi    9.66 km/h    6 mph

                """)
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
        let json = try await run(["pace", "5k", "in", "25:00", "--json"])
        #expect(
            json.text == """
                {"distance_m": 5000.000000, "time_s": 1500.000000, "speed_m_per_s": 3.333333333, "result": "pace"}

                """)
        let predicted = try await run(["pace", "5k", "in", "25:00", "--json", "--predict"])
        // 25:00 doubled in distance: 1500 s x 2^1.06.
        #expect(
            predicted.text.contains(#""predicted_s": {"5 km": 1500.000, "10 km": 3127.397, "10 mi": "#),
            "\(predicted.text)")
    }

    @Test("the error about a run points at the mistake") func theErrorAboutARunPointsAtTheMistake() async throws {
        let outcome = try await run(["pace", "5k", "in", "25"])
        #expect(
            outcome.errors == """
                barline: error: '25' has no unit, for example 400m, 5k, 26.2mi, 0:30, 25 min, 5:30/km or 6 mph
                5k in 25
                      ^~

                """)
        #expect(outcome.code == 65 && outcome.text == "", "\(outcome.errors)")
        let none = try await run(["pace"])
        #expect(none.errors.hasPrefix("barline: error: give two of distance, time and pace"))
        #expect(none.code == 64, "\(none.errors)")
    }

    @Test("splits add up") func splitsAddUp() async throws {
        let outcome = try await run(["splits", "5k", "in", "20:00", "--step", "-2s", "--change", "5=+1s"])
        #expect(
            outcome.text == """
                  split  distance    time      pace    at  clock
                      1      1 km  4:04.0  4:04 /km  1 km   4:04
                      2      1 km  4:02.0  4:02 /km  2 km   8:06
                      3      1 km  4:00.0  4:00 /km  3 km  12:06
                      4      1 km  3:58.0  3:58 /km  4 km  16:04
                      5      1 km  3:57.0  3:57 /km  5 km  20:01
                finish 20:01, 4:00 /km on average

                """)
        let csv = try await run(["splits", "10k @ 5:00/km", "--every", "5k", "--csv"])
        #expect(
            csv.text == """
                split,distance_m,time_s,pace_s_per_km,total_distance_m,total_time_s
                1,5000.000,1500.000,300.000,5000.000,1500.000
                2,5000.000,1500.000,300.000,10000.000,3000.000

                """)
    }

    @Test("the table of run-walk ratios names its source") func theTableOfRunWalkRatiosNamesItsSource() async throws {
        let outcome = try await run(["galloway", "--pace", "8:00/mi"])
        #expect(
            outcome.text == """
                  pace /mi    to   run  walk  as a plan
                      8:00  8:00  4:00  0:30  run 4:00, walk 0:30
                      8:00  8:00  2:00  0:15  run 2:00, walk 0:15
                Jeff Galloway, The Run Walk Run Method (jeffgalloway.com)

                """)
        let races = try await run(["galloway", "--magic-mile", "8:00", "--temperature", "70F", "--csv"])
        #expect(races.text.contains("\nmarathon,17505.740,667.680,414.877"))
        #expect(races.text.hasPrefix("race,time_s,pace_s_per_mi,pace_s_per_km\n5 km,"))
    }

    @Test(
        "invalid arguments of the running commands are explained",
        arguments: [
            (["galloway", "--pace", "5:00/mi"], "there is no ratio for this pace: give one from 6:45/mi to 20:00/mi"),
            (["plan", "run 1:00", "--fill", "1:00:00", "--target", "50:00"], "with --target, --fill takes a distance"),
            (["plan", "run 1:00", "--replace"], "--replace needs --save"),
            (["galloway", "--temperature", "20C"], "--temperature needs --magic-mile"),
            (["splits", "5k in 20:00", "--every", "0.001m"], "a run has at most 100 000 splits"),
            (["splits", "5k in 20:00", "--change", "9=1s"], "there is no split 9; there are 5"),
            (["every", "0"], "The value '0' is invalid for '<time>': a bar cannot last 0 s"),
            (["plan", "run 1:00", "--fill", "x"], "'x' is neither a distance nor a time"),
            (["plan", "run 1:00", "--csv", "--json"], "only one of --csv, --json and --markdown can be given"),
            (["plan", "run 1:00", "-o", "x.doc"], "'x.doc' has no known extension"),
            (["plan", "edit", "x.plan"], "a plan can be edited only at a terminal"),
        ])
    func invalidArgumentsOfTheRunningCommandsAreExplained(arguments: [String], why: String) async throws {
        let outcome = try await run(arguments)
        #expect(outcome.errors.contains(why), "\(outcome.errors)")
        #expect(outcome.code == 64 && outcome.text == "", "\(outcome.errors)")
    }

    @Test("400 m stay 400 m, tenths stay, and a pace without a unit takes that of its distance")
    func whatIsWrittenStays() async throws {
        let sprint = try await run(["pace", "100m", "in", "9.58 s"])
        #expect(sprint.text.hasPrefix("  distance   100 m        0.062 mi\n  time       0:09.58\n"))
        let splits = try await run(["splits", "400m in 43.03s", "--every", "200m"])
        #expect(splits.text.hasSuffix("finish 0:43.03, 1:48 /km on average\n"))
        let meant = try await run(["pace", "10k @ 10:00"])
        #expect(meant.text.contains("= time       1:40:00\n"))
        #expect(
            meant.errors.hasPrefix("barline: note: 10:00 is taken as a pace, 10:00/km; write in 10:00 for a time\n"))
        let open = try await run(["pace", "400m @ 1:30"])
        #expect(
            open.errors.contains("1:30 may be a time or a pace here; write in 1:30 for the time") && open.code == 65)
        #expect(try await run(["pace", "half marathon in 2:00:00"]).text.contains("21.098 km"))
        #expect(try await run(["pace", "mile in 8:00"]).text.contains("1 mi\n"))
        #expect(try await run(["pace", "marathon @ 4:00:00"]).text.contains("= pace"))
    }

    @Test("in JSON, every measure has its unit in its key")
    func everyMeasureHasItsUnitInItsKey() async throws {
        let commands = [
            ["pace", "5k in 25:00"], ["splits", "5k in 25:00"], ["plan", "2x(run 1k @ 5:00/km, walk 1:00 @ 10:00/km)"],
        ]
        for command in commands {
            let text = try await run(command + ["--json"]).text
            let keys = text.split(separator: "\"").map(String.init).enumerated().filter { $0.offset % 2 == 1 }.map(
                \.element)
            let measures = keys.filter {
                $0.contains("time") || $0.contains("distance_") || $0.contains("pace_") || $0.contains("speed")
            }
            #expect(!measures.isEmpty)
            for key in measures {
                #expect(["_s", "_m", "_s_per_km", "_m_per_s"].contains { key.hasSuffix($0) }, "\(key)")
            }
        }
    }

    @Test("in heat, galloway names the rules for races and for long runs")
    func heatNamesItsRules() async throws {
        let warm = try await run(["galloway", "--magic-mile", "8:00", "--temperature", "24C"])
        #expect(warm.text.contains("  5 km             29:45   9:35  5:57\n"))
        #expect(warm.text.contains("heat: races 12 % slower, by Jeff Galloway's chart"))
        #expect(warm.text.contains("heat: long runs 1:31 per mile slower, 30 s for each 5 °F above 60 °F"))
        let hot = try await run(["galloway", "--magic-mile", "8:00", "--temperature", "90F"])
        #expect(hot.text.contains("ends at 85 °F (29 °C): run for fun") && hot.text.contains("long runs"))
    }

    @Test("the calculator obeys keys, and restores the terminal") func theCalculatorObeysKeysAndRestoresTheTerminal()
        async throws
    {
        let (code, isClean) = try await TerminalSession.run(["pace"], in: try Scratch(), environment: ["NO_COLOR": "1"])
        {
            session in
            try session.wait(for: ">   distance  004[2].195 km   (26.219 mi)")
            try session.wait(for: "  = time      004:00:00")
            session.type("\u{1B}[D\u{1B}[B")
            try session.wait(for: "distance  00[3]2.195 km")
            session.type("10k\r930u")
            try session.wait(for: "pace      930▏ min/mi   (9:30 /mi)")
            session.type("\r")
            try session.wait(for: "= time      000:59:02")
            session.type("q")
            return (try session.end(), session.isAsBefore && session.showsCursor)
        }
        #expect(code == 0 && isClean)
    }
}
