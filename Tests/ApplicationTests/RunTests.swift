import Application
import Running
import Shared
import Testing

/// What is computed of a run: distance, time and pace, splits, and run-walk-run.
@Suite struct RunTests {
    private static let mile = Duration.seconds(480)

    @Test("any two of distance, time and pace give the third") func anyTwoGiveTheThird() async throws {
        let home = Home()
        let told = try await home.pace("26.2mi 10:00/mi")
        #expect(
            told.text == """
                  distance   42.165 km    26.2 mi
                = time       4:22:00
                  pace       6:13 /km     10:00 /mi    9.66 km/h    6 mph

                """)
        #expect(told.isFine, "\(told.errors)")
        let json = try await home.pace("5k in 25:00") { $0.json = true }
        #expect(
            json.text == """
                {"distance_m": 5000.000000, "time_s": 1500.000000, "speed_m_per_s": 3.333333333, "result": "pace"}

                """)
        let predicted = try await home.pace("5k in 25:00") { ($0.json, $0.predicts) = (true, true) }
        // 25:00 doubled in distance: 1500 s x 2^1.06.
        #expect(
            predicted.text.contains(#""predicted_s": {"5 km": 1500.000, "10 km": 3127.397, "10 mi": "#),
            "\(predicted.text)")
    }

    @Test("the error about a run points at the mistake") func mistake() async throws {
        let home = Home()
        let told = try await home.pace("5k in 25")
        #expect(
            told.errors == """
                barline: error: '25' has no unit, for example 400m, 5k, 26.2mi, 0:30, 25 min, 5:30/km or 6 mph
                5k in 25
                      ^~

                """)
        #expect(told.code == 65 && told.text == "", "\(told.errors)")
        // At no terminal, there is no calculator.
        let none = try await home.pace(nil) { $0.json = true }
        #expect(none.errors.hasPrefix("barline: error: give two of distance, time and pace"))
        #expect(none.code == 64, "\(none.errors)")
        let question = try await home.pace("10k 5:30")
        #expect(question.code == 0 && question.errors.contains("did you mean 10k @ 5:30/km?"))
    }

    @Test("splits add up") func splitsAddUp() async throws {
        let home = Home()
        let told = try await home.splits("5k in 20:00") {
            ($0.step, $0.changes) = (.seconds(-2), [(5, .seconds(1), true)])
        }
        #expect(
            told.text == """
                  split  distance    time      pace    at  clock
                      1      1 km  4:04.0  4:04 /km  1 km   4:04
                      2      1 km  4:02.0  4:02 /km  2 km   8:06
                      3      1 km  4:00.0  4:00 /km  3 km  12:06
                      4      1 km  3:58.0  3:58 /km  4 km  16:04
                      5      1 km  3:57.0  3:57 /km  5 km  20:01
                finish 20:01, 4:00 /km on average

                """)
        let csv = try await home.splits("10k @ 5:00/km") { ($0.every, $0.style) = (Distance(5, .kilometers), .csv) }
        #expect(
            csv.text == """
                split,distance_m,time_s,pace_s_per_km,total_distance_m,total_time_s
                1,5000.000,1500.000,300.000,5000.000,1500.000
                2,5000.000,1500.000,300.000,10000.000,3000.000

                """)
        let set = try await home.splits("5k in 20:00") { $0.changes = [(2, .seconds(250), false)] }
        #expect(set.text.contains("finish 20:10,"))
    }

    @Test(
        "the clock of the last split is the finish that stands below the table",
        arguments: [
            ("5k in 24:59.7", "24:59.7", "24:59.7"), ("5k in 24:59.96", "24:59.96", "24:59.96"),
            ("5k in 24:59.994", "24:59.994", "24:59.994"), ("5k in 25:00", "25:00", "25:00"),
            // A time that is computed has whole seconds.
            ("5k @ 4:59.94/km", "25:00", "25:00"), ("500m @ 3:10.03/km", "1:35.02", "1:35.02"),
            ("400m in 43s", "0:43.00", "0:43"),
        ])
    func finish(words: String, clock: String, finish: String) async throws {
        let home = Home()
        let told = try await home.splits(words) { $0.every = Distance(meters: 100) }
        #expect(told.text.contains("  \(clock)\nfinish \(finish), "), "\(told.text)")
    }

    @Test("splits that cannot be are refused") func impossibleSplits() async throws {
        let home = Home()
        let cases: [(why: String, change: (inout SplitsRequest) -> Void)] = [
            ("split 2 would be 1 km in 0:10", { $0.changes = [(2, .seconds(-230), true)] }),
            ("a run has at most 100 000 splits", { $0.every = Distance(meters: 0.001) }),
            ("there is no split 9; there are 5", { $0.changes = [(9, .seconds(1), false)] }),
            ("'x.doc' has no known extension", { $0.output = home.folder("x.doc") }),
            ("'x.plan' has no known extension: a band is .pdf or .svg", { $0.output = home.folder("x.plan") }),
        ]
        for (why, change) in cases {
            let told = try await home.splits("5k in 20:00", [:], change)
            #expect(told.errors.contains(why) && told.code == 64 && told.text == "", "\(told)")
        }
        #expect(home.folder.contents == [])
    }

    @Test("the table of run-walk ratios names its source") func ratios() async throws {
        let home = Home()
        let ratios = try await home.galloway { $0.pace = Pace(.seconds(480), per: .miles) }
        #expect(
            ratios.text == """
                  pace /mi    to   run  walk  as a plan
                      8:00  8:00  4:00  0:30  run 4:00, walk 0:30
                      8:00  8:00  2:00  0:15  run 2:00, walk 0:15
                Jeff Galloway, The Run Walk Run Method (jeffgalloway.com)

                """)
        let races = try await home.galloway {
            ($0.magicMile, $0.temperature, $0.style) = (Self.mile, Heat(fahrenheit: 70), .csv)
        }
        #expect(races.text.contains("\nmarathon,17505.740,667.680,414.877"))
        #expect(races.text.hasPrefix("race,time_s,pace_s_per_mi,pace_s_per_km\n5 km,"))
        let fast = try await home.galloway { $0.pace = Pace(.seconds(300), per: .miles) }
        #expect(fast.errors.contains("there is no ratio for this pace: give one from 6:45/mi to 20:00/mi"))
        #expect(fast.code == 64 && fast.text == "")
    }

    @Test("400 m stay 400 m, tenths stay, and a pace without a unit takes that of its distance")
    func whatIsWrittenStays() async throws {
        let home = Home()
        let sprint = try await home.pace("100m in 9.58 s")
        #expect(sprint.text.hasPrefix("  distance   100 m        0.062 mi\n  time       0:09.58\n"))
        let splits = try await home.splits("400m in 43.03s") { $0.every = Distance(meters: 200) }
        #expect(splits.text.hasSuffix("finish 0:43.03, 1:48 /km on average\n"))
        let meant = try await home.pace("10k @ 10:00")
        #expect(meant.text.contains("= time       1:40:00\n"))
        #expect(
            meant.errors.hasPrefix("barline: note: 10:00 is taken as a pace, 10:00/km; write in 10:00 for a time\n"))
        let open = try await home.pace("400m @ 1:30")
        #expect(
            open.errors.contains("1:30 may be a time or a pace here; write in 1:30 for the time") && open.code == 65)
        #expect(try await home.pace("half marathon in 2:00:00").text.contains("21.098 km"))
        #expect(try await home.pace("mile in 8:00").text.contains("1 mi\n"))
        #expect(try await home.pace("marathon @ 4:00:00").text.contains("= pace"))
    }

    @Test("in JSON, every measure has its unit in its key")
    func keys() async throws {
        let home = Home()
        let texts = [
            try await home.pace("5k in 25:00") { $0.json = true }.text,
            try await home.splits("5k in 25:00") { $0.style = .json }.text,
            try await home.plan("2x(run 1k @ 5:00/km, walk 1:00 @ 10:00/km)") { $0.style = .json }.text,
        ]
        for text in texts {
            let keys = text.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
            let measures = keys.filter { key in
                ["time", "distance_", "pace_", "speed"].contains { key.contains($0) }
            }
            #expect(!measures.isEmpty)
            for key in measures {
                #expect(["_s", "_m", "_s_per_km", "_m_per_s"].contains { key.hasSuffix($0) }, "\(key)")
            }
        }
    }

    @Test("in heat, galloway names the rules for races and for long runs")
    func heatNamesItsRules() async throws {
        let home = Home()
        let warm = try await home.galloway { ($0.magicMile, $0.temperature) = (Self.mile, Heat(celsius: 24)) }
        #expect(warm.text.contains("  5 km             29:45   9:35  5:57\n"))
        #expect(warm.text.contains("heat: races 12 % slower, by Jeff Galloway's chart"))
        #expect(warm.text.contains("heat: long runs 1:31 per mile slower, 30 s for each 5 °F above 60 °F"))
        let hot = try await home.galloway { ($0.magicMile, $0.temperature) = (Self.mile, Heat(fahrenheit: 90)) }
        #expect(hot.text.contains("ends at 85 °F (29 °C): run for fun") && hot.text.contains("long runs"))
    }
}
