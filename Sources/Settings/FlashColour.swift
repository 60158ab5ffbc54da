public import Score

/// The colours of the flash by name: those that the colour-blind tell apart (Okabe and Ito, 2008).
public enum FlashColour: String, Sendable, CaseIterable {
    /// #56b4e9
    case sky
    /// #e69f00
    case orange
    /// #009e73
    case green
    /// #f0e442
    case yellow
    /// #0072b2
    case blue
    /// #d55e00
    case red
    /// #cc79a7
    case pink
    /// #999999
    case grey

    /// Red, green and blue.
    public var colour: Colour {
        switch self {
        case .sky: Colour(red: 0x56, green: 0xB4, blue: 0xE9)
        case .orange: Colour(red: 0xE6, green: 0x9F, blue: 0x00)
        case .green: Colour(red: 0x00, green: 0x9E, blue: 0x73)
        case .yellow: Colour(red: 0xF0, green: 0xE4, blue: 0x42)
        case .blue: Colour(red: 0x00, green: 0x72, blue: 0xB2)
        case .red: Colour(red: 0xD5, green: 0x5E, blue: 0x00)
        case .pink: Colour(red: 0xCC, green: 0x79, blue: 0xA7)
        case .grey: Colour(red: 0x99, green: 0x99, blue: 0x99)
        }
    }

    /// Reads one of the names, or six hexadecimal digits for red, green and blue, with or without a `#`.
    ///
    /// Errors: anything else.
    @Sendable public static func colour(text: String) throws(TextError) -> Colour {
        let word = text.trimmingBlanks.lowercased()
        if let named = FlashColour(rawValue: word) { return named.colour }
        let names = allCases.map(\.rawValue)
        guard !word.isEmpty else {
            throw TextError(
                "a colour is missing", hint: "what stands behind a bare '#' is a comment: write ff8000 or \"#ff8000\"")
        }
        let digits = word.hasPrefix("#") ? String(word.dropFirst()) : word
        guard digits.utf8.count == 6, digits.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) }),
            let value = UInt32(digits, radix: 16)
        else {
            let nearest = Suggestion.nearest(to: word, in: names).map { "did you mean '\($0)'?" }
            throw TextError(
                "\(TextError.shown(word)) is not a colour",
                hint: nearest ?? "write \(names.joined(separator: ", ")), or ff8000")
        }
        return Colour(red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
    }
}
