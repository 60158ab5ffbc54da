import Formats
import Scores
import Testing
import Timing

/// A performance played with commands at given frames, and the frames of its clicks.
private struct Played {
    var scheduler: Scheduler
    var recorder = Recorder()

    init(_ performance: Performance) {
        scheduler = Scheduler(performance, rate: 1000)
        scheduler.scheduleAll(before: 1500, into: &recorder)
    }

    /// Carries out a command at a frame, and schedules events up to `end`.
    mutating func at(_ frame: Int64, until end: Int64, _ command: (inout Scheduler) -> Void) {
        scheduler.scheduleAll(before: frame, into: &recorder)
        scheduler.settle(before: frame)
        recorder.cut(at: frame)
        command(&scheduler)
        scheduler.scheduleAll(before: end, into: &recorder)
    }

    var clicks: [Int64] { recorder.clicks.map(\.position.frame) }
}

@Suite("Practice commands")
struct PracticeCommandTests {
    /// Three lines, each of bars of 1 s, 0.5 s and 0.25 s.
    private func performance(_ bars: Range<Int>? = nil, drone: Score.Drone? = nil) -> Performance {
        var score = Score(milliseconds: Array(repeating: [1000, 500, 250], count: 3), drone: drone)
        score.countIn = .off
        return Performance(of: score, passage: Passage(Timeline(score), bars: bars))
    }

    private func loop(_ performance: Performance, _ bars: Range<Int>, speed: Speed = .asWritten) -> Passage {
        Passage(performance.passage.timeline, [Passage.Stretch(bars, speed: speed)], passes: nil)
    }

    @Test("a loop continues the current bar, and repeats without a gap")
    func loops() {
        let performance = performance()
        var played = Played(performance)
        played.at(1200, until: 4000) { $0.change(passage: loop(performance, 1..<3), at: 1200) }
        #expect(played.clicks == [0, 1000, 1500, 1750, 2250, 2500, 3000, 3250, 3750])
        #expect(played.scheduler.performance.passage.bar(of: 3).index == 2)
        // Back to the whole piece, from the current bar: bar 2 of line 1, which began at 3250.
        played.at(3300, until: 6000) { $0.change(passage: performance.passage, near: 1, at: 3300) }
        #expect(played.clicks.filter { $0 > 3000 } == [3250, 3750, 4000, 5000, 5500, 5750])
        #expect(played.scheduler.performance.passage.boundary(at: played.scheduler.position(at: 4100)) == 3)
    }

    @Test("clicks before a loop are reported with the boundary numbers of the loop")
    func renumbered() {
        let performance = performance()
        var scheduler = Scheduler(performance, rate: 1000)
        var recorder = Recorder()
        scheduler.scheduleAll(before: 1200, into: &recorder)
        scheduler.change(passage: loop(performance, 1..<3), at: 1200)
        let told = scheduler.settle(before: 1300)
        #expect(
            told.map(\.origin) == [.bar(boundary: -1, index: 0, inner: 0), .bar(boundary: 0, index: 1, inner: 0)])
    }

    @Test("a loop without the current bar jumps to its beginning at once")
    func elsewhere() {
        let performance = performance()
        var played = Played(performance)
        played.at(1200, until: 3200) { $0.change(passage: loop(performance, 6..<7), at: 1200) }
        #expect(played.clicks == [0, 1000, 1200, 2200])
    }

    @Test("at another speed, the current bar continues from its position")
    func otherSpeed() throws {
        let performance = performance()
        var played = Played(performance)
        let half = loop(performance, 0..<3, speed: try speed(500_000))
        played.at(600, until: 4200) { $0.change(passage: half, at: 600) }
        // 400 ms are left, and take 800.
        #expect(played.clicks == [0, 1400, 2400, 2900])
    }

    @Test("a loop that is set during a pause continues where the music was paused")
    func paused() {
        let performance = performance()
        var played = Played(performance)
        played.at(1200, until: 1300) { $0.pause(at: 1200) }
        played.at(1300, until: 1400) { $0.change(passage: loop(performance, 1..<2), at: 1300) }
        played.at(2200, until: 4000) { $0.resume(at: 2200) }
        #expect(played.clicks == [0, 1000, 2500, 3000, 3500])
    }

    @Test("a nudge moves every later boundary by its amount, and nothing else")
    func nudge() {
        var played = Played(performance())
        played.at(1200, until: 9000) { $0.nudge(by: .milliseconds(10), at: 1200) }
        #expect(played.clicks == [0, 1000, 1510, 1760, 2760, 3260, 3510, 4510, 5010])
        played.at(1300, until: 9000) { $0.nudge(by: .milliseconds(-30), at: 1300) }
        #expect(played.clicks == [0, 1000, 1480, 1730, 2730, 3230, 3480, 4480, 4980])
    }

    @Test("two opposite nudges at any moment leave everything where it was")
    func thereAndBack() {
        let untouched = Played(performance())
        for frame in stride(from: Int64(100), to: 1700, by: 37) {
            var played = Played(performance())
            played.at(frame, until: 9000) { $0.nudge(by: .milliseconds(20), at: frame) }
            played.at(frame + 3, until: 9000) { $0.nudge(by: .milliseconds(-20), at: frame + 3) }
            var whole = untouched
            whole.scheduler.scheduleAll(before: 9000, into: &whole.recorder)
            #expect(played.clicks == whole.clicks, "at \(frame)")
        }
    }

    @Test("a jump with a count-in plays the counts, then the bar")
    func counted() {
        var performance = performance()
        performance.countIn = .seconds(2)
        performance.countsInJumps = true
        var played = Played(performance)
        // The start was counted in as well: time zero is frame 2000.
        played.at(2100, until: 5500) { $0.jump(to: 4, at: 2100) }
        #expect(played.clicks == [0, 1000, 2000, 2100, 3100, 4100, 4600, 4850])
        #expect(played.scheduler.countsTo?.end == .milliseconds(2100))
        #expect(played.recorder.clicks[3...4].allSatisfy { $0.sound == .countIn })
        // Meanwhile, the position is that of the bar to come.
        #expect(played.scheduler.position(at: 3000) == performance.passage.position(of: 4))
        // Another jump in the count-in starts the count again.
        played.at(3000, until: 5500) { $0.jump(to: 3, at: 3000) }
        #expect(played.clicks == [0, 1000, 2000, 2100, 3000, 4000, 5000])
        #expect(played.recorder.clicks.last?.sound == .line)
    }

    @Test("a paused count-in continues where it was")
    func countedPause() {
        var performance = performance()
        performance.countIn = .seconds(2)
        performance.countsInJumps = true
        var played = Played(performance)
        played.at(2500, until: 2600) { $0.jump(to: 3, at: 2500) }
        played.at(3000, until: 3100) { $0.pause(at: 3000) }
        played.at(9000, until: 11_000) { $0.resume(at: 9000) }
        #expect(played.clicks.filter { $0 >= 2500 } == [2500, 9500, 10_500])
        #expect(played.recorder.clicks.suffix(3).map(\.sound) == [.countIn, .countIn, .line])
    }

    @Test("a drone can be changed and muted, and comes back as it was")
    func drone() {
        var played = Played(performance(drone: Score.Drone()))
        played.at(200, until: 300) { $0.change(at: 200) { $0.drone?.pitch = .note(69, cents: 0) } }
        played.at(300, until: 400) { $0.change(at: 300) { $0.isDroneMuted = true } }
        played.at(400, until: 500) { $0.change(at: 400) { $0.isDroneMuted = false } }
        let drones = played.recorder.drones
        #expect(drones.map(\.frame) == [0, 200, 300, 400])
        #expect(drones.map { $0.amplitude == 0 } == [false, false, true, false])
        #expect(drones[3].amplitude == drones[1].amplitude)
    }

    @Test("muted clicks give no events, and remove no boundaries")
    func mutedClicks() {
        var played = Played(performance())
        played.at(200, until: 1200) { $0.change(at: 200) { $0.isClickMuted = true } }
        played.at(1200, until: 1800) { $0.change(at: 1200) { $0.isClickMuted = false } }
        #expect(played.clicks == [0, 1500, 1750])
    }

    @Test(
        "a later hold does not change which bar is looped; the bar of a hold that waits is looped with its hold")
    func holdAhead() throws {
        let yaml = "bars: [1, {duration: 0.4, hold: until cue}, 0.25]"
        let score = try #require(Score.read(Array(yaml.utf8), file: "x.yaml").score)
        var performance = Performance(of: score, passage: Passage(Timeline(score)))
        performance.waits = true
        var played = Played(performance)
        #expect(played.scheduler.held?.boundary == 1)
        played.at(500, until: 3200) { $0.change(passage: loop(performance, 0..<1), at: 500) }
        #expect(played.clicks == [0, 1000, 2000, 3000])
        #expect(played.scheduler.held == nil)

        var holding = Played(performance)
        holding.at(1450, until: 1500) { $0.change(passage: loop(performance, 1..<2), at: 1450) }
        #expect(holding.scheduler.state(at: 1500) == .holding(try #require(holding.scheduler.held)))
        holding.at(1600, until: 2100) { $0.proceed(at: 1600) }
        // The loop repeats, and reaches the same hold.
        #expect(holding.clicks == [0, 1000, 1600])
        #expect(holding.scheduler.held?.boundary == 1)
    }
}
