internal import Testing

internal import Serving

/// The QR code of the page's address.
@Suite struct QRCodeTests {
    private let address = "http://192.168.178.23:8573/#0123456789abcdef0123456789abcdef"

    @Test("a code has the three finder patterns and the timing pattern of the standard")
    func patterns() throws {
        let code = try #require(QRCode(address))
        func isDark(_ x: Int, _ y: Int) -> Bool { code.isDark[y * code.width + x] }
        for (left, top) in [(0, 0), (code.width - 7, 0), (0, code.width - 7)] {
            for y in 0..<7 {
                for x in 0..<7 {
                    let ring = max(abs(x - 3), abs(y - 3))
                    #expect(isDark(left + x, top + y) == (ring != 2))
                }
            }
        }
        for n in 8..<code.width - 8 { #expect(isDark(n, 6) == (n % 2 == 0) && isDark(6, n) == (n % 2 == 0)) }
    }

    @Test("a code in text has a light margin, and a character for two modules")
    func text() throws {
        let code = try #require(QRCode(address))
        let rows = code.text(hasColor: false).split(separator: "\n")
        #expect(rows.count == (code.width + 5) / 2 && rows.allSatisfy { $0.count == code.width + 4 })
        #expect(rows[0].allSatisfy { $0 == "█" } && rows.allSatisfy { $0.hasPrefix("██") && $0.hasSuffix("██") })
        #expect(!code.text(hasColor: false).contains("\u{1B}") && code.text(hasColor: true).contains("\u{1B}[0m"))
    }

    @Test("a text that is too long for a code gives none")
    func limits() { #expect(QRCode(String(repeating: "x", count: 3000)) == nil) }
}
