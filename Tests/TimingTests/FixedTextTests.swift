import Testing
import Timing

@Suite("Numbers with a fixed number of decimals")
struct FixedTextTests {
    @Test(
        "a plus sign is shown only before numbers that are above zero after rounding",
        arguments: [
            (0.0, "0.00"), (0.004, "0.00"), (0.005, "+0.01"), (1.5, "+1.50"), (-0.004, "0.00"), (-1.5, "-1.50"),
        ])
    func signed(number: Double, text: String) {
        #expect(number.fixed(2, signed: true) == text)
        #expect(number.fixed(2) == text.filter { $0 != "+" })
    }

    @Test(
        "a decimal is rounded to the requested digits, halves away from zero",
        arguments: [
            ("-0.75", 3, -750), ("1", 3, 1000), ("1", 0, 1), ("0.0005", 3, 1), ("0.00049", 3, 0), ("-0.0005", 3, -1),
            ("1.23456", 3, 1235), ("1.5", 0, 2), ("1.49", 0, 1), ("-0", 3, 0), ("007.10", 1, 71),
            ("999999999999999999.999999999", 9, 999_999_999_999_999_999_999_999_999),
        ] as [(String, Int, Int128)])
    func read(text: String, decimals: Int, units: Int128) {
        #expect(FixedText.units(text, decimals: decimals) == units)
    }

    @Test(
        "a text that is not a decimal, or has more than 18 digits before its point, is refused",
        arguments: [
            "", "-", ".", "-.", "1.", ".5", "--1", "+1", "1.5x", "1.x", "x", "1 ", " 1", "1.2.3", "1,5", "/", ":", "1/",
            "1.:",
            "1000000000000000000",
        ])
    func refused(text: String) {
        #expect(FixedText.units(text, decimals: 3) == nil)
    }

    @Test("a number beyond 10^18 is shown as 10^18, and NaN as a dash")
    func bounds() {
        #expect(Double.nan.fixed(2) == "-")
        #expect(
            Double.infinity.fixed(0) == "1000000000000000000"
                && (-Double.infinity).fixed(0, signed: true) == "-1000000000000000000")
        #expect(1e17.fixed(0) == "100000000000000000" && 0.5.fixed(0) == "1" && (-2.5).fixed(0) == "-3")
        #expect(FixedText.text(-5, decimals: 3) == "-0.005" && FixedText.text(0, decimals: 0) == "0")
    }
}
