internal import Shared
internal import Testing

/// The options of `render`: that each reaches the file. What is in the files is tested without the command line.
@Suite struct RenderOptionTests {
    @Test("the options reach the file, and the stream is the file without its header") func options() async throws {
        let scratch = try Scratch()
        try scratch.write("small.yaml", SampleTexts.small)
        func run(_ arguments: [String], _ settings: [String: String] = [:]) async throws -> Outcome {
            let outcome = try await Program.run(arguments, in: scratch, environment: settings)
            #expect(outcome.code == 0 && outcome.errors == "", "\(arguments): \(outcome.errors)")
            return outcome
        }
        func render(_ options: String...) async throws -> WaveFile {
            let arguments = ["render", "small.yaml", "-o", "x.wav", "--bits", "24", "--rate", "44100"] + options
            #expect(try await run(arguments).text == "")
            return try WaveFile(scratch.read("x.wav"))
        }
        // A count-in of 1/2 s, and 3/2 s of music at the given speed.
        let whole = try await render("--channels", "1", "--speed", "50%")
        #expect(whole.bits == 24 && whole.channels == 1 && whole.rate == 44_100 && whole.frames == 22_050 + 132_300)
        let part = try await render("--from", "1.2", "--to", "2.1", "--times", "2", "--count-in", "0.3333")
        #expect(part.channels == 2 && part.frames == 14_699 + 61_740)
        let silence = try await render("--drone", "off", "--click-level", "off")
        #expect(silence.data.allSatisfy { $0 == 0 })

        for bits in ["16", "24", "32f"] {
            let options = ["render", "small.yaml", "--bits", bits, "--rate", "44100", "-o"]
            _ = try await run(options + ["x.wav"])
            let stream = try await run(options + ["-"]).output
            #expect(firstDifference(stream, try WaveFile(scratch.read("x.wav")).data) == nil)
            guard bits == "32f" else { continue }
            // An endless stream ends when its reader does.
            let loop = options + ["-", "--count-in", "0", "--drone", "off"]
            let once = try await run(loop).output
            let endless = try await Program.run(
                loop + ["--loop"], in: scratch, output: .closed(after: 3 * once.count))
            #expect(endless.code == 128 + 13 && endless.errors == "", "\(endless.errors)")
            let expected = once + once + once
            #expect(firstDifference(Array(endless.output.prefix(expected.count)), expected) == nil)
        }

        // Music is named several times or several at once.
        for (output, names) in [
            ("1.wav", ["--over", "x.wav", "x.wav"]), ("2.wav", ["--over", "x.wav", "--over", "x.wav"]),
        ] {
            _ = try await run(["render", "run 0:05", "--no-cues", "-o", output] + names)
        }
        #expect(firstDifference(try scratch.read("1.wav"), try scratch.read("2.wav")) == nil)

        // The word of a setting for its default is a value of its option.
        let settings = ["BARLINE_SPEAK": "cues", "BARLINE_LANGUAGE": "de", "BARLINE_LATENCY": "7 ms"]
        let plan = "run 0:10, walk 0:10"
        let words = ["--countdown", "off", "--hold-end", "3", "--drone", "off", "--click-level", "-6 dB"]
        _ = try await run(["render", plan, "-o", "a.wav", "--speak", "off"] + words, settings)
        _ = try await run(
            ["render", plan, "-o", "a.wav", "--speak", "cues", "--language", "auto", "--no-cues"], settings)
        let play = [
            "play", plan, "--to", "1.1", "--speed", "1000%", "--device", "null", "--count-in", "0", "--speak", "off",
        ]
        let played = try await Program.run(play + ["--latency", "auto"], in: scratch, environment: settings)
        #expect(played.code == 0, "\(played.errors)")
    }
}
