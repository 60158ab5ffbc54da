import Scores
import Testing
import Timing

@Suite("States of the scheduler")
struct SchedulerPhaseTests {
    private func scheduler(_ yaml: String, _ change: (inout Performance) -> Void = { _ in }) throws -> Scheduler {
        let score = try #require(Score.read(Array(yaml.utf8), file: "x.yaml").score)
        var performance = Performance(of: score, passage: Passage(Timeline(score)))
        performance.waits = true
        change(&performance)
        return Scheduler(performance, rate: 1000)
    }

    @Test("paused music keeps its position, even if it is stopped meanwhile")
    func still() throws {
        var scheduler = try scheduler("bars: [1, 1, 1]")
        #expect(scheduler.position(at: -500) == .zero)
        #expect(scheduler.position(at: 1400) == .milliseconds(1400))
        scheduler.pause(at: 1500)
        #expect(scheduler.position(at: 9000) == .milliseconds(1500))
        scheduler.stop(at: 5000)
        #expect(scheduler.position(at: 9000) == .milliseconds(1500))
        var other = try self.scheduler("bars: [1, 1, 1]")
        other.stop(at: 2500)
        #expect(other.position(at: 9000) == .milliseconds(2500) && other.endFrame == 2500 + Int64(other.fadeFrames))
    }

    @Test("the drone fades out for a pause and at the end, even if another command takes effect at the same frame")
    func fadesOut() throws {
        let endings: [(inout Scheduler) -> Void] = [{ $0.pause(at: 1500) }, { $0.stop(at: 1500) }]
        let others: [(inout Scheduler) -> Void] = [
            { $0.change(at: 1500) { $0.a4 = 441 } }, { $0.remap($0.mapping, from: 1500) },
            { $0.nudge(by: .zero, at: 1500) },
        ]
        for ending in endings {
            for other in others {
                var scheduler = try scheduler("drone: B4\nbars: [1, 1, 1]")
                var recorder = Recorder()
                scheduler.scheduleAll(before: 2000, into: &recorder)
                for command in [ending, other] {
                    recorder.cut(at: 1500)
                    command(&scheduler)
                    scheduler.scheduleAll(before: 3000, into: &recorder)
                }
                #expect(recorder.drones.map(\.frame) == [0, 1500])
                #expect(recorder.drones.last?.amplitude == 0)
            }
        }
    }

    @Test("music that waits at the end of a bar is still in that bar")
    func endOfBar() throws {
        var scheduler = try scheduler("bars: [{duration: 1, hold: until cue}, 1]")
        var recorder = Recorder()
        scheduler.scheduleAll(before: 5000, into: &recorder)
        #expect(scheduler.position(at: 4000) == .seconds(1) - .attosecond)
        #expect(scheduler.performance.passage.boundary(at: scheduler.position(at: 4000)) == 0)
    }

    @Test("the end frame is known once no hold is left that waits for the player")
    func endInSight() throws {
        var scheduler = try scheduler(
            "grid: 4 parts\nbars: [1, {duration: 2, hold: [until cue at 0.5, until cue at 1.5]}, {duration: 1, grid: off}]"
        )
        var recorder = Recorder()
        for (held, proceed) in [(1500, 3000), (4000, 6000)] as [(Int64, Int64)] {
            for horizon in stride(from: Int64(0), through: proceed, by: 50) {
                #expect(scheduler.endFrame == nil)
                scheduler.scheduleAll(before: horizon, into: &recorder)
            }
            #expect(!scheduler.state(at: held - 1).isHolding && scheduler.state(at: held).isHolding)
            recorder.cut(at: proceed)
            scheduler.proceed(at: proceed)
        }
        #expect(scheduler.endFrame == 7500)
        scheduler.scheduleAll(before: 10_000, into: &recorder)
        // The second click of the bar comes before the first hold, the fourth before the second.
        #expect(recorder.clicks.map(\.position.frame) == [0, 250, 500, 750, 1000, 1500, 3500, 4000, 6500])
        #expect(scheduler.endFrame == 7500)
    }

    @Test("an end signal delays the end by its own length")
    func signalOfTheEnd() throws {
        #expect(try scheduler("bars: [1]").endFrame == 1000)
        #expect(try scheduler("bars: [1]") { $0.cues.end = true }.endFrame == 1650)
    }

    @Test("before it begins, the music moves as a whole with a new mapping of frames, and with a nudge")
    func moved() throws {
        let yaml = "count-in: 1\ndrone: B4\nbars: [1, 1]"
        for (change, shift) in [
            ({ $0.remap(NominalMapping(rate: 1000, zero: 1300), from: -500) }, 300),
            ({ $0.nudge(by: .milliseconds(20), at: -500) }, 20), ({ $0.nudge(by: .milliseconds(-20), at: -500) }, 0),
        ] as [((inout Scheduler) -> Void, Int64)] {
            var scheduler = try scheduler(yaml)
            var recorder = Recorder()
            scheduler.scheduleAll(before: 5000, into: &recorder)
            recorder.cut(at: -500)
            change(&scheduler)
            scheduler.scheduleAll(before: 5000, into: &recorder)
            #expect(recorder.drones.first?.frame == shift && scheduler.beginFrame == shift)
            #expect(recorder.clicks.first?.position.frame == shift)
            #expect(recorder.disorders == [])
        }
    }

    @Test("a count-in has a click for every whole second, and one if it is shorter than a second")
    func clicks() {
        for (milliseconds, clicks) in [(0, 0), (1, 1), (999, 1), (1000, 1), (1999, 1), (2000, 2), (3500, 3)] {
            var performance = Performance(of: .sequenza, passage: Passage(Timeline(.sequenza)))
            performance.countIn = .milliseconds(milliseconds)
            let countIn = CountIn(performance, to: 4, at: .asWritten)
            #expect(countIn.cursor == (clicks > 0 ? .count(left: clicks) : .bar(4, inner: 0)))
            if clicks > 0 { #expect(countIn.lead(left: clicks) == min(.seconds(clicks), countIn.length)) }
        }
    }
}
