import Application
import Glibc
import Playback
import Scores
import Shared
import Testing
import Timing
import UserSettings

extension Home {
    /// Renders a score of this home to a file of it; returns the exit code.
    @discardableResult
    func render(
        _ score: String = "small.yaml", to output: String = "x.wav", _ settings: [String: String] = [:],
        _ change: (inout RenderRequest) throws -> Void = { _ in }
    ) async throws -> Int32 {
        var request = RenderRequest(path(score), to: folder(output))
        try change(&request)
        let wanted = request
        return try await run(settings) { try wanted.render() }
    }
}

/// The files that are rendered.
@Suite struct RenderTests {
    /// Bits, channels, rate, speed in percent.
    @Test(
        "the header describes the samples",
        arguments: [
            (SampleFormat.bits16, 2, 48000, 100), (.bits16, 1, 44100, 73), (.bits24, 2, 44100, 100),
            (.bits24, 1, 96000, 73), (.float32, 2, 96000, 50), (.float32, 1, 48000, 199), (.bits16, 2, 8000, 5),
            (.bits16, 2, 192_000, 400),
        ])
    func theHeaderDescribesTheSamples(samples: SampleFormat, channels: Int, rate: Int, percent: Int) async throws {
        let wave = try await render {
            ($0.format.samples, $0.format.channels, $0.format.rate) = (samples, channels, rate)
            $0.performance.passage.speed = try Speed(scoreText: "\(percent)%")
        }
        let width = samples == .bits16 ? 16 : samples == .bits24 ? 24 : 32
        #expect(wave.tag == (samples == .float32 ? 3 : 1))
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
        let wave = try await render { $0.performance.countIn = try Setting.countIn.value(countIn) }
        #expect(wave.frames == frames + 72000)
    }

    @Test("a count-in in bars lasts its beats; a score or plan without beats does not trap")
    func countInOfBars() async throws {
        let home = Home()
        try home.folder.write("meter.yaml", "tempo: 1/8 = 92\nbars: [5/8]\n")
        try home.folder.write("small.yaml", SampleTexts.small)
        func frames(
            _ score: String, _ settings: [String: String] = [:], note: String = "",
            _ change: (inout RenderRequest) throws -> Void = { _ in }
        ) async throws -> Int {
            let code = try await home.render(score, settings, change)
            #expect(code == 0 && home.errors == note, "\(home.errors)")
            return try WaveFile(home.folder.bytes("x.wav")).frames
        }
        // 5 eighths at 92 last 156 521.7 frames.
        #expect(try await frames("meter.yaml") { $0.performance.countIn = .bars(1) } == 2 * 156_522)
        #expect(try await frames("meter.yaml", ["BARLINE_COUNT_IN": "5 beats"]) == 2 * 156_522)
        #expect(
            try await frames(
                "small.yaml",
                note:
                    "barline: note: the bar at which it begins has no beats: the count-in of 4 beats has seconds instead\n"
            ) { $0.performance.countIn = .beats(4) } == 192_000 + 72_000)
        // An hour of this bar of five minutes: 12 of 16.
        try home.folder.write("slow.yaml", "tempo: 1\nbars: [5/4]\n")
        #expect(
            try await frames(
                "slow.yaml",
                note: "barline: note: the count-in of 16 bars would last more than an hour: it begins later\n"
            ) {
                $0.performance.countIn = .bars(16)
                $0.format.rate = 8000
            } == 65 * 60 * 8000)
        let plan = "run 0:20, walk 0:10"
        func cues(_ request: inout RenderRequest) throws {
            request.performance.cues[Setting.speak] = try SpeechSettings(list: "cues")
            request.performance.cues[Setting.endSignal] = false
        }
        #expect(try await frames(plan, ["BARLINE_COUNT_IN": "2 bars"], cues) == 35 * 48_000)
        #expect(try await frames(plan, ["BARLINE_COUNT_IN": "2"], cues) == 32 * 48_000)
        #expect(
            try await frames(plan, ["BARLINE_COUNT_IN": "2"]) { $0.performance.cues.noCues = true } == 30 * 48_000)
    }

    @Test("rendering twice gives the same bytes") func renderingTwiceGivesTheSameBytes() async throws {
        let home = Home()
        try home.folder.write("small.yaml", SampleTexts.small)
        for name in ["a.wav", "b.wav"] {
            let code = try await home.render(to: name) { $0.performance.passage.speed = try Speed(scoreText: "73%") }
            #expect(home.text == "" && home.errors == "" && code == 0)
        }
        #expect(firstDifference(home.folder.bytes("a.wav"), home.folder.bytes("b.wav")) == nil)
        #expect(home.folder.contents == ["a.wav", "b.wav", "small.yaml"])
    }

    /// Boundaries lie on whole frames, and each click ends before the next begins, so the samples are the same, only
    /// shifted.
    @Test("an excerpt has the same clicks as the piece, shifted to its own start")
    func anExcerptHasTheSameClicksAsThePieceShiftedToItsOwnStart() async throws {
        func bare(_ request: inout RenderRequest) {
            (request.performance.drone, request.performance.countIn) = (.off, .off)
            (request.format.samples, request.format.channels) = (.float32, 1)
        }
        let whole = try await render { bare(&$0) }.floats
        let excerpt = try await render {
            bare(&$0)
            ($0.performance.passage.from, $0.performance.passage.to) = ("1.2", "2.1")
        }.floats
        #expect(excerpt.contains { $0 != 0 })
        #expect(firstDifference(excerpt, Array(whole[24000..<57600])) == nil)
        let twice = try await render {
            bare(&$0)
            $0.performance.passage.times = 2
        }.floats
        #expect(firstDifference(twice, whole + whole) == nil)
    }

    @Test("an excerpt begins with the count-in") func anExcerptBeginsWithTheCountIn() async throws {
        func samples(from: String?, _ countIn: Score.Lead?) async throws -> [Float] {
            try await render {
                ($0.performance.drone, $0.performance.countIn) = (.off, countIn)
                ($0.format.samples, $0.format.channels) = (.float32, 1)
                $0.performance.passage.from = from
            }.floats
        }
        let counted = try await samples(from: "2.1", .time(.milliseconds(500)))
        let bare = try await samples(from: "2.1", .off)
        let whole = try await samples(from: nil, nil)
        #expect(firstDifference(Array(counted[24000...]), bare) == nil)
        #expect(firstDifference(Array(counted[..<24000]), Array(whole[..<24000])) == nil)
        #expect(counted[..<24000].contains { $0 != 0 })
    }

    @Test("drone and clicks add up to the whole") func droneAndClicksAddUpToTheWhole() async throws {
        func samples(drone: DroneChoice? = nil, clicks: Level? = nil) async throws -> [Float] {
            try await render {
                ($0.performance.drone, $0.performance.clicks[Setting.clickLevel]) = (drone, clicks)
                ($0.format.samples, $0.format.channels) = (.float32, 1)
                $0.performance.passage.speed = try Speed(scoreText: "73%")
            }.floats
        }
        let whole = try await samples()
        let clicks = try await samples(drone: .off)
        let drone = try await samples(clicks: .off)
        #expect(clicks.contains { $0 != 0 } && drone.contains { $0 != 0 })
        #expect(whole.count == clicks.count && whole.count == drone.count)
        let worst = zip(whole, zip(clicks, drone)).map { abs($0 - ($1.0 + $1.1)) }.max() ?? 1
        #expect(worst <= 0x1p-23, "no more than rounding to 32-bit floating point explains")
        #expect(try await samples(drone: .off, clicks: .off).allSatisfy { $0 == 0 })
    }

    @Test("channels carry the same sound") func channelsCarryTheSameSound() async throws {
        func data(_ channels: Int) async throws -> [UInt8] {
            try await render { ($0.format.samples, $0.format.channels) = (.bits24, channels) }.data
        }
        let (mono, stereo) = (try await data(1), try await data(2))
        let doubled = stride(from: 0, to: mono.count, by: 3).flatMap { (at: Int) -> [UInt8] in
            let sample = mono[at..<at + 3]
            return Array(sample + sample)
        }
        #expect(firstDifference(stereo, doubled) == nil)
    }

    @Test("an existing file is replaced, and keeps its mode") func anExistingFileIsReplacedAndKeepsItsMode()
        async throws
    {
        let home = Home()
        try home.folder.write("small.yaml", SampleTexts.small)
        try home.folder.write("old.wav", "old")
        try #require(chmod(home.folder("old.wav"), 0o640) == 0)
        #expect(try await home.render(to: "old.wav") == 0, "\(home.errors)")
        #expect(try WaveFile(home.folder.bytes("old.wav")).frames == 96000)
        var about = stat()
        #expect(stat(home.folder("old.wav"), &about) == 0 && about.st_mode & 0o777 == 0o640)
        #expect(home.folder.contents == ["old.wav", "small.yaml"])
    }

    @Test("a file has as many channels as the voices need; fewer are an error, and so is an unknown voice")
    func channels() async throws {
        let home = Home()
        try home.folder.write(
            "canon.yaml",
            """
            voices:
              flute: {channel: 1, bars: [0.5, {duration: 0.3, cue: go}]}
              harp: {channel: 4, bars: [{duration: 0.6, label: B}]}

            """)
        #expect(try await home.render("canon.yaml") { $0.format.rate = 8000 } == 0, "\(home.errors)")
        let wave = try WaveFile(home.folder.bytes("x.wav"))
        #expect(wave.channels == 4 && wave.frames == 6400)
        let few = try await home.render("canon.yaml", to: "y.wav") { $0.format.channels = 3 }
        #expect(few == 64)
        #expect(home.errors == "barline: error: --channels 3: a voice of the score is on channel 4\n")
        let unknown = try await home.render("canon.yaml", to: "y.wav") {
            $0.performance.passage.version.voice = "flut"
        }
        #expect(unknown == 64)
        #expect(home.errors == "barline: error: --voice: there is no voice 'flut'; did you mean 'flute'?\n")
        #expect(try await home.render("canon.yaml", to: "canon.mp3") == 64)
        #expect(home.errors == "barline: error: MP3 supports at most 2 channels\n")
        #expect(home.folder.contents == ["canon.yaml", "x.wav"])
    }

    @Test("an endless repeat is rendered to a file only if the passage is limited") func aFileHasToEnd() async throws {
        let home = Home()
        try home.folder.write("round.yaml", "title: Round\nrepeat: forever\nlines: [[0.1, 0.2], [0.3]]\n")
        #expect(try await home.render("round.yaml") == 64)
        #expect(
            home.errors == "barline: error: the score repeats forever, but a file must end: use --to or --times\n")
        #expect(home.folder.contents == ["round.yaml"])
        for (times, to, seconds) in [(3, nil, 1.8), (nil, "1.2", 0.3), (nil, "0:01", 1.2)] as [(Int?, String?, Double)]
        {
            let code = try await home.render("round.yaml") {
                ($0.performance.passage.times, $0.performance.passage.to) = (times, to)
                $0.format.rate = 8000
            }
            #expect(code == 0 && home.errors == "", "\(home.errors)")
            #expect(try WaveFile(home.folder.bytes("x.wav")).frames == Int(seconds * 8000))
        }
    }

    @Test(
        "an order or silent bars that are drawn tell their number, by which a file is rendered in the same way again without a note",
        arguments: [true, false])
    func drawn(isOrder: Bool) async throws {
        let home = Home()
        try home.folder.write("piece.yaml", "lines:\n" + (1...9).map { "- [0.0\($0), 0.03]\n" }.joined())
        func render(to name: String, _ text: String) async throws {
            let code = try await home.render("piece.yaml", to: name) {
                $0.practice = PracticeRequest(
                    isOrder ? try Drawn(text, PracticeProgram.init(scoreText:newSeed:)) : nil,
                    try Drawn(isOrder ? "1 of 2" : text, Performance.Silence.init(scoreText:newSeed:)))
            }
            #expect(code == 0, "\(home.errors)")
        }
        try await render(to: "a.wav", isOrder ? "random" : "random 40%")
        let quoted: [Substring] = home.errors.split(separator: "'")
        let told = String(try #require(quoted.dropFirst().first))
        #expect(told.hasPrefix(isOrder ? "random " : "random 40% "), "\(home.errors)")
        try await render(to: "b.wav", told)
        #expect(home.errors.isEmpty, "\(home.errors)")
        #expect(firstDifference(home.folder.bytes("a.wav"), home.folder.bytes("b.wav")) == nil)
    }

    /// Outputs within a folder that holds the score, the folder `there` and the good file `good.wav`.
    @Test(
        "an output path that cannot be written is refused",
        arguments: [
            ("there", "cannot be written: Is a directory"), (".", "cannot be written: Is a directory"),
            ("good.wav/x.wav", "cannot be written: Not a directory"),
            ("missing/x.wav", "cannot be written: No such file or directory"),
            ("small.yaml", "is the score: give the sound another name"),
            ("there/../small.yaml", "is the score: give the sound another name"),
            ("pipe", "is a pipe, which cannot hold a sound file; -o - writes raw samples"),
        ])
    func anOutputPathThatCannotBeWrittenIsRefused(name: String, why: String) async throws {
        let home = Home()
        try home.folder.write("small.yaml", SampleTexts.small)
        try home.folder.write("good.wav", "a good file\n")
        try #require(mkdir(home.folder("there"), 0o755) == 0 && mkfifo(home.folder("pipe"), 0o600) == 0)
        #expect(try await home.render(to: name) { $0.type = name == "pipe" ? .wav : nil } == 73)
        #expect(home.errors == "barline: error: '\(home.folder(name))' \(why)\n")
        #expect(home.text == "" && home.folder.contents == ["good.wav", "pipe", "small.yaml", "there"])
        #expect(home.folder.text("good.wav") == "a good file\n")
        #expect(home.folder.text("small.yaml") == SampleTexts.small)
    }

    private func render(_ change: (inout RenderRequest) throws -> Void) async throws -> WaveFile {
        let home = Home()
        try home.folder.write("small.yaml", SampleTexts.small)
        let code = try await home.render("small.yaml", to: "x.wav", [:], change)
        #expect(home.text == "" && home.errors == "" && code == 0)
        #expect(home.folder.contents == ["small.yaml", "x.wav"])
        return try WaveFile(home.folder.bytes("x.wav"))
    }
}
