internal import CALSA
internal import Foundation
internal import SimulatedCardSupport
internal import Testing

@Suite struct FaultTests {
    @Test("want of frames is an underrun after the last one")
    func underrun() throws {
        let folder = try Folder()
        let card = try SimulatedCard(in: folder.path, ["skew_ppm": 100])
        let player = try Player(card)
        try player.setUp(buffer: 9600)
        #expect(throws: ALSAError(code: -EPIPE)) { try player.start() }
        let sound = noise(frames: 2000)
        try player.write(sound)
        try player.start()
        try player.waitWhile(SND_PCM_STATE_RUNNING)
        #expect(player.state == SND_PCM_STATE_XRUN)
        #expect(throws: ALSAError(code: -EPIPE)) { try player.write(sound) }
        #expect(throws: ALSAError(code: -EPIPE)) { try player.availUpdate() }
        #expect(throws: ALSAError(code: -EPIPE)) { try player.delay() }
        #expect(throws: ALSAError(code: -EPIPE)) { try player.wait() }
        try player.prepare()
        try player.write(sound)
        try player.start()
        try player.drain()
        let recording = try card.recording()
        #expect(isHeard(recording.bytes, of: sound + sound) && recording.frameCount == 4000)
        #expect(Set(recording.rows.map(\.run)) == [1, 2])
    }

    @Test("a card that does not stop plays silence where nothing was written")
    func runningOn() throws {
        let folder = try Folder()
        let (card, player, sound) = try ClockTests.started([:], in: folder, frames: 4800)
        try player.waitUntilPlayed(9600)
        #expect(player.state == SND_PCM_STATE_RUNNING)
        player.drop()
        let heard = try card.recording().bytes
        #expect(heard.count >= 9600 * 4)
        #expect(isHeard(heard, of: sound))
    }

    @Test("a card without silencing plays what the ring holds")
    func staleRing() throws {
        let folder = try Folder()
        let (card, player, sound) = try ClockTests.started(["starved": "stale"], in: folder, frames: 4800)
        try player.waitUntilPlayed(9600)
        player.drop()
        #expect(try isHeard(card.recording().bytes.prefix(9600 * 4), of: sound + sound))
    }

    @Test("a forced underrun stops a full card at its time")
    func forcedUnderrun() throws {
        let folder = try Folder()
        let card = try SimulatedCard(in: folder.path, ["xrun_at": [100.01, 200]])
        let player = try Player(card)
        try player.setUp(buffer: 96000)
        for _ in 0..<2 {
            try player.write(noise(frames: 48000))
            try player.start()
            try player.waitWhile(SND_PCM_STATE_RUNNING)
            #expect(throws: ALSAError(code: -EPIPE)) { try player.write([0, 0, 0, 0]) }
            try player.prepare()
        }
        let happenings = card.happenings()
        let start = try #require(happenings.first { $0.name == "start" }).nanoseconds
        #expect(try #require(happenings.first { $0.name == "xrun" }).nanoseconds == start + 100_010_000)
        let rows = try card.recording().rows
        #expect(rows.filter { $0.run == 1 }.map(\.count).reduce(0, +) == 4800)
    }

    @Test("a suspended card wakes suspended, and prepare brings it back")
    func suspension() throws {
        let folder = try Folder()
        let card = try SimulatedCard(in: folder.path, ["suspend_at": 100.01, "resume_after": 150])
        let player = try Player(card)
        try player.setUp(buffer: 96000)
        try player.write(noise(frames: 48000))
        try player.start()
        try player.waitWhile(SND_PCM_STATE_RUNNING)
        #expect(player.state == SND_PCM_STATE_SUSPENDED)
        #expect(throws: ALSAError(code: -ESTRPIPE)) { try player.write([0, 0, 0, 0]) }
        #expect(throws: ALSAError(code: -ESTRPIPE)) { try player.delay() }
        #expect(throws: ALSAError(code: -ESTRPIPE)) { try player.wait() }
        // alsa-lib says yes to every plugin; only the state tells.
        #expect(snd_pcm_resume(player.pcm) == 0)
        #expect(player.state == SND_PCM_STATE_SUSPENDED)
        let start = try #require(card.happenings().first { $0.name == "start" }).nanoseconds
        #expect(monotonicNow() >= start + 250_010_000)
        try player.prepare()
        try player.write(noise(frames: 480))
        try player.start()
        try player.drain()
        #expect(try card.recording().frameCount == 4800 + 480)
    }

    @Test("a card that can resume goes on where it was")
    func resumption() throws {
        let folder = try Folder()
        let card = try SimulatedCard(in: folder.path, ["suspend_at": 100.01, "resume_after": 150, "resume": true])
        let player = try Player(card)
        try player.setUp(buffer: 96000)
        let sound = noise(frames: 9600)
        try player.write(sound)
        try player.start()
        try player.waitWhile(SND_PCM_STATE_RUNNING)
        #expect(snd_pcm_resume(player.pcm) == 0)
        #expect(player.state == SND_PCM_STATE_RUNNING)
        try player.drain()
        let recording = try card.recording()
        #expect(isHeard(recording.bytes, of: sound) && recording.frameCount == 9600)
        let start = try #require(card.happenings().first { $0.name == "start" }).nanoseconds
        let before = try #require(recording.nanoseconds(ofPlayedFrame: 4799, after: start))
        let after = try #require(recording.nanoseconds(ofPlayedFrame: 4801, after: start))
        #expect(before < 100.01e6 && after > 250.01e6)
    }

    @Test("a card that is unplugged is gone for every call until it is back and opened anew")
    func unplugging() throws {
        let folder = try Folder()
        let card = try SimulatedCard(in: folder.path, ["disconnect_at": 100.01, "return_after": 300])
        var player: Player? = try Player(card)
        do {
            let old = try #require(player)
            try old.setUp(buffer: 96000)
            try old.write(noise(frames: 48000))
            try old.start()
            try old.waitWhile(SND_PCM_STATE_RUNNING)
            #expect(old.state == SND_PCM_STATE_DISCONNECTED)
            let gone = ALSAError(code: -ENODEV)
            #expect(throws: gone) { try old.write([0, 0, 0, 0]) }
            #expect(throws: gone) { try old.delay() }
            #expect(throws: gone) { try old.wait() }
            #expect(throws: gone) { try old.prepare() }
            #expect(throws: gone) { try old.start() }
            #expect(throws: gone) { try old.rewindable() }
            #expect(throws: gone) { try old.rewind(1) }
            #expect(old.drop() == -ENODEV)
            // Where a kernel's would fail, these succeed for every plugin.
            #expect(try old.status().state == SND_PCM_STATE_DISCONNECTED)
            #expect(try old.availUpdate() >= 0)
        }
        player = nil
        var refusals = 0
        let patience = monotonicNow() + 10_000_000_000
        while player == nil, monotonicNow() < patience {
            do {
                player = try Player(card)
            } catch let error as ALSAError {
                #expect(error.code == -ENODEV)
                refusals += 1
                usleep(10_000)
            }
        }
        let back = try #require(player)
        let happenings = card.happenings()
        let start = try #require(happenings.first { $0.name == "start" }).nanoseconds
        #expect(try #require(happenings.last { $0.name == "open" }).nanoseconds >= start + 400_010_000)
        #expect(happenings.count { $0.name == "refused away" } == refusals)
        try back.setUp(buffer: 9600)
        try back.write(noise(frames: 480))
        try back.start()
        try back.drain()
        #expect(try card.recording().frameCount == 4800 + 480)
    }

    @Test("a pointer that stalls goes on from where it stood, or catches up", arguments: ["hold", "jump"])
    func stall(mode: String) throws {
        let folder = try Folder()
        let (card, player, sound) = try ClockTests.started(
            ["stall_at": 100.01, "stall_for": 200, "stall_mode": .text(mode)], in: folder)
        var seen: [Player.Status] = []
        for _ in 0..<80 {
            seen.append(try player.status())
            usleep(5000)
        }
        try player.waitUntilPlayed(9600)
        player.drop()
        let start = try #require(card.happenings().first { $0.name == "start" }).nanoseconds
        for status in seen where status.asked >= start + 101_000_000 && status.stamp < start + 299_000_000 {
            #expect(96000 - status.delay == 4800)
        }
        let recording = try card.recording()
        #expect(isHeard(recording.bytes, of: sound))
        let later = try #require(recording.nanoseconds(ofPlayedFrame: 9599, after: start))
        #expect(abs(later - (mode == "hold" ? 400e6 : 200e6) + 1e9 / 48000) < 100)
    }

    @Test("a card that jumps skips frames or plays silence in their place", arguments: [2400, -2400])
    func jump(frames: Int) throws {
        let folder = try Folder()
        let (card, player, sound) = try ClockTests.started(
            ["jump_at": 100.01, "jump_frames": .integer(frames)], in: folder)
        try player.waitUntilPlayed(9600)
        player.drop()
        let recording = try card.recording()
        #expect(isHeard(recording.bytes.prefix(4800 * 4), of: sound))
        var afterwards = recording.bytes.dropFirst(4800 * 4)
        if frames < 0 {
            #expect(isHeard(afterwards.prefix(2400 * 4), of: []))
            afterwards = afterwards.dropFirst(2400 * 4)
        }
        #expect(isHeard(afterwards, of: sound.dropFirst((4800 + max(frames, 0)) * 4)))
        #expect(recording.rows.contains { $0.position == 4800 + frames })
    }

    @Test("a glitch is reported and not heard")
    func glitch() throws {
        let folder = try Folder()
        let (card, player, sound) = try ClockTests.started(
            ["jump_at": 100.01, "jump_frames": 4800, "jump_mode": "glitch", "jump_for": 200], in: folder)
        var seen: [Player.Status] = []
        for _ in 0..<80 {
            seen.append(try player.status())
            usleep(5000)
        }
        player.drop()
        let recording = try card.recording()
        let start = try #require(card.happenings().first { $0.name == "start" }).nanoseconds
        #expect(isHeard(recording.bytes, of: sound))
        for status in seen {
            let pointer = 96000 - status.delay
            let isIn = status.asked > start + 100_010_000 && status.stamp < start + 300_010_000
            let isOut = status.stamp < start + 100_010_000 || status.asked > start + 300_010_000
            guard isIn || isOut, pointer > 0 else { continue }
            let truth = isIn ? pointer - 4800 : pointer
            let heard = try #require(recording.nanoseconds(ofPlayedFrame: Double(truth - 1), after: status.stamp))
            let next = try #require(recording.nanoseconds(ofPlayedFrame: Double(truth - 1), after: status.asked))
            #expect(heard <= 0 && next >= -3e9 / 48000)
        }
    }

    @Test("a busy card is refused until its time, and one that is held as long as it is")
    func busy() throws {
        let folder = try Folder()
        let card = try SimulatedCard(in: folder.path, ["busy_for": 150])
        let began = monotonicNow()
        var first: Player?
        let patience = began + 10_000_000_000
        while first == nil, monotonicNow() < patience {
            do {
                first = try Player(card)
            } catch let error as ALSAError {
                #expect(error.code == -EBUSY)
                usleep(5000)
            }
        }
        #expect(first != nil && monotonicNow() - began >= 150_000_000)
        #expect(throws: ALSAError(code: -EBUSY)) { try Player(card) }
        first = nil
        #expect(throws: Never.self) { try Player(card) }
        #expect(card.happenings().first?.name == "refused busy")
    }

    @Test("a card in a state file is one card for two processes")
    func stateFile() throws {
        let folder = try Folder()
        let state: [String: SimulatedCard.Value] = ["state_file": .text(folder.path + "/state"), "busy_for": 100]
        let one = try SimulatedCard(in: folder.path, name: "one", state)
        let other = try SimulatedCard(in: folder.path, name: "other", state)
        #expect(throws: ALSAError(code: -EBUSY)) { try Player(one) }
        usleep(110_000)
        var player: Player? = try Player(one)
        #expect(throws: ALSAError(code: -EBUSY)) { try Player(other) }
        player = nil
        #expect(player == nil)
        #expect(throws: Never.self) { try Player(other) }
    }
}
