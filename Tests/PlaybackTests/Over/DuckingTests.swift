import Playback
import Scores
import Shared
import Testing
import Timing

@Suite("Ducking")
struct DuckingTests {
    private static let rate = 1000

    /// The gains of a minute with cues at these frames, asked for in blocks.
    private func gains(_ cues: [Range<Int64>], blockFrames: Int = 777) -> [Float] {
        var ducking = Ducking(rate: Self.rate, clicks: [:])
        var gains: [Float] = []
        var rest = cues[...]
        while gains.count < 60_000 {
            let first = Int64(gains.count)
            let next = first + Int64(blockFrames)
            while let cue = rest.first, cue.lowerBound < next + ducking.lookahead {
                ducking.duck(cue)
                rest = rest.dropFirst()
            }
            ducking.forget(before: first)
            gains += ducking.gains(from: first, count: blockFrames)
        }
        return gains
    }

    @Test("music is at its lowest under every cue, untouched far from all, and never jumps", arguments: 1...20)
    func law(seed: UInt64) {
        var random = Seeded(state: seed)
        let cues = (0..<12).map { _ in Int64.random(in: 0..<58_000, using: &random) }.sorted().map { begin in
            begin..<(begin + Int64.random(in: 1...1500, using: &random))
        }
        let gains = gains(cues)
        for cue in cues {
            for frame in cue where frame < 60_000 { #expect(gains[Int(frame)] == Ducking.lowest) }
        }
        // 12 dB over 0.3 s along a raised cosine: at most 0.063 dB per ms.
        for (a, b) in zip(gains, gains.dropFirst()) { #expect(max(a, b) / min(a, b) < 1.0074) }
        for frame in stride(from: 0, to: 60_000, by: 10) {
            let isFar = cues.allSatisfy { Int64(frame) < $0.lowerBound - 1500 || Int64(frame) > $0.upperBound + 1500 }
            if isFar { #expect(gains[frame] == 1) }
        }
    }

    @Test("the gains do not depend on the size of the blocks", arguments: [1, 64, 5000])
    func blocks(size: Int) {
        let cues: [Range<Int64>] = [3000..<3100, 4000..<4100, 5000..<5400, 9000..<9001, 10_900..<11_000]
        #expect(gains(cues, blockFrames: size).prefix(60_000).elementsEqual(gains(cues).prefix(60_000)))
    }

    @Test("music stays soft between the ticks of a countdown, and rises between cues that are far apart")
    func hold() {
        let gains = gains([3000..<3050, 4000..<4050, 5000..<5050, 9000..<9050])
        #expect(gains[2999..<5050].dropFirst().allSatisfy { $0 == Ducking.lowest })
        #expect(gains[5650...8700].allSatisfy { $0 == 1 })
    }

    @Test("beats, steps, the drone and silent cues do not change the music") func others() {
        var ducking = Ducking(rate: Self.rate, clicks: [:])
        let position = FramePosition(frame: 1000)
        for sound in [ClickSound.beat, .accent, .subdivision] {
            ducking.push(Event(position, .click(sound, amplitude: 1)))
        }
        ducking.push(Event(position, .click(.run, amplitude: 0)))
        #expect(ducking.gains(from: 0, count: 5000).allSatisfy { $0 == 1 })
        ducking.push(Event(position, .click(.run, amplitude: 0.1)))
        #expect(ducking.gains(from: 1000, count: 220).allSatisfy { $0 == Ducking.lowest })
    }
}
