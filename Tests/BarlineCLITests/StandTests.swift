internal import Testing

/// The practice stand as tmux shows it, at sizes from a corner of a screen to a projector.
@Suite struct StandTests {
    private static let piece = """
        title: Piece
        count-in: 1
        drone: B4
        lines:
          - {label: First, bars: [60, {duration: 60, cue: breathe}]}
          - bars: [60, {duration: 0.3, hold: until cue}, 60]

        """

    private func stand(
        _ columns: Int, _ rows: Int, _ options: [String], _ body: @escaping @Sendable (Tmux) throws -> Void
    ) async throws {
        let scratch = try Scratch()
        try scratch.write("piece.yaml", StandTests.piece)
        try await Tmux.run(
            ["play", "piece.yaml"] + options, in: scratch, columns: columns, rows: rows,
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

    @Test(
        "the stand counts in, plays, flashes, pauses, changes, holds and loops, and what stood there before comes back",
        arguments: [(40, 10), (80, 24), (200, 60)])
    func plays(columns: Int, rows: Int) async throws {
        try await stand(columns, rows, ["--device", "null", "--flash", "screen"]) { tmux in
            try tmux.wait(for: "COUNT-IN")
            try tmux.wait(for: "large digits") { try StandTests.cells(tmux) > 10 }
            try tmux.wait(for: "PLAYING")
            try tmux.wait(for: "line 1, bar 1 of 2")
            // A picture may arrive in two pieces.
            try tmux.wait(for: "First")
            try tmux.wait(for: "then bar 2, 60.0 s")
            #expect(try tmux.rows().count <= rows + 1)
            try tmux.wait(for: "a flash") {
                try tmux.press("Right", "Up")
                return try tmux.colors().contains("48;")
            }
            try tmux.press("Home", "Space")
            try tmux.wait(for: "PAUSED")
            try tmux.wait(for: "no flash") {
                try !tmux.colors().contains("\u{1B}[48") && !tmux.colors().contains(";48;")
            }
            try tmux.press("+", "+", "B", "x", "m", "M")
            try tmux.wait(for: "110%")
            if rows > 14 { try tmux.wait(for: "A4 441.0   drone C5 524.44 Hz -23 dB   clicks -5 dB") }
            try tmux.press("R")
            try tmux.wait(for: "100%")
            if rows > 14 { try tmux.wait(for: "A4 440.0   drone B4 493.88 Hz -24 dB   clicks -6 dB") }
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
            try tmux.press("q")
            try tmux.wait(for: "ended 0")
            let shown = try tmux.rows().filter { !$0.isEmpty }
            #expect(shown.count <= 3 && shown[0].hasPrefix("Piece: stopped at line 2, bar "), "\(shown)")
        }
    }

    @Test("the stand adapts to a new terminal size while it plays")
    func adapts() async throws {
        try await stand(80, 24, ["--device", "null"]) { tmux in
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
}
