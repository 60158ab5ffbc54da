import Application
import Formats
import Scores
import Shared
import Testing

/// Scores from the times of taps.
@Suite struct TapTests {
    /// Writes a score of the taps in this home, or of those at the terminal; returns the exit code.
    private func tap(
        _ taps: String?, beats: Int = 4, in home: Home, _ change: (inout TapRequest) -> Void = { _ in }
    ) async throws -> Int32 {
        var request = TapRequest(taps.map { home.folder($0) }, beats: beats)
        change(&request)
        return try await home.run(request) { try $0.write() }
    }

    @Test("times of taps are written as a score, to a file or to standard output") func timesAreWritten() async throws {
        let home = Home()
        try home.folder.write("taps.txt", (0...8).map { "\(2 + Double($0) / 2)\n" }.joined())
        #expect(try await tap("taps.txt", in: home) == 0 && home.errors == "", "\(home.errors)")
        #expect(home.text == "tempo: 1/4 = 120\nbeats: on\nbars: [4/4 x 2]\n")
        let meter = try Meter(scoreText: "6/8")
        let jig = home.folder("jig.yaml")
        #expect(try await tap("taps.txt", beats: 2, in: home) { ($0.style, $0.output) = (.meter(meter), jig) } == 0)
        #expect(home.text == "" && home.errors == "", "\(home.errors)")
        #expect(try await home.run { try CheckRequest([jig]).check() } == 0)
        #expect(home.text == "\(jig): 1 line, 4 bars, 0:04\n")
        #expect(try await tap("taps.txt", in: home) { $0.style = .seconds } == 0)
        #expect(home.text == "bars: [2, 2]\n")
    }

    @Test("taps with decimal commas make the score of those with points") func commas() async throws {
        let home = Home()
        let times = ["0.52", "1.91", "2.03", "3.48", "4.99"]
        for (name, mark) in [("points.txt", "."), ("commas.txt", ",")] {
            let start = name == "points.txt" ? "" : "\u{FEFF}"
            try home.folder.write(
                name, start + times.map { $0.split(separator: ".").joined(separator: mark) + "\n" }.joined())
        }
        #expect(try await tap("points.txt", beats: 1, in: home) { $0.style = .seconds } == 0)
        let text = home.text
        #expect(text.hasPrefix("bars: [1.39, "), "\(text)")
        #expect(try await tap("commas.txt", beats: 1, in: home) { $0.style = .seconds } == 0 && home.text == text)
    }

    @Test("taps that cannot be used are refused, each with its exit code") func refused() async throws {
        let home = Home()
        let taps = "1\n2\n1.5\n"
        try home.folder.write("taps.txt", taps)
        for (file, output, code, error) in [
            ("taps.txt", "-", Int32(65), "taps.txt', line 3: this tap is not after the one before"),
            ("none.txt", "-", 66, "none.txt'\n"), ("./", "-", 66, "' is a folder"),
            ("taps.txt", home.folder("./taps.txt"), 73, "has the times of the taps: give the score another name"),
        ] {
            #expect(try await tap(file, in: home) { $0.output = output } == code)
            #expect(home.errors.contains(error) && home.text == "", "\(home.errors)")
        }
        #expect(home.folder.text("taps.txt") == taps)
        #expect(try await tap(nil, in: home) == 64 && home.errors.contains("tapping needs a terminal"))
    }
}
