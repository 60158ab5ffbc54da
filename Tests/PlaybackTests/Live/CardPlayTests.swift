import Listening
import Score
import SimulatedCardSupport
import Testing
import Timing

@testable import Playback

/// The real thing on the simulated card, in real time: what a loaded machine cannot change.
@Suite("Live on the simulated card")
struct CardPlayTests {
    /// That what was played is what the log tells: as many clicks, and until the first fault at the very places.
    static func expectTrueLog(_ play: CardPlay) throws {
        let onsets = try play.onsets()
        // A machine that others load may let the card run dry: what it lost then is another test's.
        #expect(play.xruns > 0 || onsets.count == play.told.count)
        #expect(play.rows.map(\.index) == Array(1...max(play.rows.count, 1)))
        for (onset, row) in zip(onsets, play.told) {
            guard let frame = play.engineFrame(onset.frame) else { break }
            let told = Double(row.position.frame) + row.position.fraction
            #expect(abs(frame - told) < 0.01)
        }
    }

    @Test(
        "every click is in the samples that the card played, where the log says",
        arguments: [Card.Policy.rewind, .small])
    func places(policy: Card.Policy) async throws {
        let play = try await CardPlay.run(["skew_ppm": 250, "jitter_us": 50], policy: policy)
        try Self.expectTrueLog(play)
        #expect(play.rows.count == 15)
    }

    @Test("a card that is filled far ahead calls nobody for nothing: its call for help would go unheard")
    func calls() async throws {
        let play = try await CardPlay.run(["skew_ppm": 300, "jitter_us": 50], policy: .rewind)
        let close = try #require(play.happenings.last { $0.name == "close" })
        #expect(close.values["wakes"] != nil)
        #expect(close.values["spurious"] == 0)
    }

    @Test("the card's true rate is found, and the drone is tuned by it", arguments: [Card.Policy.rewind, .small])
    func rate(policy: Card.Policy) async throws {
        let play = try await CardPlay.run(["skew_ppm": -300], policy: policy, passes: 4, drone: true)
        let ppm = try #require(play.rows.last?.ratePPM)
        #expect(abs(ppm + 300) < 30)
    }

    @Test("underruns are mended and reported, and the log stays true", arguments: [Card.Policy.rewind, .small])
    func underrun(policy: Card.Policy) async throws {
        let play = try await CardPlay.run(["xrun_at": [1500.01, 3000.01]], policy: policy)
        #expect(play.happenings.count { $0.name == "xrun" } >= 2)
        #expect(play.xruns >= 2)
        #expect(play.statuses.last?.xruns == play.xruns)
        #expect(play.rows.count == 15)
        #expect(abs(try play.onsets().count - play.told.count) <= 1)
        #expect(play.rows.last?.flags.contains(.lost) == false)
    }

    @Test("a card that is unplugged is tried again and again, but seldom, and taken back when it returns")
    func unplugged() async throws {
        let play = try await CardPlay.run(
            ["disconnect_at": 1200.01, "return_after": 1500], policy: .rewind, passes: 4, drone: true)
        let refused = play.happenings.count { $0.name == "refused away" }
        #expect(refused >= 1 && refused <= 7)
        #expect(play.happenings.count { $0.name == "open" } == 2)
        #expect(play.statuses.contains { if case .lost = $0.sound { true } else { false } })
        #expect(play.statuses.last.map { if case .device = $0.sound { true } else { false } } == true)
        #expect(play.rows.contains { $0.flags.contains(.lost) })
        #expect(play.statuses.last?.lostClicks == UInt64(play.rows.count { $0.flags.contains(.lost) }))
        #expect(play.rows.last?.flags.contains(.lost) == false)
    }

    @Test("after the machine has slept the music stands still until the user goes on")
    func suspended() async throws {
        let play = try await CardPlay.run(
            ["suspend_at": 1200.01, "resume_after": 400], policy: .small, passes: 2,
            goesOn: true)
        #expect(play.happenings.contains { $0.name == "suspend" })
        #expect(play.statuses.contains { $0.pausedPosition != nil })
        #expect(play.rows.contains { $0.flags.contains(.resumed) })
        #expect(play.rows.count == 10)
    }

    @Test(
        "a card that falls asleep in the middle of a period is woken each time",
        arguments: [Card.Policy.rewind, .small])
    func asleep(policy: Card.Policy) async throws {
        var options = Conductor.Options()
        options.pausesOnSuspend = false
        let moments: [Double] = [1200.01, 1501.3, 1803.7, 2105.1, 2407.9, 2710.4]
        let play = try await CardPlay.run(
            ["suspend_at": .list(moments.map { .real($0) }), "resume_after": .list(moments.map { _ in 3 })],
            policy: policy, passes: 2, options: options)
        // Each costs a start; two that fall together on a loaded machine cost one.
        #expect(play.happenings.count { $0.name == "start" } >= 2)
        #expect(play.rows.count == 10)
        #expect(play.rows.last?.flags.contains(.lost) == false)
    }

    @Test("behind a command nothing of what went before is heard", arguments: [Card.Policy.rewind, .small])
    func command(policy: Card.Policy) async throws {
        let play = try await CardPlay.run(
            ["skew_ppm": 100], policy: policy, passes: 4,
            commands: [(.milliseconds(1500), .nextLine), (.milliseconds(2700), .previousBar)])
        #expect(play.rows.count { $0.flags.contains(.jump) } == 2)
        let onsets = try play.onsets()
        // A thread that the machine holds up may take a click back when it has just been heard.
        #expect((0...2).contains(onsets.count - play.told.count))
        let heard = onsets.compactMap { play.engineFrame($0.frame) }
        guard heard.count == onsets.count else { return }
        for row in play.told {
            let place = Double(row.position.frame) + row.position.fraction
            #expect(heard.contains { abs($0 - place) < 0.01 })
        }
    }

    @Test("a card in another's hands is busy, in words, and free when the other lets go")
    func busy() throws {
        SimulatedCard.configureThisProcess()
        let folder = TemporaryFolder()
        let simulated = try SimulatedCard(in: folder.path)
        let request = Card.Request(SoundFormat())
        do {
            let first = try Card(simulated.device, request)
            #expect(throws: CardError(device: simulated.device, errno: 16)) { try Card(simulated.device, request) }
            #expect(first.rate == 48_000)
        }
        #expect(try Card(simulated.device, request).channels == 2)
        #expect(CardError(device: "hw:0", errno: 16).description.contains("busy"))
    }
}
