internal import Shared
internal import Testing

/// The commands for runners: that their options reach the requests, and what needs a terminal. What they do is tested
/// without the command line.
@Suite struct PlanTests {

    private static let ran =
        "<TrainingCenterDatabase><Activities><Lap><TotalTimeSeconds>300</TotalTimeSeconds>"
        + "<DistanceMeters>1000</DistanceMeters></Lap></Activities></TrainingCenterDatabase>"

    private func scratch() throws -> Scratch {
        let scratch = try Scratch()
        try scratch.write("spring.plan", SampleTexts.weeks)
        return scratch
    }

    @Test("options of the commands for runners reach their requests") func options() async throws {
        let scratch = try scratch()
        try scratch.write("run.tcx", Self.ran)
        let open = "run 5:00 @ 5:00/km, rest until lap, run 400m"
        let goal = ["plan", "run 10:00, walk 2:00", "--walk", "16:00/mi", "--fill", "5mi", "--target", "50:00"]
        let cases: [(arguments: [String], output: [String])] = [
            (goal + ["--save", "goal"], ["to finish 5 mi in 50:00, run at 9:20 /mi\n", "barline/scores/goal.plan\n"]),
            (["plan", "run 1:00", "--save", "goal", "--replace"], ["goal.plan\n"]),
            (["plan", open, "--open", "1:00", "--run", "4:00/km"], ["\n3 intervals, about", "1:36"]),
            (["plan", "run 5k in 25:00", "--every", "1mi", "--unit", "mi", "--markdown"], ["|     1 |"]),
            (["plan", "spring.plan", "--all", "--to", "plan", "-o", "files/"], ["files/week-1-2-tue.plan\n"]),
            (["plan", "run 10:00 @ 90 %", "--threshold", "4:30/km"], ["5:00 /km"]),
            (["plan", "spring.plan", "--week", "1", "--day", "sun", "--csv"], [",run,Long,"]),
            (["plan", "spring.plan", "--start", "2027-01-04", "--remind", "1h", "-o", "x.ics"], []),
            (["plan", "show", "run 1k in 5:00", "--ran", "run.tcx", "--json"], ["\"state\": \"done\""]),
            (["splits", "5k in 20:00", "--step", "-2s", "--change", "5=+1s", "--change", "2=4:10"], ["20:09,"]),
            (["splits", "10k", "@", "5:00/km", "--every", "5k", "--unit", "mi", "-o", "band.svg"], []),
            (["splits", "10k @ 5:00/km", "--every", "5k", "--csv"], ["\n2,5000.000,1500.000,300.000,"]),
            (["pace", "5k", "in", "25:00", "--predict", "--unit", "mi"], ["= pace", "8:03 /mi"]),
            (["pace", "5k in 25:00", "--json"], ["\"result\": \"pace\""]),
            (["galloway", "--pace", "8:00/mi"], ["run 4:00, walk 0:30"]),
            (["galloway", "--magic-mile", "8:00", "--temperature", "24C"], ["races 12 % slower"]),
            (["scores", "--copy", "metronome"], ["barline/scores/metronome.yaml\n"]), (["scores"], ["goal.plan)\n"]),
        ]
        for (arguments, output) in cases {
            let outcome = try await Program.run(arguments, in: scratch)
            #expect(outcome.code == 0 && outcome.errors == "", "\(arguments): \(outcome.errors)")
            #expect(output.allSatisfy(outcome.text.contains), "\(arguments): \(outcome.text)")
        }
        let calendar = String(decoding: try scratch.read("x.ics"), as: UTF8.self)
        #expect(calendar.contains("DTSTART:20270110T080000") && calendar.contains("TRIGGER:-PT1H0M0S"))
        #expect(String(decoding: try scratch.read("band.svg"), as: UTF8.self).contains("/mi"))
        for tolerance in ["0", "0s/km", "8s/mi", "5", "0:10/km", "2.5s"] {
            let outcome = try await Program.run(
                ["plan", "run 1:00 @ 5:00/km", "-o", "x.fit", "--tolerance", tolerance], in: scratch)
            #expect(outcome.code == 0 && outcome.errors == "", "\(tolerance)")
        }
    }

    @Test("options of the commands for runners that are wrong, or do not go together, are explained")
    func wrongOptions() async throws {
        let scratch = try scratch()
        let (run, weeks) = (["plan", "run 1:00"], ["plan", "spring.plan"])
        let name = "a name is letters, digits, - and _, and begins with a letter"
        var cases = [
            (run + ["--fill", "1:00:00", "--target", "50:00"], "with --target, --fill takes a distance"),
            (run + ["--fill", "x"], "'x' is neither a distance nor a time"),
            (run + ["--replace"], "--replace needs --save"),
            (run + ["--csv", "--json"], "only one of --csv, --json and --markdown can be given"),
            (run + ["--every", "1km", "-o", "x.plan"], "--every with -o is for a band: .pdf or .svg"),
            (run + ["-o", "x.plan", "--save", "x"], "-o and --save cannot both be given"),
            (run + ["-o", "x.zwo", "--tolerance", "5s"], "--tolerance needs -o with a .fit file"),
            (run + ["-o", "x.fit", "--tolerance", "5s/h"], "such as 5s/km or 8s/mi"),
            (run + ["--ran", "run.tcx", "--fill", "5k"], "--ran cannot be used with --fill"),
            (run + ["--unit", "m"], "Please provide one of 'km' and 'mi'."),
            (weeks + ["--all"], "--all needs -o with a folder"),
            (weeks + ["--all", "--to", "doc", "-o", "x"], "'doc' is not a type of files for workouts"),
            (weeks + ["--all", "-o", "x", "--fill", "5k"], "--fill, --target and --every are for one workout"),
            (weeks + ["--to", "fit", "-o", "x.fit"], "--to needs --all"),
            (weeks + ["--remind", "1h", "-o", "x.plan"], "--remind needs -o with a calendar"),
            (weeks + ["--day", "someday"], "'someday' is not a day; write for example tue, 2026-11-24 or today"),
            (weeks + ["--start", "2026-11-24"], "is a Tuesday, but week 1 starts on a Monday; write 2026-11-23"),
            (["plan", "edit", "my x.plan"], "edited only at a terminal; `barline plan 'my x.plan'` prints it"),
            (["plan", "edit", "x.doc"], "'x.doc' has no known extension: use .plan, .zwo, .fit, .csv or .txt"),
            (["galloway", "--temperature", "20C"], "--temperature needs --magic-mile"),
            (["splits", "5k in 20:00", "--change", "9"], "'9' is not a split number and a time"),
            (["pace"], "give two of distance, time and pace"),
            (["every", "0"], "The value '0' is invalid for '<time>': a bar cannot last 0 s"),
        ]
        cases += ["nan", "1e300", "-5"].map {
            (run + ["-o", "x.fit", "--tolerance", $0], "0 to 10 minutes per kilometer")
        }
        cases.append((run + ["--save="], "Missing value for '--save"))
        cases += ["../x", "a/b", "-", ".hidden", "4x"].map { (run + ["--save=\($0)"], name) }
        for (arguments, why) in cases {
            let outcome = try await Program.run(arguments, in: scratch)
            #expect(outcome.errors.contains(why), "\(arguments): \(outcome.errors)")
            #expect(outcome.code == 64 && outcome.text == "", "\(arguments): \(outcome.errors)")
        }
        #expect(try scratch.names == ["spring.plan"])
    }

    @Test("the plan editor changes a plan and saves it, and in a plan of weeks the workout of one day alone")
    func editor() async throws {
        let scratch = try scratch()
        try scratch.write("x.plan", "run 1:00 @ 5:00/km\n")
        let isClean = try await TerminalSession.run(["plan", "edit", "x.plan"], in: scratch) { session in
            try session.wait(for: "  distance 0.2 km   = time 1:00     pace 5:00 /km")
            session.type("awlak 0:30\r")
            try session.wait(for: "'wlak' is not a kind of interval; did you mean 'walk'?")
            session.type(String(repeating: "\u{7F}", count: 9) + "walk 0:30 @ 10:00/km\r")
            try session.wait(for: "= time 1:30")
            session.type("dx")
            session.type("\u{1B}[A")
            session.type("n4\r")
            try session.wait(for: "> 4 times")
            try session.wait(for: "= time 4:30")
            session.type("q")
            try session.wait(for: "not saved: press s to save, or q again to quit")
            session.type("s")
            try session.wait(for: "saved as x.plan")
            session.type("z")
            try session.wait(for: "= time 1:30")
            session.type("qq")
            try session.expectEnd(0)
            return session.isAsBefore && session.showsCursor
        }
        #expect(isClean)
        #expect(
            String(decoding: try scratch.read("x.plan"), as: UTF8.self)
                == "4x(run 1:00 @ 5:00/km)\nwalk 0:30 @ 10:00/km\n")
        // The picture is whole again after another size, whatever that has left of it.
        try await Tmux.run(["plan", "edit", "x.plan"], in: scratch, columns: 80, rows: 24) { tmux in
            try tmux.wait(for: "> 4 times")
            for (columns, rows) in [(20, 5), (80, 24), (40, 12), (100, 30)] {
                try tmux.resize(columns: columns, rows: rows)
                try tmux.wait(for: "one picture of \(columns) columns") {
                    let shown = try tmux.rows()
                    return shown[0] == "Plan" && shown.count { $0.contains("> 4 times") } == 1
                        && (rows < 24 || shown.count { $0.contains("q quit") } == 1)
                }
            }
        }
        let isStillClean = try await TerminalSession.run(
            ["plan", "edit", "spring.plan", "--week", "2", "--day", "wed"], in: scratch,
            environment: ["BARLINE_THRESHOLD": "4:00/km"]
        ) { session in
            try session.wait(for: "= time 10:00")
            // The threshold of the settings counts, and is not stored.
            session.type("arun 1km @ 80%\r")
            try session.wait(for: "= time 15:00")
            session.type("z")
            try session.wait(for: "= time 10:00")
            session.type("awalk 0:30\r")
            try session.wait(for: "= time 10:30")
            session.type("s")
            try session.wait(for: "saved as spring.plan")
            session.type("q")
            try session.expectEnd(0)
            return session.isAsBefore
        }
        #expect(isStillClean)
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
