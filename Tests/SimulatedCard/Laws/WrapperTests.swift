internal import CALSA
internal import Foundation
internal import Shared
internal import SimulatedCardSupport
internal import Testing

/// The behavior of cards in calls that alsa-lib does not pass on to plugins. Each test also checks that alsa-lib alone
/// behaves differently.
@Suite struct WrapperTests {
    @Test("a card takes back as much of each rewind as its setting allows", arguments: [0, 1000, 5000])
    func rewinds(most: Int) throws {
        try Simulation(["rewinds": most == 0 ? "none" : .integer(most)]).run { simulation, player in
            try player.setUp(buffer: 9600)
            let old = noise(frames: 9600)
            try player.write(old)
            try player.start()
            #expect(try player.rewind(4800) == min(most, 4800))
            #expect(try player.rewind(0) == 0)
            let new = noise(frames: min(most, 4800), seed: 2)
            try player.write(new)
            simulation.advance(milliseconds: 100)
            _ = try player.avail()
            // alsa-lib alone rewinds all 4000 frames, which are still in the buffer.
            #expect(AlsaLib.rewind(player.pcm, 4000) == 4000)
            try player.forward(4000)
            simulation.advance(milliseconds: 150)
            #expect(try player.status().state == SND_PCM_STATE_XRUN)
            let sound = old.prefix((9600 - min(most, 4800)) * 4) + new
            #expect(try simulation.card.recording().bytes == Array(sound))
        }
    }

    @Test("a card without monotonic time stamps has those of CLOCK_REALTIME, years ahead")
    func stamps() throws {
        try Simulation(["monotonic_stamps": false]).run { simulation, player in
            try player.setUp(buffer: 96000)
            let refused = ALSAError(code: -EINVAL)
            #expect(throws: refused) { try player.setStamps(SND_PCM_TSTAMP_TYPE_MONOTONIC) }
            #expect(throws: refused) { try player.setStamps(SND_PCM_TSTAMP_TYPE_MONOTONIC_RAW) }
            try player.setStamps(SND_PCM_TSTAMP_TYPE_GETTIMEOFDAY)
            try player.write(noise(frames: 96000))
            try player.start()
            simulation.advance(milliseconds: 100)
            #expect(try player.status().stamp == 100_000_000 + SimulatedCard.realtimeAhead)
            #expect(try player.status().trigger == SimulatedCard.realtimeAhead)
            #expect(try player.htimestamp() == 100_000_000 + SimulatedCard.realtimeAhead)
            try player.setStamps(SND_PCM_TSTAMP_TYPE_MONOTONIC, by: AlsaLib.setStampType)
            #expect(try player.status().stamp == 100_000_000)
        }
    }

    @Test("in real time, a card without monotonic time stamps has the real ones of CLOCK_REALTIME")
    func realStamps() throws {
        let folder = try Folder()
        let player = try Player(SimulatedCard(in: folder.path, ["monotonic_stamps": false]))
        try player.setUp(buffer: 96000)
        #expect(throws: ALSAError(code: -EINVAL)) { try player.setStamps(SND_PCM_TSTAMP_TYPE_MONOTONIC) }
        let year: Int64 = 365 * 86400 * 1_000_000_000
        #expect(try player.status().stamp > monotonicNow() + year)
        try player.setStamps(SND_PCM_TSTAMP_TYPE_MONOTONIC, by: AlsaLib.setStampType)
        #expect(try player.status().stamp <= monotonicNow())
    }

    @Test(
        "a card says that it is a batch device, whichever way its parameters are asked for", arguments: [true, false])
    func batch(isBatch: Bool) throws {
        try Simulation(["batch": .init(booleanLiteral: isBatch)]).run { _, player in
            var params: OpaquePointer?
            try Player.check(snd_pcm_hw_params_malloc(&params))
            defer { snd_pcm_hw_params_free(params) }
            let answer: Int32 = isBatch ? 1 : 0
            try Player.check(snd_pcm_hw_params_any(player.pcm, params))
            #expect(snd_pcm_hw_params_is_batch(params) == answer)
            try Player.check(snd_pcm_hw_params_set_access(player.pcm, params, SND_PCM_ACCESS_RW_INTERLEAVED))
            try Player.check(snd_pcm_hw_params_set_format(player.pcm, params, SND_PCM_FORMAT_S16_LE))
            try Player.check(snd_pcm_hw_params_set_channels(player.pcm, params, 2))
            var period: snd_pcm_uframes_t = 480
            try Player.check(snd_pcm_hw_params_set_period_size_near(player.pcm, params, &period, nil))
            #expect(snd_pcm_hw_params_is_batch(params) == answer)
            var buffer: snd_pcm_uframes_t = 9600
            try Player.check(snd_pcm_hw_params_set_buffer_size_near(player.pcm, params, &buffer))
            try Player.check(snd_pcm_hw_params(player.pcm, params))
            #expect(snd_pcm_hw_params_is_batch(params) == answer)
            try Player.check(snd_pcm_hw_params_current(player.pcm, params))
            #expect(snd_pcm_hw_params_is_batch(params) == answer)
            #expect(AlsaLib.isBatch(params) == 0)
            // The same parameter object, used for another device.
            let null = try Null()
            try Player.check(snd_pcm_hw_params_any(null.pcm, params))
            #expect(snd_pcm_hw_params_is_batch(params) == 0)
        }
    }

    @Test("a simulated card can report that it is hardware")
    func hardware() throws {
        try Simulation(["poses_as_hardware": true]).run { _, player in
            #expect(snd_pcm_type(player.pcm) == SND_PCM_TYPE_HW)
            #expect(AlsaLib.type(player.pcm) == SND_PCM_TYPE_IOPLUG)
        }
    }

    @Test("draining takes an hour of simulated time, and alsa-lib itself does not wait")
    func drain() throws {
        try Simulation(["drain": "never"]).run { simulation, player in
            try player.setUp(buffer: 9600)
            let sound = noise(frames: 9600)
            try player.write(sound)
            try player.start()
            simulation.advance(milliseconds: 100)
            #expect(AlsaLib.drain(player.pcm) == -EAGAIN)
            #expect(simulation.clock.now == 100_000_000)
            #expect(snd_pcm_drain(player.pcm) == 0)
            #expect(simulation.clock.now == 3_600_100_000_000)
            #expect(player.state == SND_PCM_STATE_SETUP)
            #expect(try simulation.card.recording().bytes == sound)
            let drains = simulation.card.happenings().filter { $0.name == "drain" }
            #expect(drains.map(\.nanoseconds) == [100_000_000])
        }
    }

    @Test("a drain in real time ends when another thread drops or closes the card", arguments: [true, false])
    func drainEnds(drops: Bool) throws {
        let folder = try Folder()
        let card = try SimulatedCard(in: folder.path, ["drain": "never"])
        var player: Player? = try Player(card)
        try player?.setUp(buffer: 9600)
        try player?.write(noise(frames: 480))
        try player?.start()
        // Safe: the semaphore makes sure that only one thread at a time uses it.
        nonisolated(unsafe) let pcm = player?.pcm
        nonisolated(unsafe) var result: Int32 = 0
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            result = snd_pcm_drain(pcm)
            isDone.signal()
        }
        try wait(for: "a drain") { card.happenings().contains { $0.name == "drain" } }
        #expect(isDone.wait(timeout: .now()) == .timedOut)
        if drops { player?.drop() }
        if !drops { player = nil }
        #expect(isDone.wait(timeout: .now() + 60) == .success, "waited for the drain to end")
        #expect(result == -EIO)
    }

    @Test(
        "if its card never drains, a program with the wrappers hangs, and one without them ends",
        .enabled(if: PlayingTests.hasAplay), arguments: [true, false])
    func preload(isPreloaded: Bool) throws {
        let folder = try Folder()
        let card = try SimulatedCard(in: folder.path, ["drain": "never"])
        let environment = isPreloaded ? ["LD_PRELOAD": SimulatedCard.preload] : [:]
        let process = try PlayingTests.startAplay(card, noise(frames: 4800), in: folder, environment)
        defer { process.end() }
        if isPreloaded {
            try wait(for: "a drain") { card.happenings().contains { $0.name == "drain" } }
            #expect(process.waitIfEnded() == nil)
            // aplay catches other signals and goes on waiting.
            process.send(SIGKILL)
        }
        #expect(process.wait() == (isPreloaded ? 128 + SIGKILL : 0))
        #expect(card.happenings().contains { $0.name == "drain" } == isPreloaded)
    }

    @Test("other handles, and cards without such settings, are answered as by alsa-lib itself")
    func others() throws {
        let null = try Null()
        #expect(snd_pcm_type(null.pcm) == SND_PCM_TYPE_NULL)
        #expect(AlsaLib.type(null.pcm) == SND_PCM_TYPE_NULL)
        try null.setUp()
        #expect(snd_pcm_writei(null.pcm, noise(frames: 480), 480) == 480)
        #expect(snd_pcm_rewind(null.pcm, 480) == AlsaLib.rewind(null.pcm, 480))
        #expect(snd_pcm_drain(null.pcm) == AlsaLib.drain(null.pcm))
        try Simulation().run { simulation, player in
            #expect(snd_pcm_type(player.pcm) == SND_PCM_TYPE_IOPLUG)
            try player.setUp(buffer: 9600)
            try player.setStamps(SND_PCM_TSTAMP_TYPE_MONOTONIC)
            try player.write(noise(frames: 9600))
            try player.start()
            #expect(try player.rewind(4800) == 4800)
            // The drain waits until everything has been played, as in real time.
            #expect(snd_pcm_drain(player.pcm) == 0)
            #expect(abs(simulation.clock.now - 100_000_000) < 100)
            #expect(try simulation.card.recording().frameCount == 4800)
        }
    }
}

/// The null device.
private final class Null {
    let pcm: OpaquePointer

    init() throws {
        SimulatedCard.configureThisProcess()
        var opened: OpaquePointer?
        let code = snd_pcm_open(&opened, "null", SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK))
        guard code == 0, let opened else { throw ALSAError(code: code) }
        pcm = opened
    }

    deinit { snd_pcm_close(pcm) }

    func setUp() throws {
        try Player.check(
            snd_pcm_set_params(pcm, SND_PCM_FORMAT_S16_LE, SND_PCM_ACCESS_RW_INTERLEAVED, 2, 48000, 0, 100_000))
    }
}
