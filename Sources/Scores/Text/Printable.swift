extension Unicode.Scalar {
    /// Whether a terminal may be given it: no control character (C0, DEL, C1), line or paragraph separator, and none that
    /// changes the direction of the text around it.
    fileprivate var isPrintable: Bool {
        switch value {
        case 0x00..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: false
        default: true
        }
    }

    /// The scalar, or U+FFFD in place of one that is not for a terminal.
    package var printable: Unicode.Scalar { isPrintable ? self : "\u{FFFD}" }
}

extension StringProtocol {
    /// The text as one line that people may be shown: on a terminal, in a message, in a notification. U+FFFD stands for
    /// control characters, line ends, and what would turn the direction of the text around it.
    ///
    /// Titles, labels, cues and names of files come from anywhere. What programs read (CSV, JSON, files) keeps them as they
    /// are.
    package var printable: String {
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return String(self) }
        return String(String.UnicodeScalarView(unicodeScalars.map(\.printable)))
    }
}
