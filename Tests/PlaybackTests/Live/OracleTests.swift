import Listening
import SimulatedCardSupport
import Testing

/// Random commands on all kinds of cards, checked by a model that shares nothing with the scheduler: each click that
/// must sound has sounded once and on time, nothing else has sounded, and the log agrees. `make oracle` does the same
/// at length.
@Suite("The oracle")
struct OracleTests {
    /// Plays on each card `plays` times, each time with other commands.
    private func expectTruth(_ cards: [OraclePlay.Card], plays: Int, from seed: UInt64) throws {
        for (index, card) in cards.enumerated() {
            for k in 0..<plays {
                let play = OraclePlay(seed: seed + UInt64(1000 * index + k), on: card, commands: 12)
                let wrong = try play.run()
                #expect(wrong.isEmpty, "seed \(play.seed), a card that \(card.name), \(card.policy): \(wrong)")
            }
        }
    }

    @Test("on normal cards, every due click sounds, whatever the player does")
    func orderly() throws { try expectTruth(OraclePlay.Card.orderly, plays: 3, from: 1) }

    @Test("on awkward cards, every due click sounds, whatever the player does")
    func awkward() throws { try expectTruth(OraclePlay.Card.awkward, plays: 1, from: 100_000) }

    @Test("on slow and busy machines, every due click sounds unless the card ran dry")
    func busy() throws { try expectTruth(OraclePlay.Card.busy(seed: 7), plays: 1, from: 200_000) }

    @Test("on faulty cards, every lost click is reported")
    func faulty() throws { try expectTruth(OraclePlay.Card.faulty, plays: 1, from: 300_000) }
}
