import Listening
import Playback
import Scores
import SimulatedCardSupport
import Testing
import Timing

/// Devices whose calls fail, before or after they have played anything.
@Suite("Failing devices in simulated time")
struct FailingDeviceTests {
    typealias Settings = [String: SimulatedCard.Value]

    /// The calls that the audio thread makes first on a device that it has opened.
    static let first = ["avail", "write", "start", "status"]
    static let errors = ["EIO", "ENODEV", "EPIPE"]

    /// The calls at which a device can fail with each error.
    static let failures: [(call: String, error: String)] = first.flatMap { call in errors.map { (call, $0) } }

    /// Plays some 14 s of music without a count-in.
    static func play(
        _ settings: Settings, _ policy: Card.Policy, commands: [(Double, Command)] = []
    ) throws -> SimulatedPlay {
        try SimulatedPlay.run(
            LiveTests.performance(minutes: 0.2), on: .fine(ppm: 300).with(settings), policy: policy, for: 60,
            commands: commands, keepsStatuses: true)
    }

    /// Whether any status says that the device is lost, and why.
    static func saysLost(_ play: SimulatedPlay) -> Bool {
        play.statuses.contains { if case .lost(_, let reason) = $0.status.sound { !reason.isEmpty } else { false } }
    }

    /// How often a device is opened during this music at most, if it is tried again at growing intervals up to a second.
    static let fewOpenings = 24

    /// Expects the log to have all boundaries of the music and to be true: what it calls heard was heard at that time, and
    /// nothing else was; what was lost was due in `losses`, in seconds after the beginning. Outside, all are on time.
    static func expectTruth(_ play: SimulatedPlay, losses: ClosedRange<Double>) {
        #expect(play.rows.map(\.index) == Array(1...40))
        #expect(play.heard.count == play.told.count)
        #expect(play.boundaries.count == play.told.count)
        func isNear(_ due: Double) -> Bool { losses.contains(due + play.origin - Simulation.beginning) }
        let untrue = zip(play.told, play.boundaries).filter { row, boundary in
            abs((row.heard?.seconds ?? .nan) - boundary.due - boundary.deviation) > 1e-3
        }
        #expect(untrue.map(\.0.index) == [])
        let misplaced = play.boundaries.filter { abs($0.deviation) > 250e-6 && !isNear($0.due) }
        #expect(misplaced.map { "\($0.index): \($0.deviation)" } == [])
        let lost = play.rows.filter { $0.flags.contains(.lost) }
        #expect(lost.filter { !isNear($0.nominal.seconds) }.map(\.index) == [])
        #expect(lost.allSatisfy { !$0.flags.isDisjoint(with: [.xrun, .away]) })
        #expect(play.status?.sound == .device("simulated"))
    }

    // Random plays in which the oracle has found something: frames that went by before a device was started, or started anew,
    // after it had failed.
    @Test("what a device did not play because it had failed twice is lost", arguments: [6, 7009] as [UInt64])
    func twice(seed: UInt64) throws {
        for card in OraclePlay.Card.failing {
            let wrong = try OraclePlay(seed: seed, on: card, commands: 20).run()
            #expect(wrong.isEmpty, "\(card.name), \(card.policy): \(wrong)")
        }
    }

    @Test(
        "if a device opens but never plays, the music goes on without sound: the status and the log say so",
        arguments: failures, [Card.Policy.rewind, .small])
    func never(failure: (call: String, error: String), policy: Card.Policy) throws {
        let play = try Self.play(["fail": .text(failure.call), "fail_errno": .text(failure.error)], policy)
        #expect(play.heard.isEmpty)
        let saysLost = Self.saysLost(play)
        #expect(saysLost)
        #expect(play.rows.count == 40)
        #expect(play.rows.allSatisfy { $0.flags.contains(.lost) && $0.flags.contains(.away) })
        #expect(play.status?.lostClicks == 40)
        let length = play.rows.last.map { $0.nominal.seconds } ?? .nan
        let lasted = (play.overAt ?? .infinity) - Simulation.beginning
        #expect(lasted > length && lasted < length + 3)
        #expect(play.happenings.count { $0.name == "open" } <= Self.fewOpenings)
    }

    @Test(
        "a device that fails a few times at first plays as soon as it works, and what was lost is logged",
        arguments: failures, [Card.Policy.rewind, .small])
    func atFirst(failure: (call: String, error: String), policy: Card.Policy) throws {
        let play = try Self.play(
            ["fail": .text(failure.call), "fail_errno": .text(failure.error), "fail_count": 3], policy)
        Self.expectTruth(play, losses: 0...3)
    }

    @Test(
        "a device whose calls fail in the middle of the music plays on as soon as they work again",
        arguments: failures.filter { ["write", "status"].contains($0.call) }, [Card.Policy.rewind, .small])
    func later(failure: (call: String, error: String), policy: Card.Policy) throws {
        let play = try Self.play(
            [
                "fail": .text(failure.call), "fail_errno": .text(failure.error), "fail_at": 5000.01, "fail_count": 3,
            ], policy)
        Self.expectTruth(play, losses: 4.9...7.6)
    }

    @Test(
        "if a device runs dry and cannot be prepared or started again, it is opened anew until it plays",
        arguments: ["prepare", "start"].flatMap { call in errors.map { (call, $0) } }, [Card.Policy.rewind, .small])
    func afterUnderrun(failure: (String, String), policy: Card.Policy) throws {
        let play = try Self.play(
            [
                "xrun_at": 5000.01, "fail": .text(failure.0), "fail_errno": .text(failure.1), "fail_at": 5000,
                "fail_count": 3,
            ], policy)
        Self.expectTruth(play, losses: 4.9...7.6)
    }

    @Test(
        "a device that is back, but at first cannot be opened, set up or started, is tried again at growing intervals",
        arguments: ["open", "set-up", "prepare", "start"], [Card.Policy.rewind, .small])
    func comingBack(call: String, policy: Card.Policy) throws {
        let settings: Settings = [
            "disconnect_at": 3000.01, "return_after": 100, "fail": .text(call), "fail_at": 3000,
        ]
        let play = try Self.play(settings.with(["fail_count": 4]), policy)
        Self.expectTruth(play, losses: 2.9...6)
        let saysLost = Self.saysLost(play)
        #expect(saysLost)

        let gone = try Self.play(settings, policy)
        #expect(gone.rows.count == 40 && gone.isOver)
        #expect(gone.rows.suffix(20).allSatisfy { $0.flags.contains(.lost) && $0.flags.contains(.away) })
        #expect(gone.happenings.count { ["open", "fail open"].contains($0.name) } <= Self.fewOpenings)
    }

    @Test(
        "a rewind that fails is a fault of the device, and later commands rewind again",
        arguments: ["EPIPE", "ESTRPIPE", "ENODEV"])
    func rewind(error: String) throws {
        let play = try Self.play(
            ["fail": "rewind", "fail_errno": .text(error), "fail_at": 3000, "fail_count": 1], .rewind,
            commands: [(5, .jump(.nextBar)), (9, .jump(.nextBar))])
        #expect(play.happenings.contains { $0.name == "fail rewind" })
        #expect(play.happenings.contains { $0.name == "rewind" && $0.nanoseconds > 1_008_000_000_000 })
        // A suspend pauses the music, which counts as a command.
        #expect(play.status?.commandCount == (error == "ESTRPIPE" ? 3 : 2))
        #expect(play.told.count == play.heard.count)
    }

    @Test(
        "a device that cannot be set up is reported with its error, and closed",
        arguments: ["set-up", "prepare"], [Card.Policy.rewind, .small])
    func unusable(call: String, policy: Card.Policy) throws {
        SimulatedCard.configureThisProcess()
        let folder = TemporaryFolder()
        let simulated = try SimulatedCard(in: folder.path, ["fail": .text(call)])
        #expect(throws: CardError(device: simulated.device, errno: 5)) { try Card(simulated.device, policy: policy) }
        #expect(simulated.happenings().contains { $0.name == "close" })
    }
}
