import Listening
import SimulatedCardSupport
import Testing

/// Random commands on all kinds of cards, checked by a model that shares nothing with the scheduler: each click that
/// must sound has sounded once and on time, nothing else has sounded, and the log agrees. `make oracle` does the same
/// at length.
@Suite("The oracle")
struct OracleTests {
    /// Plays on each card `plays` times, each time with other commands.
    private func expectTruth(
        _ cards: [OraclePlay.Card], plays: Int, from seed: UInt64, commands: Int = 12, isTimed: Bool = false
    ) throws {
        for (index, card) in cards.enumerated() {
            for k in 0..<plays {
                let seed = seed + UInt64(1000 * index + k)
                let play = OraclePlay(seed: seed, on: card, commands: commands, isTimed: isTimed)
                let wrong = try play.run()
                let first = wrong.prefix(5)
                #expect(first.isEmpty, "seed \(play.seed), a card that \(card.name), \(card.policy): \(first)")
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

    @Test("while the clock is slewed, every due click sounds within the bounds")
    func slewed() throws { try expectTruth(OraclePlay.Card.slewed, plays: 1, from: 400_000) }

    @Test("on cards whose calls fail, every lost click is reported")
    func failing() throws { try expectTruth(OraclePlay.Card.failing, plays: 2, from: 500_000) }

    @Test("without a card, the log has every boundary, whatever the player does and the machine")
    func silent() throws { try expectTruth(OraclePlay.Card.silent(seed: 7), plays: 2, from: 800_000) }

    @Test("a start at a time of day follows the wall clock until then, and the music goes on from there")
    func timed() throws {
        let cards = OraclePlay.Card.orderly + OraclePlay.Card.busy(seed: 7) + OraclePlay.Card.faulty
        try expectTruth(cards + OraclePlay.Card.silent(seed: 7), plays: 1, from: 900_000, isTimed: true)
    }

    // Random plays in which the oracle has found something.
    @Test(
        "a start at a time of day is as it must be, also where it once was not",
        arguments: [
            // A pause shortly before the start counted as one after it.
            (61_031, "has to play fifteen voices"),
            // The wall clock was set in a pause before the start: the music that went on was lost.
            (61_035, "fine"),
            // The wall clock moved the start to the past: bars that went by had no row, or none that said so.
            (63_014, "on a slow machine that is stopped for some seconds"), (63_027, "has to play fifteen voices"),
            // The wall clock was set just as the music went on from a pause, after its start: it waited once more.
            (1, "on a slow machine that is stopped for some seconds"),
            // OSC told a bar that comes before the one in which the music went on in another passage.
            (24_002, "has to play fifteen voices"),
            // A hold more than four seconds ahead was passed over on the screen while the program stood still.
            (61_039, "whose program is stopped for some seconds"),
        ] as [(UInt64, String)])
    func timedOnce(seed: UInt64, name: String) throws {
        let all = OraclePlay.Card.orderly + OraclePlay.Card.busy(seed: seed) + OraclePlay.Card.dense
        let cards = all.filter { $0.name == name }
        #expect(!cards.isEmpty)
        for card in cards { try expectTruth([card], plays: 1, from: seed, commands: 20, isTimed: true) }
    }

    // Bars beyond what had been handed out before a stop were told as lost; a click that a command made late, as in time.
    @Test("without a card, nothing is lost in a stop of the program", arguments: [62_004, 62_013] as [UInt64])
    func silentOnce(seed: UInt64) throws {
        let cards = OraclePlay.Card.silent(seed: seed).filter { $0.name.hasSuffix("for some seconds") }
        #expect(cards.count == 1)
        try expectTruth(cards, plays: 1, from: seed, commands: 20)
    }

    // Random plays in which the oracle has found something that OSC, MIDI or the lines in a pipe told wrongly.
    @Test(
        "OSC, MIDI and lines tell of each bar that is heard, once, also where they once did not",
        arguments: [
            // The music went on and jumped at the same frame; so did two jumps, of which only the last is heard.
            (5000, "rewinds less than it says"), (5000, "has one long period"),
            // A jump and another command at one frame, whose time was estimated anew.
            (7002, "fine"),
            // A bar whose click a command has made late was not told, or too early.
            (6002, "fine"),
            // Commands are heard long before anybody knows of them; the music is placed anew before they are.
            (5000, "hangs now and then"), (7001, "hangs now and then"),
            // The same bar again, sooner than 60 ms.
            (7001, "has to play fifteen voices"),
            // A speed was set in a pause that began at the frame of a jump, whose time was estimated anew.
            (20_004, "has one long period"),
            // Lines of bars were written when a command was given, and of a bar between two commands at one frame.
            (6000, "has one long period"), (20_001, "fine"),
        ] as [(UInt64, String)])
    func toldOnce(seed: UInt64, name: String) throws {
        let all = OraclePlay.Card.orderly + OraclePlay.Card.awkward + OraclePlay.Card.hanging + OraclePlay.Card.dense
        let cards = all.filter { $0.name == name }
        #expect(!cards.isEmpty)
        for card in cards { try expectTruth([card], plays: 1, from: seed, commands: 20) }
    }

    @Test("on cards that hang, every lost click is reported")
    func hanging() throws { try expectTruth(OraclePlay.Card.hanging, plays: 2, from: 600_000) }

    /// Plays on each card as a follower of a leader with random commands.
    private func expectTogether(_ cards: [OraclePlay.Card], from seed: UInt64) throws {
        for (index, card) in cards.enumerated() {
            let play = OracleFollowing(seed: seed + UInt64(1000 * index), on: card, commands: 20)
            let wrong = try play.run()
            let first = wrong.prefix(5)
            #expect(first.isEmpty, "seed \(play.seed), a card that \(card.name), \(card.policy): \(first)")
        }
    }

    @Test("a follower plays what its leader plays, whatever the leader's player does")
    func followers() throws {
        try expectTogether(OraclePlay.Card.orderly + OraclePlay.Card.awkward + OraclePlay.Card.dense, from: 1)
    }

    @Test("a follower on a slow, busy or stopped machine plays what its leader plays, or its log says why not")
    func busyFollowers() throws { try expectTogether(OraclePlay.Card.busy(seed: 7), from: 700_000) }

    @Test("a follower on a faulty card plays what its leader plays, or its log says why not")
    func faultyFollowers() throws {
        try expectTogether(OraclePlay.Card.faulty + OraclePlay.Card.failing + OraclePlay.Card.hanging, from: 800_000)
    }

    // Random plays in which the oracle has found something.
    @Test(
        "a follower plays what its leader plays, also where it once did not",
        arguments: [
            // Paused in a bar, the leader went back to the bar's beginning while there was no network.
            (7, "fine"),
            // A slow leader tells of commands long before they take effect.
            (3001, "fine"),
            // The leader shifts the music just before a hold at which its player then waits.
            (14_001, "moves by periods"),
            // The card's clock is lost just before a stop, and only known after it.
            (600_013, "on a slow machine that is stopped for some seconds"),
        ] as [(UInt64, String)])
    func followedOnce(seed: UInt64, name: String) throws {
        let all = OraclePlay.Card.orderly + OraclePlay.Card.awkward + OraclePlay.Card.busy(seed: seed)
        for card in all where card.name == name {
            let wrong = try OracleFollowing(seed: seed, on: card, commands: 20).run()
            #expect(wrong.isEmpty, "\(card.policy): \(wrong)")
        }
    }

    @Test("all voices sound, although their events do not fit into the queue")
    func dense() throws { try expectTruth(OraclePlay.Card.dense, plays: 2, from: 1) }
}
