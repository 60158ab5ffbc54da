internal import CALSA
internal import Foundation
internal import Shared
internal import SimulatedCardSupport
internal import Testing

/// Calls that fail or hang.
@Suite struct TroubleTests {
    static let calls = ["open", "set-up", "prepare", "start", "status", "avail", "write", "rewind", "drain"]

    /// Makes every call on a card once; `prepare` is also made by the set-up itself.
    private static func live(_ card: SimulatedCard) throws {
        let player = try Player(card)
        try player.setUp(buffer: 9600)
        try player.adjust(stops: false)
        try player.write(noise(frames: 480))
        try player.start()
        _ = try player.status()
        try player.avail()
        try player.rewind(0)
        try player.drain()
        try player.prepare()
        player.drop()
    }

    @Test("a call fails as often as the card says, with its error, and then succeeds", arguments: calls)
    func fails(call: String) throws {
        let simulation = try Simulation(["fail": .text(call), "fail_errno": "EBADFD", "fail_count": 1])
        try SimulatedCard.withClock(simulation.clock) {
            #expect(throws: ALSAError(code: -EBADFD)) { try Self.live(simulation.card) }
            try Self.live(simulation.card)
        }
        let failures = simulation.card.happenings().filter { $0.name.hasPrefix("fail") }
        #expect(failures.map(\.name) == ["fail \(call)"])
        #expect(failures.first?.values["error"] == Int64(-EBADFD))
    }

    @Test("a card can fail from a certain call or a certain time on, and for ever")
    func later() throws {
        let failing = ALSAError(code: -EIO)
        let counted = try Simulation(["fail": ["write", "status"], "fail_from": [3, 1], "fail_count": [2, 1]])
        try counted.run { _, player in
            try player.setUp(buffer: 9600)
            for attempt in 1...5 {
                let write = { _ = try player.write(noise(frames: 48)) }
                if attempt == 3 || attempt == 4 { #expect(throws: failing) { try write() } } else { try write() }
            }
            #expect(throws: failing) { try player.status() }
            _ = try player.status()
        }
        let timed = try Simulation(["fail": "avail", "fail_at": 100])
        try timed.run { simulation, player in
            try player.fill()
            simulation.advance(nanoseconds: 99_999_999)
            try player.avail()
            simulation.advance(nanoseconds: 1)
            for _ in 0..<10 { #expect(throws: failing) { try player.avail() } }
        }
    }

    @Test(
        "a call that hangs takes its time on a simulated clock, once, and no other call takes any",
        arguments: calls + ["drop"])
    func takesTime(call: String) throws {
        func lasts(_ settings: [String: SimulatedCard.Value]) throws -> Int64 {
            let simulation = try Simulation(settings)
            try SimulatedCard.withClock(simulation.clock) {
                for _ in 0..<2 { try Self.live(simulation.card) }
            }
            return simulation.clock.now
        }
        let hang: [String: SimulatedCard.Value] = ["hang": .text(call), "hang_for": 700]
        // A drain plays what is left, unless it was played while another call hung.
        let difference = try lasts(hang) - lasts([:])
        #expect((689_000_000...701_000_000).contains(difference))
    }

    @Test("in real time, a call hangs until the test releases it", arguments: calls + ["drop", "close"])
    func hangs(call: String) throws {
        let folder = try Folder()
        let card = try SimulatedCard(in: folder.path, ["hang": .text(call)])
        SimulatedCard.configureThisProcess()
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            try? Self.live(card)
            isDone.signal()
        }
        try wait(for: "a hanging call") { card.happenings().contains { $0.name == "hang \(call)" } }
        #expect(isDone.wait(timeout: .now()) == .timedOut)
        card.release()
        #expect(isDone.wait(timeout: .now() + 60) == .success, "waited for the hanging call to return")
        #expect(card.happenings().contains { $0.name == "close" })
    }
}
