internal import Foundation
internal import Testing

/// `render --over`: a plan over one's own music.
@Suite struct OverTests {
    private static let plan = "2x(run 0:10, walk 0:05)"

    /// A folder with three pieces of three seconds, named so that 10 comes after 2, and files that are no music.
    private func scratch() async throws -> Scratch {
        let scratch = try Scratch()
        try scratch.write("piece.yaml", "bars: [3]\n")
        for (name, drone) in [("2", "A3"), ("10", "C4"), ("1", "E4")] {
            let outcome = try await Program.run(
                [
                    "render", "piece.yaml", "-o", "\(name).wav", "--drone", drone, "--click-level", "off", "--count-in",
                    "0", "--rate", "8000",
                ], in: scratch)
            #expect(outcome.code == 0, "\(outcome.errors)")
        }
        return scratch
    }

    private func render(_ arguments: [String], in scratch: Scratch) async throws -> Outcome {
        try await Program.run(["render", OverTests.plan, "--no-cues", "--count-in", "5"] + arguments, in: scratch)
    }

    @Test("a plan over music has the sample rate of the music, and stems of the same length")
    func overMusic() async throws {
        let scratch = try await scratch()
        let outcome = try await render(["--over", "2.wav", "10.wav", "-o", "run.wav", "--stems"], in: scratch)
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
        for name in ["run", "run-click", "run-drone", "run-speech", "run-music"] {
            let wave = try WaveFile(scratch.read("\(name).wav"))
            #expect(wave.rate == 8000 && wave.frames == 35 * 8000)
            #expect(wave.data.contains { $0 != 0 } == ["run", "run-click", "run-music"].contains(name))
        }
        // Cues begin within a millisecond of the plan, as the stem has them: nothing sounds before them.
        let clicks = try WaveFile(scratch.read("run-click.wav"))
        for boundary in [5, 15, 20, 30] {
            let frames = ((boundary - 1) * 8000 + 4000)..<(boundary * 8000 + 100)
            let heard = frames.first { frame in
                let (low, high) = (Int(clicks.data[4 * frame]), Int(clicks.data[4 * frame + 1]))
                return abs(Int(Int16(truncatingIfNeeded: high << 8 | low))) > 100
            }
            #expect(abs((heard ?? 0) - boundary * 8000) <= 8)
        }
        let other = try await render(["--over", "2.wav", "-o", "other.wav", "--rate", "11025"], in: scratch)
        #expect(other.code == 0)
        #expect(try WaveFile(scratch.read("other.wav")).rate == 11_025)
    }

    @Test("a folder stands for its sound files, ordered by number; a note names the other files")
    func folder() async throws {
        let scratch = try await scratch()
        for name in ["music", "music/sub"] {
            try FileManager.default.createDirectory(
                atPath: "\(scratch.folder)/\(name)", withIntermediateDirectories: true)
        }
        try scratch.write("music/cover.jpg", "no sound")
        try scratch.write("music/.hidden", "no sound")
        for (from, to) in [("1", "music/1"), ("2", "music/2"), ("10", "music/sub/10")] {
            try scratch.write("\(to).wav", bytes: scratch.read("\(from).wav"))
        }
        let folder = try await render(["--over", "music", "-o", "a.wav"], in: scratch)
        #expect(
            folder.code == 0 && folder.errors == "barline: note: 'music' has files that are not played: cover.jpg\n")
        let files = try await render(["--over", "1.wav", "--over", "2.wav", "10.wav", "-o", "b.wav"], in: scratch)
        #expect(files.code == 0 && files.errors == "")
        #expect(firstDifference(try scratch.read("a.wav"), try scratch.read("b.wav")) == nil)
    }

    @Test("music that cannot be played is an error, and no file appears") func errors() async throws {
        let scratch = try await scratch()
        try scratch.write("text.mp3", "no sound")
        try scratch.write("cut.wav", bytes: Array(scratch.read("2.wav").prefix(20_000)))
        try FileManager.default.createDirectory(
            atPath: "\(scratch.folder)/empty", withIntermediateDirectories: true)
        try scratch.write("empty/readme.txt", "no sound")
        for (name, code, why) in [
            ("none.mp3", Int32(66), "--over: 'none.mp3' does not exist"),
            ("text.mp3", 65, "'text.mp3' cannot be played: "),
            ("cut.wav", 65, "'cut.wav' cannot be played: it ends in the middle"),
            ("empty", 65, "--over: 'empty' has no sound file that can be played"),
        ] {
            let outcome = try await render(["--over", name, "-o", "run.wav"], in: scratch)
            #expect(outcome.code == code && outcome.errors.contains("barline: error: \(why)"), "\(outcome.errors)")
        }
        let same = try await render(["--over", "2.wav", "-o", "2.wav"], in: scratch)
        #expect(same.code == 73 && same.errors.contains("'2.wav' is the music"))
        #expect(try !scratch.names.contains { $0.hasPrefix("run") })
    }
}
