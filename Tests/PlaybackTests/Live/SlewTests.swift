import Listening
import Playback
import Scores
import SimulatedCardSupport
import Testing
import Timing

/// Clocks that NTP slews, and cards that change their rate, once the card's clock is well known.
@Suite("Slewed clocks, in simulated time")
struct SlewTests {
    typealias Settings = [String: SimulatedCard.Value]

    /// A change of a clock, and how far boundaries may be off, in us: with a fine pointer, and with a coarse one.
    struct Change: Sendable {
        var settings: Settings
        var (fine, coarse): (Double, Double)
    }

    /// All begin a minute after the card's start.
    static let changes = [
        Change(settings: ["slew_at": 60_000, "slew_ppm": 100, "slew_for": 30_000], fine: 150, coarse: 400),
        Change(settings: ["slew_at": 60_000, "slew_ppm": -100, "slew_for": 30_000], fine: 150, coarse: 400),
        Change(settings: ["slew_at": 60_000, "slew_ppm": 500, "slew_for": 60_000], fine: 1200, coarse: 1500),
        Change(settings: ["slew_at": 60_000, "slew_ppm": 100], fine: 150, coarse: 400),
        Change(settings: ["skew_at": 60_000, "skew_by_ppm": -100], fine: 150, coarse: 400),
        Change(settings: ["offset_at": 60_000, "offset_us": 5000, "offset_tau_s": 64], fine: 300, coarse: 400),
        Change(settings: [:], fine: 30, coarse: 100),
    ]

    /// How far boundaries are from their times, at most, about their mean before the change, in us; and how far the log is
    /// from what the card played.
    static func play(_ card: Settings, _ policy: Card.Policy) throws -> (
        worst: Double, log: Double, play: SimulatedPlay
    ) {
        let play = try SimulatedPlay.run(LiveTests.performance(minutes: 2.4), on: card, policy: policy)
        let before = SimulatedPlay.spread(play.boundaries.filter { $0.due > 20 && $0.due < 55 })
        let off = play.boundaries.filter { $0.due > 20 }.map { abs($0.deviation - before.offset) }
        return ((off.max() ?? .infinity) * 1e6, TurnTests.untruth(play, from: 20) * 1e6, play)
    }

    @Test(
        "whatever happens to the clock, boundaries stay near their times, and the log agrees with the card",
        arguments: changes)
    func fine(change: Change) throws {
        let cards: [(Settings, Card.Policy)] = [(.fine(ppm: 40), .rewind), (["skew_ppm": 40, "jitter_us": 5], .small)]
        for (card, policy) in cards {
            let (worst, log, _) = try Self.play(card.with(change.settings), policy)
            #expect(worst <= change.fine)
            #expect(log <= 30)
        }
    }

    @Test("the same with a coarse pointer", arguments: changes.indices)
    func coarse(index: Int) throws {
        let change = Self.changes[index]
        let (worst, _, _) = try Self.play(.coarse(ppm: 40).with(change.settings), index % 2 == 0 ? .rewind : .small)
        #expect(worst <= change.coarse)
    }

    @Test(
        "a slip of 1.4 ms that nothing reports is corrected within two seconds",
        arguments: [Card.Policy.rewind, .small])
    func slip(policy: Card.Policy) throws {
        let (_, _, play) = try Self.play(
            Settings.fine(ppm: 40).with(["jump_at": [60_000.01], "jump_frames": [67]]), policy)
        let jump = try #require(play.happenings.first { $0.name == "jump" })
        let before = SimulatedPlay.spread(play.boundaries.filter { $0.due > 20 && $0.due < 55 })
        let mended = Double(jump.nanoseconds) * 1e-9 + 2
        let after = play.boundaries.filter { $0.due + play.origin > mended }
        #expect(after.count > 50 && after.allSatisfy { abs($0.deviation - before.offset) < 200e-6 })
    }
}
