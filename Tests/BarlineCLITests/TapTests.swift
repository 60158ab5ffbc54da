internal import Foundation
internal import Testing

/// Scores from taps on the command line.
@Suite struct TapTests {
    private static let taps = (0...8).map { "\(2 + Double($0) / 2)\n" }.joined()

    @Test("times of taps are written as a score, to a file or to standard output") func timesAreWritten() async throws {
        let scratch = try Scratch()
        try scratch.write("taps.txt", Self.taps)
        let printed = try await Program.run(["tap", "--beats", "4", "taps.txt"], in: scratch)
        #expect(printed.text == "tempo: 1/4 = 120\nbeats: on\nbars: [4/4 x 2]\n")
        #expect(printed.code == 0 && printed.errors == "", "\(printed.errors)")
        let file = try await Program.run(
            ["tap", "--beats=2", "--meter=6/8", "taps.txt", "-o", "jig.yaml"], in: scratch)
        #expect(file.code == 0 && file.text == "" && file.errors == "", "\(file.errors)")
        let check = try await Program.run(["check", "jig.yaml"], in: scratch)
        #expect(check.text == "jig.yaml: 1 line, 4 bars, 0:04\n")
        let seconds = try await Program.run(["tap", "--beats", "4", "--seconds", "taps.txt"], in: scratch)
        #expect(seconds.text == "bars: [2, 2]\n")
    }

    @Test("taps that cannot be used are refused, each with its exit code") func refused() async throws {
        let scratch = try Scratch()
        try scratch.write("taps.txt", "1\n2\n1.5\n")
        for (arguments, code, error) in [
            (
                ["tap", "--beats", "4", "taps.txt"], Int32(65),
                "'taps.txt', line 3: this tap is not after the one before"
            ),
            (["tap", "--beats", "4", "none.txt"], 66, "'none.txt' cannot be read"),
            (["tap", "--beats", "4"], 64, "tapping needs a terminal"),
            (["tap", "--beats", "65", "taps.txt"], 64, "--beats must be 1 to 64 taps"),
            (["tap", "--beats", "4", "taps.txt", "-o", "x.mid"], 64, "'x.mid' must end in .yaml"),
            (["tap", "--beats", "4", "--seconds", "--meter", "4/4", "taps.txt"], 64, "--meter and --seconds"),
        ] {
            let outcome = try await Program.run(arguments, in: scratch)
            #expect(outcome.code == code && outcome.errors.contains(error), "\(outcome.errors)")
        }
    }

    @Test("at a terminal every key is a tap, Backspace takes one back, and Enter ends") func atATerminal() async throws
    {
        let scratch = try Scratch()
        let text = try await TerminalSession.run(["tap", "--beats", "3"], in: scratch) { session in
            try session.wait(for: "Tap on the first beat")
            for (key, shown) in [
                ("x", "bar 1, tap 1"), (" ", "bar 1, tap 2"), ("y", "bar 1, tap 3"), ("z", "bar 2, tap 1"),
            ] {
                session.type(key)
                try session.wait(for: shown)
            }
            for shown in ["bar 1, tap 3", "bar 1, tap 2", "bar 1, tap 1"] {
                session.type("\u{7F}")
                try session.wait(for: shown)
            }
            session.type("\r")
            try session.expectEnd(65)
            #expect(session.isAsBefore)
            return session.text
        }
        #expect(text.contains("fewer than two taps"))
    }
}
