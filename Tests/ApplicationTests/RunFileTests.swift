import Application
import Languages
import Playback
import Scores
import Shared
import Testing
import Timing
import UserSettings

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

    private func render(
        _ plan: String, in home: Home, _ change: (inout RenderRequest) throws -> Void
    ) async throws {
        let code = try await home.render(plan, to: "run.wav") {
            ($0.format.rate, $0.format.channels) = (RunFileTests.rate, 1)
            try change(&$0)
        }
        #expect(code == 0 && home.errors == "", "\(home.errors)")
    }

    private func bare(_ request: inout RenderRequest) {
        (request.performance.countIn, request.performance.cues.noCues) = (.off, true)
    }

    @Test("over two hours, every boundary is heard on its frame, and nothing in between")
    func overTwoHoursEveryBoundaryIsHeardOnItsFrameAndNothingInBetween() async throws {
        let home = Home()
        try await render(RunFileTests.plan + ", for 2 hours", in: home, bare)
        let samples = try Samples(home.folder.bytes("run.wav"))
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
        let home = Home()
        try await render("run 0:20, walk 0:20, run 0:20, walk 0:30", in: home) {
            bare(&$0)
            ($0.performance.cues[Setting.countdown], $0.performance.cues[Setting.countdownTo]) = (3, .bars)
            ($0.performance.cues[Setting.halfTime], $0.performance.cues[Setting.minuteLeft]) = (true, true)
            $0.performance.cues[Setting.endSignal] = true
        }
        let samples = try Samples(home.folder.bytes("run.wav"))
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
        let home = Home()
        try await render("cadence: 150\nrun 0:10, walk 0:10, run 0:05", in: home, bare)
        let samples = try Samples(home.folder.bytes("run.wav"))
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
        let home = Home()
        // The stems have the voice in a file of its own.
        try await render(RunFileTests.plan, in: home) {
            ($0.stems, $0.performance.cues[Setting.language]) = (true, .en)
        }
        let samples = try Samples(home.folder.bytes("run-speech.wav"))
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
        let home = Home()
        try await render(RunFileTests.plan, in: home) {
            ($0.stems, $0.performance.cues[Setting.language]) = (true, .en)
            $0.performance.cues[Setting.countdown] = 0
            $0.performance.cues[Setting.speak] = try SpeechSettings(list: "cues")
        }
        let voice = try Samples(home.folder.bytes("run-speech.wav"))
        let clicks = try Samples(home.folder.bytes("run-click.wav"))
        for index in 0..<9 {
            let change = Double(5 + 30 * index)
            #expect(voice.loudest(change - 1, change) > 1000, "said before interval \(index + 1)")
            // It ends within 50 ms of the change, and never after it.
            #expect(!voice.heard(change - 0.05, change).isEmpty && voice.heard(change + 0.001, change + 0.19).isEmpty)
            #expect(clicks.heard(change - 4.9, change - 0.01).isEmpty)
        }
    }

    @Test("without cues, there is a count-in only if the plan or the request asks for it")
    func noCuesHasTheCountInThatThePlanOrAnOptionAsksForAndNoOther() async throws {
        let home = Home()
        func seconds(_ plan: String, countIn: Score.Lead? = nil) async throws -> Double {
            try await render(plan, in: home) {
                ($0.performance.cues.noCues, $0.performance.countIn) = (true, countIn)
            }
            return try Samples(home.folder.bytes("run.wav")).seconds
        }
        #expect(try await seconds("run 0:02, walk 0:01") == 3)
        #expect(try await seconds("count-in: 5\nrun 0:02, walk 0:01") == 8)
        #expect(try await seconds("run 0:02, walk 0:01", countIn: .seconds(4)) == 7)
    }

    @Test("texts without room, and intervals too short for an announcement, are reported")
    func aTextThatHasNoRoomIsReported() async throws {
        let home = Home()
        let text = "A text that is far longer than all of these very short intervals"
        let plan = "20x(run 0:01.5, walk 0:00.2), at 0:05: \"\(text)\""
        let code = try await home.render(plan, to: "run.wav") {
            ($0.format.rate, $0.performance.cues[Setting.language]) = (8000, .en)
        }
        #expect(code == 0)
        #expect(
            home.errors
                == """
                barline: warning: 'A text that is far longer than all of th…' is not spoken: there is no room for it between the announcements
                barline: note: 19 intervals are not announced, for lack of room before them: 'Run.'

                """, "\(home.errors)")
    }

    @Test("an MP3 of a plan is mono where both channels would be alike")
    func mono() async throws {
        let home = Home()
        let changes: [(channels: Int, change: (inout RenderRequest) throws -> Void)] = [
            (1, { _ in }), (2, { $0.format.channels = 2 }),
            (2, { $0.performance.drone = try DroneChoice(text: "E4 L50, B4") }),
            (2, { $0.format.clickChannels = ChannelSet([1]) }),
        ]
        for (number, (channels, change)) in changes.enumerated() {
            let code = try await home.render("2x(run 0:02, walk 0:01)", to: "run.mp3") {
                $0.performance.cues[Setting.speak] = .some(nil)
                try change(&$0)
            }
            #expect(code == 0 && home.errors == "", "\(home.errors)")
            // The first frame is after the tags, whose size has seven bits in each byte. 3 is the mode of one channel.
            let bytes = home.folder.bytes("run.mp3")
            let frame = bytes[6..<10].reduce(0) { $0 << 7 | Int($1) } + 10
            #expect(bytes[frame] == 0xFF && bytes[frame + 3] >> 6 == (channels == 1 ? 3 : 1), "change \(number)")
        }
    }

    @Test("a rendered plan has a chapter for each interval") func aRenderedPlanHasAChapterForEachInterval()
        async throws
    {
        let home = Home()
        let code = try await home.render("3x(run 0:02, walk 0:01)", to: "run.mp3") {
            ($0.performance.cues.noCues, $0.format.rate) = (true, 16_000)
        }
        #expect(code == 0 && home.errors == "", "\(home.errors)")
        let bytes = home.folder.bytes("run.mp3")
        let frames = zip(bytes, zip(bytes.dropFirst(), zip(bytes.dropFirst(2), bytes.dropFirst(3))))
        let chapters = frames.count { $0.0 == 0x43 && $0.1.0 == 0x48 && $0.1.1.0 == 0x41 && $0.1.1.1 == 0x50 }
        #expect(chapters == 6)
    }

    @Test(
        "chapters count the intervals as they are counted while they are played, and say how long they last as they are heard"
    )
    func names() throws {
        let home = Home()
        func names(_ plan: String, _ change: (Timeline, inout Performance) throws -> Void) throws -> [String] {
            let score = try LoadedScore.read(try home.write("names.plan", plan)).score
            let timeline = Timeline(score)
            var performance = Performance(of: score, passage: Passage(timeline))
            try change(timeline, &performance)
            return try #require(Marker.all(of: performance, rate: 8000, .lines, limit: 99)).map(\.name)
        }
        let plan = "warm-up 0:10\n2x(run \"Hill\" 0:04, walk 0:03)\n"
        let double = try Speed(scoreText: "200%"), half = try Speed(scoreText: "50%")
        let fast = try names(plan) { $1.speed = double }
        #expect(
            fast == [
                "Warm-up, 0:05", "Hill 1 of 2, 0:02", "Walk 1 of 2, 0:01.5", "Hill 2 of 2, 0:02", "Walk 2 of 2, 0:01.5",
            ])
        let slow = try names(plan) { timeline, performance in
            performance.passage = Passage(timeline, [.init(0..<2, speed: half), .init(1..<2)])
        }
        #expect(slow == ["Warm-up, 0:20", "Hill 1 of 2, 0:08", "Hill 1 of 2, 0:04"])
        let part = try names(plan) { $1.passage = Passage($0, bars: 3..<5, passes: 2) }
        #expect(part == ["Hill 2 of 2, 0:04", "Walk 2 of 2, 0:03", "Hill 2 of 2, 0:04", "Walk 2 of 2, 0:03"])
        let twice = try names("run 0:02, run 0:03") {
            $1.passage = Passage($0, passes: 2)
            $1.countsPasses = true
        }
        #expect(twice == ["Run 1 of 2, 0:02", "Run 2 of 2, 0:03", "Run 1 of 2, 0:02", "Run 2 of 2, 0:03"])
        let endless = try names("run 0:02, run 0:03, forever") { $1.passage = Passage($0, passes: 2) }
        #expect(endless == ["Run 1, 0:02", "Run 2, 0:03", "Run 3, 0:02", "Run 4, 0:03"])
    }
}
