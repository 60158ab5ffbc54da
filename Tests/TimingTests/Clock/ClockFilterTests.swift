import Testing
import Timing

@Suite("Clock filter")
struct ClockFilterTests {
    /// A filter that has seen a perfect card for two seconds.
    private static func settled() -> ClockFilter {
        var filter = ClockFilter(48_000, deviation: 0, uncertainty: 100e-6, noise: 10e-6)
        filter.anchor(at: ClockObservation(time: 0, frame: 0))
        for tenth in Int64(1)...20 {
            filter.observe(ClockObservation(time: tenth * 100_000_000, frame: tenth * 4800))
        }
        return filter
    }

    @Test("an observation without information leaves the uncertainty as it was predicted", arguments: 1...9)
    func foreseen(seconds: Int64) {
        var filter = Self.settled()
        let time = (2 + seconds) * 1_000_000_000
        let before = filter.variance(at: time)
        filter.observe(ClockObservation(time: time, frame: (2 + seconds) * 48_000, blur: 1e6))
        #expect(abs(filter.variance(at: time) / before - 1) < 1e-9)
    }

    @Test(
        "the threshold for a slip is 1.5 pointer steps plus 1.5 to 5 ms",
        arguments: [0, 2e-3, 10e-3, 40e-3])
    func surprise(blur: Double) {
        let slip = Self.settled().slip(ClockObservation(time: 3_000_000_000, frame: 144_000, blur: blur))
        #expect(slip >= 1.5 * blur + 1.5e-3 && slip <= 1.5 * blur + 5e-3)
    }

    @Test(
        "after a new anchor, the uncertainty is that of a first observation, and the same for earlier and later times",
        arguments: [0, 2e-3])
    func anchored(blur: Double) {
        var filter = Self.settled()
        let (known, deviation, time) = (filter.rateVariance, filter.deviation, Int64(9_000_000_000))
        filter.anchor(at: ClockObservation(time: time, frame: 777, blur: blur))
        #expect(filter.position(at: time) == FramePosition(frame: 777) && filter.anchored == time && filter.count == 1)
        let first = max(1e-3, blur)
        #expect(abs(filter.variance(at: time) / (first * first) - 1) < 1e-9)
        for seconds in [Int64(1), 60, 3600] {
            let (before, after) = (time - seconds * 1_000_000_000, time + seconds * 1_000_000_000)
            #expect(filter.variance(at: before) == filter.variance(at: after))
            #expect(filter.variance(at: after) > first * first + Double(seconds * seconds) * known)
        }
        // The knowledge of the rate is kept.
        #expect(filter.rateVariance == known && filter.deviation == deviation)
    }
}
