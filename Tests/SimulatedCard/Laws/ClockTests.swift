internal import CALSA
internal import Foundation
internal import SimulatedCardSupport
internal import Testing

@Suite struct ClockTests {
    /// Fills the buffer, starts, and leaves the player to the test; nothing that takes long can starve it.
    static func started(
        _ settings: [String: SimulatedCard.Value], in folder: Folder, frames: Int = 96000
    ) throws -> (SimulatedCard, Player, [UInt8]) {
        let card = try SimulatedCard(in: folder.path, settings)
        let player = try Player(card)
        try player.setUp(buffer: frames)
        try player.adjust(stops: false)
        let sound = noise(frames: frames)
        try player.write(sound)
        try player.start()
        return (card, player, sound)
    }

    @Test("the recorded times run at the rate of the skew", arguments: [-300.0, 0, 50, 300, 1000])
    func skew(skew: Double) throws {
        let folder = try Folder()
        let (card, player, _) = try Self.started(["skew_ppm": .real(skew), "jitter_us": 200], in: folder)
        usleep(400_000)
        _ = try player.status()
        player.drop()
        let recording = try card.recording()
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
        let folder = try Folder()
        let (card, player, _) = try Self.started(
            ["skew_ppm": 100, "wander_ppm": 40, "wander_period_s": 0.8, "wander_phase_deg": 0], in: folder)
        usleep(900_000)
        _ = try player.status()
        player.drop()
        let recording = try card.recording()
        let opened = try #require(card.happenings().first).nanoseconds
        for row in recording.rows {
            // The mean of a sine over the row.
            let from = Double(row.nanoseconds - opened) * 1e-9
            let to = from + Double(row.count) / row.rate
            let turn = 2 * Double.pi / 0.8
            let mean = (cos(turn * from) - cos(turn * to)) / (turn * (to - from))
            #expect(abs((row.rate / 48000 - 1) * 1e6 - 100 - 40 * mean) < 0.01)
        }
    }

    @Test("the first frame is heard the start delay and the latency after the start")
    func start() throws {
        let folder = try Folder()
        let (card, player, _) = try Self.started(
            ["start_delay_ms": 30, "latency_frames": 240, "hidden_latency_frames": 48, "skew_ppm": 0], in: folder)
        #expect(try player.delay() == 96000 + 240)
        try player.waitUntilPlayed(100)
        player.drop()
        let start = try #require(card.happenings().first { $0.name == "start" })
        let heard = try #require(card.recording().nanoseconds(ofPlayedFrame: 0, after: start.nanoseconds))
        #expect(abs(heard - 36e6) < 1)
    }

    /// What a program sees, as pairs of pointer and time.
    private static func observe(_ player: Player, written: Int, count: Int = 150) throws -> [(Int, Player.Status)] {
        try (0..<count).map { _ in
            usleep(1300)
            let status = try player.status()
            return (written - status.delay, status)
        }
    }

    @Test(
        "the pointer moves in steps and lags behind the sound by a step and the jitter at most",
        arguments: [(1, 0), (1, 50), (48, 200), (480, 0), (7, 3000)])
    func pointer(step: Int, jitter: Int) throws {
        let folder = try Folder()
        let (card, player, _) = try Self.started(
            ["skew_ppm": 300, "step_frames": .integer(step), "jitter_us": .integer(jitter)], in: folder)
        let seen = try Self.observe(player, written: 96000)
        try player.waitUntilPlayed(try #require(seen.last).0 + step + 480)
        player.drop()
        let recording = try card.recording()
        for (pointer, status) in seen {
            #expect(pointer % step == 0)
            let made = try #require(recording.nanoseconds(ofPlayedFrame: Double(pointer), after: status.stamp))
            let next = try #require(recording.nanoseconds(ofPlayedFrame: Double(pointer + step), after: status.asked))
            // A pointer at 0 waits for nothing.
            #expect(made <= 0 || pointer == 0)
            #expect(next + Double(jitter) * 1000 >= 0)
        }
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.0 <= $1.0 })
    }

    @Test("with stamps of the step the delay is good to a frame although the pointer is coarse")
    func stampsOfTheStep() throws {
        let folder = try Folder()
        let (card, player, _) = try Self.started(
            ["skew_ppm": 300, "step_frames": 480, "jitter_us": 500, "tstamp": "step"], in: folder)
        try player.waitUntilPlayed(480)
        let seen = try Self.observe(player, written: 96000)
        try player.waitUntilPlayed(try #require(seen.last).0 + 960)
        player.drop()
        let recording = try card.recording()
        for (pointer, status) in seen {
            let begun = try #require(recording.nanoseconds(ofPlayedFrame: Double(pointer), after: status.stamp))
            let later = try #require(recording.nanoseconds(ofPlayedFrame: Double(pointer + 2), after: status.asked))
            #expect(begun <= 0)
            #expect(later >= 0)
        }
    }

    @Test("a card that fetches ahead takes whole bursts before they are heard")
    func prefetch() throws {
        let folder = try Folder()
        let (card, player, sound) = try Self.started(["prefetch_frames": 1024], in: folder)
        let seen = try Self.observe(player, written: 96000, count: 60)
        try player.waitUntilPlayed(try #require(seen.last).0 + 2048)
        player.drop()
        let recording = try card.recording()
        for (pointer, status) in seen {
            #expect(pointer % 1024 == 0 && pointer > 0)
            let first = try #require(recording.nanoseconds(ofPlayedFrame: Double(pointer - 1024), after: status.stamp))
            #expect(first <= 0)
        }
        #expect(isHeard(recording.bytes, of: sound))
    }

    @Test(
        "a poll returns at periods' ends and never for nothing, wherever the interrupts come from",
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
                try player.wait()
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

extension Player {
    /// Lets it play until the pointer is there.
    func waitUntilPlayed(_ frames: Int) throws {
        let patience = monotonicNow() + 10_000_000_000
        while monotonicNow() < patience {
            // Without the latency, which delays nothing that the pointer passes.
            let avail = try self.avail()
            if avail >= frames { return }
            usleep(2000)
        }
    }
}
