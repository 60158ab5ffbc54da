import Files
import Foundation
import Listening
import Playback
import Scores
import Shared
import SimulatedCardSupport
import Synchronization
import Testing
import Timing

/// Recording while music plays, on a simulated card and a simulated microphone.
@Suite("Takes")
struct TakeTests {
    /// A take of a performance and everything that is known of it.
    private struct Made {
        var play: SimulatedPlay
        var rows: [TimingRow] = []
        var news: [Take.News] = []
        var begin = 0.0
        var path = ""
    }

    /// Rows from the conductor, on their way to the take.
    private final class Rows: Sendable {
        private let all = Mutex<[(TimingRow, Double)]>([])
        func add(_ row: TimingRow, _ heard: Double) { all.withLock { $0.append((row, heard)) } }
        func taken() -> [(TimingRow, Double)] {
            all.withLock { rows in
                defer { rows = [] }
                return rows
            }
        }
    }

    private func record(
        minutes: Double, card: [String: SimulatedCard.Value] = [:], microphone: [String: SimulatedCard.Value] = [:],
        delay: Duration = .milliseconds(3), rate: Int = 8000, in folder: TemporaryFolder, type: FileType = .flac
    ) throws -> Made {
        let rows = Rows()
        var options = Conductor.Options()
        options.logTimes = { rows.add($0, $1) }
        var (take, last, begin): (Take?, Int64, Double) = (nil, 0, 0)
        var news: [Take.News] = []
        let path = folder("take.\(type.rawValue)")
        let performance = Score.ofMilliseconds([[3000, 2700, 2000, 1500, 800]]).performance {
            $0.passage = Passage($0.passage.timeline, passes: Int(minutes * 6))
        }
        let play = try SimulatedPlay.run(
            performance, on: .fine(ppm: 0).merging(card) { $1 }, policy: .rewind, options: options
        ) { simulated, now in
            if take == nil {
                let input = try simulated.microphone(
                    in: folder.path, ["rate": .integer(rate), "channels": 1].merging(microphone) { $1 })
                take = try Take(Microphone(input, rate: rate), to: path, type: type, delay: delay) { news.append($0) }
                begin = Double(now) * 1e-9
            }
            for (row, heard) in rows.taken() { take?.add(row, heard: heard) }
            _ = take?.step(at: now)
            last = now
        }
        try take?.finish(at: last)
        var made = Made(play: play)
        (made.news, made.begin, made.path) = (news, begin, path)
        let text = try String(contentsOfFile: Take.timingPath(of: path), encoding: .utf8)
        let (read, diagnostics) = TimingLog.read(Array(text.utf8), file: "take")
        #expect(diagnostics.isEmpty, "\(diagnostics)")
        made.rows = read
        return made
    }

    @Test(
        "each boundary has its frame in the take within 1 ms of the truth, whatever the two crystals",
        arguments: [(200.0, -200.0), (-200, 200)])
    func truth(ppm: (card: Double, microphone: Double)) throws {
        let folder = TemporaryFolder()
        // An hour takes a gigabyte and a minute: TAKE_MINUTES=60.
        let minutes = ProcessInfo.processInfo.environment["TAKE_MINUTES"].flatMap { Double($0) } ?? 4
        let made = try record(
            minutes: minutes, card: ["skew_ppm": .real(ppm.card), "format": "S16_LE"],
            microphone: ["skew_ppm": .real(ppm.microphone)], in: folder)
        #expect(made.rows.count > Int(minutes * 29))
        // The clicks reached the converter then, and the microphone 3 ms later, by its own crystal.
        let pace = 8000 * (1 + ppm.microphone * 1e-6)
        for (row, click) in zip(made.rows, made.play.heard) {
            let told = (Double(row.position.frame) + row.position.fraction) / pace
            #expect(abs(told - (click.time + 0.003 - made.begin)) < 0.001, "bar \(row.index)")
        }
        let (samples, rate) = try Self.samples(made.path)
        #expect(rate == 8000)
        // The take has each click where its log says, and silence before it.
        for row in made.rows.dropLast() {
            let frame = Int(row.position.frame)
            #expect(samples[(frame - 24)..<(frame - 8)].allSatisfy { abs($0) < 0.001 }, "bar \(row.index)")
            #expect(samples[(frame - 2)..<(frame + 12)].contains { abs($0) > 0.004 }, "bar \(row.index)")
        }
        #expect(made.news.isEmpty)
    }

    @Test(
        "an overrun leaves a gap of silence, and everything after it has its place, also if another one comes at once",
        arguments: [[15_000, 33_333], [15_000, 15_020, 15_070, 33_333]])
    func overrun(milliseconds: [Int]) throws {
        let folder = TemporaryFolder()
        let made = try record(
            minutes: 1, microphone: ["xrun_at": .list(milliseconds.map { .integer($0) })], in: folder)
        for (row, click) in zip(made.rows, made.play.heard) {
            let told = (Double(row.position.frame) + row.position.fraction) / 8000
            #expect(abs(told - (click.time + 0.003 - made.begin)) < 0.001, "bar \(row.index)")
        }
        #expect(made.rows.count > 25)
    }

    @Test("a microphone that goes away ends the recording and is told once; the music goes on")
    func gone() throws {
        let folder = TemporaryFolder()
        let made = try record(minutes: 1, microphone: ["disconnect_at": 20_000], in: folder)
        guard case .gone = made.news.first, made.news.count == 1 else {
            Issue.record("\(made.news)")
            return
        }
        let (samples, _) = try Self.samples(made.path)
        let seconds = Double(samples.count) / 8000
        #expect(abs(seconds - 20) < 0.3)
        // The rows are those that the take has.
        #expect((8...11).contains(made.rows.count))
        #expect(made.play.told.count == 30 && made.play.status?.lostClicks == 0)
    }

    @Test("a muted microphone, and one that clips, are told once")
    func levels() throws {
        let folder = TemporaryFolder()
        #expect(try record(minutes: 0.4, microphone: ["muted": true], in: folder).news == [.silent])
        #expect(try record(minutes: 0.4, microphone: ["gain_db": 60], in: folder).news == [.clipped])
    }

    @Test("no microphone, or a file that cannot be written, is an error before anything plays")
    func impossible() throws {
        do throws(CardError) {
            _ = try Microphone("none", rate: 48_000)
            Issue.record("there is a microphone 'none'")
        } catch {
            #expect(error.errno == ENOENT)
        }
        SimulatedCard.configureThisProcess()
        let folder = TemporaryFolder()
        let input = try SimulatedCard(in: folder.path, [:]).microphone(in: folder.path)
        #expect(throws: RenderError.self) {
            try Take(Microphone(input, rate: 48_000), to: folder("no/take.flac"), type: .flac, delay: .zero) { _ in }
        }
        #expect(!folder.contents.contains { $0.contains("take") })
    }

    @Test("a timing log that cannot be written is an error that names it, and the sound is kept")
    func noLog() throws {
        SimulatedCard.configureThisProcess()
        let folder = TemporaryFolder()
        let path = folder("take.wav")
        let input = try SimulatedCard(in: folder.path, [:]).microphone(in: folder.path, ["noise_db": -20])
        let clock = SimulatedClock(now: 1_000_000_000)
        let error = #expect(throws: RenderError.self) {
            try SimulatedCard.withClock(clock) {
                let take = try Take(Microphone(input, rate: 48_000), to: path, type: .wav, delay: .zero) { _ in }
                while take.step(at: clock.now), clock.now < 3_000_000_000 { clock.advance(by: 50_000_000) }
                let log = Take.timingPath(of: path)
                try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: true)
                try take.finish(at: clock.now)
            }
        }
        guard case .cannotWrite(_, Take.timingPath(of: path))? = error else {
            Issue.record("the error names the log: \(String(describing: error))")
            return
        }
        #expect(try TakeTests.samples(path).samples.count > 48_000)
    }

    @Test("a name that another recording has got meanwhile is left to it: this one takes the next")
    func takenName() throws {
        SimulatedCard.configureThisProcess()
        let folder = TemporaryFolder()
        let input = try SimulatedCard(in: folder.path, [:]).microphone(in: folder.path, ["noise_db": -20])
        let clock = SimulatedClock(now: 1_000_000_000)
        let kept = try SimulatedCard.withClock(clock) {
            let take = try Take(
                Microphone(input, rate: 48_000), to: folder("take.wav"), type: .wav, delay: .zero
            ) { _ in }
            while take.step(at: clock.now), clock.now < 3_000_000_000 { clock.advance(by: 50_000_000) }
            try Data("mine".utf8).write(to: URL(fileURLWithPath: folder("take.wav")))
            return try take.finish(at: clock.now)
        }
        #expect(kept == folder("take-2.wav"))
        #expect(try String(contentsOfFile: folder("take.wav"), encoding: .utf8) == "mine")
        #expect(try TakeTests.samples(folder("take-2.wav")).samples.count > 48_000)
        #expect(FileManager.default.fileExists(atPath: Take.timingPath(of: folder("take-2.wav"))))
    }

    @Test("what is left of a recording whose program was killed can be read", arguments: [FileType.wav, .flac])
    func killed(type: FileType) throws {
        SimulatedCard.configureThisProcess()
        let folder = TemporaryFolder()
        let input = try SimulatedCard(in: folder.path, [:]).microphone(in: folder.path, ["noise_db": -20])
        let clock = SimulatedClock(now: 1_000_000_000)
        let path = folder("take.\(type.rawValue)")
        try SimulatedCard.withClock(clock) {
            let take = try Take(Microphone(input, rate: 48_000), to: path, type: type, delay: .zero) { _ in }
            while take.step(at: clock.now), clock.now < 5_000_000_000 { clock.advance(by: 50_000_000) }
            let remains = try #require(NewFile.remains(of: path).first)
            #expect(try TakeTests.samples(remains).samples.count > 3 * 48_000)
            try take.finish(at: clock.now)
        }
        #expect(NewFile.remains(of: path).isEmpty)
    }

    @Test("on a full disk the take ends before it, whole and readable, and the music goes on")
    func full() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            // Noise does not become smaller: some seconds fit.
            limit.rlim_cur = 9 << 20
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            SimulatedCard.configureThisProcess()
            let folder = TemporaryFolder()
            let card = try SimulatedCard(in: folder.path, [:])
            let input = try card.microphone(in: folder.path, ["noise_db": -20])
            let clock = SimulatedClock(now: 1_000_000_000)
            var news: [Take.News] = []
            try SimulatedCard.withClock(clock) {
                let take = try Take(
                    Microphone(input, rate: 96_000), to: folder("take.wav"), type: .wav, delay: .zero
                ) { news.append($0) }
                while take.step(at: clock.now), clock.now < 120_000_000_000 { clock.advance(by: 50_000_000) }
                try take.finish(at: clock.now)
            }
            guard case .full = news.first, news.count == 1 else { throw TakeTests.Unexpected() }
            let (samples, rate) = try TakeTests.samples(folder("take.wav"))
            // One of the 9 MiB is kept for the end.
            #expect(rate == 96_000 && samples.count * 3 > 6 << 20 && samples.count * 3 < 8 << 20)
        }
    }

    private struct Unexpected: Error {}

    /// The samples of a mono file.
    private static func samples(_ path: String) throws -> (samples: [Float], rate: Int) {
        let rate = try SoundReader(path).rate
        return (try TakeSound(path, rate: rate).samples, rate)
    }
}
