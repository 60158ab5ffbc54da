import Application
import Shared
import Testing

/// How the format of a score is found.
@Suite struct RecognitionTests {
    @Test("the content of a text determines its format, in a file with any name") func recognized() async throws {
        let home = Home()
        let piece = try home.write("piece", "title: Tuesday\nwarm-up 0:10\n3x(run 0:30, walk 0:20)\n")
        #expect(try await home.timeline(piece).hasSuffix("7 bars, 2:40.000\n"))
    }

    @Test("all commands read the same text as the same score") func commands() async throws {
        let home = Home()
        let clicks = try home.write("clicks.txt", "t 60\n4/4 x 2\nrep 2 2\n1 b\n1\n")
        #expect(try await home.timeline(clicks).hasSuffix("\n4 bars, 0:12.000\n"))
        #expect(try await home.convert(clicks, to: "x.yaml").code == 0)
        #expect(try await home.timeline("x.yaml").hasSuffix("\n4 bars, 0:12.000\n"))
        let code = try await home.render(clicks) { ($0.performance.countIn, $0.format.rate) = (.off, 8000) }
        #expect(code == 0, "\(home.errors)")
        #expect(try WaveFile(home.folder.bytes("x.wav")).frames == 12 * 8000)
    }

    @Test("where two formats fit equally well, the message names both and the option that decides")
    func close() async throws {
        let home = Home()
        try home.folder.write("x.txt", "5:30\n5:20\n")
        let undecided = try await home.timelineTold("x.txt")
        #expect(undecided.code == 65)
        #expect(
            undecided.errors.hasPrefix(
                "x.txt:1:1: error: the text may be a Click Tracker score or a plan of intervals; add --format click-tracker or --format plan\n"
            ))
        let plan = try await home.timeline("x.txt") { $0.passage.reading.format = .plan }
        #expect(plan.hasSuffix("\n2 bars, 10:50.000\n"))
        _ = try await home.timeline("x.txt") { $0.passage.reading.format = .clickTracker }
    }

    @Test("lines that another program would skip give a warning, and an error if one is strict")
    func strict() async throws {
        let home = Home()
        let score = try home.write("x.txt", "t 60\nt40\n4/4 x 20\n4/4\n3/4\n")
        let loose = try await home.timelineTold("x.txt")
        #expect(loose.code == 0)
        #expect(
            loose.errors.hasPrefix(
                "x.txt:2:1: warning: 't40' is neither a bar, a beat nor a command: the line is skipped\n"))
        let strict = try await home.convert(score, to: "x.yaml") { $0.reading.isStrict = true }
        #expect(strict.code == 65 && home.folder.contents == ["x.txt"])
        #expect(strict.errors.hasPrefix("x.txt:2:1: error: 't40' is neither"), "\(strict.errors)")
    }
}
