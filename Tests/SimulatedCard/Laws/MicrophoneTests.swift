import CALSA
import Foundation
import Glibc
import Shared
import SimulatedCardSupport
import Testing

/// The simulated microphone, which hears what a simulated card plays.
@Suite("The simulated microphone")
struct MicrophoneTests {
    /// Plays one frame of full scale at this frame on a card, and records meanwhile; returns what was recorded, and how many
    /// seconds after the start of the microphone the frame was at the converter.
    private func record(
        _ settings: [String: SimulatedCard.Value], card: [String: SimulatedCard.Value] = [:], at frame: Int = 20_000,
        rate: UInt32 = 48_000
    ) throws -> (samples: [Float], played: Double) {
        SimulatedCard.configureThisProcess()
        let folder = TemporaryFolder()
        let output = try SimulatedCard(
            in: folder.path, ["format": "FLOAT_LE", "channels": 1, "rate": 48000].merging(card) { _, given in given })
        let input = try output.microphone(in: folder.path, settings)
        let clock = SimulatedClock(now: 1_000_000_000)
        return try SimulatedCard.withClock(clock) {
            let playing = try handle(output.device, SND_PCM_STREAM_PLAYBACK, 48_000)
            defer { snd_pcm_close(playing) }
            let hearing = try handle(input, SND_PCM_STREAM_CAPTURE, rate)
            defer { snd_pcm_close(hearing) }
            var sound = [Float](repeating: 0, count: 48_000)
            sound[frame] = 1
            let started = clock.now
            try #require(snd_pcm_start(hearing) == 0)
            // A full buffer starts the card by itself.
            try #require(snd_pcm_writei(playing, sound, 48_000) == 48_000)
            if snd_pcm_state(playing) == SND_PCM_STATE_PREPARED { try #require(snd_pcm_start(playing) == 0) }
            var samples: [Float] = []
            var piece = [Float](repeating: 0, count: Int(rate))
            for _ in 0..<9 {
                clock.advance(by: 100_000_000)
                let count = snd_pcm_readi(hearing, &piece, UInt(rate))
                try #require(count > 0, "\(count)")
                samples += piece[..<count]
            }
            let recording = try output.recording()
            let time = try #require(recording.time(ofPlayedFrame: Double(frame)))
            return (samples, time - Double(started) * 1e-9)
        }
    }

    private func handle(_ device: String, _ stream: snd_pcm_stream_t, _ rate: UInt32) throws -> OpaquePointer {
        var pcm: OpaquePointer?
        try #require(snd_pcm_open(&pcm, device, stream, Int32(SND_PCM_NONBLOCK)) == 0)
        let handle = try #require(pcm)
        try #require(
            snd_pcm_set_params(
                handle, SND_PCM_FORMAT_FLOAT_LE, SND_PCM_ACCESS_RW_INTERLEAVED, 1, rate, 0, 1_000_000) == 0)
        return handle
    }

    /// Where the highest sample is, with its fraction.
    private func peak(_ samples: [Float]) -> (place: Double, height: Float) {
        guard let top = samples.indices.max(by: { abs(samples[$0]) < abs(samples[$1]) }), top > 0,
            top + 1 < samples.count
        else { return (0, 0) }
        let (a, b, c) = (Double(samples[top - 1]), Double(samples[top]), Double(samples[top + 1]))
        let bend = a - 2 * b + c
        return (Double(top) + (bend < 0 ? (a - c) / (2 * bend) : 0), samples[top])
    }

    @Test(
        "it hears each frame when that is at the converter and has come its way, by its own crystal",
        arguments: [(0.0, 0.0), (200, -200), (-200, 200)])
    func hears(ppm: (card: Double, microphone: Double)) throws {
        let (samples, played) = try record(
            ["skew_ppm": .real(ppm.microphone), "path_us": 4321, "path_db": -6], card: ["skew_ppm": .real(ppm.card)])
        let (place, height) = peak(samples)
        let expected = (played + 0.004321) * 48_000 * (1 + ppm.microphone * 1e-6)
        #expect(abs(place - expected) < 0.6, "\(place), \(expected)")
        #expect(height > 0.3 && height < 0.52)
    }

    @Test("it hears an echo by each further path, adds noise, is muted and clips")
    func more() throws {
        let echo = try record(["path_us": [3000, 23_000], "path_db": [-6, -12]]).samples
        let first = peak(echo)
        let second = peak(Array(echo[(Int(first.place) + 500)...]))
        #expect(abs(second.place + 500 - 0.02 * 48_000) < 2 && abs(second.height / first.height - 0.5) < 0.1)
        #expect(try record(["muted": true]).samples.allSatisfy { $0 == 0 })
        let noisy = try record(["noise_db": -40]).samples.prefix(9600)
        let power = noisy.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(noisy.count)
        #expect(abs(10 * log10(power) + 40) < 1)
        #expect(peak(try record(["gain_db": 40]).samples).height == 1)
    }

    @Test("it fails as asked: it runs over, and it goes away")
    func faults() throws {
        SimulatedCard.configureThisProcess()
        let folder = TemporaryFolder()
        let output = try SimulatedCard(in: folder.path, [:])
        let input = try output.microphone(in: folder.path, ["xrun_at": 150, "disconnect_at": 350])
        let clock = SimulatedClock(now: 1_000_000_000)
        try SimulatedCard.withClock(clock) {
            let hearing = try handle(input, SND_PCM_STREAM_CAPTURE, 48_000)
            defer { snd_pcm_close(hearing) }
            var piece = [Float](repeating: 0, count: 48_000)
            try #require(snd_pcm_start(hearing) == 0)
            clock.advance(by: 100_000_000)
            #expect(snd_pcm_readi(hearing, &piece, 48_000) == 4800)
            clock.advance(by: 100_000_000)
            #expect(snd_pcm_readi(hearing, &piece, 48_000) == -Int(EPIPE))
            #expect(snd_pcm_prepare(hearing) == 0 && snd_pcm_start(hearing) == 0)
            clock.advance(by: 100_000_000)
            #expect(snd_pcm_readi(hearing, &piece, 48_000) == 4800)
            clock.advance(by: 100_000_000)
            // The library has nothing to read, and says why at the next call.
            #expect(snd_pcm_readi(hearing, &piece, 48_000) == -Int(EAGAIN))
            #expect(snd_pcm_readi(hearing, &piece, 48_000) == -Int(ENODEV))
        }
    }
}
