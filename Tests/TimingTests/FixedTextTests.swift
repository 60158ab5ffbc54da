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
}
