import Foundation
import Listening
import Playback
import Scores
import Shared
import SimulatedCardSupport
import Testing
import Timing

/// Devices in whose calls the audio thread hangs: behind a sound server that hangs, or a pipe that nobody reads.
@Suite("Hanging devices")
struct HangingDeviceTests {
    typealias Settings = [String: SimulatedCard.Value]

    /// Settings in which each call hangs some 3 s after the card's start. `start` hangs at the first start.
    static let hangs: [String: Settings] = [
        "avail": ["hang_at": 3000],
        "status": ["hang_at": 3000],
        "write": ["hang_at": 3000],
        "start": [:],
        "prepare": ["hang_at": 3000, "xrun_at": 3000.01],
        "drop": ["hang_at": 3000, "xrun_at": 3000.01],
        "close": ["hang_at": 3000, "disconnect_at": 3000.01, "return_after": 100],
        "open": ["hang_at": 3000, "disconnect_at": 3000.01, "return_after": 100],
        "set-up": ["hang_at": 3000, "disconnect_at": 3000.01, "return_after": 100],
        "rewind": ["hang_at": 3000],
    ]

    static func play(
        _ call: String, for milliseconds: Int?, _ policy: Card.Policy, commands: [(Double, Command)] = []
    ) throws -> SimulatedPlay {
        let length: Settings = milliseconds.map { ["hang_for": .integer($0)] } ?? [:]
        let hang = try #require(hangs[call]).with(["hang": .text(call)]).with(length)
        // A rewind needs a command.
        let all = (call == "rewind" ? [(3.5, Command.jump(.nextBar))] : []) + commands
        return try SimulatedPlay.run(
            LiveTests.performance(minutes: 0.3), on: .fine(ppm: 300).with(hang), policy: policy, for: 60,
            commands: all, keepsStatuses: true)
    }

    /// The calls that the audio thread makes with a policy.
    static let made: [(call: String, policy: Card.Policy)] = [Card.Policy.rewind, .small].flatMap { policy in
        // With SMALL, nothing is taken back, and the status tells how much room there is.
        hangs.keys.sorted().filter { !["rewind", "avail"].contains($0) || policy == .rewind }.map { ($0, policy) }
    }

    @Test("a stop ends the music although the audio thread hangs for ever", arguments: made)
    func stop(call: String, policy: Card.Policy) throws {
        let play = try Self.play(call, for: nil, policy, commands: [(8, .stop)])
        #expect(play.happenings.contains { $0.name == "hang \(call)" })
        let took = (play.overAt ?? .infinity) - Simulation.beginning - 8
        let most = LivePerformance.patience + Performance.longestEnd + .seconds(1.2)
        #expect(took <= most.seconds)
    }

    @Test("of the music during a call that never returns, the log calls nothing heard that was not", arguments: made)
    func truth(call: String, policy: Card.Policy) throws {
        let play = try Self.play(call, for: nil, policy, commands: [(8, .stop)])
        #expect(play.isOver)
        #expect(play.told.count == play.boundaries.count)
        // The device may have held a second more.
        let hung = try #require(play.happenings.first { $0.name == "hang \(call)" }).nanoseconds
        let dry = Double(hung) * 1e-9 + 1.5
        let gone = play.rows.filter { $0.nominal.seconds + play.origin > dry }
        #expect(gone.allSatisfy { $0.flags.contains(.lost) })
    }

    @Test(
        "after a call that hung for a while, the music is on time, and all that was lost is logged",
        arguments: made, [700, 2500])
    func forAWhile(made: (call: String, policy: Card.Policy), milliseconds: Int) throws {
        let play = try Self.play(made.call, for: milliseconds, made.policy)
        #expect(play.happenings.contains { $0.name == "hang \(made.call)" })
        LiveTests.expectTrueLog(play)
        #expect(play.isOver)
        for row in play.rows where row.flags.contains(.lost) {
            #expect(!row.flags.isDisjoint(with: [.xrun, .away, .slip]))
        }
        let mended = Simulation.beginning + 3 + Double(milliseconds) / 1000 + 2.5
        let late = play.boundaries.filter { $0.due + play.origin > mended }
        #expect(late.count > 20)
        for boundary in late where abs(boundary.deviation) > 250e-6 {
            Issue.record("boundary \(boundary.index) is \(boundary.deviation * 1e6) us late")
        }
        #expect(play.status?.sound == .device("simulated"))
    }

    @Test(
        "in real time, the conductor ends although a call of its device never returns", .timeLimit(.minutes(60)),
        arguments: made.filter { ["avail", "write", "start", "status", "open", "close"].contains($0.call) })
    func realStop(call: String, policy: Card.Policy) async throws {
        SimulatedCard.configureThisProcess()
        let folder = TemporaryFolder()
        var settings = try #require(Self.hangs[call]).with(["hang": .text(call)])
        for key in ["hang_at", "xrun_at", "disconnect_at"] where settings[key] != nil { settings[key] = 300 }
        let simulated = try SimulatedCard(in: folder.path, settings)
        defer { simulated.release() }
        let isOver = DispatchSemaphore(value: 0)
        let conductor = Conductor(
            LiveTests.performance(minutes: 10), output: try Card(simulated.device, policy: policy),
            sound: .device("simulated"))
        Task {
            try await conductor.run()
            isOver.signal()
        }
        try await waiting {
            try wait(for: "a hanging call") { simulated.happenings().contains { $0.name == "hang \(call)" } }
        }
        conductor.send(.stop)
        let ended = try await waiting { isOver.wait(timeout: .now() + 60) }
        #expect(ended == .success, "waited for the conductor to give the device up")
        // The calls return, so that the threads of a program that waits for them end.
        simulated.release()
        if ended != .success { try await waiting { isOver.wait() } }
    }
}
