import Listening
import Playback
import Scores
import Testing
import Timing

/// Commands that are given at the same moment. On a device that cannot rewind, they take effect at the same frame.
@Suite("Commands at once")
struct AtOnceTests {
    private let word = SpokenWord("speed", samples: [Float](repeating: 0.1, count: 4800), rate: 48_000)

    @Test(
        "a drone is silent in a pause even if other commands follow at once", arguments: [Card.Policy.small, .rewind])
    func silent(policy: Card.Policy) throws {
        func droneShare(_ others: [Command]) throws -> Double {
            let commands: [(Double, Command)] = ([.pause] + others).map { (4, $0) } + [(10, .resume)]
            return try SimulatedPlay.run(
                LiveTests.performance(minutes: 0.25, drone: true), on: .fine(ppm: 80), policy: policy,
                commands: commands
            ).droneShare
        }
        let (alone, followed) = try (droneShare([]), droneShare([.clickLevel(decibels: 0), .a4(hertz: 1)]))
        #expect(alone < 0.85 && abs(followed - alone) < 0.01, "\(alone), \(followed)")
    }

    @Test(
        "a pause that comes before the music begins keeps its first click back",
        arguments: [Card.Policy.small, .rewind])
    func early(policy: Card.Policy) throws {
        let play = try SimulatedPlay.run(
            LiveTests.performance(minutes: 0.25), on: .fine(ppm: 80), policy: policy,
            commands: [(0, .pause), (8, .resume)])
        let first = try #require(play.heard.first?.time)
        #expect((8...8.5).contains(first - Simulation.beginning), "\(first - Simulation.beginning) s")
        #expect(play.heard.count == play.rows.count)
    }

    @Test("a word sounds even if other commands follow at once", arguments: [Card.Policy.small, .rewind])
    func followed(policy: Card.Policy) throws {
        func play(_ commands: [(Double, Command)]) throws -> SimulatedPlay {
            try SimulatedPlay.run(
                LiveTests.performance(minutes: 0.25), on: .fine(ppm: 80), policy: policy, commands: commands)
        }
        let words = [4.0, 5, 6, 7, 8].flatMap { time -> [(Double, Command)] in
            [(time, .say(word)), (time, .clickLevel(decibels: 0)), (time, .a4(hertz: 0))]
        }
        let seconds = try play(words).clickSeconds - play([]).clickSeconds
        #expect((0.46...0.52).contains(seconds), "\(seconds) s of words")
    }
}
