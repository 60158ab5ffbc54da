import CDrone
import Foundation
import Shared
import SimulatedCardSupport
import Testing

@Suite("Output")
struct OutputTests {
    /// Opens a card that cannot rewind, and plays on it until a snapshot `isEnough`.
    private static func play(
        _ settings: [String: SimulatedCard.Value], until isEnough: (drone_snapshot) -> Bool = { $0.heard.passes }
    ) throws -> (grant: drone_output_grant, snapshot: drone_snapshot) {
        SimulatedCard.configureThisProcess()
        let folder = TemporaryFolder()
        let card = try SimulatedCard(in: folder.path, settings, records: false)
        var request = drone_output_request()
        (request.policy, request.rate, request.channels, request.format) = (DRONE_POLICY_SMALL, 48_000, 1, DRONE_F32)
        var error: Int32 = 0
        var grant = drone_output_grant()
        let output = try #require(drone_output_open(card.device, &request, &grant, &error))
        let engine = EngineUnderTest()
        defer { drone_output_destroy(output) }
        try #require(drone_output_start(output, engine.handle) == DRONE_OK)
        try wait(for: "a snapshot of \(settings) that is enough") { isEnough(drone_output_snapshot(output)) }
        return (grant, drone_output_snapshot(output))
    }

    @Test(
        "a refill begins when half of the fill level has played, or three quarters with real-time priority",
        arguments: [
            // As asked for: 24 ms in four periods.
            (["format": "FLOAT_LE"], 576, 864),
            // Buffers of eight periods, of two, and of a period that is more than half of the level.
            (["format": "FLOAT_LE", "channels": 1, "period_max": 144], 576, 864),
            (["format": "FLOAT_LE", "period_min": 576], 576, 576),
            (["format": "FLOAT_LE", "period_min": 1000, "period_max": 1000, "buffer_min": 3000], 1000, 1000),
        ] as [([String: SimulatedCard.Value], Int64, Int64)])
    func refills(settings: [String: SimulatedCard.Value], half: Int64, quarter: Int64) throws {
        let (grant, seen) = try Self.play(settings)
        #expect(seen.refill_frames == (seen.realtime ? quarter : half))
        #expect(seen.refill_frames % Int64(grant.period_frames) == 0)
    }

    @Test(
        "a card that has run dry is refilled from half of its level on, whatever the priority")
    func cautious() throws {
        let (_, seen) = try Self.play(["format": "FLOAT_LE", "xrun_at": [100]]) {
            $0.xruns > 0 && $0.epoch > 0 && $0.next_frame > $0.heard.frame && $0.wakes > 40
        }
        // More only on a machine that stalls during the test.
        #expect(seen.refill_frames == 576)
    }

    @Test("a device whose periods are as long as its buffer is opened with two shorter ones")
    func longPeriods() throws {
        let (grant, _) = try Self.play(["format": "FLOAT_LE", "channels": 1, "period_min": 64, "buffer_max": 2048])
        #expect(grant.buffer_frames >= 2 * grant.period_frames)
        #expect(grant.buffer_frames <= 2048)
    }
}
