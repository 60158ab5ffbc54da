import Hearing
import Shared
import Testing

/// The delay from an output to an input, on made recordings.
@Suite("Round trip")
struct RoundTripTests {
    /// A recording with three bursts, each of which arrives by several ways: seconds after it was played, and how loud.
    private func recording(
        _ ways: [(delay: Double, level: Float)], rate: Double = 48_000, noise: Float = 0.01, seed: UInt64 = 1
    ) -> (samples: [Float], bursts: [RoundTrip.Burst]) {
        var random = Seeded(state: seed)
        let sequence = RoundTrip.sequence
        let bursts = (0..<3).map { RoundTrip.Burst(frame: rate * (0.5 + 2.5 * Double($0))) }
        var samples = (0..<Int(rate * 8.5)).map { _ in noise == 0 ? 0 : Float.random(in: -noise...noise, using: &random)
        }
        for (burst, way) in bursts.flatMap({ burst in ways.map { (burst, $0) } }) {
            let first = Int((burst.frame + way.delay * rate).rounded())
            for (n, sample) in sequence.enumerated() where samples.indices.contains(first + n) {
                samples[first + n] += sample * way.level
            }
        }
        return (samples, bursts)
    }

    private func measure(_ made: (samples: [Float], bursts: [RoundTrip.Burst]), rate: Double = 48_000) throws
        -> RoundTrip
    {
        try RoundTrip(made.samples, rate: rate, pace: 1, bursts: made.bursts)
    }

    @Test("the sequence is as long as it can be, and like itself nowhere else")
    func sequence() {
        let sequence = RoundTrip.sequence
        #expect(sequence.count == 32_767 && abs(sequence.reduce(0, +)) == 1)
        for shift in [1, 2, 77, 16_000] {
            let sum = sequence.indices.reduce(Float(0)) { $0 + sequence[$1] * sequence[($1 + shift) % sequence.count] }
            #expect(sum == -1)
        }
    }

    @Test("a delay is found within a frame at any rate, also below the noise", arguments: [44_100.0, 48_000, 96_000])
    func found(rate: Double) throws {
        for (delay, level, noise) in [(0.0213, Float(0.5), Float(0.01)), (0.35, 0.02, 0.1), (-0.004, 0.1, 0)] {
            let found = try measure(recording([(delay, level)], rate: rate, noise: noise), rate: rate)
            #expect(abs(found.delay - delay) * rate <= 1 && found.spread * rate <= 1, "\(found)")
        }
    }

    @Test("a reflection that is much softer changes nothing, and an inverted input neither")
    func reflection() throws {
        let found = try measure(recording([(0.02, -0.2), (0.0312, 0.08)]))
        #expect(abs(found.delay - 0.02) * 48_000 <= 1)
    }

    @Test("silence, and noise without bursts, are refused")
    func nothing() {
        #expect(throws: RoundTrip.Fault.silent) { try measure(recording([], noise: 0)) }
        #expect(throws: RoundTrip.Fault.notHeard) { try measure(recording([], noise: 0.3)) }
        // Steady tones are louder than noise, and no burst either.
        var made = recording([], noise: 0.001)
        for index in made.samples.indices { made.samples[index] += index / 48 % 2 == 0 ? 0.5 : -0.5 }
        #expect(throws: RoundTrip.Fault.notHeard) { try measure(made) }
    }

    @Test("an echo, and two equal peaks, are refused", arguments: [Float(0.12), 0.2, 0.3])
    func echo(level: Float) {
        do {
            let found = try measure(recording([(0.02, 0.2), (0.06, level)]))
            Issue.record("\(found)")
        } catch {
            guard case .echo(let apart) = error as? RoundTrip.Fault else {
                Issue.record("\(error)")
                return
            }
            #expect(abs(apart - 0.04) < 0.0001)
        }
    }

    @Test("bursts that do not agree are refused: one of the peaks is wrong")
    func disagreement() {
        var (samples, bursts) = recording([(0.02, 0.2)])
        // The second burst is heard 12 ms later than the others, as when a stream was begun anew.
        bursts[1].frame -= 0.012 * 48_000
        do {
            let found = try RoundTrip(samples, rate: 48_000, pace: 1, bursts: bursts)
            Issue.record("\(found)")
        } catch {
            guard case .disagree(let apart) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(abs(apart - 0.012) < 0.0001)
        }
        samples = Array(samples.prefix(48_000 * 3))
        #expect(throws: RoundTrip.Fault.notHeard) { try measure((samples, bursts)) }
    }

    @Test(
        "a delay that moves as two crystals do is told with its spread; one that moves faster, or not evenly, is refused"
    )
    func drift() throws {
        let (samples, bursts) = recording([(0.02, 0.2)])
        func found(_ off: [Double]) throws -> RoundTrip {
            var moved = bursts
            for (index, off) in off.enumerated() { moved[index].frame -= off * 48_000 }
            return try RoundTrip(samples, rate: 48_000, pace: 1, bursts: moved)
        }
        let steps = (bursts[1].frame - bursts[0].frame) / 48_000 * 150e-6
        let drifting = try found([-steps, 0, steps])
        #expect(abs(drifting.delay - 0.02) < 2e-5 && abs(drifting.spread - 2 * steps) < 2e-5)
        for off in [[-2 * steps, 0, 2 * steps], [0.0006, 0, 0], [0, 0.0003, 0], [0, 0, -0.0006]] {
            #expect(throws: RoundTrip.Fault.self) { try found(off) }
        }
    }
}
