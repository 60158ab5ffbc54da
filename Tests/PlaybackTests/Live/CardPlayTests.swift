import Listening
import Playback
import Scores
import SimulatedCardSupport
import Synchronization
import Testing
import Timing

/// The two real threads on the simulated card, in real time. The assertions hold on every machine; the sound and its
/// timing are tested in simulated time.
@Suite("Live on the simulated card")
struct CardPlayTests {
    @Test(
        "the threads play a piece to its end, log each boundary once, and are never woken without need",
        .timeLimit(.minutes(60)), arguments: [Card.Policy.rewind, .small])
    func threads(policy: Card.Policy) async throws {
        SimulatedCard.configureThisProcess()
        let folder = TemporaryFolder()
        let simulated = try SimulatedCard(in: folder.path, ["skew_ppm": 300, "jitter_us": 50])
        let rows = Mutex<[TimingRow]>([])
        let last = Mutex<Status?>(nil)
        try await {
            let format = SoundFormat(rate: 48_000, channels: 1, samples: .float32)
            let card = try Card(simulated.device, format, policy: policy)
            var options = Conductor.Options()
            options.log = { row in rows.withLock { $0.append(row) } }
            options.watch = { status in last.withLock { $0 = status } }
            let conductor = Conductor(
                Score.ofMilliseconds([[317, 291, 353], [280, 331]], drone: Score.Drone()).performance(), output: card,
                sound: .device("simulated"), options: options)
            try await conductor.run()
            #expect(await conductor.hasPlayedAll)
        }()
        let status = try #require(last.withLock { $0 })
        let told = rows.withLock { $0 }
        #expect(status.hasEnded)
        #expect(told.map(\.index) == [1, 2, 3, 4, 5])
        // On a machine that stalls a thread for long the card runs dry; every lost boundary is then flagged.
        for row in told where row.flags.contains(.lost) { #expect(row.flags.contains(.xrun)) }
        #expect(status.lostClicks == UInt64(told.count { $0.flags.contains(.lost) }))
        let heard = try simulated.recording().samples(channel: 0)
        #expect(heard.contains { abs($0) > 0.01 })
        let close = try #require(simulated.happenings().last { $0.name == "close" })
        #expect(close.values["spurious"] == 0)
    }

    @Test("a card that another output uses is reported as busy, and can be opened once it is released")
    func busy() throws {
        SimulatedCard.configureThisProcess()
        let folder = TemporaryFolder()
        let simulated = try SimulatedCard(in: folder.path)
        do {
            let first = try Card(simulated.device)
            #expect(throws: CardError(device: simulated.device, errno: 16)) { try Card(simulated.device) }
            #expect(first.rate == 48_000)
        }
        #expect(try Card(simulated.device).channels == 2)
        #expect(CardError(device: "hw:0", errno: 16).description.contains("busy"))
    }
}
