package import Scores

/// How pages flash at bars, unless a device has a choice of its own.
package struct PageLook: Sendable {
    /// What flashes: `off`, `screen` or `border`.
    package var how: String
    /// The colors at a bar, and at the first bar of a line.
    package var barColor, lineColor: Color

    package init(how: String = "off", barColor: Color = Color.named("sky"), lineColor: Color = Color.named("amber")) {
        (self.how, self.barColor, self.lineColor) = (how, barColor, lineColor)
    }
}

extension Color {
    /// The color as style sheets have it: `#ff8000`.
    var style: String {
        "#"
            + [red, green, blue].map { part in
                (part < 16 ? "0" : "") + String(part, radix: 16)
            }.joined()
    }
}
