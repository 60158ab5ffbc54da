import Listening
import SimulatedCardSupport
import Testing

/// Random commands on all kinds of cards, judged by an account that shares nothing with the scheduler: each click that must
/// sound has sounded once, in its place, nothing else has, and the log says so. `make oracle` does the same at length.
@Suite("The oracle")
struct OracleTests {
    /// Plays each card some times with other commands.
    private func expectTruth(_ cards: [OraclePlay.Card], plays: Int, from seed: UInt64) throws {
        for (index, card) in cards.enumerated() {
            for k in 0..<plays {
                let play = OraclePlay(seed: seed + UInt64(1000 * index + k), on: card, commands: 12)
                let wrong = try play.run()
                #expect(wrong.isEmpty, "seed \(play.seed), a card that \(card.name), \(card.policy): \(wrong)")
            }
        }
    }

    @Test("on cards that behave every click that is asked for sounds, whatever the player does")
    func orderly() throws { try expectTruth(OraclePlay.Card.orderly, plays: 3, from: 1) }

    @Test("on awkward cards every click that is asked for sounds, whatever the player does")
    func awkward() throws { try expectTruth(OraclePlay.Card.awkward, plays: 1, from: 100_000) }

    @Test("on slow and busy machines every click that is asked for sounds, unless the card ran dry")
    func busy() throws { try expectTruth(OraclePlay.Card.busy(seed: 7), plays: 1, from: 200_000) }

    @Test("on faulty cards nothing is lost without a word")
    func faulty() throws { try expectTruth(OraclePlay.Card.faulty, plays: 1, from: 300_000) }
}
