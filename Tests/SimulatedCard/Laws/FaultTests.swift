internal import CALSA
internal import Foundation
internal import SimulatedCardSupport
internal import Testing

@Suite struct FaultTests {
    @Test("without new frames, an underrun follows the last frame")
    func underrun() throws {
        try Simulation(["skew_ppm": 100]).run { simulation, player in
            try player.setUp(buffer: 9600)
            #expect(throws: ALSAError(code: -EPIPE)) { try player.start() }
            let sound = noise(frames: 2000)
            try player.write(sound)
            try player.start()
            simulation.advance(milliseconds: 41)
            #expect(try player.status().state == SND_PCM_STATE_RUNNING)
            simulation.advance(milliseconds: 1)
            #expect(try player.status().state == SND_PCM_STATE_XRUN)
            #expect(throws: ALSAError(code: -EPIPE)) { try player.write(sound) }
            #expect(throws: ALSAError(code: -EPIPE)) { try player.availUpdate() }
            #expect(throws: ALSAError(code: -EPIPE)) { try player.delay() }
            #expect(throws: ALSAError(code: -EPIPE)) { try player.wait(-1) }
            try player.prepare()
            try player.write(sound)
            try player.start()
            try player.drain()
            let recording = try simulation.card.recording()
            #expect(recording.bytes == sound + sound)
            #expect(Set(recording.rows.map(\.run)) == [1, 2])
        }
    }

    @Test("a card that does not stop plays silence if nothing was written")
    func runningOn() throws {
        try Simulation().run { simulation, player in
            let sound = try player.fill(frames: 4800)
            simulation.advance(milliseconds: 200)
            #expect(try player.status().state == SND_PCM_STATE_RUNNING)
            player.drop()
            let heard = try simulation.card.recording().bytes
            #expect(heard.count == 9600 * 4)
            #expect(isHeard(heard, of: sound))
        }
    }

    @Test("with stale contents, a card that is starved plays its old frames")
    func staleRing() throws {
        try Simulation(["starved": "stale"]).run { simulation, player in
            let sound = try player.fill(frames: 4800)
            simulation.advance(milliseconds: 200)
            try player.avail()
            player.drop()
            #expect(try simulation.card.recording().bytes == sound + sound)
        }
    }

    @Test("a forced underrun stops even a full card, at its time")
    func forcedUnderrun() throws {
        try Simulation(["xrun_at": [100.01, 200]]).run { simulation, player in
            try player.setUp(buffer: 96000)
            for milliseconds: Int64 in [101, 99] {
                try player.write(noise(frames: 48000))
                try player.start()
                simulation.advance(milliseconds: milliseconds)
                #expect(try player.status().state == SND_PCM_STATE_XRUN)
                #expect(throws: ALSAError(code: -EPIPE)) { try player.write([0, 0, 0, 0]) }
                try player.prepare()
            }
            let xruns = simulation.card.happenings().filter { $0.name == "xrun" }
            #expect(xruns.map(\.nanoseconds) == [100_010_000, 200_000_000])
            let rows = try simulation.card.recording().rows
            let frames = rows.filter { $0.run == 1 }.reduce(0) { $0 + $1.count }
            #expect(frames == 4800)
        }
    }

    @Test("after the machine wakes, a suspended card stays suspended until it is prepared")
    func suspension() throws {
        try Simulation(["suspend_at": 100.01, "resume_after": 150]).run { simulation, player in
            try player.setUp(buffer: 96000)
            try player.write(noise(frames: 48000))
            try player.start()
            simulation.advance(milliseconds: 101)
            #expect(try player.status().state == SND_PCM_STATE_SUSPENDED)
            #expect(throws: ALSAError(code: -ESTRPIPE)) { try player.write([0, 0, 0, 0]) }
            #expect(throws: ALSAError(code: -ESTRPIPE)) { try player.delay() }
            #expect(throws: ALSAError(code: -ESTRPIPE)) { try player.wait(-1) }
            // For a plugin, alsa-lib always returns success; only the state shows whether it has resumed.
            #expect(snd_pcm_resume(player.pcm) == 0)
            #expect(player.state == SND_PCM_STATE_SUSPENDED)
            #expect(simulation.clock.now == 250_010_000)
            try player.prepare()
            try player.write(noise(frames: 480))
            try player.start()
            try player.drain()
            #expect(try simulation.card.recording().frameCount == 4800 + 480)
        }
    }

    @Test("a card that can resume continues where it was suspended")
    func resumption() throws {
        try Simulation(["suspend_at": 100.01, "resume_after": 150, "resume": true]).run { simulation, player in
            try player.setUp(buffer: 96000)
            let sound = noise(frames: 9600)
            try player.write(sound)
            try player.start()
            simulation.advance(milliseconds: 101)
            #expect(try player.status().state == SND_PCM_STATE_SUSPENDED)
            #expect(snd_pcm_resume(player.pcm) == 0)
            #expect(player.state == SND_PCM_STATE_RUNNING)
            try player.drain()
            let recording = try simulation.card.recording()
            #expect(recording.bytes == sound)
            let before = try #require(recording.nanoseconds(ofPlayedFrame: 4799, after: 0))
            let after = try #require(recording.nanoseconds(ofPlayedFrame: 4801, after: 0))
            #expect(before < 100.01e6 && after > 250.01e6)
        }
    }

    @Test("every call fails on an unplugged card until it is back and opened again")
    func unplugging() throws {
        let simulation = try Simulation(["disconnect_at": 100.01, "return_after": 300])
        try simulation.run { simulation, player in
            try player.setUp(buffer: 96000)
            try player.write(noise(frames: 48000))
            try player.start()
            simulation.advance(milliseconds: 101)
            #expect(try player.status().state == SND_PCM_STATE_DISCONNECTED)
            let gone = ALSAError(code: -ENODEV)
            #expect(throws: gone) { try player.write([0, 0, 0, 0]) }
            #expect(throws: gone) { try player.delay() }
            #expect(throws: gone) { try player.wait(-1) }
            #expect(throws: gone) { try player.prepare() }
            #expect(throws: gone) { try player.start() }
            #expect(throws: gone) { try player.rewindable() }
            #expect(throws: gone) { try player.rewind(1) }
            #expect(player.drop() == -ENODEV)
            // For hardware, these calls would fail; for a plugin, they succeed.
            #expect(try player.status().state == SND_PCM_STATE_DISCONNECTED)
            #expect(try player.availUpdate() >= 0)
        }
        for milliseconds: Int64 in [200, 99] {
            simulation.advance(milliseconds: milliseconds)
            #expect(throws: ALSAError(code: -ENODEV)) { try simulation.run { _, _ in } }
        }
        simulation.advance(nanoseconds: 10_000)
        try simulation.run { _, player in
            try player.setUp(buffer: 9600)
            try player.write(noise(frames: 480))
            try player.start()
            try player.drain()
        }
        #expect(simulation.card.happenings().count { $0.name == "refused away" } == 2)
        #expect(try simulation.card.recording().frameCount == 4800 + 480)
    }

    @Test("a pointer that stalls continues from its place, or catches up", arguments: ["hold", "jump"])
    func stall(mode: String) throws {
        let settings: [String: SimulatedCard.Value] = [
            "stall_at": 100.01, "stall_for": 200, "stall_mode": .text(mode),
        ]
        try Simulation(settings).run { simulation, player in
            let sound = try player.fill()
            for millisecond in 1...400 {
                simulation.advance(milliseconds: 1)
                let pointer = try player.avail()
                switch millisecond {
                case ...100: #expect(abs(pointer - millisecond * 48) <= 1)
                case ...300: #expect(pointer == 4800)
                default: #expect(abs(pointer - (millisecond - (mode == "hold" ? 200 : 0)) * 48) <= 1)
                }
            }
            player.drop()
            let recording = try simulation.card.recording()
            #expect(isHeard(recording.bytes, of: sound))
            let later = try #require(recording.nanoseconds(ofPlayedFrame: 9598, after: 0))
            let expected: Double = (mode == "hold" ? 400e6 : 200e6) - 2e9 / 48000
            #expect(abs(later - expected) < 100)
        }
    }

    @Test("a card that jumps skips frames or plays silence in their place", arguments: [2400, -2400])
    func jump(frames: Int) throws {
        try Simulation(["jump_at": 100.01, "jump_frames": .integer(frames)]).run { simulation, player in
            let sound = try player.fill()
            simulation.advance(milliseconds: 300)
            try player.avail()
            player.drop()
            let recording = try simulation.card.recording()
            #expect(isHeard(recording.bytes.prefix(4800 * 4), of: sound))
            var afterwards = recording.bytes.dropFirst(4800 * 4)
            if frames < 0 {
                #expect(isHeard(afterwards.prefix(2400 * 4), of: []))
                afterwards = afterwards.dropFirst(2400 * 4)
            }
            #expect(isHeard(afterwards, of: sound.dropFirst((4800 + max(frames, 0)) * 4)))
            #expect(recording.rows.contains { $0.position == 4800 + frames })
        }
    }

    @Test("a glitch is reported, but not heard")
    func glitch() throws {
        let settings: [String: SimulatedCard.Value] = [
            "jump_at": 100.01, "jump_frames": 4800, "jump_mode": "glitch", "jump_for": 200,
        ]
        try Simulation(settings).run { simulation, player in
            let sound = try player.fill()
            for millisecond in 1...400 {
                simulation.advance(milliseconds: 1)
                let pointer = try player.avail()
                let isIn = (101...300).contains(millisecond)
                #expect(abs(pointer - millisecond * 48 - (isIn ? 4800 : 0)) <= 1)
            }
            player.drop()
            #expect(isHeard(try simulation.card.recording().bytes, of: sound))
        }
    }

    @Test("a busy card is refused until its time, and an open card until it is closed")
    func busy() throws {
        let simulation = try Simulation(["busy_for": 150])
        let busy = ALSAError(code: -EBUSY)
        #expect(throws: busy) { try simulation.run { _, _ in } }
        simulation.advance(nanoseconds: 149_999_999)
        #expect(throws: busy) { try simulation.run { _, _ in } }
        simulation.advance(nanoseconds: 1)
        try simulation.run { simulation, _ in
            #expect(throws: busy) { try Player(simulation.card) }
        }
        #expect(throws: Never.self) { try simulation.run { _, _ in } }
        let refused = simulation.card.happenings().map(\.name).filter { $0.hasPrefix("refused") }
        #expect(refused == ["refused busy", "refused busy", "refused held"])
    }

    @Test("two processes with the same state file share a card")
    func stateFile() throws {
        let folder = try Folder()
        let state: [String: SimulatedCard.Value] = ["state_file": .text(folder.path + "/state"), "busy_for": 100]
        let one = try SimulatedCard(in: folder.path, name: "one", state)
        let other = try SimulatedCard(in: folder.path, name: "other", state)
        let clock = SimulatedClock()
        try SimulatedCard.withClock(clock) {
            #expect(throws: ALSAError(code: -EBUSY)) { try Player(one) }
            clock.advance(by: 100_000_000)
            do {
                let player = try Player(one)
                #expect(throws: ALSAError(code: -EBUSY)) { try Player(other) }
                try player.setUp()
            }
            #expect(throws: Never.self) { try Player(other) }
        }
    }
}
