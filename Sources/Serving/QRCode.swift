internal import CWeb

/// A QR code of a text, for the camera of a phone.
package struct QRCode: Sendable {
    /// The modules on a side.
    package let width: Int
    /// Whether each module is dark, row by row.
    package let isDark: [Bool]

    /// The Debian package without which there are no QR codes.
    package static var package: String { String(cString: cqr_package()) }

    /// The code of a text; nil if the library is missing, or the text is too long.
    package init?(_ text: String) {
        var modules = [UInt8](repeating: 0, count: Int(CQR_LARGEST * CQR_LARGEST))
        width = Int(text.withCString { cqr_make($0, &modules) })
        guard width > 0 else { return nil }
        isDark = modules.prefix(width * width).map { $0 == 1 }
    }

    /// The light modules that the standard wants around the code are four; readers are content with two.
    private static let margin = 2

    /// The code for a terminal, two modules in the height of a character. With colors it is black on white on every
    /// terminal; without them, the light modules are drawn, as terminals are mostly dark.
    package func text(hasColor: Bool) -> String {
        // White on black, in the 256 colors of xterm: themes change the first 16.
        rows.map { hasColor ? "\u{1B}[38;5;231;48;5;16m\($0)\u{1B}[0m\n" : $0 + "\n" }.joined()
    }

    /// Its rows, in which the light modules are drawn.
    package var rows: [String] {
        let side = -QRCode.margin..<width + QRCode.margin
        return stride(from: side.lowerBound, to: side.upperBound, by: 2).map { y in
            side.map { x -> String in
                switch (isLight(x, y), isLight(x, y + 1)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }.joined()
        }
    }

    private func isLight(_ x: Int, _ y: Int) -> Bool {
        guard (0..<width).contains(x), (0..<width).contains(y) else { return true }
        return !isDark[y * width + x]
    }
}
