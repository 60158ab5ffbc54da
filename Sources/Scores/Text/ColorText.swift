internal import Languages

/// A color of light.
public struct Color: Sendable, Hashable {
    /// Red, 0 ... 255.
    public var red: UInt8
    /// Green, 0 ... 255.
    public var green: UInt8
    /// Blue, 0 ... 255.
    public var blue: UInt8

    /// Makes a color.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }
}

extension Color {
    /// Names of colors.
    public static let names: [(name: String, color: Color)] = [
        ("red", Color(red: 255, green: 0, blue: 0)), ("orange", Color(red: 255, green: 128, blue: 0)),
        ("yellow", Color(red: 255, green: 255, blue: 0)), ("green", Color(red: 0, green: 192, blue: 0)),
        ("cyan", Color(red: 0, green: 255, blue: 255)), ("blue", Color(red: 0, green: 0, blue: 255)),
        ("purple", Color(red: 128, green: 0, blue: 192)), ("magenta", Color(red: 255, green: 0, blue: 255)),
        ("white", Color(red: 255, green: 255, blue: 255)),
        // Distinguishable with any kind of color vision: Okabe and Ito, "Color Universal Design", 2008.
        ("sky", Color(red: 86, green: 180, blue: 233)), ("amber", Color(red: 230, green: 159, blue: 0)),
        ("teal", Color(red: 0, green: 158, blue: 115)), ("lemon", Color(red: 240, green: 228, blue: 66)),
        ("rust", Color(red: 213, green: 94, blue: 0)), ("rose", Color(red: 204, green: 121, blue: 167)),
    ]

    /// The color with a name; black if there is no such name.
    public static func named(_ name: String) -> Color {
        names.first { $0.name == name }?.color ?? Color(red: 0, green: 0, blue: 0)
    }

    /// Reads a color: a name, or six hexadecimal digits for red, green and blue.
    public init(scoreText text: String) throws(TextError) {
        let word = text.trimmingBlanks.lowercased()
        if let named = Color.names.first(where: { $0.name == word })?.color {
            self = named
            return
        }
        let digits = word.hasPrefix("#") ? String(word.dropFirst()) : word
        guard digits.utf8.count == 6, !digits.contains("+"), !digits.contains("-"),
            let value = UInt32(digits, radix: 16)
        else {
            guard !word.isEmpty else {
                throw TextError(
                    localized("a color is missing"),
                    hint: localized("text after a bare '#' is a comment: write ff8000 or \"#ff8000\""))
            }
            let names = Color.names.map(\.name)
            throw TextError(
                localized("\(TextError.quoted(text)) is not a color"),
                hint: Suggestion.hint(for: word, in: names)
                    ?? localized("write ff8000 or one of \(names.joined(separator: ", "))"))
        }
        self.init(red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
    }

    /// The color as a score writes it.
    public var text: String {
        if let named = Color.names.first(where: { $0.color == self }) { return named.name }
        return String(UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue), radix: 16).zeroPadded(to: 6)
    }
}
