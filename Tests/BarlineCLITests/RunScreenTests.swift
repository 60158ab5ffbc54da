internal import Testing

/// What a runner reads while a plan plays.
@Suite struct RunScreenTests {
    private static let plan = """
        title: Tuesday
        walk: 10:00/km
        2x(run 50:00 @ 5:00/km, walk 10:00)

        """

    @Test("the stand, and status in another terminal, use the words of running, not of music")
    func theStandAndTheStatusSpeakRunning() async throws {
        let scratch = try Scratch()
        try scratch.write("tuesday.plan", RunScreenTests.plan)
        let (shown, show) = AsyncStream<Void>.makeStream()
        async let playing = TerminalSession.run(
            ["play", "tuesday.plan", "--device", "null", "--count-in", "0"], in: scratch
        ) { session in
            defer { show.finish() }
            try session.wait(for: "then walk 10:00")
            show.finish()
            try session.expectEnd(0)
            return true
        }
        for await _ in shown {}
        let status = try await Program.run(["status"], in: scratch, isAwaited: true).text
        #expect(status.hasPrefix("Tuesday, run 1 of 2, ") && status.contains(" left, then walk 10:00, "), "\(status)")
        #expect(status.contains(" m, pace 5:00/km, 0:") && status.contains(" of 2:00:00"), "\(status)")
        let json = try await Program.run(["status", "--json"], in: scratch, isAwaited: true).text
        #expect(json.contains("\"pace_s_per_km\": 300.000") && json.contains("\"next_s\": 600.000"), "\(json)")
        #expect(try await Program.run(["stop"], in: scratch, isAwaited: true).text == "stopped\n")
        #expect(try await playing)
    }

    @Test("tmux shows the interval, and after a step the next one", arguments: [(40, 10), (80, 24), (200, 60)])
    func theStandInTmux(size: (Int, Int)) async throws {
        let scratch = try Scratch()
        try scratch.write("tuesday.plan", RunScreenTests.plan)
        try await Tmux.run(
            ["play", "tuesday.plan", "--device", "null"], in: scratch, columns: size.0, rows: size.1, environment: [:]
        ) { tmux in
            try tmux.wait(for: "run 1 of 2, ")
            try tmux.wait(for: "then walk 10:00")
            try tmux.wait(for: "pace 5:00/km")
            #expect(try !tmux.shows("A4") && !tmux.shows("bar 1"))
            try tmux.press("Right")
            try tmux.wait(for: "walk 1 of 2, ")
            try tmux.wait(for: "10.0 km, pace 10:00/km")
            try tmux.press("q")
            try tmux.wait(for: "ended 0")
        }
    }

    @Test("a pipe gets a line for each interval")
    func aPipeGetsALineForEachInterval() async throws {
        let played = try await Program.run(
            ["play", "2x(run 0:00.2 @ 5:00/km, rest 0:00.2)", "--device", "null", "--count-in", "0", "--no-cues"],
            in: Scratch())
        #expect(
            played.text == """
                4 intervals, 0:00.8
                     0:00  run 1 of 2, 0:00.2, 0 m, pace 5:00/km
                   0:00.2  rest 1 of 2, 0:00.2, 1 m
                   0:00.4  run 2 of 2, 0:00.2, 1 m, pace 5:00/km
                   0:00.6  rest 2 of 2, 0:00.2, 1 m
                end

                """)
    }
}
