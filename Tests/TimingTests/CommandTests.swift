import Formats
import Scores
import Testing
import Timing

/// A scheduler and its sink, which carry out commands as a conductor does: cut, command, schedule again.
private struct Stand {
    var scheduler: Scheduler
    var recorder = Recorder()

    init(_ score: Score, passes: Int? = 1, rate: Int = 48000, before horizon: Int64 = 1_000_000) {
        scheduler = Scheduler(
            Performance(of: score, passage: Passage(Timeline(score), passes: passes)), rate: rate)
        scheduler.scheduleAll(before: horizon, into: &recorder)
    }

    mutating func perform(at frame: Int64, before horizon: Int64 = 1_000_000, _ command: (inout Scheduler) -> Void) {
        recorder.cut(at: frame)
        command(&scheduler)
        scheduler.scheduleAll(before: horizon, into: &recorder)
    }

    var frames: [Int64] { recorder.clicks.map(\.position.frame) }
}

@Suite("Commands")
struct CommandTests {
    /// Two lines of bars of a second, a drone, no count-in.
    private let score = Score(milliseconds: [[1000, 1000, 1000], [1000, 1000]], drone: .init())

    @Test("a pause shifts every later boundary by exactly its frames", arguments: [8000, 44100, 48000, 96000])
    func pause(rate: Int) throws {
        var random = Seeded(state: 40)
        for _ in 0..<100 {
            var score = Score.random(&random, unit: .microseconds(777), bars: 1...9)
            score.speed = try random.speed()
            var stand = Stand(score, rate: rate, before: .max)
            let before = stand.recorder.clicks
            let end = try #require(stand.scheduler.endFrame)
            let frame = Int64(random.int(0...Int(end)))
            let length = Int64(random.int(0...1_000_000))
            stand.perform(at: frame, before: .max) { $0.pause(at: frame) }
            #expect(stand.scheduler.isPaused)
            #expect(stand.recorder.clicks.allSatisfy { $0.position.frame < frame })
            stand.perform(at: frame + length, before: .max) { $0.resume(at: frame + length) }
            #expect(!stand.scheduler.isPaused)
            let after = stand.recorder.clicks
            #expect(after.map(\.sound) == before.map(\.sound))
            for (old, new) in zip(before, after) {
                let shift = old.position.frame < frame ? 0 : length
                #expect(abs(new.position.distance(from: old.position) - Double(shift)) < 1e-9)
            }
        }
    }

    @Test("two pauses shift by the sum of their lengths, and pausing twice is pausing once")
    func pauses() {
        var stand = Stand(score)
        stand.perform(at: 60_000) { $0.pause(at: 60_000) }
        stand.perform(at: 61_000) { $0.pause(at: 61_000) }
        stand.perform(at: 70_000) { $0.resume(at: 70_000) }
        stand.perform(at: 71_000) { $0.resume(at: 71_000) }
        stand.perform(at: 80_000) { $0.pause(at: 80_000) }
        stand.perform(at: 90_000) { $0.resume(at: 90_000) }
        #expect(stand.frames == [0, 48_000, 116_000, 164_000, 212_000])
        #expect(stand.scheduler.endFrame == 260_000)
    }

    @Test("where the music went on after a pause is forgotten once it follows a leader, whose time zero is another one")
    func pauseBeforeLeader() {
        var stand = Stand(score)
        stand.perform(at: 60_000) { $0.pause(at: 60_000) }
        stand.perform(at: 70_000) { $0.resume(at: 70_000) }
        #expect(stand.scheduler.resumed == stand.scheduler.mapping.time(of: 70_000))
        let passage = stand.scheduler.performance.passage
        let lead = LeaderMusic(
            zero: 0, anchor: Anchor(time: .seconds(1), speed: .asWritten), stretches: passage.stretches, passes: 1)
        stand.perform(at: 80_000) {
            $0.follow(lead, NominalMapping(rate: 48_000, zero: 400_000), at: 80_000, after: [], isJump: false)
        }
        #expect(stand.scheduler.resumed == nil)
    }

    @Test("a pause fades the drone out, resuming fades it in, and its end moves with the music")
    func pausedDrone() {
        var stand = Stand(score)
        stand.perform(at: 60_000) { $0.pause(at: 60_000) }
        stand.perform(at: 70_000) { $0.resume(at: 70_000) }
        #expect(stand.recorder.drones.map(\.frame) == [0, 60_000, 70_000, 247_600])
        #expect(stand.recorder.drones.map { $0.amplitude > 0 } == [true, false, true, false])
        #expect(stand.recorder.disorders == [])
    }

    @Test("a pause within the count-in delays the remaining counts and the start")
    func pauseInCountIn() {
        var stand = Stand(Score(milliseconds: [[1000, 1000]], countIn: .seconds(3)))
        stand.perform(at: 48_001) { $0.pause(at: 48_001) }
        #expect(stand.frames == [0, 48_000])
        stand.perform(at: 50_001) { $0.resume(at: 50_001) }
        #expect(stand.frames == [0, 48_000, 98_000, 146_000, 194_000])
        #expect(stand.recorder.clicks.map(\.sound) == [.countIn, .countIn, .countIn, .line, .bar])
        let early = Duration.nanoseconds(-2_958_333_333) + .attosecond * -333_333_333
        #expect(stand.scheduler.countsTo?.end == .seconds(3) + early)
    }

    @Test("a change of speed keeps the position, and scales the remaining time")
    func speedChange() throws {
        var stand = Stand(score)
        let half = try speed(500_000)
        stand.perform(at: 60_000) { $0.change(speed: half, at: 60_000) }
        #expect(stand.frames == [0, 48_000, 132_000, 228_000, 324_000])
        #expect(stand.scheduler.endFrame == 420_000)
        #expect(stand.scheduler.anchor == Anchor(time: .milliseconds(1250), position: .milliseconds(1250), speed: half))
    }

    @Test("a change of speed anywhere keeps the position to an attosecond", arguments: [44100, 48000])
    func continuous(rate: Int) throws {
        var random = Seeded(state: 41)
        var stand = Stand(score, passes: nil, rate: rate)
        var frame: Int64 = 0
        for _ in 0..<2000 {
            frame += Int64(random.int(0...200_000))
            let time = stand.scheduler.mapping.time(of: frame)
            let before = stand.scheduler.anchor.position(at: time)
            let speed = try random.speed()
            stand.perform(at: frame, before: frame) { $0.change(speed: speed, at: frame) }
            let jump = (stand.scheduler.anchor.position(at: time) - before).attoseconds.magnitude
            #expect(jump <= 1)
            #expect(stand.scheduler.anchor.speed == speed)
        }
    }

    @Test(
        "a change of speed that takes effect after the end leaves the end where it is: the last bars may not be heard yet",
        arguments: [50, 200])
    func speedAfterEnd(percent: Int64) throws {
        var stand = Stand(score)
        let end = try #require(stand.scheduler.endFrame)
        let speed = try #require(Speed(millionths: percent * 10_000))
        stand.perform(at: end + 24_000) { $0.change(speed: speed, at: end + 24_000) }
        #expect(stand.scheduler.endFrame == end)
        #expect(stand.frames == [0, 48_000, 96_000, 144_000, 192_000])
    }

    @Test("a change of speed in the count-in leaves the counts and the start alone")
    func speedInCountIn() throws {
        var stand = Stand(Score(milliseconds: [[1000, 1000]], countIn: .seconds(2)))
        let double = try speed(2_000_000)
        stand.perform(at: 30_000) { $0.change(speed: double, at: 30_000) }
        #expect(stand.frames == [0, 48_000, 96_000, 120_000])
        #expect(stand.scheduler.endFrame == 144_000)
    }

    @Test("a jump plays its target at once, and continues from there")
    func jump() {
        var stand = Stand(score)
        stand.perform(at: 51_000) { $0.jump(to: 3, at: 51_000) }
        #expect(stand.frames == [0, 48_000, 51_000, 99_000])
        #expect(stand.recorder.clicks.map(\.sound) == [.line, .bar, .line, .bar])
        #expect(stand.scheduler.endFrame == 147_000)
        stand.perform(at: 99_003) { $0.jump(to: 0, at: 99_003) }
        let later = (Int64(0)..<5).map { 99_003 + $0 * 48_000 }
        #expect(stand.frames == [0, 48_000, 51_000, 99_000] + later)
    }

    @Test("a jump ends the count-in", arguments: [1, 30_000] as [Int64])
    func jumpInCountIn(frame: Int64) {
        var stand = Stand(
            Score(milliseconds: [[1000, 1000, 1000]], drone: .init(), countIn: .seconds(2)))
        stand.perform(at: frame) { $0.jump(to: 1, at: frame) }
        let music = stand.recorder.clicks.filter { $0.sound != .countIn }.map(\.position.frame)
        #expect(music == [frame, frame + 48_000])
        #expect(stand.recorder.clicks.filter { $0.sound == .countIn }.count == (frame > 0 ? 1 : 0))
        #expect(stand.recorder.disorders == [])
        #expect(stand.scheduler.countsTo?.end == nil)
    }

    @Test("in a piece shorter than the fade, a command before the first frame keeps events in order")
    func commandBeforeShortPiece() throws {
        var stand = Stand(Score(milliseconds: [[25]], drone: .init()))
        let half = try speed(990_000)
        stand.perform(at: -1500) { $0.change(speed: half, at: -1500) }
        #expect(stand.recorder.disorders == [])
        #expect(stand.recorder.drones.map(\.frame) == [0, 0])
        #expect(stand.frames == [0])
    }

    @Test("commands during a pause take effect when the music resumes")
    func pausedCommands() throws {
        var stand = Stand(score)
        let double = try speed(2_000_000)
        stand.perform(at: 60_000) { $0.pause(at: 60_000) }
        stand.perform(at: 65_000) { $0.change(speed: double, at: 65_000) }
        #expect(stand.frames == [0, 48_000])
        var jumped = stand
        stand.perform(at: 70_000) { $0.resume(at: 70_000) }
        // 0.75 s of bar 2 were left.
        #expect(stand.frames == [0, 48_000, 88_000, 112_000, 136_000])
        jumped.perform(at: 66_000) { $0.jump(to: 4, at: 66_000) }
        jumped.perform(at: 67_000) { $0.jump(to: 3, at: 67_000) }
        #expect(jumped.frames == [0, 48_000])
        jumped.perform(at: 70_000) { $0.resume(at: 70_000) }
        #expect(jumped.frames == [0, 48_000, 70_000, 94_000])
        #expect(jumped.scheduler.endFrame == 118_000)
    }

    @Test("a command within the last fade still ends the drone at the end")
    func commandInLastFade() throws {
        var stand = Stand(score)
        #expect(stand.scheduler.endFrame == 240_000)
        let same = try speed(1_000_000)
        stand.perform(at: 239_000) { $0.change(speed: same, at: 239_000) }
        #expect(stand.recorder.drones.map(\.frame) == [0, 237_600, 239_000, 239_000])
        #expect(stand.recorder.drones.last?.amplitude == 0)
        #expect(stand.recorder.drones.last?.rampFrames == 1000)
    }

    @Test("a stop fades the drone, and no event follows", arguments: [false, true])
    func stop(paused: Bool) {
        var stand = Stand(score)
        if paused { stand.perform(at: 60_000) { $0.pause(at: 60_000) } }
        var silent: Int64 = 0
        stand.perform(at: 70_000, before: .max) { silent = $0.stop(at: 70_000) }
        #expect(silent == 72_400)
        #expect(stand.frames == [0, 48_000])
        #expect(stand.recorder.drones.last.map { $0.frame == 70_000 && $0.amplitude == 0 } == true)
        #expect(stand.recorder.drones.map(\.frame) == (paused ? [0, 60_000, 70_000] : [0, 70_000]))
    }

    @Test("a click that waits for room in the queue when a command comes is not lost")
    func waitingClick() throws {
        struct Narrow: EventSink {
            var events: [Event] = []
            var room: Int
            var hasRoom: Bool { events.count < room }
            mutating func push(_ event: Event) -> Bool {
                events.append(event)
                return true
            }
        }
        let score = Score(milliseconds: [[10, 10, 10]])
        var scheduler = Scheduler(Performance(of: score, passage: Passage(Timeline(score))), rate: 48000)
        var sink = Narrow(room: 1)
        #expect(scheduler.schedule(before: 48000, into: &sink) == 0)
        scheduler.change(speed: .asWritten, at: 490)
        sink.room = 10
        _ = scheduler.schedule(before: 48000, into: &sink)
        #expect(sink.events.map(\.position.frame) == [0, 490, 960])
    }

    @Test("a click lost to a new mapping of frames is reported, even if a command comes at the same frame")
    func lostAndTold() {
        let score = Score(milliseconds: [[100, 100, 100, 100]])
        var scheduler = Scheduler(Performance(of: score, passage: Passage(Timeline(score))), rate: 48_000)
        var recorder = Recorder()
        scheduler.scheduleAll(before: 4000, into: &recorder)
        // 150 ms have passed without frames: the second bar is 54 ms late, the third is due in 46 ms.
        scheduler.remap(NominalMapping(rate: 48_000, zero: -7200), from: 200)
        scheduler.scheduleAll(before: 9000, into: &recorder)
        scheduler.jump(to: 3, at: 200)
        scheduler.scheduleAll(before: 9000, into: &recorder)
        let told = scheduler.settle(before: 9000)
        #expect(told.map(\.isLost) == [false, true, false])
        #expect(told.map(\.position.frame) == [0, 199, 200])
    }

    @Test("after a change of speed while the music plays, its count-in is over")
    func speedAfterCountIn() throws {
        let double = try speed(2_000_000)
        var stand = Stand(Score(milliseconds: [[1000, 1000, 1000]], drone: .init(), countIn: .seconds(2)))
        #expect(stand.scheduler.countsTo?.begin == .seconds(-2))
        stand.perform(at: 120_000) { $0.change(speed: double, at: 120_000) }
        #expect(stand.scheduler.countsTo == nil)
        #expect(stand.scheduler.state(at: 119_000) == .playing)
        #expect(stand.frames == [0, 48_000, 96_000, 132_000, 156_000])
        // In the count-in there is no position yet: the count-in stays, and the music after it is faster.
        var counting = Stand(Score(milliseconds: [[1000, 1000, 1000]], drone: .init(), countIn: .seconds(2)))
        counting.perform(at: 60_000) { $0.change(speed: double, at: 60_000) }
        #expect(counting.scheduler.countsTo?.end == .zero)
        #expect(counting.scheduler.state(at: 61_000) == .countingIn)
        #expect(counting.frames == [0, 48_000, 96_000, 120_000, 144_000])
    }

    // MARK: - Before the music has begun

    @Test("before the music begins, a jump changes where it begins, but not when")
    func jumpBeforeTheBeginning() {
        var stand = Stand(Score(milliseconds: [[1000, 1000, 1000]], drone: .init(), countIn: .seconds(2)))
        #expect(stand.scheduler.state(at: -2000) == .waiting)
        stand.perform(at: -2000) { $0.jump(to: 1, at: -2000) }
        #expect(stand.frames == [0, 48_000, 96_000, 144_000])
        #expect(stand.recorder.clicks.map(\.sound) == [.countIn, .countIn, .bar, .bar])
        #expect(stand.recorder.drones.first?.frame == 0)
        #expect(stand.recorder.disorders == [])
    }

    @Test("music that is paused before it begins starts on time, or when it is resumed; nothing sounds earlier")
    func pauseBeforeTheBeginning() {
        for (resumed, first) in [(Int64(-1000), Int64(0)), (0, 0), (5000, 5000)] {
            var stand = Stand(Score(milliseconds: [[1000, 1000]], drone: .init(), countIn: .seconds(1)))
            stand.perform(at: -2000) { $0.pause(at: -2000) }
            #expect(stand.recorder.events.isEmpty)
            #expect(stand.scheduler.state(at: 10_000) == .paused)
            stand.perform(at: resumed) { $0.resume(at: resumed) }
            #expect(stand.frames == [first, first + 48_000, first + 96_000])
            #expect(stand.recorder.drones.first?.frame == first)
        }
    }

    @Test("a stop before the music begins ends it at once, without any event")
    func stopBeforeTheBeginning() {
        for isPaused in [false, true] {
            var stand = Stand(Score(milliseconds: [[1000, 1000]], drone: .init(), countIn: .seconds(1)))
            if isPaused { stand.perform(at: -3000) { $0.pause(at: -3000) } }
            stand.perform(at: -2000, before: .max) { $0.stop(at: -2000) }
            #expect(stand.recorder.events.isEmpty)
            #expect(stand.scheduler.endFrame == -2000)
        }
    }

    @Test("the state is known for every frame, and only the latest command counts")
    func states() throws {
        let yaml = "count-in: 1\nbars: [1, {duration: 1, hold: until cue at 0.5}]"
        let score = try #require(Score.read(Array(yaml.utf8), file: "x.yaml").score)
        var performance = Performance(of: score, passage: Passage(Timeline(score)))
        performance.waits = true
        var scheduler = Scheduler(performance, rate: 1000)
        var recorder = Recorder()
        scheduler.scheduleAll(before: 10_000, into: &recorder)
        #expect(scheduler.state(at: -1) == .waiting)
        #expect(scheduler.state(at: 0) == .countingIn)
        #expect(scheduler.state(at: 999) == .countingIn)
        #expect(scheduler.state(at: 1000) == .playing)
        #expect(scheduler.state(at: 2499) == .playing)
        let held = try #require(scheduler.held)
        #expect(scheduler.state(at: 2500) == .holding(held))
        scheduler.pause(at: 3000)
        #expect(scheduler.state(at: 4000) == .paused)
        scheduler.resume(at: 5000)
        #expect(scheduler.state(at: 5000) == .holding(held))
        scheduler.stop(at: 6000)
        #expect(scheduler.state(at: 6000) == .ending)
        scheduler.resume(at: 7000)
        #expect(scheduler.state(at: 7000) == .ending)
    }
}
