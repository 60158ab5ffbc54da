internal import CALSA
internal import Foundation
internal import SimulatedCardSupport
internal import Testing

/// CLOCK_MONOTONIC, by which programs and recordings go, is slewed; the crystal is not.
@Suite struct SlewTests {
    /// Expects each frame of ten seconds to be heard when CLOCK_MONOTONIC, less what it has gained, shows the time of
    /// the frame by the crystal: `gained` and `crystal` are in seconds after the start.
    private static func expect(
        _ settings: [String: SimulatedCard.Value], gained: (Double) -> Double = { _ in 0 },
        crystal: (Double) -> Double = { $0 }
    ) throws {
        let recording = try Simulation(settings).heard(milliseconds: 10_000)
        #expect(recording.frameCount > 470_000)
        for frame in stride(from: 0, to: recording.frameCount, by: 37) {
            let heard = try #require(recording.nanoseconds(ofPlayedFrame: Double(frame), after: 0)) * 1e-9
            // Within a frame, the rate is that of its row.
            if abs(crystal(heard - gained(heard)) - Double(frame) / 48_000) > 20e-9 {
                Issue.record("frame \(frame) is heard at \(heard) s")
                return
            }
        }
    }

    /// What a constant slew gains: `ppm` of the time that the crystal sees.
    private static func slew(_ time: Double, from: Double, to: Double, ppm: Double) -> Double {
        max(min(time, to) - from, 0) * ppm * 1e-6 / (1 + ppm * 1e-6)
    }

    @Test("recorded times show a constant slew exactly, and nothing before and after it", arguments: [500, -500.0])
    func constant(ppm: Double) throws {
        try Self.expect(["slew_at": 2000.7, "slew_ppm": .real(ppm), "slew_for": 3000]) {
            Self.slew($0, from: 2.0007, to: 5.0007, ppm: ppm)
        }
    }

    @Test("a slew without an end lasts, and several add up")
    func several() throws {
        try Self.expect(["slew_at": [1000, 3000], "slew_ppm": [100, -400]]) {
            Self.slew($0, from: 1, to: 99, ppm: 100) + Self.slew($0, from: 3, to: 99, ppm: -400)
        }
    }

    @Test("an offset that NTP removes is gained exponentially", arguments: [5000.0, -5000])
    func offset(us: Double) throws {
        try Self.expect(["offset_at": 1500, "offset_us": .real(us)]) {
            $0 < 1.5 ? 0 : us * 1e-6 * (1 - exp(-($0 - 1.5) / 64))
        }
    }

    @Test("if the crystal's own rate changes, no clock gains anything")
    func change() throws {
        try Self.expect(
            ["skew_ppm": 50, "skew_at": [2000, 4000], "skew_by_ppm": [100, -200]],
            crystal: { $0 * (1 + 50e-6) + max($0 - 2, 0) * 100e-6 - max($0 - 4, 0) * 200e-6 })
    }

    @Test("slews, changes and latency together are exact")
    func together() throws {
        let settings: [String: SimulatedCard.Value] = [
            "slew_at": 1000, "slew_ppm": 500, "slew_for": 5000, "offset_at": 3000, "offset_us": 5000, "skew_at": 4000,
            "skew_by_ppm": -100,
        ]
        func gained(_ time: Double) -> Double {
            Self.slew(time, from: 1, to: 6, ppm: 500) + (time < 3 ? 0 : 5e-3 * (1 - exp(-(time - 3) / 64)))
        }
        // The change of the rate comes when CLOCK_MONOTONIC shows 4 s.
        let change = 4 - gained(4)
        try Self.expect(settings, gained: gained) { $0 - max($0 - change, 0) * 100e-6 }
        let late = settings.merging(["latency_frames": 4800]) { $1 }
        try Self.expect(late, gained: gained) { $0 - max($0 - change, 0) * 100e-6 - 0.1 }
    }

    @Test("through all of it, a poll would return at the deadline, and not ten nanoseconds before")
    func deadline() throws {
        let settings: [String: SimulatedCard.Value] = [
            "skew_ppm": 300, "wander_ppm": 20, "wander_period_s": 7, "jitter_us": 200, "step_frames": 48,
            "slew_at": [500, 2000], "slew_ppm": [500, -500], "slew_for": 1000, "offset_at": 4000, "offset_us": 5000,
            "offset_tau_s": 3, "skew_at": 6000, "skew_by_ppm": 100,
        ]
        try Simulation(settings).run { simulation, player in
            try player.setUp(period: 480, buffer: 1920)
            try player.write(noise(frames: 1920))
            try player.start()
            for _ in 0..<900 {
                let deadline = try #require(try player.deadline(of: simulation.card))
                simulation.clock.sleep(until: deadline - 10)
                #expect(try player.availUpdate() < 480)
                simulation.clock.sleep(until: deadline)
                #expect(try player.events() == POLLOUT)
                #expect(try player.availUpdate() == 480)
                try player.write(noise(frames: 480))
            }
        }
    }

    @Test("a card that is opened again is slewed as it would have been")
    func again() throws {
        let simulation = try Simulation(["slew_at": 1000, "slew_ppm": 500, "slew_for": 4000])
        for _ in 0..<2 {
            try simulation.run { simulation, player in
                try player.fill()
                simulation.advance(milliseconds: 3000)
                try player.avail()
                player.drop()
            }
        }
        let rows = try simulation.card.recording().rows
        #expect(Set(rows.map(\.run)) == [1])
        for row in rows where row.count > 1 {
            let isSlewed = (1_000_000_000..<5_000_000_000).contains(row.nanoseconds)
            #expect(abs(row.rate - 48_000 / (isSlewed ? 1 + 500e-6 : 1)) < 1e-3)
        }
    }

    @Test("in real time, the card plays as slowly as the clock is said to be fast")
    func realTime() throws {
        let folder = try Folder()
        let card = try SimulatedCard(in: folder.path, ["slew_at": 0, "slew_ppm": 10_000])
        let player = try Player(card)
        try player.setUp(buffer: 9600)
        try player.write(noise(frames: 4800))
        try player.start()
        try player.drain()
        let recording = try card.recording()
        #expect(recording.frameCount == 4800)
        #expect(recording.rows.allSatisfy { abs($0.rate - 48_000 / 1.01) < 1e-3 })
    }

    @Test("a slew without a size, or a time constant of zero, is refused")
    func refused() throws {
        snd_lib_error_set_local { _, _, _, _, _, _ in }
        let wrong: [[String: SimulatedCard.Value]] = [
            ["slew_at": 1000], ["offset_at": 1, "offset_us": 5, "offset_tau_s": 0],
        ]
        for settings in wrong {
            #expect(throws: ALSAError(code: -EINVAL)) { try Simulation(settings).run { _, _ in } }
        }
    }
}
