internal import CALSA
internal import Foundation
internal import Shared
internal import SimulatedCardSupport
internal import Testing

@Suite struct PlayingTests {
    static let aplayPath = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/aplay" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    static var hasAplay: Bool { aplayPath != nil }

    static func startAplay(
        _ card: SimulatedCard, _ raw: [UInt8], in folder: Folder, _ environment: [String: String] = [:]
    ) throws -> Child {
        let file = "\(folder.path)/in.pcm"
        try Data(raw).write(to: URL(fileURLWithPath: file))
        let configuration = try SimulatedCard.writeConfiguration(into: folder.path)
        return try Child(
            [
                try #require(aplayPath), "-q", "-D", card.device, "-t", "raw", "-f", "S16_LE", "-c", "2", "-r", "48000",
                file,
            ], environment.merging(["ALSA_CONFIG_PATH": configuration]) { $1 })
    }

    @Test(
        "the sound of aplay is recorded bit for bit at any skew", .enabled(if: hasAplay), arguments: [0.0, 300, -300])
    func aplay(skew: Double) async throws {
        let folder = try Folder()
        let card = try SimulatedCard(
            in: folder.path, ["skew_ppm": .real(skew), "step_frames": 48, "jitter_us": 200, "wander_ppm": 2])
        let sound = noise(frames: 60000)
        let status = try await waiting { try Self.startAplay(card, sound, in: folder).wait() }
        #expect(status == 0)
        // aplay pads a raw file with up to a period of silence.
        let heard = try card.recording().bytes
        #expect(isHeard(heard, of: sound) && heard.count >= sound.count)
    }

    @Test("if the program is killed, the sound that was heard is on the disk", .enabled(if: hasAplay))
    func killed() throws {
        let folder = try Folder()
        let card = try SimulatedCard(in: folder.path)
        let sound = noise(frames: 480_000)
        let process = try Self.startAplay(card, sound, in: folder)
        defer { process.end() }
        try wait(for: "a quarter of a second on disk") { (try? card.recording().frameCount) ?? 0 >= 12000 }
        process.end()
        let recording = try card.recording()
        #expect(recording.frameCount >= 12000)
        #expect(isHeard(recording.bytes.prefix(recording.frameCount * 4), of: sound))
        #expect(recording.bytes.count >= recording.frameCount * 4)
    }

    @Test(
        "every format and any number of channels is recorded bit for bit",
        arguments: [
            SND_PCM_FORMAT_S16_LE, SND_PCM_FORMAT_S24_3LE, SND_PCM_FORMAT_S24_LE, SND_PCM_FORMAT_S32_LE,
            SND_PCM_FORMAT_FLOAT_LE,
        ])
    func formats(format: snd_pcm_format_t) throws {
        let folder = try Folder()
        let card = try SimulatedCard(in: folder.path, ["skew_ppm": 1000])
        var expected: [UInt8] = []
        for channels in [1, 2, 3, 8] {
            let player = try Player(card)
            try player.setUp(format, channels: channels, rate: 96000, period: 256, buffer: 1024)
            let sound = noise(frames: 5000, bytesPerFrame: player.bytesPerFrame)
            try player.adjust(stops: false)
            // Nothing is late: all samples are in the ring before the card moves.
            try player.write(sound.prefix(1000 * player.bytesPerFrame))
            try player.start()
            try player.drain()
            expected += sound.prefix(1000 * player.bytesPerFrame)
        }
        let recording = try card.recording()
        #expect(isHeard(recording.bytes, of: expected) && recording.frameCount == 4000)
        #expect(Set(recording.rows.map(\.channels)) == [1, 2, 3, 8])
        #expect(Set(recording.rows.map(\.format.rawValue)) == [UInt32(format.rawValue)])
    }

    @Test("samples are given by channel at full scale 1")
    func samples() throws {
        let folder = try Folder()
        let card = try SimulatedCard(in: folder.path)
        let player = try Player(card)
        try player.setUp(SND_PCM_FORMAT_S24_3LE, buffer: 4800)
        try player.write([0, 0, 0x40, 0, 0, 0xC0, 0xFF, 0xFF, 0x7F, 0, 0, 0x80])
        try player.start()
        try player.drain()
        let recording = try card.recording()
        let most: Float = 0x7FFFFF / 0x1p23
        #expect(recording.samples(channel: 0) == [0.5, most])
        #expect(recording.samples(channel: 1) == [-0.5, -1])
        #expect(recording.samples(channel: 2) == [0, 0])
    }

    @Test("a card accepts what its settings say and nothing else")
    func constraints() throws {
        let folder = try Folder()
        let card = try SimulatedCard(
            in: folder.path,
            [
                "rate": [44100, 48000], "format": "S16_LE", "channels": 2, "period_min": 128, "period_max": 512,
                "buffer_min": 512, "buffer_max": 2048, "periods_max": 8,
            ])
        let player = try Player(card)
        #expect(throws: ALSAError.self) { try player.setUp(SND_PCM_FORMAT_S32_LE) }
        #expect(throws: ALSAError.self) { try player.setUp(channels: 1) }
        #expect(throws: ALSAError.self) { try player.setUp(rate: 96000) }
        try player.setUp(rate: 44100, period: 16, buffer: 100_000)
        #expect(player.periodFrames == 128)
        #expect(player.bufferFrames == 1024)
        try player.setUp(period: 100_000, buffer: 100_000)
        #expect(player.periodFrames == 512)
        #expect(player.bufferFrames == 2048)
    }

    @Test("an unknown key or an impossible value is refused")
    func mistakes() throws {
        let folder = try Folder()
        // Without this call, alsa-lib would print its errors.
        snd_lib_error_set_local { _, _, _, _, _, _ in }
        for (key, value): (String, SimulatedCard.Value) in [("skwe_ppm", 1), ("skew_ppm", "much"), ("step_frames", 0)] {
            let card = try SimulatedCard(in: folder.path, name: key, [key: value])
            #expect(throws: ALSAError(code: -EINVAL)) { try Player(card) }
        }
    }
}
