import CDrone
import Testing

@Suite("Render")
struct RenderTests {
    static let frames = 96_000

    static func whole(
        _ seed: UInt64, format: drone_format, channels: UInt32 = 1, block: (inout Seeded) -> Int
    ) -> [UInt8] {
        let engine = EngineUnderTest(channels: channels, format: format)
        for event in randomEvents(seed, frames: Int64(frames), count: 300) { #expect(engine.push(event) == DRONE_OK) }
        var random = Seeded(state: seed ^ 0xB10C)
        var bytes: [UInt8] = []
        var left = frames
        while left > 0 {
            let size = min(max(block(&random), 1), left)
            bytes += engine.render(size)
            left -= size
        }
        return bytes
    }

    @Test(
        "any block size gives the same samples",
        arguments: [DRONE_S16, DRONE_S24_3, DRONE_S24, DRONE_S32, DRONE_F32])
    func blocks(format: drone_format) {
        let reference = Self.whole(1, format: format) { _ in Self.frames }
        for size in [64, 441, 1024, 48000] { #expect(Self.whole(1, format: format) { _ in size } == reference) }
        #expect(Self.whole(1, format: format) { .random(in: 1...700, using: &$0) } == reference)
    }

    @Test("blocks of a single frame give the same samples")
    func singleFrames() {
        #expect(Self.whole(2, format: DRONE_S16) { _ in 1 } == Self.whole(2, format: DRONE_S16) { _ in Self.frames })
    }

    @Test("rendering twice gives the same samples")
    func twice() {
        let first = Self.whole(3, format: DRONE_S16, channels: 2) { _ in 4096 }
        #expect(first == Self.whole(3, format: DRONE_S16, channels: 2) { _ in 4096 })
        #expect(first.contains { $0 != 0 })
    }

    @Test("an engine that starts before frame 0 gives the same samples from frame 0 on")
    func negativeStart() {
        let events = randomEvents(4, frames: 20_000, count: 60)
        let (late, early) = (EngineUnderTest(format: DRONE_S16), EngineUnderTest(format: DRONE_S16, first: -4801))
        for event in events {
            #expect(late.push(event) == DRONE_OK)
            #expect(early.push(event) == DRONE_OK)
        }
        #expect(early.render16(4801).allSatisfy { $0 == 0 })
        #expect(early.render16(20_000) == late.render16(20_000))
    }

    @Test("every channel carries the same sound, with different dither")
    func channels() {
        let engine = EngineUnderTest(channels: 3, format: DRONE_S16)
        engine.push(tone(0, level: 0.1, ramp: 0))
        let samples = engine.render16(4800)
        var differing = 0
        for frame in 0..<4800 {
            let (a, b, c) = (samples[frame * 3], samples[frame * 3 + 1], samples[frame * 3 + 2])
            #expect(abs(Int(a) - Int(b)) <= 2 && abs(Int(a) - Int(c)) <= 2)
            if a != b || a != c { differing += 1 }
        }
        #expect(differing > 1000)
    }

    @Test("silence has no dither")
    func silence() {
        let engine = EngineUnderTest(channels: 2, format: DRONE_S16)
        #expect(engine.render16(10_000).allSatisfy { $0 == 0 })
        engine.push(tone(10_000, level: 0.1, ramp: 100))
        engine.push(tone(20_000, level: 0, ramp: 100))
        #expect(engine.render16(10_000).contains { $0 != 0 })
        _ = engine.render16(100)
        #expect(engine.render16(10_000).allSatisfy { $0 == 0 })
    }

    @Test("dither is triangular: with rounding, no bias, a variance of a quarter LSB², and at most 1.5 LSB")
    func dither() {
        let engine = EngineUnderTest(format: DRONE_S16)
        let exact = EngineUnderTest(format: DRONE_F32)
        for e in [engine, exact] { e.push(tone(0, hertz: 997, level: 0.3, ramp: 0)) }
        let n = 200_000
        let (rounded, wanted) = (engine.render16(n), exact.renderFloats(n))
        let errors = zip(rounded, wanted).map { Double($0) - Double($1) * 32768 }
        let mean = errors.reduce(0, +) / Double(n)
        let variance = errors.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(n)
        #expect(abs(mean) < 0.01)
        #expect(abs(variance - 0.25) < 0.01)
        #expect(errors.allSatisfy { abs($0) < 1.51 })
    }

    @Test(
        "the same score gives the same samples on every machine and in every version, including dither",
        arguments: [
            (0, [0, 0, 4, 3, 6, 6, 10, 10, 13, 13, 15, 15, 19, 18, 21, 21, 22, 22, 25, 25, 28, 27, 28, 30]),
            (4096, [0, 0, 3, 4, 6, 6, 9, 10, 13, 13, 16, 16, 18, 18, 21, 20, 23, 23, 26, 24, 27, 27, 28, 29]),
            (5 << 32, [1, 1, 3, 4, 6, 6, 10, 10, 12, 12, 15, 16, 19, 18, 21, 20, 23, 23, 25, 25, 27, 27, 29, 29]),
        ] as [(Int64, [Int16])])
    func forAllTime(first: Int64, samples: [Int16]) {
        let engine = EngineUnderTest(channels: 2, format: DRONE_S16, first: first)
        engine.push(tone(first, hertz: 750, level: 0.001, ramp: 0))
        #expect(engine.render16(12) == samples)
    }

    @Test("full scale is clamped, never wrapped", arguments: [DRONE_S16, DRONE_S24_3, DRONE_S32])
    func clamp(format: drone_format) {
        let engine = EngineUnderTest(format: format)
        engine.push(tone(0, hertz: 1000, level: 1, ramp: 0))
        engine.push(click(0, 0, level: 1))
        engine.push(click(0, 0.1, level: 1))
        let bytes = engine.render(480)
        let size = engine.bytesPerFrame
        var previous = 0.0
        for frame in 0..<480 {
            var value: Int32 = 0
            for byte in 0..<size { value |= Int32(bytes[frame * size + byte]) << Int32(8 * byte + 32 - 8 * size) }
            let sample = Double(value) / 2_147_483_648
            // A wrap would be a step of nearly 2.
            #expect(abs(sample - previous) < 1.2)
            previous = sample
        }
    }
}
