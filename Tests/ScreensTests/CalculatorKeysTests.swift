import Running
import Screens
import Testing

struct CalculatorKeysTests {
    @Test(
        "keys are recognized however their sequences are split",
        arguments: [
            ("\u{1B}[A", [CalculatorKey.up]), ("\u{1B}OB", [.down]), ("\u{1B}[1;2A", [.shiftUp]),
            ("\u{1B}[3~", [.delete]),
            ("\t\r\u{7F}", [.tab, .enter, .backspace]), ("\u{1B}[Z", [.backTab]),
            ("a é日", "a é日".map { .character($0) }),
            ("\u{1B}\u{1B}[C", [.escape, .right]), ("\u{1B}x", [.character("x")]),
            ("ab\u{15}", [.character("a"), .character("b"), .clear]), ("\u{1B}[5~", []),
            ("\u{1B}[15~q", [.character("q")]), ("\u{1B}[[Aq", [.character("q")]),
        ])
    func read(bytes: String, expected: [CalculatorKey]) {
        var whole = Keys()
        let atOnce = whole.typed(for: Array(bytes.utf8)).compactMap { CalculatorKey($0) }
        #expect(atOnce == expected)
        var cut = Keys()
        let byteByByte = bytes.utf8.flatMap { cut.typed(for: [$0]) }.compactMap { CalculatorKey($0) }
        #expect(byteByByte == expected)
    }
}
