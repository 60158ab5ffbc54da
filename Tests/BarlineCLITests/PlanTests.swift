internal import Testing

/// Interval plans as the program takes them: as text, in files, and in the plan editor.
@Suite struct PlanTests {
    private static let twoHours = "4 × (0:30 run, 0:30 walk), 1:00 walk, for 2 hours"

    @Test("a plan is shown as a table") func aPlanIsShownAsATable() async throws {
        let outcome = try await Program.run(
            ["plan", "2x(run 1:00 @ 5:00/km, walk 0:30 @ 10:00/km), run 400m in 1:30"], in: try Scratch())
        #expect(
            outcome.text == """
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
        let scratch = try Scratch()
        let text = "run 5:00 @ 5:00/km, rest until lap, run 400m @ 4:00/km, cool-down until lap about 2:00"
        let outcome = try await Program.run(["plan", text], in: scratch)
        #expect(
            outcome.text == """
                  #  set                              time  distance      pace  total
                  1    1  run                         5:00      1 km  5:00 /km   5:00    1 km
                  2    1  rest                   until lap      0 km         –      –    1 km
                  3    1  run                         1:36     400 m  4:00 /km      –  1.4 km
                  4    1  cool-down  until lap, about 2:00         –         –      –       –
                4 intervals, at least 8:36, 2 until lap

                """)
        let all = try await Program.run(["plan", text, "--open", "1:00"], in: scratch)
        #expect(all.text.hasSuffix("\n4 intervals, about 9:36, 2 until lap\n"))
        let csv = try await Program.run(["plan", text, "--csv"], in: scratch)
        #expect(csv.text.contains("\n2,1,rest,,,0.000,,,1000.000,lap\n"))
        try scratch.write("again.csv", csv.text)
        let again = try await Program.run(["plan", "again.csv"], in: scratch)
        #expect(again.errors == "" && again.text.hasSuffix("\n4 intervals, at least 8:36, 2 until lap\n"))
        let json = try await Program.run(["plan", text, "--json"], in: scratch)
        #expect(json.text.contains("\"until\": \"lap\""))
    }

    @Test("in a file, an interval until the lap button needs a time from the plan or --open")
    func openEndsInFiles() async throws {
        let scratch = try Scratch()
        let text = "run 0:05, rest until lap, run 0:05"
        let refused = try await Program.run(["render", text, "-o", "x.wav"], in: scratch)
        #expect(refused.code == 65)
        #expect(
            refused.errors == """
                plan:1:11: error: this interval lasts until the lap button, so its time is unknown; say how long it takes \
                about, as in rest until lap about 2:00, or for all with --open 2:00
                run 0:05, rest until lap, run 0:05
                          ^~~~~~~~~~~~~~

                """)
        for (text, options) in [(text, ["--open", "0:20"]), ("run 0:05, rest until lap about 0:20, run 0:05", [])] {
            let rows = try await Program.run(["timeline", text, "--csv"] + options, in: scratch).text
            #expect(rows.contains(",Rest,5.000000000,20.000000000,"), "\(rows)")
            let wave = try await Program.run(["render", text, "-o", "x.wav", "--count-in", "0"] + options, in: scratch)
            #expect(wave.code == 0 && wave.errors == "", "\(wave.errors)")
        }
        #expect(try await Program.run(["check", text], in: scratch).text == "plan: 3 intervals, at least 0:10\n")
        let refusedPlay = try await Program.run(["play", text, "--device", "null", "--no-wait"], in: scratch)
        #expect(refusedPlay.code == 65)
        let zwift = try await Program.run(["plan", text, "--open", "0:20", "-o", "x.zwo"], in: scratch)
        #expect(zwift.errors.contains("ends after the time that it takes about (in 'rest until lap about 0:20')"))
    }

    @Test("a plan can fill a distance, and its pace can be solved for a target time")
    func aPlanCanFillADistanceAndItsPaceCanBeSolvedForATargetTime() async throws {
        let scratch = try Scratch()
        let plan = "run: 10:00/mi\nwalk: 15:00/mi\n4x(run 1:00, walk 0:30)"
        let fill = try await Program.run(["plan", plan, "--fill", "10mi"], in: scratch)
        #expect(fill.text.hasSuffix("\n10 mi: 18 times (1:48:00, 9.6 mi, 11:15 /mi, 5.33 mph), 0.4 mi left\n"))
        let solved = try await Program.run(["plan", "6x(run 400m, rest 1:30)", "--target", "25:00"], in: scratch)
        #expect(
            solved.text.hasSuffix(
                "12 intervals, 25:00, 2.4 km, 10:25 /km, 5.76 km/h\nto finish in 25:00, run at 6:40 /km\n"))
        let both = try await Program.run(
            ["plan", "run 1:00, walk 0:30", "--walk", "16:00/mi", "--fill", "10mi", "--target", "2:16:50"], in: scratch)
        #expect(both.text.contains(" intervals, 2:16:50, 10 mi, "))
        #expect(both.text.contains("to finish 10 mi in 2:16:50, run at 12:"))
    }

    @Test("one command finds the pace for a goal and stores a plan with exactly these totals")
    func aGoalIsOneCommand() async throws {
        let scratch = try Scratch()
        let goal = ["run 10:00, walk 2:00", "--walk", "16:00/mi", "--fill", "5mi", "--target", "50:00"]
        let saved = try await Program.run(["plan"] + goal + ["--save", "goal"], in: scratch)
        #expect(
            saved.text == """
                9 intervals, 50:00, 5 mi, 10:00 /mi, 6 mph
                to finish 5 mi in 50:00, run at 9:20 /mi
                \(scratch.data)/barline/scores/goal.plan

                """)
        #expect(saved.code == 0 && saved.errors == "")
        let text = String(decoding: try scratch.read("../data/barline/scores/goal.plan"), as: UTF8.self)
        #expect(text == "run: 9:20/mi\nwalk: 16:00/mi\n\nrun 10:00\nwalk 2:00\nfor 5mi\n")
        let rows = try await Program.run(["timeline", "goal", "--csv"], in: scratch).text.split(separator: "\n")
        #expect(rows.last?.contains(",2880.000000000,120.000000000") ?? false, "\(rows.last ?? "")")
        let csv = try await Program.run(["plan", "goal", "--csv"], in: scratch).text.split(separator: "\n")
        #expect(csv.last?.hasSuffix(",3000.000,8046.720") ?? false)
        // A goal in the plan, a pace beside a length, and a length to store.
        let length = try await Program.run(
            ["plan", "run 10:00, walk 2:00, for 5mi", "--walk", "16:00/mi", "--target", "50:00"], in: scratch)
        #expect(length.text.hasSuffix("to finish 5 mi in 50:00, run at 9:20 /mi\n"))
        let paced = try await Program.run(
            ["plan", "run 10:00, walk 2:00, for 5mi", "--walk", "16:00/mi", "--run", "9:00/mi"], in: scratch)
        #expect(paced.text.hasSuffix("9 intervals, 48:30, 5 mi, 9:42 /mi, 6.19 mph\n"))
        let filled = try await Program.run(["plan", "run 1:00", "--fill", "10:00", "-o", "x.plan"], in: scratch)
        #expect(filled.text.hasSuffix("10:00: 10 times (10:00), 0:00 left\n"))
        #expect(String(decoding: try scratch.read("x.plan"), as: UTF8.self) == "run 1:00\nfor 10:00\n")
        // If every run has its own pace, all of these change by the same factor.
        let own = try await Program.run(
            ["plan", "6x(run 400m @ 4:00/km, rest 1:30)", "--fill", "10k", "--target", "1:00:00"], in: scratch)
        #expect(own.text.hasSuffix("to finish 10 km in 1:00:00, run each part 66.7 % faster than you wrote it\n"))
        // A target alone keeps the rounds.
        let target = try await Program.run(
            ["plan", "6x(run 400m @ 5:00/km, walk 1:30)", "--target", "25:00", "-o", "tg.plan"], in: scratch)
        #expect(target.text.hasSuffix("to finish in 25:00, run each part 25 % slower than you wrote it\n"))
        let written = String(decoding: try scratch.read("tg.plan"), as: UTF8.self)
        #expect(written == "6x(run 400m @ 6:40/km, walk 1:30)\n")
        let timed = try await Program.run(["plan", "run 1:00, walk 0:30", "--target", "1:00"], in: scratch)
        #expect(timed.errors.contains("no run is over a distance") && timed.errors.contains("--fill 1:00 repeats it"))
        #expect(timed.code == 65 && timed.text == "")
        // A warm-up comes once, and the results are columns for programs.
        let warm = ["plan", "warm-up 10:00, run 2:00, walk 6:00", "--fill", "54:00"]
        let rounds = try await Program.run(warm + ["-o", "warm.plan"], in: scratch)
        #expect(rounds.text.hasSuffix("54:00: 5 times (50:00), and a last round that is cut after 4:00\n"))
        let table = try await Program.run(warm + ["--csv"], in: scratch).text.split(separator: "\n")
        #expect(table.first?.hasSuffix(",fill_rounds,fill_time_s,fill_distance_m,left_time_s,left_distance_m") == true)
        #expect(table.last?.hasSuffix(",5,3000.000,,240.000,") == true)
        // What cannot be is an error, and nothing is stored.
        let impossible = try await Program.run(
            [
                "plan", "run 1:00, walk 9:00", "--walk", "16:00/mi", "--fill", "2mi", "--target", "1:00:00", "--save",
                "no",
            ],
            in: scratch)
        #expect(impossible.errors.contains("everything else alone goes") && impossible.code == 65)
        let missing = try await Program.run(["plan", "run 1:00, walk 1:00, for 5mi", "--run", "9:00/mi"], in: scratch)
        #expect(missing.errors.contains("plan:1:11: error: the distance of this interval is unknown"))
        let twice = try await Program.run(["plan", "run 1:00, for 5:00", "--target", "6:00"], in: scratch)
        #expect(twice.errors.contains("the plan is for 5:00, so it cannot have a target of 6:00") && twice.code == 65)
    }

    @Test("units are those of the plan or run, not of other words of the command line")
    func units() async throws {
        let scratch = try Scratch()
        try scratch.write("mi.plan", "run 5k in 25:00\n")
        let cases: [([String], String)] = [
            (["plan", "mi.plan"], "1 interval, 25:00, 5 km, 5:00 /km, 12 km/h"),
            (["plan", "mi.plan", "--unit", "mi"], "1 interval, 25:00, 3.107 mi, 8:03 /mi, 7.46 mph"),
            (["splits", "marathon", "in", "3:45:00", "--every", "5km"], "5:20 /km on average"),
            (["splits", "marathon", "in", "3:45:00", "--unit", "mi"], "8:35 /mi on average"),
        ]
        for (arguments, end) in cases {
            let outcome = try await Program.run(arguments, in: scratch)
            #expect(outcome.text.hasSuffix(end + "\n"), "\(arguments): \(outcome.text)\(outcome.errors)")
        }
        let svg = try await Program.run(["splits", "marathon in 3:45:00", "-o", "mi.svg"], in: scratch)
        #expect(svg.code == 0)
        #expect(!String(decoding: try scratch.read("mi.svg"), as: UTF8.self).contains("mi</text>"))
        #expect(try await Program.run(["config", "unit", "mi"], in: scratch).code == 0)
        let set = try await Program.run(["splits", "marathon in 3:45:00"], in: scratch)
        #expect(set.text.hasSuffix("8:35 /mi on average\n"))
    }

    @Test("the word of a setting for its default is a value of its option")
    func settingsAsOptions() async throws {
        let scratch = try Scratch()
        try scratch.write("a.plan", "run 0:10, walk 0:10\n")
        for (name, value) in [("speak", "cues"), ("language", "de"), ("latency", "7 ms")] {
            #expect(try await Program.run(["config", name, value], in: scratch).code == 0)
        }
        let words = [
            "--speak", "off", "--countdown", "off", "--hold-end", "3", "--drone", "off", "--click-level", "-6 dB",
        ]
        let render = try await Program.run(["render", "a.plan", "-o", "a.wav"] + words, in: scratch)
        #expect(render.code == 0 && render.errors == "")
        let play = try await Program.run(
            [
                "play", "a.plan", "--to", "1.1", "--speed", "1000%", "--device", "null", "--speak", "off", "--latency",
                "auto",
            ],
            in: scratch)
        #expect(play.code == 0, "\(play.errors)")
        let spoken = try await Program.run(
            ["render", "a.plan", "-o", "a.wav", "--speak", "cues", "--language", "auto", "--no-cues"], in: scratch)
        #expect(spoken.code == 0, "\(spoken.errors)")
        let set = try await Program.run(["splits", "5k in 20:00", "--change", "2=4:10"], in: scratch)
        #expect(set.text.contains("finish 20:10,"))
        let refused = try await Program.run(["splits", "5k in 20:00", "--change", "2=-3:50"], in: scratch)
        #expect(refused.code == 64 && refused.errors.contains("split 2 would be 1 km in 0:10"), "\(refused.errors)")
        let question = try await Program.run(["pace", "10k", "5:30"], in: scratch)
        #expect(question.code == 0 && question.errors.contains("did you mean 10k @ 5:30/km?"))
    }

    @Test("a rest after 8x400m comes once, and the plan says so")
    func aRestAfterAGroupWithoutParentheses() async throws {
        let outcome = try await Program.run(["plan", "8x400m in 90s, rest 60s"], in: try Scratch())
        #expect(
            outcome.errors.hasPrefix(
                "plan:1:16: warning: this rest comes once, after all 8; for one after each, write 8x(run 400m in 1:30, rest 1:00)\n"
            ))
        #expect(outcome.text.contains("9 intervals") && outcome.code == 0)
        for clear in ["8x(400m in 90s, rest 60s)", "8x400m in 90s\nrest 60s", "8x400m in 90s, cool-down 5:00"] {
            #expect(try await Program.run(["plan", clear], in: try Scratch()).errors == "", "\(clear)")
        }
    }

    @Test("a plan survives writing and reading in every format") func aPlanSurvivesWritingAndReadingInEveryFormat()
        async throws
    {
        let scratch = try Scratch()
        let losses = [
            "plan": "", "csv": "groups are written out", "fit": "groups within groups are written out",
            "txt": "groups within groups are written out",
            "zwo":
                "a group other than a run with a walk or rest is written out (in 24 intervals, the first is 'walk 1:00')",
        ]
        for (format, loss) in losses {
            let written = try await Program.run(["plan", PlanTests.twoHours, "-o", "x.\(format)"], in: scratch)
            #expect(written.code == 0 && written.text == "")
            #expect(written.errors == (loss.isEmpty ? "" : "barline: warning: x.\(format): \(loss)\n"))
            let read = try await Program.run(["plan", "x.\(format)"], in: scratch)
            #expect(read.text.hasSuffix("216 intervals, 2:00:00\n"))
            let score = try await Program.run(["check", "x.\(format)"], in: scratch)
            #expect(score.text.hasSuffix(", 216 bars, 2:00:00\n"))
        }
        // A table from `plan --csv` can be read as a plan.
        let table = try await Program.run(["plan", "x.fit", "--csv"], in: scratch)
        try scratch.write("again.csv", bytes: table.output)
        #expect(try await Program.run(["check", "again.csv"], in: scratch).text.hasSuffix(", 216 bars, 2:00:00\n"))
        let piped = try await Program.run(["check", "-"], in: scratch, input: try scratch.read("x.fit"))
        #expect(piped.text.hasSuffix(", 216 bars, 2:00:00\n"))
    }

    @Test("options for workout files are refused if they have no effect or an invalid value")
    func workoutOptions() async throws {
        let cases = [
            (["-o", "x.zwo", "--tolerance", "5s"], "--tolerance needs -o with a .fit file"),
            (["-o", "x.fit", "--tolerance", "5s/h"], "such as 5s/km or 8s/mi"),
            (["-o", "x.fit", "--tolerance", "nan"], "0 to 10 minutes per kilometer"),
            (["-o", "x.fit", "--tolerance", "1e300"], "0 to 10 minutes per kilometer"),
            (["-o", "x.fit", "--tolerance", "-5"], "0 to 10 minutes per kilometer"),
            (["--threshold", "5:00/km"], "--threshold is for a plan with shares of a threshold"),
        ]
        for (options, message) in cases {
            let outcome = try await Program.run(["plan", "run 1:00"] + options, in: try Scratch())
            #expect(outcome.code == 64 && outcome.errors.contains(message), "\(options)")
        }
        let scratch = try Scratch()
        for tolerance in ["0", "0s/km", "8s/mi", "5", "0:10/km", "2.5s"] {
            let outcome = try await Program.run(
                ["plan", "run 1:00 @ 5:00/km", "-o", "x.fit", "--tolerance", tolerance], in: scratch)
            #expect(outcome.code == 0 && outcome.errors == "", "\(tolerance)")
        }
    }

    @Test("an MP3 of more than 255 intervals has chapters for the groups of its plan") func chapters() async throws {
        let scratch = try Scratch()
        let plan = "100x(run 0:01, walk 0:01, rest 0:01)"
        let written = try await Program.run(["render", plan, "-o", "x.mp3", "--no-cues"], in: scratch)
        #expect(written.code == 0)
        #expect(
            written.errors.contains("a mp3 file can have at most 255 markers; this one has one for each group or line"))
        // Chapters are ID3v2 frames.
        let bytes = Array(try scratch.read("x.mp3"))
        let frames = bytes.indices.dropLast(3).count { Array(bytes[$0..<($0 + 4)]) == Array("CHAP".utf8) }
        #expect(frames == 100)
    }

    @Test("the boundaries of a two-hour plan are exact") func theBoundariesOfATwoHourPlanAreExact() async throws {
        let outcome = try await Program.run(["timeline", PlanTests.twoHours, "--csv"], in: try Scratch())
        let rows = outcome.text.split(separator: "\n").dropFirst()
        #expect(rows.count == 216)
        for (index, row) in rows.enumerated() {
            let (set, place) = index.quotientAndRemainder(dividingBy: 9)
            let fields = row.split(separator: ",", omittingEmptySubsequences: false)
            #expect(fields[4] == (place < 8 && place % 2 == 0 ? "Run" : "Walk"))
            #expect(fields[5] == "\(300 * set + 30 * place).000000000")
            #expect(fields[6] == (place == 8 ? "60.000000000" : "30.000000000"))
        }
    }

    @Test("a saved plan can be used by its name like any score") func aSavedPlanCanBeUsedByItsNameLikeAnyScore()
        async throws
    {
        let scratch = try Scratch()
        let path = scratch.data + "/barline/scores/tuesday.plan"
        let saved = try await Program.run(
            ["plan", "title: Tuesday\n2x(run 0:30 @ 5:00/km, walk 0:20)", "--save", "tuesday"], in: scratch)
        #expect(saved.text == path + "\n" && saved.code == 0)
        #expect(try await Program.run(["check", "tuesday"], in: scratch).text == "\(path): 2 lines, 4 bars, 1:40\n")
        #expect(try await Program.run(["plan", "tuesday"], in: scratch).text.contains("4 intervals, 1:40"))
        #expect(try await Program.run(["scores"], in: scratch).text.contains("tuesday            Tuesday  (\(path))\n"))
        // A plan of that name, or a bundled score, is replaced or hidden only if told so; a score of one's own never.
        let again = try await Program.run(["plan", "run 1:00", "--save", "tuesday"], in: scratch)
        #expect(again.code == 73 && again.errors.contains("there is already a plan 'tuesday'"), "\(again.errors)")
        let hiding = try await Program.run(["plan", "run 1:00", "--save", "metronome"], in: scratch)
        #expect(hiding.code == 73 && hiding.errors.contains("'metronome' is a bundled score"), "\(hiding.errors)")
        #expect(try await Program.run(["scores", "--copy", "metronome"], in: scratch).code == 0)
        let hidden = try await Program.run(["plan", "run 1:00", "--save", "metronome", "--replace"], in: scratch)
        #expect(hidden.code == 73 && hidden.errors.contains("would hide a plan 'metronome'"), "\(hidden.errors)")
        #expect(try await Program.run(["check", "tuesday"], in: scratch).text == "\(path): 2 lines, 4 bars, 1:40\n")
        _ = try await Program.run(["plan", "run 1:00", "--save", "tuesday", "--replace"], in: scratch)
        #expect(try await Program.run(["check", "tuesday"], in: scratch).text == "\(path): 1 line, 1 bar, 1:00\n")
        for name in ["../x", "a/b", "", "-", ".hidden", "4x"] {
            #expect(try await Program.run(["plan", "run 1:00", "--save=\(name)"], in: scratch).code == 64, "\(name)")
        }
    }

    @Test("a plan is played like any score") func aPlanIsPlayedLikeAnyScore() async throws {
        let outcome = try await Program.run(
            ["play", "2x(run 0:00.3, walk 0:00.2)", "--device", "null", "--count-in", "0", "--no-cues"],
            in: try Scratch())
        let rows = outcome.text.split(separator: "\n").map(String.init)
        #expect(rows.count == 6)
        #expect(rows[2].hasSuffix("  0:00.3  walk 1 of 2, 0:00.2"))
        #expect(rows.last == "end")
        #expect(outcome.code == 0, "\(outcome.errors)")
    }

    @Test(
        "every command reports a faulty or missing plan",
        arguments: [
            (
                ["play", "10x(run 0:30, wlak 0:30)"],
                "plan:1:15: error: 'wlak' is not a kind of interval; did you mean 'walk'?"
            ),
            (["render", "run 5k", "-o", "x.wav"], "plan:1:1: error: the time of this interval is unknown"),
            (["plan", "missing.plan"], "there is no file and no score named 'missing.plan'"),
            (["play", "missing.fit"], "there is no file and no score named 'missing.fit'"),
        ])
    func everyCommandReportsAFaultyOrMissingPlan(arguments: [String], why: String) async throws {
        let scratch = try Scratch()
        let outcome = try await Program.run(arguments, in: scratch)
        #expect(outcome.errors.contains(why))
        #expect(outcome.code == (why.hasPrefix("plan:") ? 65 : 66))
        #expect(try scratch.names == [])
    }

    @Test("the plan editor changes a plan and saves it") func thePlanEditorChangesAPlanAndSavesIt() async throws {
        let scratch = try Scratch()
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
    }
}
