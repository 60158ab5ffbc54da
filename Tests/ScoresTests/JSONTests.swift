import Scores
import Testing

@Suite("JSON")
struct JSONTests {
    @Test("a value is one line of RFC 8259, whatever its texts contain")
    func line() {
        let value = JSON.fields([
            ("nothing", .null), ("whole", .whole(.min)), ("time", .time(.milliseconds(-2700), decimals: 9)),
            ("\"", .text("a\"b\\c\n\t\r\u{0}\u{1f} é 𝄞")), ("list", .list([.bool(true), .fields([]), .list([])])),
            ("object", .object(["from": "1", "to": .object([:])])),
        ])
        let expected =
            #"{"nothing": null, "whole": -9223372036854775808, "time": -2.700000000, "#
            + #""\"": "a\"b\\c\n\t\u000d\u0000\u001f é 𝄞", "list": [true, {}, []], "#
            + #""object": {"from": "1", "to": {}}}"#
        #expect(value.line == expected)
    }
}
