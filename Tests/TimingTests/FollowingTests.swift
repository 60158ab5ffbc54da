import Scores
import Shared
import Testing
import Timing

/// A follower's scheduler goes on as its leader's does, whatever the leader's player does.
@Suite("A follower")
struct FollowingTests {
    private static let rate = 48_000

    /// What the leader tells of a scheduler that has no clock of its own.
    private static func lead(_ scheduler: Scheduler, at frame: Int64) -> LeaderMusic {
        let passage = scheduler.performance.passage
        var lead = LeaderMusic(zero: 0, anchor: scheduler.anchor, stretches: passage.stretches, passes: passage.passes)
        lead.paused = scheduler.isPaused ? max(scheduler.position(at: frame), .zero) : nil
        if let time = scheduler.timePaused { lead.pausedAhead = max(scheduler.anchor.time - time, .zero) }
        lead.first = scheduler.performance.first
        lead.countsIn = scheduler.countsTo != nil
        lead.countIn = scheduler.performance.countIn
        lead.held = scheduler.held
        lead.waits = scheduler.performance.waits
        return lead
    }

    /// A scheduler, and the frames of all clicks that it has played.
    private struct Player {
        var scheduler: Scheduler
        var played: [ScheduledClick] = []
        var clicks: [FramePosition] { played.map(\.position) }
        var recorder = Recorder()

        /// Plays everything before `frame`.
        mutating func play(before frame: Int64) -> [ScheduledClick] {
            _ = scheduler.schedule(before: frame + 9600, into: &recorder)
            let clicks = scheduler.settle(before: frame).filter { !$0.isLost && !$0.isSilent }
            played += clicks
            return clicks
        }
    }

    @Test(
        "half a second after a command, a follower plays the same clicks as its leader, and none twice",
        arguments: 1...60)
    func commands(seed: Int) throws {
        var random = Seeded(state: UInt64(seed))
        let bars = (0..<40).map { _ in Score.Bar(.milliseconds(random.int(300...900))) }
        let score = Score(countIn: random.chance(2) ? .seconds(2) : .off, lines: [Score.Line(bars: bars)])
        let performance = Performance(of: score, passage: Passage(Timeline(score)))
        var leader = Player(scheduler: Scheduler(performance, rate: Self.rate))
        let mapping = leader.scheduler.mapping
        var follower = Player(scheduler: Scheduler(performance, rate: Self.rate))
        var sounded: [ScheduledClick] = []
        var frame: Int64 = 0
        for _ in 0..<25 {
            frame += Int64(random.int(2000...90_000))
            _ = leader.play(before: frame)
            let kind = random.int(0...3)
            switch kind {
            case 0 where leader.scheduler.isPaused: leader.scheduler.resume(at: frame)
            case 0: leader.scheduler.pause(at: frame)
            case 1: leader.scheduler.jump(to: random.int(0...39), at: frame)
            case 2: leader.scheduler.change(speed: try speed(Int64(random.int(700_000...1_500_000))), at: frame)
            default: leader.scheduler.nudge(by: .milliseconds(random.int(-20...20)), at: frame)
            }
            // The network takes up to 200 ms.
            let late = frame + Int64(random.int(200...9600))
            sounded = (sounded + follower.play(before: late)).suffix(16)
            let lead = Self.lead(leader.scheduler, at: frame)
            follower.scheduler.follow(lead, mapping, at: late, after: sounded, isJump: kind == 1)
            _ = leader.play(before: late)
            // Until then, a click that the leader has moved may have sounded already.
            let begin = late + 24_000
            let end = begin + Int64(random.int(0...96_000))
            _ = leader.play(before: end)
            sounded = (sounded + follower.play(before: end)).suffix(16)
            let (theirs, mine) = (
                leader.clicks.filter { $0.frame >= begin }, follower.clicks.filter { $0.frame >= begin }
            )
            #expect(mine.count == theirs.count, "seed \(seed) at \(begin)")
            for (one, other) in zip(mine, theirs) { #expect(one.distance(from: other).magnitude < 0.001) }
            frame = end
        }
        for (one, next) in zip(follower.played, follower.played.dropFirst()) where one.origin == next.origin {
            #expect(next.position.distance(from: one.position) > 4800, "seed \(seed): \(one) and \(next)")
        }
    }

    @Test("a follower that joins late begins where its leader is", arguments: [0, 1, 77_777, 240_000, 1_000_000])
    func late(frame: Int64) {
        let score = Score(lines: [Score.Line(bars: (0..<60).map { _ in Score.Bar(.milliseconds(417)) })])
        let performance = Performance(of: score, passage: Passage(Timeline(score)))
        var leader = Player(scheduler: Scheduler(performance, rate: Self.rate))
        _ = leader.play(before: frame)
        var follower = Player(scheduler: Scheduler(performance, rate: Self.rate))
        follower.scheduler.follow(
            Self.lead(leader.scheduler, at: frame), leader.scheduler.mapping, at: frame, after: [], isJump: false)
        _ = follower.play(before: 1_200_000)
        _ = leader.play(before: 1_200_000)
        let (heard, after) = (
            follower.clicks.filter { $0.frame > frame + 1 }, leader.clicks.filter { $0.frame >= frame }
        )
        #expect(heard == after.filter { $0.frame > frame + 1 })
        #expect(!after.isEmpty)
    }

    @Test("a follower that joins while its leader waits at a hold waits, too, and continues with it")
    func hold() throws {
        let reading = Score.read(
            Array("bars: [1, {duration: 1, hold: until cue at 0.5}, 1, 1]".utf8), file: "hold.yaml")
        let score = try #require(reading.score, "\(reading.diagnostics)")
        var performance = Performance(of: score, passage: Passage(Timeline(score)))
        performance.waits = true
        var leader = Player(scheduler: Scheduler(performance, rate: Self.rate))
        _ = leader.play(before: 480_000)
        var follower = Player(scheduler: Scheduler(performance, rate: Self.rate))
        follower.scheduler.follow(
            Self.lead(leader.scheduler, at: 480_000), leader.scheduler.mapping, at: 480_000, after: [], isJump: false)
        _ = follower.play(before: 600_000)
        #expect(follower.clicks.isEmpty)
        leader.scheduler.proceed(at: 600_000)
        follower.scheduler.follow(
            Self.lead(leader.scheduler, at: 600_000), leader.scheduler.mapping, at: 602_000, after: [], isJump: false)
        _ = leader.play(before: 900_000)
        _ = follower.play(before: 900_000)
        #expect(follower.clicks == leader.clicks.filter { $0.frame >= 600_000 })
        #expect(follower.clicks.count == 2)
    }

    @Test("a leader's music is over once its end is, however often and fast it is played, and never while it is paused")
    func over() throws {
        let timeline = Timeline(Score(lines: [Score.Line(bars: [Score.Bar(.seconds(1)), Score.Bar(.seconds(2))])]))
        let speed = try #require(Speed(millionths: 500_000))
        var lead = LeaderMusic(
            zero: 7_000_000_000, anchor: Anchor(time: .seconds(1), position: .zero, speed: speed),
            stretches: [Passage.Stretch(0..<2)], passes: 2)
        // 7 s and 1 s, and two rounds of 3 s at half the speed.
        #expect(!lead.isOver(at: 19.9e9, of: timeline) && lead.isOver(at: 20.1e9, of: timeline))
        lead.paused = .seconds(1)
        #expect(!lead.isOver(at: 1e12, of: timeline))
        lead.hasEnded = true
        #expect(lead.isOver(at: 0, of: timeline))
        (lead.hasEnded, lead.paused, lead.passes) = (false, nil, nil)
        #expect(!lead.isOver(at: 1e12, of: timeline))
    }
}
