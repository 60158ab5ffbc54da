internal import CALSA
internal import Foundation
internal import SimulatedCardSupport
internal import Testing

@Suite struct SimulatedTimeTests {
    private static let millisecond: Int64 = 1_000_000

    @Test("a card plays exactly as far as the simulated clock is advanced")
    func playing() throws {
        try Simulation().run { simulation, player in
            let sound = try player.fill()
            #expect(try player.avail() == 0)
            simulation.advance(milliseconds: 250)
            #expect(try player.avail() == 12000)
            #expect(try player.avail() == 12000)
            #expect(try player.delay() == 84000)
            simulation.advance(milliseconds: 1750)
            #expect(try player.avail() == 96000)
            player.drop()
            let recording = try simulation.card.recording()
            #expect(recording.bytes == sound)
            for (frame, time) in [(0.0, 0.0), (12000.5, 250e6 + 1e9 / 96000), (95999, 2e9 - 1e9 / 48000)] {
                #expect(abs(try #require(recording.nanoseconds(ofPlayedFrame: frame, after: 0)) - time) < 0.01)
            }
            #expect(simulation.card.happenings().map(\.nanoseconds).max() == 2_000_000_000)
        }
    }

    @Test("a poll would return at the deadline, with room for a period, and not ten nanoseconds before")
    func deadline() throws {
        let folder = try Folder()
        let clock = SimulatedClock(now: 5)
        try SimulatedCard.withClock(clock) {
            let card = try SimulatedCard(
                in: folder.path, ["skew_ppm": 300, "wander_ppm": 2, "step_frames": 48, "jitter_us": 200])
            #expect(card.deadline == nil)
            do {
                let player = try Player(card)
                try player.setUp(period: 480, buffer: 1920)
                try player.write(noise(frames: 1920))
                // A card that stands still has no deadline.
                #expect(try player.deadline(of: card) == nil)
                try player.start()
                for _ in 0..<1000 {
                    let deadline = try #require(try player.deadline(of: card))
                    clock.sleep(until: deadline - 10)
                    #expect(try player.availUpdate() < 480)
                    clock.sleep(until: deadline)
                    #expect(try player.deadline(of: card) == deadline)
                    #expect(try player.events() == POLLOUT)
                    #expect(try player.availUpdate() == 480)
                    try player.write(noise(frames: 480))
                }
            }
            #expect(card.deadline == nil)
            let closed = try #require(card.happenings().last)
            #expect(closed.name == "close" && closed.values["wakes"] == 1000 && closed.values["spurious"] == 0)
        }
    }

    @Test("a poll would return at once where there is room, or a fault")
    func atOnce() throws {
        let folder = try Folder()
        let clock = SimulatedClock()
        try SimulatedCard.withClock(clock) {
            let card = try SimulatedCard(in: folder.path)
            let player = try Player(card)
            try player.setUp(period: 480, buffer: 1920)
            #expect(try #require(try player.deadline(of: card)) <= clock.now)
            #expect(try player.events() == POLLOUT)
            try player.write(noise(frames: 1920))
            try player.start()
            // There has been room for a period, and then an underrun.
            clock.advance(by: 1000 * Self.millisecond)
            #expect(try #require(try player.deadline(of: card)) <= clock.now)
            #expect(try player.events() == POLLOUT | POLLERR)
            #expect(player.state == SND_PCM_STATE_XRUN)
        }
    }

    @Test("time stamps are those of the simulated clock, not alsa-lib's own")
    func stamps() throws {
        try Simulation().run { simulation, player in
            simulation.advance(nanoseconds: 1000)
            try player.fill()
            simulation.advance(nanoseconds: 1_234_567_891)
            let status = try player.status()
            #expect(status.stamp == 1_234_568_891)
            #expect(status.trigger == 1000)
            #expect(try player.htimestamp() == 1_234_568_891)
            // The real clock shows more, because the machine has run for longer.
            #expect(try player.status(by: AlsaLib.status).stamp > 1_234_568_891)
            #expect(try player.htimestamp(by: AlsaLib.htimestamp) > 1_234_568_891)
        }
    }

    @Test("waiting for a card advances the clock to its deadline, or to the end of the timeout")
    func waiting() throws {
        let folder = try Folder()
        let clock = SimulatedClock()
        try SimulatedCard.withClock(clock) {
            let card = try SimulatedCard(in: folder.path)
            let player = try Player(card)
            try player.setUp(period: 480, buffer: 1920)
            try player.write(noise(frames: 1920))
            #expect(snd_pcm_wait(player.pcm, 30) == 0)
            #expect(clock.now == 30 * Self.millisecond)
            try player.start()
            #expect(snd_pcm_wait(player.pcm, 5) == 0)
            #expect(snd_pcm_wait(player.pcm, -1) == 1)
            #expect(abs(clock.now - 40 * Self.millisecond) < 1000)
            player.drop()
            try player.prepare()
            try player.write(noise(frames: 1920))
            snd_lib_error_set_local { _, _, _, _, _, _ in }
            #expect(snd_pcm_wait(player.pcm, -1) == -EDEADLK)
        }
    }

    @Test("a recording is the same every time, byte for byte")
    func repeatable() throws {
        var seen: [[Data?]] = []
        for _ in 0..<2 {
            let folder = try Folder()
            let clock = SimulatedClock(now: 7)
            try SimulatedCard.withClock(clock) {
                let card = try SimulatedCard(
                    in: folder.path,
                    [
                        "skew_ppm": -50, "wander_ppm": 20, "wander_period_s": 3, "step_frames": 7, "jitter_us": 3000,
                        "xrun_at": [1500], "stall_at": [300, 900],
                    ])
                let player = try Player(card)
                try player.setUp(period: 480, buffer: 4800)
                try player.write(noise(frames: 4800))
                try player.start()
                for turn in 0..<300 {
                    clock.advance(by: 10 * Self.millisecond + Int64(turn) * 1013)
                    if try player.status().state == SND_PCM_STATE_XRUN {
                        try player.prepare()
                        try player.write(noise(frames: 4800, seed: UInt64(turn)))
                        try player.start()
                    }
                    if try player.avail() >= 480 { try player.write(noise(frames: 480, seed: UInt64(turn))) }
                }
                player.drop()
                seen.append(
                    ["", ".times", ".events"].map { FileManager.default.contents(atPath: card.recordingPath + $0) })
            }
        }
        #expect(seen[0] == seen[1])
        #expect(seen[0].allSatisfy { ($0?.count ?? 0) > 0 })
    }

    @Test("faults, and the waking of the machine, come at their simulated times")
    func faults() throws {
        let folder = try Folder()
        let clock = SimulatedClock()
        try SimulatedCard.withClock(clock) {
            let card = try SimulatedCard(
                in: folder.path,
                ["suspend_at": 100, "resume_after": 3_600_000, "disconnect_at": 3_700_000, "return_after": 86_400_000])
            do {
                let player = try Player(card)
                try player.setUp(buffer: 96000)
                try player.adjust(wakesAt: 96000)
                try player.write(noise(frames: 96000))
                try player.start()
                clock.sleep(until: try #require(try player.deadline(of: card)))
                #expect(clock.now == 100 * Self.millisecond)
                #expect(try player.events() == POLLOUT | POLLERR)
                #expect(player.state == SND_PCM_STATE_SUSPENDED)
                try player.prepare()
                #expect(clock.now == 3_600_100 * Self.millisecond)
                clock.sleep(until: 3_700_000 * Self.millisecond)
                #expect(try player.status().state == SND_PCM_STATE_DISCONNECTED)
            }
            clock.sleep(until: (3_700_000 + 86_400_000) * Self.millisecond - 1)
            #expect(throws: ALSAError(code: -ENODEV)) { try Player(card) }
            clock.advance(by: 1)
            #expect(throws: Never.self) { try Player(card) }
        }
    }

    @Test("a simulated clock applies to one thread, and the innermost scope counts")
    func scopes() throws {
        let folder = try Folder()
        let outer = SimulatedClock(now: 200)
        let card = try SimulatedCard(in: folder.path)
        let other = try SimulatedCard(in: folder.path, name: "other")
        try SimulatedCard.withClock(outer) {
            try SimulatedCard.withClock(SimulatedClock(now: 100)) { _ = try Player(card) }
            _ = try Player(card)
            let isDone = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                _ = try? Player(other)
                isDone.signal()
            }
            #expect(isDone.wait(timeout: .now() + 600) == .success, "waited for another thread to open its card")
        }
        let before = monotonicNow()
        _ = try Player(card)
        let opened = card.happenings().filter { $0.name == "open" }.map(\.nanoseconds)
        #expect(opened.count == 3)
        #expect(opened.prefix(2) == [100, 200])
        #expect(try #require(opened.last) >= before)
        #expect(try #require(other.happenings().first).nanoseconds > 1000)
    }

    @Test("a card that would wait in real time is refused")
    func blocking() throws {
        let folder = try Folder()
        let card = try SimulatedCard(in: folder.path)
        SimulatedCard.configureThisProcess()
        snd_lib_error_set_local { _, _, _, _, _, _ in }
        SimulatedCard.withClock(SimulatedClock()) {
            var opened: OpaquePointer?
            #expect(snd_pcm_open(&opened, card.device, SND_PCM_STREAM_PLAYBACK, 0) == -EINVAL)
        }
    }
}
