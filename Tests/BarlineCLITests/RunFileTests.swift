internal import Testing

/// A plan rendered to a file: which sounds are heard, and when.
@Suite struct RunFileTests {
    private static let plan = "4 × (0:30 run, 0:30 walk), 1:00 walk"
    private static let rate = 8000

    /// The 16-bit mono samples of a file.
    private struct Samples {
        private let wave: WaveFile

        init(_ bytes: [UInt8]) throws {
            wave = try WaveFile(bytes)
            try #require(wave.bits == 16 && wave.channels == 1 && wave.rate == RunFileTests.rate)
        }

        var seconds: Double { Double(wave.frames) / Double(RunFileTests.rate) }

        private func sample(_ frame: Int) -> Int {
            Int(Int16(truncatingIfNeeded: Int(wave.data[2 * frame]) | Int(wave.data[2 * frame + 1]) << 8))
        }

        /// The frames between two times in s that contain more than dither.
        func heard(_ from: Double, _ to: Double) -> [Int] {
            let frames =
                max(Int(from * Double(RunFileTests.rate)), 0)..<min(Int(to * Double(RunFileTests.rate)), wave.frames)
            return frames.filter { abs(sample($0)) > 3 }
        }

        func loudest(_ from: Double, _ to: Double) -> Int {
            heard(from, to).map { abs(sample($0)) }.max() ?? 0
        }
    }

    private func render(_ arguments: [String], in scratch: Scratch) async throws {
        let outcome = try await Program.run(
            ["render"] + arguments + ["-o", "run.wav", "--rate", "\(RunFileTests.rate)", "--channels", "1"], in: scratch
        )
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
    }

    @Test("over two hours, every boundary is heard on its frame, and nothing in between")
    func overTwoHoursEveryBoundaryIsHeardOnItsFrameAndNothingInBetween() async throws {
        let scratch = try Scratch()
        try await render([RunFileTests.plan + ", for 2 hours", "--count-in", "0", "--no-cues"], in: scratch)
        let samples = try Samples(scratch.read("run.wav"))
        #expect(samples.seconds == 7200)
        for index in 0..<216 {
            let boundary = Double(300 * (index / 9) + 30 * (index % 9))
            #expect(samples.heard(boundary - 0.5, boundary).isEmpty)
            // A click rises within a few samples.
            let first = try #require(samples.heard(boundary, boundary + 0.2).first)
            #expect(first - Int(boundary) * RunFileTests.rate <= 4)
            #expect(samples.heard(boundary + 2, boundary + 3).isEmpty)
        }
    }

    @Test("running and walking sound different, and all signals are heard")
    func runAndWalkSoundDifferentAndCountdownHalfTimeLastMinuteAndEndAreHeard() async throws {
        let scratch = try Scratch()
        try await render(
            [
                "run 0:20, walk 0:20, run 0:20, walk 0:30", "--count-in", "0", "--no-cues", "--countdown", "3",
                "--countdown-to", "bars", "--half-time", "--minute-left", "--end-signal",
            ], in: scratch)
        let samples = try Samples(scratch.read("run.wav"))
        func heard(_ second: Double) -> [Int] {
            samples.heard(second, second + 0.3).map { $0 - Int(second) * RunFileTests.rate }
        }
        // The lengths of the clicks for run, run, walk and walk, as exactly as dither allows.
        let lengths = [0.0, 40, 20, 60].map { heard($0).count }
        #expect(abs(lengths[0] - lengths[1]) < 20 && abs(lengths[2] - lengths[3]) < 20)
        #expect(abs(lengths[0] - lengths[2]) > 100)
        for boundary in [20.0, 40, 60] {
            for second in 1...3 { #expect(!heard(boundary - Double(second)).isEmpty) }
            #expect(heard(boundary - 4).isEmpty)
        }
        // The signals for the last minute, half-time and the end.
        for second in [30.0, 45, 90] { #expect(!heard(second).isEmpty) }
        #expect(samples.heard(31, 36.5).isEmpty && samples.heard(46, 56).isEmpty)
    }

    @Test("the cadence is heard only in running intervals") func theCadenceIsHeardOnlyInRunningIntervals() async throws
    {
        let scratch = try Scratch()
        try await render(["cadence: 150\nrun 0:10, walk 0:10, run 0:05", "--count-in", "0", "--no-cues"], in: scratch)
        let samples = try Samples(scratch.read("run.wav"))
        for (start, length) in [(0.0, 10.0), (20, 5)] {
            for step in 0..<Int(length / 0.4) {
                let due = start + 0.4 * Double(step)
                let first = try #require(samples.heard(due, due + 0.1).first)
                #expect(first - Int((due * Double(RunFileTests.rate)).rounded()) <= 4)
            }
        }
        #expect(samples.heard(11, 19.9).isEmpty)
    }

    @Test("an announcement ends before the countdown to its interval")
    func anAnnouncementEndsBeforeTheCountdownToItsInterval()
        async throws
    {
        let scratch = try Scratch()
        // `--stems` writes the voice to a separate file.
        try await render([RunFileTests.plan, "--stems", "--language", "en"], in: scratch)
        let samples = try Samples(scratch.read("run-speech.wav"))
        for index in 0..<9 {
            let change = Double(5 + 30 * index)
            #expect(samples.loudest(change - 4.1, change - 3.1) > 1000, "said before interval \(index + 1)")
            #expect(samples.heard(change - 3.09, change + 0.19).isEmpty)
        }
        #expect(samples.loudest(5 + 300 + 0.65, 5 + 300 + 1.5) > 1000, "finished")
        #expect(samples.seconds == 5 + 300 + 0.65 + 1.5)
        #expect(samples.heard(samples.seconds - 0.3, samples.seconds).isEmpty)
    }

    @Test("without a countdown, the voice ends as the interval begins, and nothing ticks")
    func withoutACountdownTheVoiceEndsAsTheIntervalBegins() async throws {
        let scratch = try Scratch()
        try await render(
            [RunFileTests.plan, "--stems", "--language", "en", "--countdown", "off", "--speak", "cues"], in: scratch)
        let (voice, clicks) = try (
            Samples(scratch.read("run-speech.wav")), Samples(scratch.read("run-click.wav"))
        )
        for index in 0..<9 {
            let change = Double(5 + 30 * index)
            #expect(voice.loudest(change - 1, change) > 1000, "said before interval \(index + 1)")
            // It ends within 50 ms of the change, and never after it.
            #expect(!voice.heard(change - 0.05, change).isEmpty && voice.heard(change + 0.001, change + 0.19).isEmpty)
            #expect(clicks.heard(change - 4.9, change - 0.01).isEmpty)
        }
    }

    @Test("--no-cues keeps a count-in only if the plan or an option asks for it")
    func noCuesHasTheCountInThatThePlanOrAnOptionAsksForAndNoOther() async throws {
        let scratch = try Scratch()
        func seconds(_ arguments: [String]) async throws -> Double {
            try await render(arguments + ["--no-cues"], in: scratch)
            return try Samples(scratch.read("run.wav")).seconds
        }
        #expect(try await seconds(["run 0:02, walk 0:01"]) == 3)
        #expect(try await seconds(["count-in: 5\nrun 0:02, walk 0:01"]) == 8)
        #expect(try await seconds(["run 0:02, walk 0:01", "--count-in", "4"]) == 7)
    }

    @Test("texts without room, and intervals too short for an announcement, are reported")
    func aTextThatHasNoRoomIsReported() async throws {
        let scratch = try Scratch()
        let text = "A text that is far longer than all of these very short intervals"
        let outcome = try await Program.run(
            [
                "render", "60x(run 0:01.5, walk 0:00.2), at 0:05: \"\(text)\"", "-o", "run.wav", "--rate", "8000",
                "--language", "en",
            ],
            in: scratch)
        #expect(outcome.code == 0)
        #expect(
            outcome.errors
                == """
                barline: warning: 'A text that is far longer than all of th…' is not spoken: there is no room for it between the announcements
                barline: note: 59 intervals are not announced, for lack of room before them: 'Run.'

                """, "\(outcome.errors)")
    }

    @Test("--countdown off leaves out the countdown; 0 is an error that says so")
    func aCountdownIsLeftOutWithOff() async throws {
        let outcome = try await Program.run(["render", "run 0:02", "-o", "x.wav", "--countdown", "0"], in: Scratch())
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains("a countdown must be 1 to 10 seconds, or off"), "\(outcome.errors)")
    }

    @Test("an MP3 of a plan is mono where both channels would be alike")
    func mono() async throws {
        let scratch = try Scratch()
        for (arguments, channels) in [
            ([], 1), (["--channels", "2"], 2), (["--drone", "E4 L50, B4"], 2), (["--click-channels", "1"], 2),
        ] as [([String], Int)] {
            let outcome = try await Program.run(
                ["render", "2x(run 0:02, walk 0:01)", "-o", "run.mp3", "--speak", "off"] + arguments, in: scratch)
            #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
            // The first frame is after the tags, whose size has seven bits in each byte. 3 is the mode of one channel.
            let bytes = try scratch.read("run.mp3")
            let frame = bytes[6..<10].reduce(0) { $0 << 7 | Int($1) } + 10
            #expect(bytes[frame] == 0xFF && bytes[frame + 3] >> 6 == (channels == 1 ? 3 : 1), "\(arguments)")
        }
    }

    @Test("a rendered plan has a chapter for each interval") func aRenderedPlanHasAChapterForEachInterval()
        async throws
    {
        let scratch = try Scratch()
        let outcome = try await Program.run(
            ["render", "3x(run 0:02, walk 0:01)", "-o", "run.mp3", "--no-cues", "--rate", "16000"], in: scratch)
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
        let bytes = try scratch.read("run.mp3")
        let frames = zip(bytes, zip(bytes.dropFirst(), zip(bytes.dropFirst(2), bytes.dropFirst(3))))
        let chapters = frames.count { $0.0 == 0x43 && $0.1.0 == 0x48 && $0.1.1.0 == 0x41 && $0.1.1.1 == 0x50 }
        #expect(chapters == 6)
    }
}
