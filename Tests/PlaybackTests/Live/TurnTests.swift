import Listening
import Playback
import Scores
import SimulatedCardSupport
import Testing
import Timing

/// A card whose rate changes while it plays, by far more than crystals do.
@Suite("A clock that turns, in simulated time")
struct TurnTests {
    /// How far what the log says is from what the card played, at most and about the mean, in s.
    static func untruth(_ play: SimulatedPlay, from begin: Double) -> Double {
        let heard = Dictionary(uniqueKeysWithValues: play.boundaries.map { ($0.index, $0) })
        let wrong = play.told.compactMap { row -> Double? in
            guard let boundary = heard[row.index], boundary.due > begin, let error = row.errorMicroseconds else {
                return nil
            }
            return error * 1e-6 - boundary.deviation
        }
        let mean = wrong.reduce(0, +) / Double(wrong.count)
        return wrong.map { abs($0 - mean) }.max() ?? .infinity
    }

    @Test(
        "a rate that swings by 100 ppm within two minutes is followed, and the log tells the truth",
        arguments: [Card.Policy.rewind, .small])
    func swing(policy: Card.Policy) throws {
        let play = try SimulatedPlay.run(
            LiveTests.performance(minutes: 4), on: .fine(ppm: 40).with(["wander_ppm": 100, "wander_period_s": 120]),
            policy: policy)
        LiveTests.expectTrueLog(play)
        let spread = SimulatedPlay.spread(play.boundaries.filter { $0.due > 10 })
        #expect(spread.max <= 150e-6)
        #expect(Self.untruth(play, from: 10) <= 30e-6)
    }
}
