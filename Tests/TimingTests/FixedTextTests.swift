import Testing

@testable import Timing

@Suite("Numbers with a fixed count of decimals")
struct FixedTextTests {
    @Test(
        "a plus stands before what is above zero as it is shown, and nowhere else",
        arguments: [
            (0.0, "0.00"), (0.004, "0.00"), (0.005, "+0.01"), (1.5, "+1.50"), (-0.004, "0.00"), (-1.5, "-1.50"),
        ])
    func signed(number: Double, text: String) {
        #expect(number.fixed(2, signed: true) == text)
        #expect(number.fixed(2) == text.filter { $0 != "+" })
    }

    @Test(
        "a decimal is read to its last digit that counts, further ones are rounded, halves away from zero",
        arguments: [
            ("-0.75", 3, -750), ("1", 3, 1000), ("1", 0, 1), ("0.0005", 3, 1), ("0.00049", 3, 0), ("-0.0005", 3, -1),
            ("1.23456", 3, 1235), ("1.5", 0, 2), ("1.49", 0, 1), ("-0", 3, 0), ("007.10", 1, 71),
            ("999999999999999999.999999999", 9, 999_999_999_999_999_999_999_999_999),
        ] as [(String, Int, Int128)])
    func read(text: String, decimals: Int, units: Int128) {
        #expect(FixedText.units(Array(text.utf8).span, decimals: decimals) == units)
    }

    @Test(
        "what is no decimal, or has more than 18 digits before its point, is none",
        arguments: [
            "", "-", ".", "-.", "1.", ".5", "--1", "+1", "1.5x", "1.x", "x", "1 ", " 1", "1.2.3", "1,5", "/", ":", "1/",
            "1.:",
            "1000000000000000000",
        ])
    func refused(text: String) {
        #expect(FixedText.units(Array(text.utf8).span, decimals: 3) == nil)
    }

    @Test("beyond a million million millions a number is shown as that, and what is no number as a dash")
    func bounds() {
        #expect(Double.nan.fixed(2) == "-")
        #expect(
            Double.infinity.fixed(0) == "1000000000000000000"
                && (-Double.infinity).fixed(0, signed: true) == "-1000000000000000000")
        #expect(1e17.fixed(0) == "100000000000000000" && 0.5.fixed(0) == "1" && (-2.5).fixed(0) == "-3")
        #expect(FixedText.text(-5, decimals: 3) == "-0.005" && FixedText.text(0, decimals: 0) == "0")
    }
}
