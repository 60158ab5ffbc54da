internal import Shared
internal import Testing

/// The options of `render`: that each reaches the file. What is in the files is tested without the command line.
@Suite struct RenderOptionTests {
    @Test("the options for the format and the passage reach the file") func options() async throws {
        let scratch = try Scratch()
        try scratch.write("small.yaml", SampleTexts.small)
        func render(_ options: String...) async throws -> WaveFile {
            let arguments = ["render", "small.yaml", "-o", "x.wav", "--bits", "24", "--rate", "44100"] + options
            let outcome = try await Program.run(arguments, in: scratch)
            #expect(outcome.code == 0 && outcome.text == "" && outcome.errors == "", "\(outcome.errors)")
            return try WaveFile(scratch.read("x.wav"))
        }
        // A count-in of 1/2 s, and 3/2 s of music at the given speed.
        let whole = try await render("--channels", "1", "--speed", "50%")
        #expect(whole.bits == 24 && whole.channels == 1 && whole.rate == 44_100 && whole.frames == 22_050 + 132_300)
        let part = try await render("--from", "1.2", "--to", "2.1", "--times", "2", "--count-in", "0.3333")
        #expect(part.channels == 2 && part.frames == 14_699 + 61_740)
        let silence = try await render("--drone", "off", "--click-level", "off")
        #expect(silence.data.allSatisfy { $0 == 0 })
    }

    @Test("the stream is the file without its header", arguments: ["16", "24", "32f"])
    func theStreamIsTheFileWithoutItsHeader(bits: String) async throws {
        let scratch = try Scratch()
        try scratch.write("small.yaml", SampleTexts.small)
        let options = ["render", "small.yaml", "--bits", bits, "--rate", "44100", "-o"]
        let file = try await Program.run(options + ["x.wav"], in: scratch)
        #expect(file.code == 0, "\(file.errors)")
        let stream = try await Program.run(options + ["-"], in: scratch)
        #expect(stream.code == 0 && stream.errors == "", "\(stream.errors)")
        #expect(firstDifference(stream.output, try WaveFile(scratch.read("x.wav")).data) == nil)
    }

    @Test("music is named by --over, several times or several at once") func over() async throws {
        let scratch = try Scratch()
        try scratch.write("piece.yaml", "bars: [3]\n")
        for name in ["a.wav", "b.wav"] {
            let music = ["render", "piece.yaml", "-o", name, "--count-in", "0", "--rate", "8000"]
            #expect(try await Program.run(music, in: scratch).code == 0)
        }
        let plan = ["render", "run 0:05", "--no-cues", "-o"]
        for (output, names) in [
            ("1.wav", ["--over", "a.wav", "b.wav"]), ("2.wav", ["--over", "a.wav", "--over", "b.wav"]),
        ] {
            let outcome = try await Program.run(plan + [output] + names, in: scratch)
            #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
        }
        #expect(firstDifference(try scratch.read("1.wav"), try scratch.read("2.wav")) == nil)
    }
}
