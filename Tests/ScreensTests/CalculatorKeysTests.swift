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
            ("\u{1B}\u{1B}[C", [.escape, .right]), ("\u{1B}x", [.escape, .character("x")]),
            ("\u{1B}[15~q", [.character("q")]), ("\u{1B}[[Aq", [.character("q")]),
        ])
    func read(bytes: String, expected: [CalculatorKey]) {
        var whole = CalculatorKeys()
        let atOnce = whole.keys(for: Array(bytes.utf8))
        #expect(atOnce == expected)
        var cut = CalculatorKeys()
        let byteByByte = bytes.utf8.flatMap { cut.keys(for: [$0]) }
        #expect(byteByByte == expected)
    }

    @Test("Escape alone is a key once nothing follows")
    func escape() {
        var keys = CalculatorKeys()
        let found = [keys.keys(for: [0x1B]), keys.pause(), keys.pause()]
        #expect(found == [[], [.escape], []])
    }

    @Test("invalid bytes are ignored")
    func nonsense() {
        var keys = CalculatorKeys()
        for byte in UInt8.min...UInt8.max where byte != 0x1B { _ = keys.keys(for: [byte, byte]) }
        let last = keys.keys(for: Array("aaaa".utf8)).last
        #expect(last == .character("a"))
    }
}
