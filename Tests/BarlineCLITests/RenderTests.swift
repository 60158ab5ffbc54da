internal import Glibc
internal import Testing

/// The files that `render` writes.
@Suite struct RenderTests {
    /// Bits, channels, rate, speed in percent.
    @Test(
        "the header describes the samples",
        arguments: [
            ("16", 2, 48000, 100), ("16", 1, 44100, 73), ("24", 2, 44100, 100), ("24", 1, 96000, 73),
            ("32f", 2, 96000, 50),
            ("32f", 1, 48000, 199), ("16", 2, 8000, 5), ("16", 2, 192_000, 1000),
        ])
    func theHeaderDescribesTheSamples(bits: String, channels: Int, rate: Int, percent: Int) async throws {
        let wave = try await render([
            "--bits", bits, "--channels", "\(channels)", "--rate", "\(rate)", "--speed", "\(percent)",
        ])
        let width = try #require(Int(bits.prefix(2)))
        #expect(wave.tag == (bits == "32f" ? 3 : 1))
        #expect(wave.channels == channels)
        #expect(wave.rate == rate)
        #expect(wave.bits == width)
        #expect(wave.blockAlign == channels * width / 8)
        #expect(wave.bytesPerSecond == rate * channels * width / 8)
        #expect(wave.data.count % wave.blockAlign == 0)
        #expect(!wave.chunks.contains("PEAK"), "it carries the time of day")
        // A count-in of 1/2 s, and 3/2 s of music at the given speed; each is rounded up to whole frames.
        let countIn = (rate + 1) / 2
        let music = (150 * rate + percent - 1) / percent
        #expect(wave.frames == countIn + music)
    }

    @Test(
        "the length of the count-in is rounded up to whole frames",
        arguments: [("0", 0), ("0.0001", 5), ("0.3333", 15999), ("2", 96000)])
    func theCountInIsRoundedUpToWholeFrames(countIn: String, frames: Int) async throws {
        #expect(try await render(["--count-in", countIn]).frames == frames + 72000)
    }

    @Test("a count-in in bars lasts its beats; a score or plan without beats does not trap")
    func countInOfBars() async throws {
        let scratch = try Scratch()
        try scratch.write("meter.yaml", "tempo: 1/8 = 92\nbars: [5/8]\n")
        try scratch.write("small.yaml", SampleTexts.small)
        func frames(_ arguments: [String], _ environment: [String: String] = [:], note: String = "") async throws -> Int
        {
            let outcome = try await Program.run(
                ["render"] + arguments + ["-o", "x.wav"], in: scratch, environment: environment)
            #expect(outcome.code == 0 && outcome.errors == note, "\(outcome.errors)")
            return try WaveFile(scratch.read("x.wav")).frames
        }
        // 5 eighths at 92 last 156 521.7 frames.
        #expect(try await frames(["meter.yaml", "--count-in", "1 bar"]) == 2 * 156_522)
        #expect(try await frames(["meter.yaml"], ["BARLINE_COUNT_IN": "5 beats"]) == 2 * 156_522)
        #expect(
            try await frames(
                ["small.yaml", "--count-in", "4 beats"],
                note:
                    "barline: note: the bar at which it begins has no beats: the count-in of 4 beats has seconds instead\n"
            ) == 192_000 + 72_000)
        let plan = ["run 0:20, walk 0:10", "--speak", "cues", "--no-end-signal"]
        #expect(try await frames(plan, ["BARLINE_COUNT_IN": "2 bars"]) == 35 * 48_000)
        #expect(try await frames(plan, ["BARLINE_COUNT_IN": "2"]) == 32 * 48_000)
        #expect(try await frames(["run 0:20, walk 0:10", "--no-cues"], ["BARLINE_COUNT_IN": "2"]) == 30 * 48_000)
    }

    @Test("rendering twice gives the same bytes") func renderingTwiceGivesTheSameBytes() async throws {
        let scratch = try Scratch()
        try scratch.write("small.yaml", SampleTexts.small)
        for name in ["a.wav", "b.wav"] {
            let outcome = try await Program.run(["render", "small.yaml", "-o", name, "--speed", "73%"], in: scratch)
            #expect(outcome.text == "" && outcome.errors == "" && outcome.code == 0)
        }
        #expect(firstDifference(try scratch.read("a.wav"), try scratch.read("b.wav")) == nil)
        #expect(try scratch.names == ["a.wav", "b.wav", "small.yaml"])
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

    /// Boundaries lie on whole frames, and each click ends before the next begins, so the samples are the same, only
    /// shifted.
    @Test("an excerpt has the same clicks as the piece, shifted to its own start")
    func anExcerptHasTheSameClicksAsThePieceShiftedToItsOwnStart() async throws {
        let options = ["--drone", "off", "--count-in", "0", "--bits", "32f", "--channels", "1"]
        let whole = try await render(options).floats
        let excerpt = try await render(options + ["--from", "1.2", "--to", "2.1"]).floats
        #expect(excerpt.contains { $0 != 0 })
        #expect(firstDifference(excerpt, Array(whole[24000..<57600])) == nil)
        let twice = try await render(options + ["--times", "2"]).floats
        #expect(firstDifference(twice, whole + whole) == nil)
    }

    @Test("an excerpt begins with the count-in") func anExcerptBeginsWithTheCountIn() async throws {
        let options = ["--drone", "off", "--bits", "32f", "--channels", "1"]
        let counted = try await render(options + ["--from", "2.1", "--count-in", "0.5"]).floats
        let bare = try await render(options + ["--from", "2.1", "--count-in", "0"]).floats
        let whole = try await render(options).floats
        #expect(firstDifference(Array(counted[24000...]), bare) == nil)
        #expect(firstDifference(Array(counted[..<24000]), Array(whole[..<24000])) == nil)
        #expect(counted[..<24000].contains { $0 != 0 })
    }

    @Test("drone and clicks add up to the whole") func droneAndClicksAddUpToTheWhole() async throws {
        let options = ["--bits", "32f", "--channels", "1", "--speed", "73%"]
        let whole = try await render(options).floats
        let clicks = try await render(options + ["--drone", "off"]).floats
        let drone = try await render(options + ["--click-level", "off"]).floats
        #expect(clicks.contains { $0 != 0 } && drone.contains { $0 != 0 })
        #expect(whole.count == clicks.count && whole.count == drone.count)
        let worst = zip(whole, zip(clicks, drone)).map { abs($0 - ($1.0 + $1.1)) }.max() ?? 1
        #expect(worst <= 0x1p-23, "no more than rounding to 32-bit floating point explains")
        let silence = try await render(options + ["--drone", "off", "--click-level", "off"])
        #expect(silence.data.allSatisfy { $0 == 0 })
    }

    @Test("channels carry the same sound") func channelsCarryTheSameSound() async throws {
        let mono = try await render(["--bits", "24", "--channels", "1"]).data
        let stereo = try await render(["--bits", "24", "--channels", "2"]).data
        let doubled = stride(from: 0, to: mono.count, by: 3).flatMap { mono[$0..<$0 + 3] + mono[$0..<$0 + 3] }
        #expect(firstDifference(stereo, doubled) == nil)
    }

    @Test("an existing file is replaced, and keeps its mode") func anExistingFileIsReplacedAndKeepsItsMode()
        async throws
    {
        let scratch = try Scratch()
        try scratch.write("small.yaml", SampleTexts.small)
        try scratch.write("old.wav", "old")
        try #require(chmod(scratch.folder + "/old.wav", 0o640) == 0)
        let outcome = try await Program.run(["render", "small.yaml", "-o", "old.wav"], in: scratch)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(try WaveFile(scratch.read("old.wav")).frames == 96000)
        var about = stat()
        #expect(stat(scratch.folder + "/old.wav", &about) == 0 && about.st_mode & 0o777 == 0o640)
        #expect(try scratch.names == ["old.wav", "small.yaml"])
    }

    private func render(_ options: [String]) async throws -> WaveFile {
        let scratch = try Scratch()
        try scratch.write("small.yaml", SampleTexts.small)
        let outcome = try await Program.run(["render", "small.yaml", "-o", "x.wav"] + options, in: scratch)
        #expect(outcome.text == "" && outcome.errors == "" && outcome.code == 0)
        #expect(try scratch.names == ["small.yaml", "x.wav"])
        return try WaveFile(scratch.read("x.wav"))
    }
}
