import CDrone
import Foundation
import Shared
import SimulatedCardSupport
import Testing

@Suite("Output")
struct OutputTests {
    /// Opens a card that takes nothing back, and plays on it until its thread has looked at it.
    private static func play(
        _ settings: [String: SimulatedCard.Value], until isEnough: (drone_snapshot) -> Bool = { $0.time_ns != 0 }
    ) throws -> (request: drone_output_request, snapshot: drone_snapshot) {
        SimulatedCard.configureThisProcess()
        let folder = TemporaryFolder()
        let card = try SimulatedCard(in: folder.path, settings, records: false)
        var request = drone_output_request()
        (request.policy, request.rate, request.channels, request.format) = (DRONE_POLICY_SMALL, 48_000, 1, DRONE_F32)
        var error: Int32 = 0
        let output = try #require(drone_output_open(card.device, &request, &error))
        let engine = EngineUnderTest()
        defer { drone_output_destroy(output) }
        try #require(drone_output_start(output, engine.handle) == DRONE_OK)
        // Bounded by what it sees, not by time: a card that is never looked at leaves the test waiting for its limit.
        while !isEnough(drone_output_snapshot(output)) { usleep(1000) }
        return (request, drone_output_snapshot(output))
    }

    @Test(
        "at once is written what leaves half of the buffer, or a quarter to a thread of real-time priority",
        .timeLimit(.minutes(1)),
        arguments: [
            // As asked for: 24 ms in four periods.
            (["format": "FLOAT_LE"], 576, 864),
            // Eight periods, two, and one that is more than half.
            (["format": "FLOAT_LE", "channels": 1, "period_max": 144], 576, 864),
            (["format": "FLOAT_LE", "period_min": 576], 576, 576),
            (["format": "FLOAT_LE", "period_min": 1000, "period_max": 1000, "buffer_min": 3000], 1000, 2000),
        ] as [([String: SimulatedCard.Value], Int64, Int64)])
    func gulps(settings: [String: SimulatedCard.Value], half: Int64, quarter: Int64) throws {
        let (request, seen) = try Self.play(settings)
        #expect(Int64(request.gulp_frames) == half)
        #expect(seen.gulp_frames == (seen.realtime ? quarter : half))
        #expect(request.gulp_frames % request.period_frames == 0)
    }

    @Test(
        "a card that has run dry is filled from half of its buffer on, whatever the priority", .timeLimit(.minutes(1)))
    func cautious() throws {
        let (request, seen) = try Self.play(["format": "FLOAT_LE", "xrun_at": [100]]) {
            $0.xruns > 0 && $0.epoch > 0 && $0.next_frame > $0.heard_frame && $0.wakes > 40
        }
        #expect(seen.gulp_frames == Int64(request.buffer_frames) / 2)
    }

    @Test("what is told of a card adds up: what is heard, what lies ahead, and when more is written")
    func snapshot() throws {
        let (request, seen) = try Self.play(["format": "FLOAT_LE"])
        #expect(seen.heard_frame + seen.delay_frames == seen.next_frame)
        #expect(seen.delay_frames <= Int64(request.buffer_frames))
        // Written next once no more than the rest beside a gulp lies ahead.
        #expect(seen.next_frame - seen.gulp_frame == Int64(request.buffer_frames) - seen.gulp_frames)
    }
}
