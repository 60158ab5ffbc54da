import Listening
import Playback
import Scores
import Testing
import Timing

/// Words that the player's commands are confirmed with.
@Suite("A word said at once")
struct SayTests {
    private static let word = SpokenWord("speed", samples: [Float](repeating: 0.1, count: 4800), rate: 48_000)

    private static func play(_ commands: [(Double, Command)]) throws -> SimulatedPlay {
        try SimulatedPlay.run(
            LiveTests.performance(minutes: 0.25), on: .fine(ppm: 80), policy: .rewind, commands: commands)
    }

    @Test("a word said at once moves no boundary, and every boundary is heard")
    func moves() throws {
        let (plain, spoken) = (try Self.play([]), try Self.play([4, 6.1, 9.7].map { ($0, .say(Self.word)) }))
        #expect(plain.isOver && spoken.isOver)
        #expect(spoken.told.map(\.index) == plain.told.map(\.index))
        for (one, other) in zip(plain.told, spoken.told) { #expect(one.nominal == other.nominal) }
        #expect(spoken.told.allSatisfy { $0.flags == [] })
    }

    @Test("a word sounds as often as it is said, also while the music is paused")
    func sounds() throws {
        let says: [(Double, Command)] = [(4, .say(Self.word)), (7.5, .say(Self.word)), (8, .say(Self.word))]
        let silent = try Self.play([(7, .pause), (9, .resume)])
        let play = try Self.play(([(7, .pause), (9, .resume)] + says).sorted { $0.0 < $1.0 })
        let seconds = play.clickSeconds - silent.clickSeconds
        #expect((0.28...0.31).contains(seconds), "\(seconds) s of words")
    }
}
