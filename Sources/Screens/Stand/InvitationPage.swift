internal import Languages
internal import Scores

/// The picture of an address that lets others in: its QR code at the left if there is room, and who is connected.
struct InvitationPage {
    private let invitations: [Invitation]
    private let shown: Int
    private let guests: [Guest]
    private let now: Int64
    private let hasColor: Bool

    /// Beside a code, the address and the guests need this many columns.
    private static let textColumns = 24
    private static let gap = 2

    init(_ invitations: [Invitation], _ shown: Int, _ guests: [Guest], at now: Int64, hasColor: Bool) {
        (self.invitations, self.shown, self.guests, self.now) = (invitations, shown, guests, now)
        self.hasColor = hasColor
    }

    /// Draws in all rows but the last one.
    func draw(_ area: Range<Int>, _ canvas: inout Canvas) {
        let (invitation, rows) = (invitations[shown], canvas.rows - 1)
        let width = invitation.code.first?.columns ?? 0
        let needed = width + InvitationPage.gap + InvitationPage.textColumns
        let hasRoom = width > 0 && invitation.code.count <= rows && needed <= area.count
        if hasRoom {
            // Black on white, whatever the colors of the terminal are: a camera needs the contrast.
            var ink = Ink()
            if hasColor { ink.light(Color(red: 0, green: 0, blue: 0), Color(red: 255, green: 255, blue: 255)) }
            for (row, text) in invitation.code.enumerated() {
                canvas.put(text, row: row, column: area.lowerBound, ink: ink)
            }
        }
        let column = hasRoom ? area.lowerBound + width + InvitationPage.gap : area.lowerBound
        let columns = area.upperBound - column
        for (row, line) in lines(columns, hasRoom: hasRoom || width == 0, width, rows).enumerated() {
            canvas.put(line.text, row: row, column: column, ink: line.isBold ? .bold : Ink())
        }
    }

    private func lines(_ columns: Int, hasRoom: Bool, _ width: Int, _ rows: Int) -> [(text: String, isBold: Bool)] {
        let invitation = invitations[shown]
        let place = localized("address \(shown + 1) of \(invitations.count)")
        var lines = [("\(invitation.title) (\(place))".cutAtWord(toColumns: columns), true)]
        // Addresses have no blanks: they are folded anywhere.
        var rest = Substring(invitation.address)
        while !rest.isEmpty {
            lines.append((String(rest.prefix(max(columns, 1))), false))
            rest = rest.dropFirst(max(columns, 1))
        }
        if !hasRoom {
            let needed = width + InvitationPage.gap + InvitationPage.textColumns
            let text = localized("the QR code needs \(needed) columns and \(invitation.code.count + 1) rows")
            lines.append((text.cutAtWord(toColumns: columns), false))
        }
        lines.append(("", false))
        guard !guests.isEmpty else { return lines + [(localized("nobody is connected"), true)] }
        lines.append((localized("connected:"), true))
        let texts = guests.flatMap { wrapped($0.text(at: now), columns) }
        let room = max(rows - lines.count, 1)
        if texts.count > room {
            lines += texts.prefix(room - 1).map { ($0, false) }
            return lines + [("…", false)]
        }
        return lines + texts.map { ($0, false) }
    }

    /// A guest in as many rows as its parts need, all but the first set in.
    private func wrapped(_ text: String, _ columns: Int) -> [String] {
        var lines: [String] = []
        for part in text.split(separator: "   ").map(String.init) {
            if let last = lines.last, last.columns + 3 + part.columns <= columns {
                lines[lines.count - 1] = last + "   " + part
            } else {
                lines.append((lines.isEmpty ? part : "  " + part).cutAtWord(toColumns: columns))
            }
        }
        return lines
    }
}
