import Running
import Scores
import Testing

struct RoundingTests {
    @Test(
        "a time is rounded to its last decimal, halves away from zero",
        arguments: [
            (90.5, 1, "1:30.5"), (90.54, 1, "1:30.5"), (90.55, 1, "1:30.6"), (90.05, 2, "1:30.05"), (90.5, 0, "1:31"),
            (59.999, 1, "1:00.0"), (3600, 0, "1:00:00"),
        ])
    func clock(seconds: Double, decimals: Int, text: String) {
        #expect(Rounding.clock(seconds, decimals: decimals) == text)
    }

    @Test(
        "a number has at most the given decimals, and no trailing zeros",
        arguments: [(1.25, 1, "1.3"), (-1.25, 1, "-1.3"), (0.3, 1, "0.3"), (2, 3, "2"), (0.04, 1, "0"), (10, 0, "10")])
    func short(value: Double, decimals: Int, text: String) {
        #expect(Rounding.short(value, decimals: decimals) == text)
    }

    @Test(
        "the exact text of a distance has every digit, however short the distance is",
        arguments: [1.25e-10, 3.7e-8, 0.1])
    func exactDistance(meters: Double) {
        let text = Distance(meters: meters).exactText
        #expect(text.hasSuffix("m") && Double(text.dropLast()) == meters, "\(text)")
    }

    @Test(
        "the exact text of a pace has a tenth of a second where it needs one, and no more",
        arguments: ["5:00/km", "5:00.5/km"])
    func exactPace(text: String) throws {
        let seconds = try Duration(scoreText: String(text.dropLast(3)), as: .time)
        #expect(Pace(seconds, per: .kilometers).exactText == text)
    }
}
