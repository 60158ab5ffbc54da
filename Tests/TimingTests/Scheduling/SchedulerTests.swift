import Scores
import Testing
import Timing

@Suite("Scheduler")
struct SchedulerTests {
    static let rates = [44100, 48000, 96000]

    private static func performance(_ random: inout Seeded, drone: Bool = true) throws -> Performance {
        var score = Score.random(&random, unit: .milliseconds([1, 30, 100][random.int(0...2)]), bars: 1...40)
        score.countIn = .milliseconds([0, 500, 1000, 2500, 3000][random.int(0...4)])
        score.drone = drone ? Score.Drone() : nil
        score.speed = try random.speed()
        return Performance(of: score, passage: Passage(Timeline(score), passes: random.int(1...2)))
    }

    @Test("events are in order, and any horizons give the same events as a single one", arguments: rates)
    func horizons(rate: Int) throws {
        var random = Seeded(state: 20)
        for _ in 0..<40 {
            let performance = try SchedulerTests.performance(&random)
            let whole = events(performance, rate: rate)
            #expect(whole.disorders == [])
            var scheduler = Scheduler(performance, rate: rate)
            var recorder = Recorder()
            let end = try #require(scheduler.endFrame)
            var horizon: Int64 = 0
            while horizon <= end {
                horizon += Int64([0, 1, 2, random.int(1...rate), random.int(1...100 * rate)][random.int(0...4)])
                scheduler.scheduleAll(before: horizon, into: &recorder)
                #expect(recorder.events == whole.events.filter { $0.position.frame < horizon })
            }
            #expect(recorder.events == whole.events)
        }
    }

    @Test("scheduling frame by frame gives the same events as scheduling at once")
    func frameByFrame() {
        let score = Score(milliseconds: [[100, 33, 1], [250]], drone: .init(), countIn: .seconds(1))
        let performance = Performance(of: score, passage: Passage(Timeline(score)))
        var scheduler = Scheduler(performance, rate: 44100)
        var recorder = Recorder()
        for frame in 0..<Int64(70_000) {
            scheduler.scheduleAll(before: frame + 1, into: &recorder)
            #expect(recorder.events.last.map { $0.position.frame <= frame } ?? false)
        }
        #expect(recorder.events == events(performance, rate: 44100).events)
    }

    @Test("a sink without room loses nothing and gets nothing twice")
    func queueFull() throws {
        var random = Seeded(state: 21)
        for seed in 0..<40 {
            let performance = try SchedulerTests.performance(&random)
            var scheduler = Scheduler(performance, rate: 48000)
            var recorder = Recorder(refusals: UInt64(seed))
            var horizon: Int64 = 0
            let end = try #require(scheduler.endFrame)
            while horizon <= end {
                horizon += Int64(random.int(1...400_000))
                // Time goes on, with or without room.
                recorder.drain()
                _ = scheduler.schedule(before: horizon, into: &recorder)
            }
            scheduler.scheduleAll(before: horizon, into: &recorder)
            #expect(recorder.events == events(performance, rate: 48000).events)
        }
    }

    @Test("for a full sink, the scheduler returns the frame up to which all events are known")
    func noRoom() {
        struct Narrow: EventSink {
            var events: [Event] = []
            var hasRoom: Bool { events.count < 2 }
            mutating func push(_ event: Event) -> Bool {
                events.append(event)
                return true
            }
        }
        let score = Score(milliseconds: [[100, 100, 100]])
        var scheduler = Scheduler(Performance(of: score, passage: Passage(Timeline(score))), rate: 1000)
        var sink = Narrow()
        #expect(scheduler.schedule(before: 1000, into: &sink) == 100)
        #expect(sink.events.map(\.position.frame) == [0, 100])
        #expect(scheduler.schedule(before: 1000, into: &sink) == 100)
        sink.events = []
        #expect(scheduler.schedule(before: 1000, into: &sink) == 1000)
        #expect(sink.events.map(\.position.frame) == [200])
    }

    @Test(
        "a count-in has a click at every whole second before the start, or a single one",
        arguments: [
            (3000, [0, 1000, 2000]), (2500, [500, 1500]), (1000, [0]), (500, [0]), (1, [0]), (0, []),
        ])
    func countIn(milliseconds: Int, clicks: [Int]) throws {
        for millionths in [1_000_000, 500_000] as [Int64] {
            var score = Score(milliseconds: [[1000, 1000]], countIn: .milliseconds(milliseconds))
            score.speed = try speed(millionths)
            let recorder = events(Performance(of: score, passage: Passage(Timeline(score))), rate: 48000)
            let counts = recorder.clicks.filter { $0.sound == .countIn }.map(\.position)
            #expect(counts == clicks.map { FramePosition(frame: Int64($0 * 48)) })
            let music = recorder.clicks.filter { $0.sound != .countIn }.map(\.position)
            let bar = 48_000_000_000 / millionths
            let zero = Int64(milliseconds * 48)
            #expect(music == [FramePosition(frame: zero), FramePosition(frame: zero + bar)])
        }
    }

    @Test("the first bar of every pass of a line has the line's sound, in any passage")
    func sounds() {
        let score = Score(milliseconds: [[100, 100, 100], [100], [100, 100]], passes: 2)
        let passage = Passage(Timeline(score), bars: 1..<10, passes: 2)
        let sounds = events(Performance(of: score, passage: passage), rate: 48000).clicks.map(\.sound)
        let pass: [ClickSound] = [.bar, .bar, .line, .bar, .bar, .line, .line, .line, .bar]
        #expect(sounds == pass + pass)
    }

    @Test("a hundred thousand silent clicks give no events")
    func silentClicks() {
        let score = Score(milliseconds: [[10, 20], [1]], passes: 33_334)
        var performance = Performance(of: score, passage: Passage(Timeline(score)))
        performance.clickLevel = .off
        #expect(performance.passage.count == 100_002)
        performance.drone = Score.Drone()
        let recorder = events(performance, rate: 48000)
        #expect(recorder.clicks.isEmpty)
        #expect(recorder.drones.map(\.amplitude) == [Score.Drone.standardLevel.amplitude, 0])
    }

    @Test("clicks have the level of the performance")
    func level() {
        let score = Score(milliseconds: [[100], [100]], countIn: .seconds(1))
        var performance = Performance(of: score, passage: Passage(Timeline(score)))
        performance.clickLevel = Level(percent: 50)
        let amplitude = performance.clickLevel.amplitude
        #expect(
            events(performance, rate: 1000).events == [
                Event(FramePosition(frame: 0), .click(.countIn, amplitude: amplitude)),
                Event(FramePosition(frame: 1000), .click(.line, amplitude: amplitude)),
                Event(FramePosition(frame: 1100), .click(.line, amplitude: amplitude)),
            ])
    }

    @Test("the drone begins at frame 0 and is silent at the end", arguments: rates)
    func drone(rate: Int) throws {
        var random = Seeded(state: 22)
        for _ in 0..<60 {
            let performance = try SchedulerTests.performance(&random)
            let end = try #require(Scheduler(performance, rate: rate).endFrame)
            let drones = events(performance, rate: rate).drones
            #expect(drones.map(\.amplitude) == [Score.Drone.standardLevel.amplitude, 0])
            #expect(drones.first?.frame == 0)
            #expect(drones.last.map { $0.frame + Int64($0.rampFrames) } == end)
            #expect(drones.last.map(\.rampFrames) == min(rate / 20, Int(end)))
        }
    }

    @Test("a silent or missing drone gives no event")
    func noDrone() {
        var score = Score(milliseconds: [[1000]])
        #expect(events(Performance(of: score, passage: Passage(Timeline(score))), rate: 48000).drones.isEmpty)
        score.drone = Score.Drone(level: .off)
        #expect(events(Performance(of: score, passage: Passage(Timeline(score))), rate: 48000).drones.isEmpty)
    }

    @Test("a piece shorter than the fade still has its events in order")
    func shorterThanTheFade() {
        for countIn in [1, 7, 20, 333] {
            let score = Score(
                milliseconds: [[1, 3], [2]], drone: .init(), countIn: .time(.microseconds(countIn * 1000 + 13)))
            let recorder = events(Performance(of: score, passage: Passage(Timeline(score))), rate: 44100)
            #expect(recorder.disorders == [])
            #expect(recorder.clicks.map(\.sound) == [.countIn, .line, .bar, .line])
            #expect(recorder.drones.count == 2)
        }
    }

    @Test(
        "an overdue click counts as late after more than a frame, and as lost after more than 30 ms",
        arguments: [(0, false, false), (1, false, false), (2, true, false), (1440, true, false), (1441, true, true)])
    func late(by frames: Int64, isLate: Bool, isLost: Bool) {
        let score = Score(milliseconds: [[100, 100, 100]])
        var scheduler = Scheduler(Performance(of: score, passage: Passage(Timeline(score))), rate: 48_000)
        var recorder = Recorder()
        scheduler.scheduleAll(before: 4800, into: &recorder)
        scheduler.settle(before: 4800 + frames)
        scheduler.scheduleAll(before: 20_000, into: &recorder)
        let told = scheduler.settle(before: 20_000)
        let late = isLate ? Duration(toPicoseconds: Double(frames) / 48_000 * 1e9) : .zero
        #expect(abs((told[0].late - late).attoseconds) < 1_000_000_000 && told[1].late == .zero)
        #expect(told.map(\.isLost) == [isLost, false])
        #expect(recorder.clicks.map(\.position.frame) == (isLost ? [0, 9600] : [0, 4800 + frames, 9600]))
    }

    @Test("music that waits follows a refined clock until its first event has been scheduled")
    func refined() {
        let score = Score(milliseconds: [[100, 100]], drone: .init(), countIn: .seconds(1))
        let performance = Performance(of: score, passage: Passage(Timeline(score)))
        for (handsOut, begin) in [(false, Int64(500)), (true, 0)] {
            var scheduler = Scheduler(
                performance, mapping: NominalMapping(rate: 48_000, zero: 48_000), from: -10_000)
            var recorder = Recorder()
            scheduler.scheduleAll(before: handsOut ? 1 : -1000, into: &recorder)
            scheduler.refine(NominalMapping(rate: 48_000, zero: 48_500))
            scheduler.scheduleAll(before: .max, into: &recorder)
            #expect(recorder.drones.first?.frame == begin)
            #expect(recorder.clicks.map(\.position.frame) == [begin, 48_500, 53_300])
            #expect(recorder.disorders == [])
        }
    }
}
