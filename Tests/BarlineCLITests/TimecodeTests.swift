internal import Shared
internal import Testing

/// Timecode beside the sound.
@Suite struct TimecodeTests {
    private static let start = ["--ltc-start", "10:00:00:00 @ 25"]

    private func render(_ arguments: [String], in scratch: Scratch) async throws -> Outcome {
        try scratch.write("small.yaml", SampleTexts.small)
        return try await Program.run(["render", "small.yaml", "-o", "x.wav"] + arguments, in: scratch)
    }

    @Test("--ltc writes a file of one channel that is as long as the sound, and has its start stamp")
    func file() async throws {
        let scratch = try Scratch()
        #expect(try await render(["--ltc", "ltc.flac"] + Self.start, in: scratch).code == 0)
        #expect(try scratch.read("ltc.flac").prefix(4) == Array("fLaC".utf8)[...])
        #expect(try await render(["--ltc", "ltc.wav"] + Self.start, in: scratch).code == 0)
        let (sound, timecode) = (try WaveFile(scratch.read("x.wav")), try WaveFile(scratch.read("ltc.wav")))
        #expect(sound.channels == 2 && timecode.channels == 1)
        #expect(sound.frames == timecode.frames)
        #expect(sound.chunks.contains("bext") && timecode.chunks.contains("bext"))
    }

    @Test("--ltc-channel 3 makes a file of three channels")
    func channel() async throws {
        let scratch = try Scratch()
        #expect(try await render(["--ltc-channel", "3"] + Self.start, in: scratch).code == 0)
        #expect(try WaveFile(scratch.read("x.wav")).channels == 3)
    }

    @Test("the settings shape timecode, and put it on a channel in live performances of scores that have it")
    func settings() async throws {
        let scratch = try Scratch()
        func set(_ words: String...) async throws {
            #expect(try await Program.run(["config"] + words, in: scratch).code == 0)
        }
        #expect(try await render(["--ltc", "one.wav", "--ltc-level", "-20dB"] + Self.start, in: scratch).code == 0)
        try await set("ltc-level", "-20dB")
        #expect(try await render(["--ltc", "two.wav"] + Self.start, in: scratch).code == 0)
        #expect(try scratch.read("one.wav") == scratch.read("two.wav"))
        try await set("ltc-channel", "3")
        #expect(try await render([], in: scratch).code == 0)
        #expect(try WaveFile(scratch.read("x.wav")).channels == 2)
        // A score without timecode is played as it would be without the setting.
        let two = ["--device", "null", "--channels", "2"]
        let plain = try await Program.run(["play", "small.yaml"] + two, in: scratch)
        #expect(plain.code == 0 && plain.errors.isEmpty, "\(plain.errors)")
        let coded = try await Program.run(["play", "small.yaml"] + two + Self.start, in: scratch)
        #expect(coded.code == 64 && coded.errors.contains("--ltc-channel 3: use --channels for more channels"))
        let three = try await Program.run(["play", "small.yaml", "--device", "null"] + Self.start, in: scratch)
        #expect(three.code == 0, "\(three.errors)")
    }

    @Test(
        "timecode that nothing can be made of is an error, and nothing is written",
        arguments: [
            ("--ltc ltc.wav", "the score has no timecode: add one with --ltc-start '01:00:00:00 @ 25'"),
            ("START", "the timecode goes nowhere: add --ltc-channel, --mtc or, to render a file, --ltc"),
            ("START --ltc-channel 3 --channels 2", "--ltc-channel 3: use --channels for more channels"),
            ("START --ltc-channel 2 --click-channels 2", "--ltc-channel 2: this channel carries other sound"),
            ("START --ltc x.wav", "'x.wav' is written or read already: give the timecode another name"),
            ("START --ltc ltc.wav --rate 8000", "timecode needs a --rate of 16000 Hz or more"),
        ])
    func errors(options: String, why: String) async throws {
        let scratch = try Scratch()
        let words = options.split(separator: " ").flatMap { $0 == "START" ? Self.start : [String($0)] }
        let outcome = try await render(words, in: scratch)
        #expect(outcome.errors == "barline: error: \(why)\n")
        #expect(outcome.code == (words.contains("x.wav") ? 73 : 64))
        #expect(try scratch.names == ["small.yaml"])
    }

    @Test(
        "the error about an option of timecode says how to correct it",
        arguments: [
            ("--ltc-start", "10:00:00:00", "a timecode needs its frames per second"),
            ("--ltc-channel", "33", "--ltc-channel must be 1 to 32"),
            ("--ltc", "ltc.mp3", "--ltc needs a name that ends in .wav, .rf64, .aiff or .flac"),
            ("--ltc-preroll", "2min", "--ltc-preroll must be at most 60 s"),
        ])
    func values(option: String, value: String, why: String) async throws {
        let outcome = try await render([option, value], in: try Scratch())
        #expect(outcome.code == 64 && outcome.errors.contains(why), "\(outcome.errors)")
    }
}
