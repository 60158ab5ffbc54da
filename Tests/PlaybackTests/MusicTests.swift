import Playback
import Scores
import Shared
import Testing
import Timing

@Suite("The music and what it goes back to")
struct MusicTests {
    @Test(
        "what is practiced has the time of the score, also where the passes of a plan are counted one after the other")
    func practiced() throws {
        let score = Score.ofMilliseconds([[6000, 4000, 6000, 4000, 3000]])
        let performance = score.performance {
            ($0.countsPasses, $0.countIn) = (true, .off)
        }
        var music = Music(scheduler: Scheduler(performance, rate: 1000), start: performance)
        func elapsed(_ position: Duration) -> Duration {
            let now = music.scheduler.performance
            return now.clock(at: position, inBarOf: now.passage.boundary(at: position))
        }
        let half = try #require(Speed(millionths: 500_000))
        let program = [Passage.Stretch(3..<5, speed: half), Passage.Stretch(3..<5)]
        #expect(music.carryOut(.practice(program, passes: nil), at: 500) != nil)
        #expect(elapsed(.seconds(2)) == .seconds(17) && elapsed(.seconds(15)) == .seconds(17))
        #expect(music.scheduler.performance.clockEnd == .seconds(23))
        #expect(music.carryOut(.practice(nil, passes: nil), at: 900) != nil)
        #expect(elapsed(.seconds(17)) == .seconds(17) && music.scheduler.performance.countsPasses)
    }

    @Test("the log has a jump when a loop or a program leaves out the bar that sounds, and none when it has that bar")
    func jumps() {
        let performance = Score.ofMilliseconds([[1000, 1000], [1000, 1000]]).performance { $0.countIn = .off }
        var music = Music(scheduler: Scheduler(performance, rate: 1000), start: performance)
        #expect(music.carryOut(.practice([Passage.Stretch(0..<2)], passes: nil), at: 500) == [])
        #expect(music.carryOut(.practice([Passage.Stretch(3..<4)], passes: nil), at: 1500) == .jump)
        #expect(music.carryOut(.practice(nil, passes: nil), at: 2500) == [])
    }

    @Test("Home goes to the first bar that a practice program plays, and from a loop to the first bar of the piece")
    func first() throws {
        let performance = Score.ofMilliseconds([[1000, 1000], [1000, 1000]]).performance { $0.countIn = .off }
        let timeline = performance.passage.timeline
        func bar(after text: String) throws -> Int {
            var music = Music(scheduler: Scheduler(performance, rate: 1000), start: performance)
            let program = try PracticeProgram(scoreText: text).stretches(of: timeline, bars: 0..<4)
            #expect(music.carryOut(.practice(program, passes: nil), at: 500) != nil)
            #expect(music.carryOut(.jump(.nextBar), at: 600) == .jump)
            #expect(music.carryOut(.jump(.firstBar), at: 700) == .jump)
            let passage = music.scheduler.performance.passage
            return passage.bar(of: passage.boundary(at: max(music.scheduler.position(at: 700), .zero))).index
        }
        #expect(try bar(after: "column 2") == 1)
        #expect(try bar(after: "each 2") == 0)
        var music = Music(scheduler: Scheduler(performance, rate: 1000), start: performance)
        #expect(music.carryOut(.practice([Passage.Stretch(2..<4)], passes: nil), at: 500) == .jump)
        #expect(music.carryOut(.jump(.firstBar), at: 700) == .jump)
        #expect(music.leftHome == nil)
    }
}
