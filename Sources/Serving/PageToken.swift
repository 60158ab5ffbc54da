/// A secret in the address of a page: whoever knows it may do what it is for.
package struct PageToken: Sendable {
    /// 32 hexadecimal digits.
    package let text: String

    /// Makes a secret of 128 random bits, from the system's generator (getrandom).
    package init() {
        var generator = SystemRandomNumberGenerator()
        let digits = (0..<2).map { _ in
            let half = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - half.count) + half
        }
        text = digits.joined()
    }

    /// Whether a text is the secret. The time that this takes says nothing about how much of it is right.
    package func matches(_ guess: String) -> Bool {
        let (secret, guess) = (Array(text.utf8), Array(guess.utf8))
        var difference = UInt8(secret.count == guess.count ? 0 : 1)
        for (index, byte) in secret.enumerated() { difference |= byte ^ (index < guess.count ? guess[index] : 0) }
        return difference == 0
    }
}
