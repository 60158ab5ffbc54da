import CDrone
import Testing

@Suite("Places of tones")
struct TonePlaceTests {
    /// 32 tones have places. A steady note has one, and each of the others is crossfaded to the next every 50 frames:
    /// number 31 needs the place of another while all still sound. Of all of them, only `loud` can be heard (nil: the
    /// steady note). The result is its peak just before and just after that.
    private func peaks(loud: Int?) -> (before: Float, after: Float) {
        let engine = EngineUnderTest()
        var steady = tone(0, hertz: 3000, level: loud == nil ? 0.5 : 1e-7, ramp: 0)
        steady.tone.note = 1
        engine.push(steady)
        for number in 0...31 {
            var next = tone(
                Int64(50 * number), hertz: 3000 + Double(number), level: number == loud ? 0.5 : 1e-7,
                ramp: number == 0 ? 0 : 20_000)
            next.tone.crossfade = true
            engine.push(next)
        }
        let samples = engine.renderFloats(1650).map(abs)
        return (samples[1500..<1550].max() ?? 0, samples[1551..<1600].max() ?? 0)
    }

    @Test("a tone without a free place takes that of the tone that has faded most")
    func mostFaded() {
        let (before, after) = peaks(loud: 0)
        #expect(before > 0.05)
        #expect(after < 1e-5)
    }

    @Test("all other tones fade on, and a tone that does not fade keeps its place")
    func others() {
        #expect(peaks(loud: nil).after > 0.49)
        // Number 0 began at its full level, the others on their way to it.
        for number in 1..<30 {
            let (before, after) = peaks(loud: number)
            #expect(after > before / 2 && after > 1e-6, "\(number): \(before), \(after)")
        }
    }
}
