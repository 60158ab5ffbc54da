import CDrone
import Glibc
import Shared
import SimulatedCardSupport
import Testing

/// The parameters that devices are asked for, and the alternatives that are accepted. Devices are opened, but not
/// played on.
@Suite("Opening devices")
struct DeviceTests {
    private typealias Settings = [String: SimulatedCard.Value]

    /// The parameters that a card with these settings grants, or the negative errno.
    private static func open(
        _ settings: Settings, _ change: (inout drone_output_request) -> Void
    ) throws -> (grant: drone_output_grant, error: Int32) {
        SimulatedCard.configureThisProcess()
        let folder = TemporaryFolder()
        let card = try SimulatedCard(in: folder.path, settings, records: false)
        var request = drone_output_request()
        (request.policy, request.rate, request.channels, request.format) = (DRONE_POLICY_SMALL, 48_000, 2, DRONE_F32)
        change(&request)
        var (grant, error) = (drone_output_grant(), Int32(1))
        let output = drone_output_open(card.device, &request, &grant, &error)
        #expect((output != nil) == (error == 0))
        drone_output_destroy(output)
        return (grant, error)
    }

    @Test(
        "if any format is accepted, the order of preference is the requested one, the finest, and floating point last",
        arguments: [
            (["S16_LE", "S24_3LE", "S24_LE", "S32_LE", "FLOAT_LE"], DRONE_S16, DRONE_S16),
            (["S16_LE", "S24_3LE", "S24_LE", "S32_LE"], DRONE_F32, DRONE_S32),
            (["S16_LE", "S24_3LE", "S24_LE"], DRONE_F32, DRONE_S24), (["S16_LE", "S24_3LE"], DRONE_F32, DRONE_S24_3),
            (["S16_LE"], DRONE_F32, DRONE_S16), (["FLOAT_LE"], DRONE_S16, DRONE_F32),
        ] as [([String], drone_format, drone_format)])
    func formats(has: [String], wanted: drone_format, given: drone_format) throws {
        let settings: Settings = ["format": .list(has.map { .text($0) }), "channels": 2]
        let any = try Self.open(settings) { ($0.format, $0.any_format) = (wanted, true) }
        #expect(any.error == 0 && any.grant.format == given)
        let alone = try Self.open(settings) { $0.format = wanted }
        #expect(alone.error == (wanted == given ? 0 : -ENOTSUP))
    }

    @Test("if any number of channels is accepted, the nearest is taken, up to 32")
    func channels() throws {
        for (has, wanted, given) in [(2, 1, 2), (2, 2, 2), (32, 2, 32)] as [(Int, UInt32, UInt32)] {
            let settings: Settings = ["format": "FLOAT_LE", "channels": .integer(has)]
            let any = try Self.open(settings) { ($0.channels, $0.any_channels) = (wanted, true) }
            #expect(any.error == 0 && any.grant.channels == given)
            #expect(try Self.open(settings) { $0.channels = wanted }.error == (wanted == given ? 0 : -ENOTSUP))
        }
        let many: Settings = ["format": "FLOAT_LE", "channels": 33]
        #expect(try Self.open(many) { $0.any_channels = true }.error == -ENOTSUP)
    }

    @Test(
        "if any rate is accepted, the nearest from 8 kHz to 384 kHz is taken",
        arguments: [(44_100, true), (8000, true), (7999, false), (384_000, true), (384_001, false), (48_000, true)])
    func rates(has: Int, isTaken: Bool) throws {
        let settings: Settings = ["format": "FLOAT_LE", "channels": 2, "rate": .integer(has)]
        let any = try Self.open(settings) { $0.any_rate = true }
        #expect(any.error == (isTaken ? 0 : -ENOTSUP) && (!isTaken || any.grant.rate == UInt32(has)))
        #expect(try Self.open(settings) { _ in }.error == (has == 48_000 ? 0 : -ENOTSUP))
    }

    @Test(
        "the lengths of periods and buffer fit the policy and the kind of card",
        arguments: [
            // Small: periods of 6 ms in a buffer of half a second. Rewind: periods of 1024 frames, or of 10 ms if the
            // card's pointer moves by periods, in a buffer of 1.1 s.
            (DRONE_POLICY_SMALL, false, 288, 24_000), (DRONE_POLICY_SMALL, true, 288, 24_000),
            (DRONE_POLICY_REWIND, false, 1024, 52_800), (DRONE_POLICY_REWIND, true, 480, 52_800),
        ])
    func sizes(policy: drone_policy, isBatch: Bool, period: Int, buffer: Int) throws {
        let settings: Settings = ["format": "FLOAT_LE", "channels": 2, "batch": .init(booleanLiteral: isBatch)]
        let grant = try Self.open(settings) { $0.policy = policy }.grant
        #expect(grant.policy == policy && Int(grant.period_frames) == period)
        #expect(abs(Int(grant.buffer_frames) - buffer) < period)
    }

    @Test("a card with long periods gets a buffer of at least two of them")
    func longPeriods() throws {
        let settings: Settings = ["format": "FLOAT_LE", "channels": 2, "period_min": 20_000, "period_max": 20_000]
        let grant = try Self.open(settings) { _ in }.grant
        #expect(grant.period_frames == 20_000 && grant.buffer_frames == 40_000)
    }

    @Test("a missing device and a busy one give different errors")
    func errors() throws {
        var (request, grant, error) = (drone_output_request(), drone_output_grant(), Int32(0))
        SimulatedCard.configureThisProcess()
        #expect(drone_output_open("no-such-device", &request, &grant, &error) == nil && error == -ENOENT)
        #expect(try Self.open(["busy_for": 60_000]) { _ in }.error == -EBUSY)
    }
}
