import Glibc
import Hearing
import Testing

/// The frames that a tuner shows.
@Suite("Frames that last")
struct LastingFramesTests {
    private static let rate = 48_000

    /// Half a second of silence, and then tones of 1.5 s with half a second after each, which end within 20 ms.
    private static func sound(_ tones: [Double]) -> [Float] {
        var random = SystemlessNoise(7)
        var samples = (0..<rate / 2).map { _ in 3e-4 * random.next() }
        for hertz in tones {
            for n in 0..<rate * 2 {
                let t = Double(n) / Double(rate)
                let swell = max(0, min(1, t / 0.008, (1.5 - t) / 0.02)) * exp(-1.2 * t)
                let partials = zip(1...6, [1, 0.5, 0.35, 0.2, 0.12, 0.08]).map {
                    $1 * sin(2 * .pi * hertz * Double($0) * t)
                }
                samples.append(3e-4 * random.next() + Float(0.2 * swell * partials.reduce(0, +)))
            }
        }
        return samples
    }

    @Test("no note seems to change while it ends")
    func ends() {
        let tones = [82.4069, 110, 130.8128, 196, 220, 440, 880]
        var (tracker, lasting) = (PitchTracker(rate: Self.rate), LastingFrames())
        let frames = lasting.add(tracker.add(Self.sound(tones)))
        for (index, hertz) in tones.enumerated() {
            let (begin, end) = (0.5 + 2 * Double(index), 2.5 + 2 * Double(index))
            let errors = frames.filter { $0.seconds > begin + 0.3 && $0.seconds < end }
                .compactMap { $0.hertz.map { abs(1200 * log2($0 / hertz)) } }
            #expect(errors.count > 100 && errors.allSatisfy { $0 < 1 }, "\(hertz) Hz: \(errors.max() ?? 0)")
        }
    }
}
