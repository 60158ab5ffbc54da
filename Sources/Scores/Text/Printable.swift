extension Unicode.Scalar {
    /// The scalar, or U+FFFD if it is not safe to print on a terminal: a control character (C0, DEL, C1), a line or
    /// paragraph separator, or a character that changes the direction of the text around it.
    package var printable: Unicode.Scalar {
        switch value {
        case 0x00..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: "\u{FFFD}"
        default: self
        }
    }
}

extension StringProtocol {
    /// The text as one line that is safe to show: on a terminal, in a message, in a notification. U+FFFD replaces
    /// control characters, line ends, and characters that change the direction of the text around them.
    ///
    /// Titles, labels, cues and file names come from untrusted sources. Output for programs (CSV, JSON, files) keeps
    /// them unchanged.
    package var printable: String {
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return String(self) }
        return String(String.UnicodeScalarView(unicodeScalars.map(\.printable)))
    }
}
