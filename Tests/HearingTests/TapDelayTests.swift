import Glibc
import Hearing
import Testing

/// How late keys are, on made recordings of hits.
@Suite("The delay of a key")
struct TapDelayTests {
    private static let rate = 48_000.0

    /// Hits at these times, each with the softer sound of the key that comes up 80 ms later, in noise.
    private static func recording(_ hits: [Double], level: Float = 0.2, noise: Float = 0.003, hum: Float = 0.02)
        -> [Float]
    {
        var random = SystemlessNoise(5)
        let seconds = (hits.last ?? 3) + 1
        var samples = [Float](repeating: 0, count: Int(seconds * rate))
        for n in samples.indices {
            let turns: Double = 50 * Double(n) / rate
            samples[n] = noise * random.next() + hum * Float(sin(2 * .pi * turns))
        }
        for (hit, size) in hits.flatMap({ [($0, level), ($0 + 0.08, level / 3)] }) {
            let first = Int(hit * rate)
            for n in 0..<Int(0.03 * rate) where first + n < samples.count {
                let decay: Double = exp(-Double(n) / rate / 0.004)
                samples[first + n] += size * random.next() * Float(decay)
            }
        }
        return samples
    }

    private static let hits = [2.5, 3.45, 4.4, 5.2, 6.15, 7.1, 7.9, 8.85, 9.8, 10.6]

    /// Delays about 23 ms, as a keyboard has them that is asked every 8 ms.
    private static func keys(_ hits: [Double]) -> [Double] {
        hits.enumerated().map { index, hit -> Double in
            let late = 0.023 + 0.002 * Double(index % 5 - 2)
            return (hit + late) * rate
        }
    }

    @Test("it is the median of all hits within 1 ms, with its spread, whatever hums", arguments: [Float(0), 0.1])
    func found(hum: Float) throws {
        let found = try TapDelay(Self.recording(Self.hits, hum: hum), rate: Self.rate, keys: Self.keys(Self.hits))
        #expect(abs(found.delay - 0.023) < 0.001 && found.delays.count == 10)
        #expect(abs(found.spread - 0.003) < 0.001)
        for (n, delay) in found.delays.enumerated() {
            let truth = 0.023 + 0.002 * Double(n % 5 - 2)
            #expect(abs(delay - truth) < 0.001)
        }
    }

    @Test("one hit in five may be too soft to be heard, and another sound beside them changes nothing")
    func some() throws {
        var hits = Self.hits
        hits.remove(at: 3)
        hits.append(6.7)
        let found = try TapDelay(Self.recording(hits.sorted()), rate: Self.rate, keys: Self.keys(Self.hits))
        #expect(abs(found.delay - 0.023) < 0.0015 && found.delays.count == 9)
    }

    @Test("silence, too few keys, and keys without a sound are refused")
    func nothing() {
        let keys = Self.keys(Self.hits)
        let silence = [Float](repeating: 0, count: 600_000)
        #expect(throws: TapDelay.Fault.silent) { try TapDelay(silence, rate: Self.rate, keys: keys) }
        #expect(throws: TapDelay.Fault.tooFew(4)) {
            try TapDelay(Self.recording(Self.hits), rate: Self.rate, keys: Array(keys.prefix(4)))
        }
        #expect(throws: TapDelay.Fault.notHeard(0, of: 10)) {
            try TapDelay(Self.recording(Self.hits, level: 0), rate: Self.rate, keys: keys)
        }
        var half = Self.recording(Self.hits)
        for n in Int(6.6 * Self.rate)..<half.count { half[n] /= 100 }
        #expect(throws: TapDelay.Fault.notHeard(5, of: 10)) { try TapDelay(half, rate: Self.rate, keys: keys) }
    }

    @Test("sounds that are none of the keys' are refused: as many others, or others alone")
    func others() {
        let keys = Self.keys(Self.hits)
        let more = (Self.hits + Self.hits.map { $0 + 0.45 }).sorted()
        do throws(TapDelay.Fault) {
            let found = try TapDelay(Self.recording(more), rate: Self.rate, keys: keys)
            Issue.record("\(found)")
        } catch {
            guard case .otherSounds(let count) = error else {
                Issue.record("\(error)")
                return
            }
            #expect((8...10).contains(count))
        }
        // Somebody knocks, but not with the keys: 0 to 190 ms before each of them.
        let knocks = Self.hits.enumerated().map { index, hit -> Double in
            let ahead = 0.19 * Double(index * 7 % 10) / 9
            return hit + 0.023 - ahead
        }
        do throws(TapDelay.Fault) {
            let found = try TapDelay(Self.recording(knocks), rate: Self.rate, keys: keys)
            Issue.record("\(found)")
        } catch {
            guard case .disagree(let spread) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(spread > 0.03)
        }
    }
}
