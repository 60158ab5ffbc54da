internal import Testing

/// What a runner reads while a plan plays.
@Suite struct RunScreenTests {
    private static let plan = """
        title: Tuesday
        walk: 10:00/km
        2x(run 50:00 @ 5:00/km, walk 10:00)

        """

    @Test("tmux shows the interval, and after a step the next one", arguments: [(40, 10), (80, 24), (200, 60)])
    func theStandInTmux(size: (Int, Int)) async throws {
        let scratch = try Scratch()
        try scratch.write("tuesday.plan", RunScreenTests.plan)
        try await Tmux.run(
            ["play", "tuesday.plan", "--device", "null", "--count-in", "0"], in: scratch, columns: size.0, rows: size.1,
            environment: [:]
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
}
