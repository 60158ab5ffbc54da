internal import Languages
package import Playback
package import Scores
internal import Timing
internal import UserSettings

/// The picture of the stand at one moment, for any size of terminal.
package struct StandView {
    private let status: Status
    private let moment: Moment
    private let choices: StandChoices
    private let now: Int64
    private let words: any PieceWords
    private let guests: [Guest]
    private let cables: [CableSign]
    private let hasColor: Bool
    /// What a microphone hears; nil if none listens.
    private let tuner: Tuner?
    /// The voice that is shown in place of the leading one, if one is.
    private let part: OwnPart?

    /// `cables` are shown beside the settings. `guests` are connected, and are shown beside an address, whose QR code is black on
    /// white if there are colors.
    package init(
        _ status: Status, _ moment: Moment, _ choices: StandChoices, at now: Int64,
        _ words: any PieceWords = ScoreWords(), guests: [Guest] = [], cables: [CableSign] = [], tuner: Tuner? = nil,
        hasColor: Bool = true
    ) {
        (self.status, self.moment, self.choices, self.now) = (status, moment, choices, now)
        (self.words, self.guests, self.cables, self.hasColor) = (words, guests, cables, hasColor)
        self.tuner = tuner
        part = OwnPart(choices.part, status)
    }

    /// The picture; `lit` is the color of a flash, nil if there is none.
    package func canvas(_ size: (columns: Int, rows: Int), lit: (color: Color, edgeOnly: Bool)?) -> Canvas {
        var canvas = Canvas(columns: max(size.columns, 1), rows: max(size.rows, 1))
        if choices.helpPage != nil {
            drawHelp(&canvas)
        } else if let shown = choices.shownInvitation, choices.invitations.indices.contains(shown) {
            InvitationPage(choices.invitations, shown, guests, at: now, hasColor: hasColor)
                .draw(StandView.area(of: canvas), &canvas)
        } else {
            drawMusic(&canvas)
        }
        drawFoot(&canvas)
        if let lit { canvas.fill(lit.color, edgeOnly: lit.edgeOnly) }
        return canvas
    }

    /// The columns between the margins. A narrow screen has none.
    private static func area(of canvas: Canvas) -> Range<Int> { area(ofColumns: canvas.columns) }

    private static func area(ofColumns columns: Int) -> Range<Int> {
        let margin = columns > 60 ? 2 : 0
        return margin..<max(columns - margin, margin + 1)
    }

    // MARK: - The music

    /// On fewer rows, some of them are left out, so that there is room for the large digits.
    private static let leastRows = 15

    private func drawMusic(_ canvas: inout Canvas) {
        let isSmall = canvas.rows < StandView.leastRows
        let area = StandView.area(of: canvas)
        spread([Wording.title(status.performance)], stateWord, row: 0, area, &canvas, .bold)
        let bar = heard
        let said = bar.map { words(of: $0, isShort: isSmall || area.count < 64) }
        spread(said?.places ?? [], practice, row: 1, area, &canvas)
        if !isSmall, let said { spread([said.texts], "", row: 2, area, &canvas, .bold) }
        let hears = choices.listens && canvas.rows >= HeardView.leastRows
        if hears { HeardView(status, tuner, words).draw(3, area, &canvas) }
        let top = isSmall ? 2 : hears ? 3 + HeardView.rows : 4

        // From the bottom up: the foot, settings, the strip with its numbers, the progress bar, the next bar.
        var bottom = canvas.rows - 1
        func nextRow() -> Int {
            bottom -= 1
            return bottom
        }
        if !isSmall {
            let settings = ["   ", "  "].map { words.settings(status, at: boundary, gap: $0) }
            spread(settings, signs, row: nextRow(), area, &canvas, .dim)
        }
        if let bar, let said {
            let strip = ScoreStrip(status, bar, columns: area, words, part)
            // A third of the screen at most is for other voices.
            let most = (canvas.rows - 10) / 3
            let others = leading.map {
                CompanionRows.texts(status, $0, columns: area.count, most: most, besides: part?.timeline.voice.name)
            }
            for text in (others ?? []).reversed() { canvas.put(text, row: nextRow(), column: area.lowerBound) }
            for row in strip.rows(canvas.rows).reversed() {
                let at = nextRow()
                for piece in row { canvas.put(piece.text, row: at, column: piece.column, ink: piece.ink) }
            }
            if !isSmall { bottom -= 1 }
            let share = isOpen(bar) ? 0 : bar.share
            canvas.put(Gauge.text(share, area.count), row: nextRow(), column: area.lowerBound)
            let next = said.next
            let texts = isSmall ? said.texts : ""
            spread([texts.isEmpty ? next : texts], texts.isEmpty ? "" : next, row: nextRow(), area, &canvas)
            if !isSmall { bottom -= 1 }
        }
        guard top < bottom else { return }
        _ = BigDigits.draw(figures, in: top..<bottom, columns: area, ink: .bold, on: &canvas)
    }

    /// The signs of life of all cables.
    private var signs: String {
        cables.map { $0.text(at: now) }.joined(separator: " ")
    }

    /// The words about a bar of the voice that is shown.
    private func words(of bar: Moment.Bar, isShort: Bool) -> StandWords {
        part?.words(bar, status) ?? words.stand(bar, status, isShort: isShort)
    }

    /// Whether a bar is an interval that lasts until the lap button, which is the space bar here.
    private func isOpen(_ bar: Moment.Bar) -> Bool { words.isOpen(bar.boundary, status) }

    private var boundary: Int { leading?.boundary ?? status.boundary(at: now) }

    /// The bar of the leading voice, by which the music is controlled, and the bar that is shown.
    private var leading: Moment.Bar? { if case .bar(let bar) = moment { bar } else { nil } }
    private var heard: Moment.Bar? { leading.map { part?.bar($0, status) ?? $0 } }

    /// The large digits, padded to a width that stays the same for the whole bar or hold.
    private var figures: String {
        switch moment {
        case .end: return "0"
        case .waiting(let left, _): return left >= .seconds(60) ? Wording.clock(left) : Wording.left(left)
        case .countIn(let left, _) where !status.countInBeats.isEmpty:
            // The number of beats to go, that of the beat now included.
            return "\(min(status.countInBeats.count { $0 < left } + 1, status.countInBeats.count))"
        case .countIn(let left, _):
            switch choices.digits {
            case .seconds: return Wording.left(left)
            case .bar: return "\(max(Int((left / .seconds(1)).rounded(.up)), 1))"
            }
        case .bar(let leading):
            let bar = heard ?? leading
            switch choices.digits {
            case .seconds: return words.largeTime(bar, status)
            case .bar: return words.largeNumber(bar)
            }
        }
    }

    private var stateWord: String {
        if case .lost = status.sound { return localized("NO SOUND CARD") }
        if status.isStopping, !status.hasEnded { return localized("STOPPING") }
        let shown = part?.moment(moment, status) ?? moment
        return StateWord(shown, isOpen: heard.map(isOpen) ?? false).text
    }

    /// The loop, the practice program and the number of the pass.
    private var practice: String {
        guard let bar = leading else { return "" }
        let passage = status.performance.passage
        var words = [passage.stretch(of: bar.boundary).label]
        if let loop = status.loop {
            let (first, last) = (name(ofBar: loop.lowerBound), name(ofBar: loop.upperBound - 1))
            words.append(loop.count == 1 ? localized("loop \(first)") : localized("loop \(first) - \(last)"))
        }
        if let start = choices.loopStart { words.append(localized("loop from \(name(ofBar: start)) …")) }
        if passage.passes != 1 {
            words.append(
                passage.passes.map { localized("pass \(bar.pass) of \($0)") } ?? localized("pass \(bar.pass)"))
        }
        if let silence = status.performance.silence {
            words.append(silence.isSilent(bar.boundary) ? localized("silent") : Wording.silence(silence))
        }
        return words.joinedNonempty("  ")
    }

    private func name(ofBar index: Int) -> String { words.name(ofBar: index, status.performance) }

    // MARK: - The foot, and the keys

    /// How long a word of the player is shown, in ns.
    private static let toldShown: Int64 = 3_000_000_000

    /// A question of fewer columns says nothing.
    private static let leastQuestion = 10

    private func drawFoot(_ canvas: inout Canvas) {
        let row = canvas.rows - 1
        let area = StandView.area(of: canvas)
        if let prompt = choices.prompt {
            // What is typed matters more than the end of a long question, and its own end more than its beginning.
            let typed = prompt.text + "▏"
            let room = area.count - typed.columns
            let question = prompt.question
            let asked = room < question.columns ? question.cutAtWord(toColumns: room - 2) + ": " : question
            let shown = room < StandView.leastQuestion ? typed.cutAtStart(toColumns: area.count) : asked + typed
            canvas.put(shown, row: row, column: area.lowerBound, ink: .bold)
        } else if let notice = choices.notices.first(where: { $0.shown.contains(now) })?.text {
            spread([notice], "", row: row, area, &canvas, .bold)
        } else if let told = status.told, (told.arrived..<told.arrived + StandView.toldShown).contains(now) {
            spread([words.told(told, status.performance)], "", row: row, area, &canvas, .bold)
        } else if !choices.message.isEmpty {
            spread([choices.message], "", row: row, area, &canvas, .bold)
        } else {
            let time = pageOfHelp(canvas) ?? heard.map { words.elapsed($0) }
            let trouble = Wording.trouble(status)
            let whole = [time, canvas.rows < StandView.leastRows ? "\(status.speed(of: boundary))" : nil, trouble]
                .compactMap(\.self)
                .joined(separator: "   ")
            // Trouble matters more than the time, which the rest of the screen tells too.
            let texts = [whole, trouble, Wording.trouble(status, isShort: true)].compactMap(\.self)
            let left = texts.first { $0.columns <= area.count } ?? texts.last ?? ""
            let isLap = heard.map { isOpen($0) && !$0.isPaused } ?? false
            let hints = StandHints.texts(choices.usefulKeys, words.parts, isLap: isLap)
            let hint = hints.first { left.columns + 2 + $0.columns <= area.count } ?? ""
            spread([left], hint, row: row, area, &canvas)
        }
    }

    /// `page 1 of 3` of the help; nil if it is not shown, or has only one page.
    private func pageOfHelp(_ canvas: Canvas) -> String? {
        let pages = StandView.helpPages(choices, (canvas.columns, canvas.rows))
        guard let page = choices.helpPage, pages > 1 else { return nil }
        return localized("page \(page + 1) of \(pages)")
    }

    private func drawHelp(_ canvas: inout Canvas) {
        let help = StandView.help(choices, words.parts, (canvas.columns, canvas.rows))
        let page = choices.helpPage ?? 0
        guard help.pages.indices.contains(page) else { return }
        for entry in help.pages[page] {
            canvas.put(entry.name, row: entry.row, column: entry.column, ink: .bold)
            canvas.put(entry.text, row: entry.row, column: entry.textColumn)
        }
    }

    private static func help(
        _ choices: StandChoices, _ parts: PieceParts, _ size: (columns: Int, rows: Int)
    ) -> StandHelp {
        StandHelp(
            choices.usefulKeys, parts, rows: size.rows - 1, area: area(ofColumns: size.columns),
            listens: choices.listens, isLed: choices.isLed)
    }

    /// The number of help pages on a terminal of this size.
    package static func helpPages(_ choices: StandChoices, _ size: (columns: Int, rows: Int)) -> Int {
        help(choices, .bars, size).pages.count
    }

    /// Puts a text at the left and one at the right. Of several for the left, it is the first for which there is room; the
    /// last one is cut if need be.
    private func spread(
        _ lefts: [String], _ right: String, row: Int, _ area: Range<Int>, _ canvas: inout Canvas, _ ink: Ink = Ink()
    ) {
        let right = right.cutAtWord(toColumns: area.count)
        let room = max(area.count - right.columns - (right.isEmpty ? 0 : 2), 0)
        let left = lefts.first { $0.columns <= room } ?? lefts.last?.cutAtWord(toColumns: room) ?? ""
        canvas.put(left, row: row, column: area.lowerBound, ink: ink)
        canvas.put(right, row: row, column: max(area.upperBound - right.columns, area.lowerBound), ink: ink)
    }
}
