internal import Serving
internal import Testing

/// The secrets in the addresses of pages.
@Suite struct PageTokenTests {
    @Test("each secret has 128 random bits")
    func size() {
        let all = (0..<200).map { _ in PageToken().text }
        #expect(Set(all).count == 200)
        for text in all { #expect(text.count == 32 && text.allSatisfy { $0.isHexDigit && !$0.isUppercase }) }
        for place in 0..<32 {
            let digits = Set(all.map { Array($0)[place] })
            #expect(digits.count > 8, "digit \(place) hardly changes: \(digits)")
        }
    }

    @Test("only the whole secret matches")
    func matching() {
        let token = PageToken()
        #expect(token.matches(token.text))
        let text = token.text
        let last: Character = text.last == "0" ? "1" : "0"
        let changed = String(text.dropLast()) + String(last)
        for guess in ["", String(text.dropLast()), text + "0", text + text, text + " ", changed] {
            #expect(!token.matches(guess))
        }
        #expect(!token.matches(PageToken().text))
    }
}
