import CDrone
import Foundation
import Testing

@Suite("Mix")
struct MixTests {
    @Test("the limiter does not change sound below full scale")
    func untouched() {
        let (loud, soft) = (EngineUnderTest(), EngineUnderTest())
        for (engine, level) in [(loud, 1.0), (soft, 0.25)] {
            engine.push(tone(0, hertz: 997, level: level * 0.4, DRONE_SAWTOOTH, ramp: 0))
            engine.push(click(1000, 0.3, level: level * 0.5))
        }
        let (a, b) = (loud.renderFloats(20_000), soft.renderFloats(20_000))
        for (x, y) in zip(a, b) { #expect(abs(x - 4 * y) < 1e-6) }
    }

    @Test(
        "the sum never exceeds full scale, and the limiter does not flatten peaks", arguments: [DRONE_F32, DRONE_S16])
    func limits(format: drone_format) {
        let engine = EngineUnderTest(channels: 2, format: format)
        engine.push(tone(0, hertz: 100, level: 0.9, ramp: 0))
        for i in 0..<8 { engine.push(click(5000 + Int64(i) * 37, 0.5, DRONE_SOUND_BAR, level: 1)) }
        let samples =
            format == DRONE_F32
            ? engine.renderFloats(40_000).map(Double.init)
            : engine.render16(40_000).map { Double($0) / 32768 }
        #expect(samples.allSatisfy { abs($0) <= 1 })
        // Clipping would leave runs of samples at full scale.
        let top = samples.max()!
        var longest = 0
        var row = 0
        for sample in stride(from: 0, to: samples.count, by: 2).map({ samples[$0] }) {
            row = abs(sample) > top - 1e-4 ? row + 1 : 0
            longest = max(longest, row)
        }
        #expect(longest < 6)
        // Half a second later, the sound is as before.
        let alone = EngineUnderTest(channels: 2, format: format)
        alone.push(tone(0, hertz: 100, level: 0.9, ramp: 0))
        let late = engine.renderFloats(format == DRONE_F32 ? 24_000 : 0).suffix(2000)
        _ = alone.renderFloats(format == DRONE_F32 ? 40_000 : 0)
        for (x, y) in zip(late, alone.renderFloats(format == DRONE_F32 ? 24_000 : 0).suffix(2000)) {
            #expect(abs(x - y) < 1e-3)
        }
    }

    @Test(
        "if too many clicks sound, the oldest is dropped, and counted if it has sounded for less than 1 ms",
        arguments: [(47, 1), (48, 0)])
    func dropped(later: Int64, count: UInt64) {
        let engine = EngineUnderTest()
        engine.push(click(1000, level: 0.001))
        for _ in 0..<128 { engine.push(click(1000 + later, level: 0.001)) }
        let samples = engine.renderFloats(1100)
        #expect(engine.counters.clicks == 129 && engine.counters.dropped == count)
        // What is left sounds as if the oldest had never been.
        let others = EngineUnderTest()
        for _ in 0..<128 { others.push(click(1000 + later, level: 0.001)) }
        let rest = others.renderFloats(1100)
        #expect(Array(samples.suffix(50)) == Array(rest.suffix(50)))
    }

    @Test("after the last peak, the limiter recovers no faster than its release time, and completely in the end")
    func release() {
        func click(_ engine: EngineUnderTest, _ level: Double) {
            engine.push(tone(0, hertz: 100, level: 0.8 * level, ramp: 0))
            engine.push(CDroneTests.click(5000, 0.5, level: level))
        }
        // Two tones of a pitch whose peaks lie on frames and are all equal: one of them ends right after a peak.
        func tones(_ engine: EngineUnderTest, _ level: Double) {
            engine.push(tone(0, hertz: 750, level: 0.8 * level, ramp: 0))
            var other = tone(0, hertz: 750, level: 0.8 * level, ramp: 0)
            other.tone.note = 1
            engine.push(other)
            (other.frame, other.level) = (16 + 32 * 100 + 1, 0)
            engine.push(other)
        }
        for score in [click, tones] {
            let (limited, soft) = (EngineUnderTest(), EngineUnderTest())
            score(limited, 1)
            score(soft, 0.25)
            let (a, b) = (limited.renderFloats(96_000), soft.renderFloats(96_000))
            // The gain, where the sound is loud enough to measure it.
            let gains = zip(a, b).map { x, y in abs(4 * y) > 0.2 ? Double(x) / (4 * Double(y)) : nil }
            #expect(gains.compactMap(\.self).min().map { $0 < 0.8 } == true)
            let step = 1 - exp(-1 / (0.080 * 48_000))
            for (before, after) in zip(gains, gains.dropFirst()) {
                guard let before, let after else { continue }
                #expect(after - before < (1 - before) * step + 2e-6)
            }
            #expect(gains.suffix(1000).compactMap(\.self).allSatisfy { abs($0 - 1) < 2e-6 })
        }
    }

    @Test("loud clicks of one voice do not change the sound of channels that do not carry them")
    func limitedApart() {
        // The drone is on all channels, voice 1 on the first and third, voice 2 on the others.
        func channels(isLoud: Bool) -> [[Float]] {
            let engine = EngineUnderTest(channels: 4, rewind: 4800, voices: [0, 0b0101, 0b1010])
            engine.push(tone(0, hertz: 100, level: 0.8, ramp: 0))
            for frame: Int64 in [3000, 3010, 3020] {
                if isLoud { engine.push(click(frame, level: 1, voice: 1)) }
                engine.push(click(frame, level: 0.1, voice: 2))
            }
            var samples = engine.renderFloats(4000)
            // Checkpoints know each limiter.
            #expect(drone_seek(engine.handle, 3100) == DRONE_OK)
            samples = samples.prefix(3100 * 4) + engine.renderFloats(20_000)
            return (0..<4).map { c in stride(from: c, to: samples.count, by: 4).map { samples[$0] } }
        }
        let (loud, soft) = (channels(isLoud: true), channels(isLoud: false))
        for channel in [1, 3] {
            let isSame = loud[channel] == soft[channel]
            #expect(isSame)
        }
        let isLimited = loud[0] != soft[0] && loud[2] != soft[2]
        #expect(isLimited)
        #expect(loud.joined().allSatisfy { abs($0) <= 1 })
    }

    @Test("channels with the clicks of the same voices are limited together, so that a stereo image does not move")
    func limitedTogether() {
        // Voice 1 is on the second and fourth channel.
        func channels(_ level: Double) -> [[Float]] {
            let engine = EngineUnderTest(channels: 4, voices: [0, 0b1010])
            var event = tone(0, hertz: 100, level: 0.9 * level, ramp: 0)
            event.tone.pan = -0.5
            engine.push(event)
            engine.push(click(5000, level: level))
            for frame: Int64 in [5010, 5020] { engine.push(click(frame, level: level, voice: 1)) }
            let samples = engine.renderFloats(12_000)
            return (0..<4).map { c in stride(from: c, to: samples.count, by: 4).map { samples[$0] } }
        }
        let (limited, soft) = (channels(1), channels(0.1))
        for (first, second) in [(0, 2), (1, 3)] {
            func gain(_ channel: Int, _ frame: Int) -> Float? {
                abs(soft[channel][frame]) > 0.01 ? limited[channel][frame] / (10 * soft[channel][frame]) : nil
            }
            var least: Float = 1
            for frame in 0..<12_000 {
                guard let a = gain(first, frame), let b = gain(second, frame) else { continue }
                #expect(abs(a - b) < 1e-5)
                least = min(least, a)
            }
            #expect(least < 0.95)
        }
    }

    @Test("limited sound is the same in any blocks and after any rewind", arguments: [UInt64(1), 2])
    func limitedSeeks(seed: UInt64) {
        let frames = 40_000
        func loud(rewind: UInt32) -> EngineUnderTest {
            let engine = EngineUnderTest(format: DRONE_S16, rewind: rewind)
            var events = randomEvents(seed, frames: Int64(frames), count: 300)
            for i in events.indices { events[i].level = min(events[i].level * 3, 1) }
            for event in events { engine.push(event) }
            return engine
        }
        let wanted = loud(rewind: 0).render16(frames)
        let engine = loud(rewind: 48_000)
        var random = Seeded(state: seed)
        var got = [Int16](repeating: 0, count: frames)
        var at = 0
        for _ in 0..<60 where at < frames {
            let size = min(Int.random(in: 1...3000, using: &random), frames - at)
            got.replaceSubrange(at..<at + size, with: engine.render16(size))
            at += size
            let back = Int.random(in: 0...min(at, 1500), using: &random)
            #expect(drone_seek(engine.handle, Int64(at - back)) == DRONE_OK)
            at -= back
        }
        got.replaceSubrange(at..<frames, with: engine.render16(frames - at))
        let isSame = got == wanted
        #expect(isSame)
    }

    @Test("an event within the millisecond that the limiter looks ahead still takes effect on its frame")
    func withinTheLookAhead() {
        let (engine, early) = (EngineUnderTest(format: DRONE_S16), EngineUnderTest(format: DRONE_S16))
        let sounds = [tone(0, level: 0.3), click(4820, 0.4), tone(4840, hertz: 300, level: 0.2)]
        for event in sounds { early.push(event) }
        engine.push(sounds[0])
        var samples = engine.render16(4810)
        engine.push(sounds[1])
        samples += engine.render16(20)
        engine.push(sounds[2])
        samples += engine.render16(5000)
        let isSame = samples == early.render16(9830)
        #expect(isSame)
        #expect(engine.counters.clicks == 1)
    }

    @Test("the clicks of each voice go to its own channels, and those of voice 0 to the channels of all clicks")
    func voices() {
        // Voice 1 has channel 3; voice 2 has channels 0 and 1; voice 3 has none of its own.
        let engine = EngineUnderTest(channels: 4, clicks: 0b0110, drone: 0b1000, voices: [0b1000, 0b1000, 0b0011, 0])
        for (voice, channels) in [(UInt32(0), [1, 2]), (1, [3]), (2, [0, 1]), (3, [1, 2])] {
            engine.push(click(Int64(voice) * 4800, voice: voice))
            let samples = engine.renderFloats(4800)
            for channel in 0..<4 {
                let peak = stride(from: channel, to: samples.count, by: 4).map { abs(samples[$0]) }.max() ?? 0
                #expect((peak > 0.1) == channels.contains(channel), "voice \(voice), channel \(channel)")
            }
        }
        #expect(engine.push(click(48_000, voice: UInt32(DRONE_VOICES))) == DRONE_ERR_ARGUMENT)
    }

    @Test("a voice on a channel that does not exist is refused")
    func noSuchChannel() {
        var config = drone_config(
            rate: 48_000, channels: 2, format: DRONE_S16, first_frame: 0, rewind_frames: 0, click_channels: 0,
            drone_channels: 0)
        config.voice_channels.5 = 0b100
        var error: Int32 = 0
        #expect(drone_engine_create(&config, &error) == nil)
        #expect(Int(error) == DRONE_ERR_ARGUMENT)
    }

    @Test("clicks and drone go to their own channels, and to no others")
    func channels() {
        let engine = EngineUnderTest(channels: 4, clicks: 0b0001, drone: 0b0110)
        var left = tone(0, hertz: 440, level: 0.2, ramp: 0)
        left.tone.pan = -1
        engine.push(left)
        engine.push(click(2000, level: 0.5))
        let samples = engine.renderFloats(4000)
        func channel(_ n: Int) -> [Float] { stride(from: n, to: samples.count, by: 4).map { samples[$0] } }
        let alone = EngineUnderTest()
        alone.push(click(2000, level: 0.5))
        #expect(channel(0) == alone.renderFloats(4000))
        #expect(channel(1).map(abs).max()! > 0.199)
        #expect(channel(2).allSatisfy { abs($0) < 1e-9 })
        #expect(channel(3).allSatisfy { $0 == 0 })
    }

    @Test("a panned note has its level on its side, and its full level on a single channel")
    func pan() {
        var event = tone(0, hertz: 1000, level: 0.4, ramp: 0)
        event.tone.pan = 0.5
        for (channels, wanted) in [(UInt32(1), [0.4]), (2, [0.4 * cos(.pi / 4), 0.4])] {
            let engine = EngineUnderTest(channels: channels)
            engine.push(event)
            let samples = engine.renderFloats(4800)
            for (n, level) in wanted.enumerated() {
                let peak = stride(from: n, to: samples.count, by: Int(channels)).map { abs(samples[$0]) }.max()!
                #expect(abs(Double(peak) - level) < 1e-4)
            }
        }
    }

    @Test("a sample plays unchanged, from its frame on")
    func sample() {
        let engine = EngineUnderTest(rewind: 9600)
        let points = (0..<1000).map { Float(sin(Double($0) * 0.1)) * 0.5 }
        let number = drone_sample_add(engine.handle, points, 1000, 1)
        #expect(number > 0)
        engine.push(play(number, 300))
        let samples = engine.renderFloats(2000)
        #expect(samples[..<300].allSatisfy { $0 == 0 })
        #expect(Array(samples[300..<1300]) == points)
        #expect(samples[1300...].allSatisfy { $0 == 0 })
        #expect(drone_seek(engine.handle, 777) == DRONE_OK)
        #expect(engine.renderFloats(1223) == Array(samples[777...]))
    }

    @Test("an oversampled sample can begin between two frames")
    func oversampledSample() {
        let engine = EngineUnderTest()
        let points = (0..<8000).map { (n: Int) -> Float in
            let x = Double(n)
            return Float(sin(x * 0.01) * min(x / 400, 1))
        }
        let number = drone_sample_add(engine.handle, points, 1000, 8)
        engine.push(play(number, 100, 0.25))
        let samples = engine.renderFloats(400)
        for n in 150..<300 {
            let t = (Double(n - 100) - 0.25) * 8
            let right: Double = sin(t * 0.01) * min(t / 400, 1)
            #expect(abs(Double(samples[n]) - right) < 1e-4)
        }
    }

    @Test("a released sample is refused in new events; queued ones still sound, after a rewind too")
    func released() {
        let engine = EngineUnderTest(rewind: 9600)
        let points = [Float](repeating: 0.25, count: 480)
        let number = drone_sample_add(engine.handle, points, 480, 1)
        engine.push(play(number, 100))
        drone_sample_release(engine.handle, number)
        #expect(engine.push(play(number, 200)) == DRONE_ERR_ARGUMENT)
        let samples = engine.renderFloats(5000)
        #expect(samples[200] == 0.25)
        #expect(drone_seek(engine.handle, 150) == DRONE_OK)
        #expect(engine.renderFloats(100)[0] == 0.25)
        _ = engine.renderFloats(100_000)
        #expect(drone_sample_count(engine.handle) == 1)
        // Now its memory is freed, because no event refers to it.
        drone_sample_release(engine.handle, number)
        #expect(drone_sample_count(engine.handle) == 0)
        #expect(engine.renderFloats(100).allSatisfy { $0 == 0 })
    }

    @Test("samples outside their range are refused")
    func badSamples() {
        let engine = EngineUnderTest()
        let points = [Float](repeating: 0, count: 64)
        #expect(drone_sample_add(engine.handle, points, 0, 1) == 0)
        #expect(drone_sample_add(engine.handle, points, 1, 65) == 0)
        #expect(drone_sample_add(engine.handle, points, 60 * 48_000 + 1, 1) == 0)
        #expect(engine.push(play(77, 0)) == DRONE_ERR_ARGUMENT)
        #expect(engine.push(play(0, 0)) == DRONE_ERR_ARGUMENT)
    }

    private func play(_ sample: UInt32, _ frame: Int64, _ fraction: Double = 0) -> drone_event {
        drone_event_sample(frame, 1, .init(fraction: fraction, sample: sample, voice: 0))
    }
}
