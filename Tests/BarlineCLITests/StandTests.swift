internal import SimulatedCardSupport
internal import Testing

/// The practice stand as tmux shows it, at sizes from a corner of a screen to a projector.
@Suite struct StandTests {
    private static let sizes = [(40, 10), (80, 24), (200, 60)]

    private static let piece = """
        title: Piece
        count-in: 3
        drone: B4
        lines:
          - {label: First, bars: [60, {duration: 60, cue: breathe}]}
          - bars: [60, {duration: 0.3, hold: until cue}, 60]

        """

    private func stand(
        _ size: (Int, Int), _ options: [String] = ["--device", "null"],
        _ body: @escaping @Sendable (Tmux) throws -> Void
    ) async throws {
        let scratch = try Scratch()
        try scratch.write("piece.yaml", StandTests.piece)
        try await Tmux.run(
            ["play", "piece.yaml"] + options, in: scratch, columns: size.0, rows: size.1,
            environment: ["COLORTERM": "truecolor"]
        ) { tmux in
            try body(tmux)
            try tmux.press("q")
            try tmux.wait(for: "ended 0")
        }
    }

    /// How many cells the large digits fill.
    private static func cells(_ tmux: Tmux) throws -> Int {
        // The rows from the gauge on are left out: it is drawn with the same characters.
        try tmux.rows().prefix { !$0.contains("then ") }.joined().count { "█▀▄".contains($0) }
    }

    @Test("the stand shows the count-in, and then the bars", arguments: sizes)
    func theStandShowsTheCountInAndThenTheBars(size: (Int, Int)) async throws {
        try await stand(size) { tmux in
            try tmux.wait(for: "COUNT-IN")
            try tmux.wait(for: "large digits") { try StandTests.cells(tmux) > 10 }
            try tmux.wait(for: "PLAYING")
            try tmux.wait(for: "line 1, bar 1 of 2")
            // A picture may arrive in two pieces.
            try tmux.wait(for: "First")
            try tmux.wait(for: "then bar 2, 60.0 s")
            #expect(try tmux.rows().count <= size.1 + 1)
        }
    }

    @Test("the whole stand flashes, or only its border", arguments: sizes) func itFlashesTheWholeScreenOrItsEdge(
        size: (Int, Int)
    ) async throws {
        let scratch = try Scratch()
        try scratch.write("bars.yaml", "lines: [{repeat: 1000, bars: [0.4, 0.4]}]\n")
        let flashing = ["play", "bars.yaml", "--device", "null", "--flash"]
        let (bar, line) = ("48;2;86;180;233", "48;2;230;159;0")
        for mode in ["screen", "border"] {
            try await Tmux.run(
                flashing + [mode], in: scratch, columns: size.0, rows: size.1, environment: ["COLORTERM": "truecolor"]
            ) { tmux in
                // tmux may show the nearest color that it has.
                try tmux.wait(for: "a flash") {
                    let shown = try tmux.colors()
                    return shown.contains(bar) || shown.contains(line) || shown.contains("48;5;")
                }
                try tmux.wait(for: "no flash") {
                    try !tmux.colors().contains("\u{1B}[48") && !tmux.colors().contains(";48;")
                }
                try tmux.press("q")
                try tmux.wait(for: "ended 0")
            }
        }
    }

    @Test("the stand flashes even if all sound is off", arguments: sizes) func theStandFlashesEvenIfAllSoundIsOff(
        size: (Int, Int)
    )
        async throws
    {
        try await stand(size, ["--device", "null", "--flash", "screen", "--click-level", "off", "--drone", "off"]) {
            tmux in
            try tmux.wait(for: "PLAYING")
            if size.1 > 14 { try tmux.wait(for: "no drone   clicks off") }
            try tmux.wait(for: "a flash") {
                try tmux.press("Right", "Up")
                return try tmux.colors().contains("48;")
            }
        }
    }

    @Test("one key reverts all changes", arguments: sizes) func oneKeyRevertsAllChanges(
        size: (Int, Int)
    ) async throws {
        try await stand(size) { tmux in
            try tmux.wait(for: "PLAYING")
            try tmux.press("+", "+", "B", "x", "m", "M")
            try tmux.wait(for: "110%")
            if size.1 > 14 { try tmux.wait(for: "A4 441.0   drone C5 524.44 Hz -23 dB   clicks -5 dB") }
            try tmux.press("R")
            try tmux.wait(for: "100%")
            if size.1 > 14 { try tmux.wait(for: "A4 440.0   drone B4 493.88 Hz -24 dB   clicks -6 dB") }
        }
    }

    @Test("the stand pauses, holds and loops", arguments: sizes) func itPausesHoldsAndLoops(size: (Int, Int))
        async throws
    {
        try await stand(size) { tmux in
            try tmux.wait(for: "PLAYING")
            try tmux.press("Space")
            try tmux.wait(for: "PAUSED")
            try tmux.press("PageDown")
            try tmux.wait(for: "PLAYING")
            try tmux.press("g", "2", ".", "2", "Enter")
            try tmux.wait(for: "HOLDING")
            try tmux.press("Enter")
            try tmux.wait(for: "line 2, bar 3 of 3")
            try tmux.press("L")
            try tmux.wait(for: "loop 2.1 - 2.3")
            try tmux.press("o")
            try tmux.wait(for: "no loop") { try !tmux.shows("loop 2") }
        }
    }

    @Test("the stand says that there is no sound card", arguments: sizes) func itSaysThatThereIsNoSoundCard(
        size: (Int, Int)
    ) async throws {
        try await stand(size, []) { tmux in
            try tmux.wait(for: "PLAYING")
            try tmux.wait(for: "no sound: coun")
        }
    }

    @Test("the stand reports a card that goes away and comes back") func theStandReportsACardThatGoesAwayAndComesBack()
        async throws
    {
        let scratch = try Scratch(devices: SimulatedCard.configuration)
        let card = try SimulatedCard(in: scratch.folder, ["disconnect_at": 1500.01, "return_after": 10_000])
        try scratch.write("piece.yaml", StandTests.piece)
        try await Tmux.run(["play", "piece.yaml", "--device", card.device], in: scratch, columns: 100, rows: 30) {
            tmux in
            // One picture says both, so that a late look cannot miss the reason.
            try tmux.wait(for: "the loss and its reason") { try tmux.shows("NO SOUND CARD") && tmux.shows("lost: ") }
            try tmux.wait(for: "PLAYING")
            try tmux.press("q")
            try tmux.wait(for: "ended 0")
        }
    }

    @Test("the stand adapts to a new terminal size while it plays") func theStandAdaptsToANewTerminalSizeWhileItPlays()
        async throws
    {
        try await stand((80, 24)) { tmux in
            try tmux.wait(for: "PLAYING")
            for (columns, rows) in [(200, 60), (40, 10), (120, 40)] {
                try tmux.resize(columns: columns, rows: rows)
                try tmux.wait(for: "the state at the right of \(columns) columns") {
                    let shown = try tmux.rows()
                    return shown.first.map { $0.hasSuffix("PLAYING") && $0.count >= columns - 2 } ?? false
                }
                // Nothing is left of the previous picture.
                try tmux.wait(for: "one picture") {
                    let shown = try tmux.rows()
                    return shown.count { $0.contains("PLAYING") } == 1
                        && shown.count { $0.contains("● ") || $0.contains("●─") || $0.contains("●│") } <= 1
                }
            }
        }
    }

    @Test("the previous contents of the terminal come back") func thePreviousContentsOfTheTerminalComeBack()
        async throws
    {
        try await stand((80, 24)) { tmux in
            try tmux.wait(for: "PLAYING")
            try tmux.press("q")
            try tmux.wait(for: "ended 0")
            let rows = try tmux.rows().filter { !$0.isEmpty }
            #expect(rows.count == 2 && rows[0].hasPrefix("Piece: stopped at line 1, bar 1"), "\(rows)")
        }
    }
}
