import Formats
import Listening
import Playback
import Scores
import SimulatedCardSupport
import Testing
import Timing

/// Machines that stall a thread, cards with another rate than remembered, and music that waits.
@Suite("Unreliable machines and cards")
struct UnsureTests {
    private static func second(_ time: Double) -> Int64 { Int64((Simulation.beginning + time) * 1e9) }

    @Test(
        "a start loses nothing, with or without a count-in, on normal and on awkward cards",
        arguments: OraclePlay.Card.orderly + OraclePlay.Card.awkward)
    func starts(card: OraclePlay.Card) throws {
        for seed in UInt64(400_000)..<400_004 {
            let wrong = try OraclePlay(seed: seed, on: card, commands: 0).run()
            #expect(wrong.isEmpty, "seed \(seed), a card that \(card.name), \(card.policy): \(wrong)")
        }
    }

    @Test(
        "if the machine stalls, a card that cannot rewind is filled further ahead, and the status shows the delay of commands"
    )
    func stalls() throws {
        let seconds = 60.0
        let machine = SimulatedMachine(
            stalls: SimulatedMachine.stalls(0.03...0.17, perSecond: 3, until: seconds, thread: .audio, seed: 3))
        let play = try SimulatedPlay.run(
            LiveTests.performance(minutes: 1), on: .fine(ppm: 40), policy: .small, machine: machine, for: seconds,
            keepsStatuses: true)
        let early = try #require(play.statuses.last { $0.time < Simulation.beginning + 10 }).status
        let last = try #require(play.statuses.last).status
        // The stalls are long enough: the card has run dry at first.
        #expect(early.xruns > 0)
        #expect(last.xruns == early.xruns)
        #expect(last.commandDelay >= .milliseconds(150) && last.commandDelay <= .milliseconds(500))
        let begin = play.origin
        #expect(
            play.rows.filter { $0.nominal.seconds + begin > Simulation.beginning + 10 }.allSatisfy {
                !$0.flags.contains(.lost)
            })
    }

    @Test(
        "a stop for days, as by Ctrl-Z, overflows nothing, and what nobody heard is lost",
        arguments: [Card.Policy.rewind, .small])
    func days(policy: Card.Policy) throws {
        let machine = SimulatedMachine(stalls: [.init(at: 4, for: 54 * 3600)])
        let play = try SimulatedPlay.run(
            LiveTests.performance(minutes: 0.2), on: .fine(ppm: 40), policy: policy, machine: machine)
        #expect(play.isOver && play.rows.contains { $0.flags.contains(.lost) })
        #expect(play.told.count == play.boundaries.count)
    }

    @Test(
        "after a stop of some seconds, the log has a row for each boundary that went by",
        arguments: [Card.Policy.rewind, .small], [5.0, 6.3, 7, 8.2, 9.9])
    func seconds(policy: Card.Policy, length: Double) throws {
        // The last stop is longer than the rest of the music.
        for begin in [4.2, 12.2, 27.7] {
            let machine = SimulatedMachine(stalls: [.init(at: begin, for: length)])
            let play = try SimulatedPlay.run(
                LiveTests.performance(minutes: 0.5), on: .fine(ppm: 100), policy: policy, machine: machine)
            #expect(play.told.count == play.boundaries.count)
            #expect(play.isOver && play.rows.map(\.index) == Array(1...play.rows.count), "\(play.rows.map(\.index))")
            #expect(play.rows.count == LiveTests.performance(minutes: 0.5).passage.count)
        }
    }

    @Test(
        "a command that waits at the end of a stop changes nothing that went by before it: the log has its rows",
        arguments: [Card.Policy.rewind, .small],
        [.jump(.firstBar), .practice([.init(0..<2)], passes: nil), .speed(change: 50), .togglePause] as [Command])
    func command(policy: Card.Policy, command: Command) throws {
        for (begin, length) in [(6.2, 5.0), (12.2, 8.3)] {
            let machine = SimulatedMachine(stalls: [.init(at: begin, for: length)])
            let play = try SimulatedPlay.run(
                LiveTests.performance(minutes: 0.5), on: .fine(ppm: 100), policy: policy, machine: machine, for: 28,
                commands: [(begin + 1, command)])
            let time = try #require(
                play.effects.lazy.compactMap { if case .command(_, _, let time) = $0 { time } else { nil } }.first)
            let passage = LiveTests.performance(minutes: 0.5).passage
            let written = (0..<(passage.count ?? 0)).map { passage.position(of: $0) }.filter { $0 < time }
            #expect(play.rows.prefix(written.count).map(\.nominal) == written, "\(play.rows.map(\.index))")
        }
    }

    // Random plays in which the oracle has found something.
    @Test(
        "after stops of some seconds, the music and its log are as they must be",
        arguments: [
            // The clock is unsettled by the look at which the beginning is decided.
            9010,
            // The end of the passage goes by during a stop, and the card runs dry.
            9011,
            // After the stop, a later change comes at an earlier frame than the first one.
            13_009,
            // The stop comes while the pace of the card is measured, which then seemed to take frames at once.
            41_003,
            // The stop comes between the first look at the frames that can be changed and the command.
            4041,
            // The piece comes to its end during the stop, after what had been handed out.
            5570,
            // The stop comes between a look at the card's pointer and its evaluation.
            40_007,
            // The card's clock is known only after the rows of its first seconds have been told.
            40_002,
        ] as [UInt64])
    func stopped(seed: UInt64) throws {
        for card in OraclePlay.Card.busy(seed: seed) where card.name.contains("is stopped") {
            let wrong = try OraclePlay(seed: seed, on: card, commands: 20).run()
            #expect(wrong.isEmpty, "\(card.name), \(card.policy): \(wrong)")
        }
    }

    @Test(
        "while the audio thread stands still, a command is not said to be heard before it is given",
        arguments: [Card.Policy.rewind, .small])
    func delay(policy: Card.Policy) throws {
        let play = try SimulatedPlay.run(
            LiveTests.performance(minutes: 0.5), on: .fine(ppm: 100), policy: policy,
            machine: SimulatedMachine(stalls: [.init(at: 6, for: 4, .audio)]), for: 14, keepsStatuses: true)
        #expect(play.statuses.allSatisfy { $0.status.commandDelay >= .zero } && play.statuses.count > 2)
    }

    @Test("after a long time without stalls, the card is filled less far ahead again")
    func quiet() throws {
        let machine = SimulatedMachine(
            stalls: SimulatedMachine.stalls(0.03...0.17, perSecond: 3, until: 20, thread: .audio, seed: 3))
        let play = try SimulatedPlay.run(
            LiveTests.performance(minutes: 10), on: .fine(ppm: 40), policy: .small, machine: machine, for: 320,
            keepsStatuses: true)
        let busy = try #require(play.statuses.last { $0.time < Simulation.beginning + 20 }).status
        #expect(busy.commandDelay >= .milliseconds(150))
        #expect(try #require(play.status).commandDelay <= .milliseconds(40))
    }

    @Test(
        "a card with another rate than remembered is on time from 10 s on",
        arguments: [(300.0, -300.0), (-300, 300), (0, 40)], [Card.Policy.rewind, .small])
    func another(ppm: (remembered: Double, true: Double), policy: Card.Policy) throws {
        var options = Conductor.Options()
        options.card = CardMemory.Entry(ppm: ppm.remembered, uncertaintyPPM: 0.4)
        for card in [[String: SimulatedCard.Value].fine(ppm: ppm.true), .coarse(ppm: ppm.true)] {
            let play = try SimulatedPlay.run(
                LiveTests.performance(minutes: 1.5), on: card, policy: policy, options: options)
            let spread = SimulatedPlay.spread(play.boundaries.filter { $0.due > 10 })
            #expect(spread.max <= 100e-6)
            #expect(spread.rms <= 25e-6)
            #expect(abs(spread.offset) <= (card["step_frames"] == nil ? 100e-6 : 1e-3))
        }
    }

    @Test(
        "a card that accepts no more frames counts as away, and does not block the end",
        arguments: [Card.Policy.rewind, .small])
    func never(policy: Card.Policy) throws {
        let play = try SimulatedPlay.run(
            Score.ofMilliseconds([[1000, 1000, 1000]]).performance(),
            on: ["again_before_start": 1_000_000], policy: policy, for: 30, keepsStatuses: true)
        #expect(play.heard.isEmpty)
        #expect(play.reading.failure != nil)
        #expect(play.reading.wakes < 3000)
        #expect(play.isOver)
        #expect(play.rows.allSatisfy { !$0.flags.isDisjoint(with: [.lost]) })
    }

    @Test(
        "a hold that was scheduled long before is shown as soon as the music reaches it",
        arguments: [Card.Policy.rewind, .small])
    func farHold(policy: Card.Policy) throws {
        let text = "bars: [6, {duration: 6, hold: until cue at 3}, 1]"
        let score = try #require(Score.read(Array(text.utf8), file: "x.yaml").score)
        let play = try SimulatedPlay.run(
            score.performance { $0.waits = true }, on: .fine(ppm: 30), policy: policy, for: 14, keepsStatuses: true)
        let status = try #require(play.statuses.last { $0.time < Simulation.beginning + 11 }).status
        guard case .bar(let bar) = status.moment(at: Self.second(11)) else {
            Issue.record("no bar is heard")
            return
        }
        #expect(bar.isHolding && bar.boundary == 1)
        #expect(bar.left == .seconds(3))
    }

    @Test("a screen stops at a hold that is far ahead, also if it hears nothing of the player until then")
    func holdFarAhead() throws {
        let text = "bars: [6, {duration: 6, hold: until cue at 3}, 1]"
        let score = try #require(Score.read(Array(text.utf8), file: "x.yaml").score)
        let play = try SimulatedPlay.run(
            score.performance { $0.waits = true }, on: .fine(ppm: 30), policy: .rewind, for: 3, keepsStatuses: true)
        let status = try #require(play.statuses.last).status
        guard case .bar(let bar) = status.moment(at: Self.second(20)) else {
            Issue.record("no bar is heard")
            return
        }
        #expect(bar.isWaiting && bar.boundary == 1 && bar.position == .seconds(9))
    }

    // MARK: - Starts at a time

    @Test("before the start time, the status says that the music waits, and resuming a pause does not start it")
    func waiting() throws {
        var options = Conductor.Options()
        options.start = Self.second(6)
        let play = try SimulatedPlay.run(
            LiveTests.performance(minutes: 1, drone: true), on: .fine(ppm: 30), policy: .rewind, for: 9,
            options: options,
            commands: [(2, .togglePause), (3, .togglePause)], keepsStatuses: true)
        let status = try #require(play.statuses.last { $0.time < Simulation.beginning + 4 }).status
        guard case .waiting(let left, _) = status.moment(at: Self.second(4)) else {
            Issue.record("it does not wait")
            return
        }
        #expect(abs(left.seconds - 2) < 1e-3)
        #expect(abs(try #require(play.heard.first).time - Simulation.beginning - 6) < 100e-6)
        // The drone sounds for three of nine seconds.
        #expect(play.droneShare < 0.36)
    }

    @Test("setting the wall clock while a start waits moves the start")
    func setClock() throws {
        var options = Conductor.Options()
        options.start = Self.second(6)
        options.wallClock = { monotonicNanoseconds() > Self.second(3) ? 1_000_000_000 : 0 }
        let play = try SimulatedPlay.run(
            LiveTests.performance(minutes: 1), on: .fine(ppm: 30), policy: .rewind, for: 9, options: options)
        #expect(abs(try #require(play.heard.first).time - Simulation.beginning - 5) < 100e-6)
    }

    @Test(
        "a pause shortly before the start time ends without a trace, if it ends in time",
        arguments: [Card.Policy.rewind, .small], [2.7, 2.8, 2.9])
    func shortPause(policy: Card.Policy, pause: Double) throws {
        var options = Conductor.Options()
        options.start = Self.second(3)
        let play = try SimulatedPlay.run(
            LiveTests.performance(minutes: 1), on: ["skew_ppm": 300, "jitter_us": 50], policy: policy, for: 6,
            options: options, commands: [(pause, .pause), (pause + 0.05, .resume)])
        #expect(abs(try #require(play.heard.first).time - Simulation.beginning - 3) < 300e-6)
    }

    @Test(
        "if the wall clock is set in a pause before the start, the music begins when both allow it, and whole",
        arguments: [(3.0, 8.0), (-6.0, 10.0)])
    func setInPause(by: Double, begins: Double) throws {
        var options = Conductor.Options()
        options.start = Self.second(4)
        let change = Int64(by * 1e9)
        options.wallClock = { monotonicNanoseconds() > Self.second(5) ? change : 0 }
        let play = try SimulatedPlay.run(
            LiveTests.performance(minutes: 1), on: .fine(ppm: 30), policy: .rewind, for: 13, options: options,
            commands: [(3, .pause), (8, .resume)])
        let first = try #require(play.heard.first).time - Simulation.beginning
        #expect(first > begins - 100e-6 && first < begins + 0.05, "\(first)")
        let row = try #require(play.rows.first)
        #expect(row.index == 1 && !row.flags.contains(.lost), "\(row.csv)")
    }

    @Test("a start that the wall clock moves to the past loses the bars that are over, and the log says so")
    func movedToPast() throws {
        var options = Conductor.Options()
        options.start = Self.second(6)
        options.wallClock = { monotonicNanoseconds() > Self.second(3) ? 5_500_000_000 : 0 }
        let play = try SimulatedPlay.run(
            Score.ofMilliseconds([Array(repeating: 1000, count: 30)]).performance(), on: .fine(ppm: 30),
            policy: .rewind, for: 9, options: options)
        #expect(play.rows.map(\.index) == Array(1...play.rows.count))
        // Bars of whole seconds have begun at 0.5, 1.5 and 2.5 s; the clock was set just after 3 s.
        #expect(
            play.rows.prefix(4).map { $0.flags.contains(.lost) } == [true, true, true, false], "\(play.rows.map(\.csv))"
        )
    }

    // MARK: - Failing starts

    @Test("if the device cannot be started, playing ends with the reason, and the stream of statuses ends")
    func cannotStart() async throws {
        let shared = RecordingOutput.Shared()
        shared.startFails.withLock { $0 = true }
        let conductor = Conductor(
            Score.ofMilliseconds([[1000]]).performance(), output: RecordingOutput(shared), sound: .device("recording"))
        await #expect(throws: EngineError.self) { try await conductor.run() }
        for await _ in conductor.statuses {}
    }
}
