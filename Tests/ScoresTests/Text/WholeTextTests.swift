import Scores
import Testing

/// Whole numbers in texts.
@Suite struct WholeTextTests {
    @Test("a whole number is read as Swift reads it, but with ASCII digits alone and a minus where it is allowed")
    func model() {
        let far = ["9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809"]
        let odd = [
            "", "-", "--1", "+1", " 1", "1 ", "1-", "-0", "007", "1_000", "１", "1é", "0x10", "18446744073709551617",
        ]
        for text in far + odd + (-30...30).map(String.init) {
            let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
            let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { (48...57).contains($0) }
            #expect(Int(wholeText: text, allowsMinus: true) == (isNumber ? Int(text) : nil), "\(text)")
            #expect(Int(wholeText: text) == (isNumber && !text.hasPrefix("-") ? Int(text) : nil), "\(text)")
            #expect(
                Int(wholeText: "x\(text)".dropFirst(), allowsMinus: true) == (isNumber ? Int(text) : nil), "\(text)")
        }
    }
}
