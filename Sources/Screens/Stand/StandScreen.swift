package import Playback
package import Scores
internal import Timing

/// The practice stand on the whole terminal, drawn in time with what is heard.
package struct StandScreen: Screen {
    private let terminal: Terminal
    private let stand: Stand
    private let depth: ColorDepth
    private let words: any PieceWords
    private var drawn: Canvas?
    /// The value of `terminal.timesSpoiled` when `drawn` was drawn.
    private var spoiled = 0
    /// The row that is drawn again next, changed or not, and the time in ns from when on.
    private var renewal = (row: 0, due: Int64.min)
    private var flash = FlashLight()

    /// The time between two drawings, in ns.
    private static let frame: Int64 = 50_000_000
    /// The time in ns between two rows that are drawn again, because something may have written across them.
    private static let renewing: Int64 = 200_000_000

    /// A screen on a held terminal, with the choices of a stand, in the words of the piece.
    package init(_ terminal: Terminal, _ stand: Stand, colors depth: ColorDepth, _ words: any PieceWords) {
        (self.terminal, self.stand, self.depth, self.words) = (terminal, stand, depth, words)
    }

    package mutating func show(_ status: Status, at now: Int64) -> Int64 {
        stand.see(status)
        let choices = stand.choices
        let moment = status.moment(at: now)
        let shown = OwnPart(choices.part, status)?.moment(moment, status) ?? moment
        flash.look(shown, choices, at: now)
        let guests = choices.shownInvitation == nil ? [] : stand.guests()
        let view = StandView(
            status, moment, choices, at: now, words, guests: guests, cables: stand.signs(moment, at: now),
            tuner: stand.tuner(),
            hasColor: depth != .none)
        draw(view.canvas(Terminal.size, lit: flash.color), at: now)
        var wake = now + StandScreen.frame
        if case .bar(let heard) = moment {
            // While the music stands still, the screen is drawn for changes, and now and then for a new size of the
            // terminal.
            let stands = heard.isPaused || heard.isWaiting
            wake = stands ? now + 4 * StandScreen.frame : min(wake, status.heard(boundary: heard.boundary + 1))
        }
        if choices.part != nil, case .bar(let own) = shown, !own.isPaused, !own.isWaiting {
            wake = min(wake, now + max(Int64(own.left.attoseconds / 1_000_000_000), 0) + 1)
        }
        return min(wake, flash.ends ?? wake)
    }

    package mutating func end(_ status: Status?) {
        guard let status else { return }
        flash = FlashLight()
        draw(StandView(status, .end, stand.choices, at: 0, words).canvas(Terminal.size, lit: nil), at: .min)
    }

    /// The line printed after the stand has closed: `Piece: stopped at line 2, bar 1, 0:05.7 of 0:07.7`; of a run
    /// `stopped in run 5 of 9, 3.4 km, 4:08 of 9:00`. With `part`, the place is that of this voice.
    package static func farewell(
        _ status: Status, _ words: any PieceWords = ScoreWords(), part: String? = nil
    ) -> String {
        let ending = [Wording.title(status.performance), words.ending(status, part: part)].joinedNonempty(": ")
        let line = [ending, Wording.trouble(status) ?? ""].joinedNonempty("; ").printable + "\n"
        // Of these, the needle knew nothing before the end.
        let heard = status.lastHeard.suffix(2).filter { $0.late != nil }.map {
            words.heardBar($0, status).printable + "\n"
        }
        return line + heard.joined() + (words.worth(status).map { $0.printable + "\n" } ?? "")
    }

    private mutating func draw(_ canvas: Canvas, at now: Int64) {
        // A terminal that has stopped reading gets the newest picture when it reads again.
        guard terminal.hasDrawn else { return }
        let spoiled = terminal.timesSpoiled
        if spoiled != self.spoiled { drawn = nil }
        self.spoiled = spoiled
        let isDue = now >= renewal.due
        let text = canvas.changes(from: drawn, colors: depth, renewing: isDue ? renewal.row : nil)
        if isDue { renewal = ((renewal.row + 1) % canvas.rows, now + StandScreen.renewing) }
        drawn = canvas
        if !text.isEmpty { terminal.draw(text) }
    }
}

/// The flash: on when a bar is heard, off a moment later.
package struct FlashLight {
    private var lastBoundary: Int?
    private var lastBegan = Int64.min / 2
    private var light: (color: Color, edgeOnly: Bool)?
    /// When the flash goes off, CLOCK_MONOTONIC in ns; nil while it is off.
    package private(set) var ends: Int64?

    /// In ns: how long a flash lasts, how late it may come, and how far apart flashes are (at most three a second, WCAG
    /// 2.3.1).
    private static let (length, lateness, apart) = (Int64(80_000_000), Int64(60_000_000), Int64(334_000_000))

    package init() {}

    /// The color of the flash, and whether only the edge is lit; nil while the flash is off.
    package var color: (color: Color, edgeOnly: Bool)? { ends == nil ? nil : light }

    /// Starts or ends a flash according to what is heard at `now`.
    package mutating func look(_ moment: Moment, _ choices: StandChoices, at now: Int64) {
        if let end = ends, now >= end { ends = nil }
        guard case .bar(let heard) = moment, !heard.isPaused, !heard.isWaiting, heard.boundary != lastBoundary else {
            return
        }
        lastBoundary = heard.boundary
        let age = Int64((heard.duration - heard.left) / .nanoseconds(1))
        // Too late to match the sound: no flash is better than a wrong one.
        guard choices.flash != .off, age < FlashLight.lateness else { return }
        guard now - lastBegan >= FlashLight.apart else { return }
        let own = heard.bar.written.isPlain ? nil : heard.bar.written.details.flash
        light = (own ?? (heard.bar.bar == 1 ? choices.lineColor : choices.barColor), choices.flash == .border)
        lastBegan = now
        ends = now + FlashLight.length
    }
}
