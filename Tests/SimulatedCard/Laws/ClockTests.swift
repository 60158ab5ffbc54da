internal import CALSA
internal import Foundation
internal import SimulatedCardSupport
internal import Testing

@Suite struct ClockTests {
    @Test("the recorded times run at the rate of the skew", arguments: [-300.0, 0, 50, 300, 1000])
    func skew(skew: Double) throws {
        let recording = try Simulation(["skew_ppm": .real(skew), "jitter_us": 200]).heard(milliseconds: 10_000)
        let last = recording.frameCount - 1
        let origin = try #require(recording.rows.first).nanoseconds
        let span =
            try #require(recording.nanoseconds(ofPlayedFrame: Double(last), after: origin))
            - #require(recording.nanoseconds(ofPlayedFrame: 0, after: origin))
        let ppm = (Double(last) * 1e9 / span / 48000 - 1) * 1e6
        #expect(abs(ppm - skew) < 0.01)
    }

    @Test("the rate wanders about the skew by a sine")
    func wander() throws {
        let simulation = try Simulation(
            ["skew_ppm": 100, "wander_ppm": 40, "wander_period_s": 0.8, "wander_phase_deg": 0])
        for row in try simulation.heard(milliseconds: 5000).rows {
            // The mean of the sine over the row. The card was opened at time 0.
            let from = Double(row.nanoseconds) * 1e-9
            let to = from + Double(row.count) / row.rate
            let turn = 2 * Double.pi / 0.8
            let mean = (cos(turn * from) - cos(turn * to)) / (turn * (to - from))
            #expect(abs((row.rate / 48000 - 1) * 1e6 - 100 - 40 * mean) < 0.01)
        }
    }

    @Test("the first frame is heard after the start delay and the latency")
    func start() throws {
        try Simulation(["start_delay_ms": 30, "latency_frames": 240, "hidden_latency_frames": 48])
            .run { simulation, player in
                simulation.advance(milliseconds: 5)
                try player.fill()
                #expect(try player.delay() == 96000 + 240)
                simulation.advance(milliseconds: 100)
                #expect(try player.avail() == 3360)
                #expect(try player.delay() == 96000 + 240 - 3360)
                player.drop()
                let heard = try simulation.card.recording().nanoseconds(ofPlayedFrame: 0, after: 0)
                #expect(abs(try #require(heard) - 41e6) < 1)
            }
    }

    /// The pairs of pointer and time stamp that a program sees after it has filled and started a card.
    private static func observe(
        _ settings: [String: SimulatedCard.Value], count: Int = 1000
    ) throws -> ([(pointer: Int, stamp: Int64)], SimulatedCardRecording) {
        var seen: [(pointer: Int, stamp: Int64)] = []
        let simulation = try Simulation(settings)
        try simulation.run { simulation, player in
            try player.fill()
            for _ in 0..<count {
                simulation.advance(nanoseconds: 1_300_003)
                let status = try player.status()
                #expect(status.stamp == simulation.clock.now)
                seen.append((96000 - status.delay, status.stamp))
            }
            simulation.advance(milliseconds: 100)
            try player.avail()
        }
        return (seen, try simulation.card.recording())
    }

    @Test(
        "the pointer moves in steps, and is later than the sound by a step and the jitter at most",
        arguments: [(1, 0), (1, 50), (48, 200), (480, 0), (7, 3000)])
    func pointer(step: Int, jitter: Int) throws {
        let (seen, recording) = try Self.observe(
            ["skew_ppm": 300, "step_frames": .integer(step), "jitter_us": .integer(jitter)])
        for (pointer, stamp) in seen {
            #expect(pointer % step == 0)
            let made = try #require(recording.nanoseconds(ofPlayedFrame: Double(pointer), after: stamp))
            let next = try #require(recording.nanoseconds(ofPlayedFrame: Double(pointer + step), after: stamp))
            #expect(made <= 0)
            #expect(next + Double(jitter) * 1000 >= 0)
        }
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.pointer <= $1.pointer })
    }

    @Test("with time stamps of the step, the delay is right to a frame, even if the pointer is coarse")
    func stampsOfTheStep() throws {
        let (seen, recording) = try Self.observe(
            ["skew_ppm": 300, "step_frames": 480, "jitter_us": 500, "tstamp": "step"])
        for (pointer, stamp) in seen {
            let begun = try #require(recording.nanoseconds(ofPlayedFrame: Double(pointer), after: stamp))
            let later = try #require(recording.nanoseconds(ofPlayedFrame: Double(pointer + 2), after: stamp))
            #expect(begun <= 0)
            #expect(later >= 0)
        }
    }

    @Test("a card that fetches ahead takes whole bursts before they are heard")
    func prefetch() throws {
        let (seen, recording) = try Self.observe(["prefetch_frames": 1024])
        for (pointer, stamp) in seen {
            #expect(pointer % 1024 == 0 && pointer > 0)
            let first = try #require(recording.nanoseconds(ofPlayedFrame: Double(pointer - 1024), after: stamp))
            #expect(first <= 0)
        }
        #expect(isHeard(recording.bytes, of: noise(frames: 96000)))
    }

    @Test(
        "a poll returns at the ends of periods and never without a reason, whatever makes the interrupts",
        arguments: ["timer", "process"])
    func polling(interrupts: String) throws {
        let folder = try Folder()
        let card = try SimulatedCard(
            in: folder.path,
            [
                "skew_ppm": 300, "step_frames": 48, "jitter_us": 200, "interrupts": .text(interrupts),
                "pause": .text(interrupts == "timer" ? "yes" : "no"),
            ])
        do {
            let player = try Player(card)
            try player.setUp(period: 480, buffer: 1920)
            try player.adjust(stops: false, wakesAt: 960)
            try player.write(noise(frames: 1920))
            try player.start()
            for _ in 0..<40 {
                try player.wait(60_000)
                #expect(try player.availUpdate() >= 960)
                let avail = try player.availUpdate()
                if avail <= 1920 { try player.write(noise(frames: 480)) } else { try player.forward(avail - 960) }
            }
            try player.drain()
        }
        let closed = try #require(card.happenings().last { $0.name == "close" })
        #expect(closed.values["spurious"] == 0)
        #expect(try #require(closed.values["wakes"]) <= 46)
    }
}
