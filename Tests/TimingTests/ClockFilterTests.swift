import Testing

@testable import Timing

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

    @Test("an observation that tells nothing leaves a place as uncertain as it was foreseen to be", arguments: 1...9)
    func foreseen(seconds: Int64) {
        var filter = Self.settled()
        let time = (2 + seconds) * 1_000_000_000
        let before = filter.variance(at: time)
        filter.observe(ClockObservation(time: time, frame: (2 + seconds) * 48_000, blur: 1e6))
        #expect(abs(filter.variance(at: time) / before - 1) < 1e-9)
    }

    @Test(
        "an error within a step and a half of a pointer and 1.5 ms is no surprise, 5 ms beyond them is",
        arguments: [0, 2e-3, 10e-3, 40e-3])
    func surprise(blur: Double) {
        let slip = Self.settled().slip(ClockObservation(time: 3_000_000_000, frame: 144_000, blur: blur))
        #expect(slip >= 1.5 * blur + 1.5e-3 && slip <= 1.5 * blur + 5e-3)
    }
}
