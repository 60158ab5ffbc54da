internal import Application
internal import ArgumentParser
internal import Charts
internal import Languages
internal import Scores
internal import Screens
internal import UserSettings

struct LogCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: localized("Show the practice log: sessions, minutes per day, pieces and their speeds."),
        discussion: localized(
            """
            `barline play` writes a row for each session to $XDG_STATE_HOME/barline/practice.csv (by default \
            ~/.local/state) unless the setting practice-log is off.

              barline log
              barline log --piece sequenza --days 90
              barline log --csv
              barline log --piece sequenza --taps
              barline log --next
              barline log --goal 'sequenza-vii at 100% by 2027-03-01'
            """))

    @Option(help: .localized("Only this piece: its title, or a part of it.", valueName: "title"))
    var piece: String?

    @Option(parsing: .unconditional, help: .localized("The number of days up to today. Default: 28.", valueName: "n"))
    var days: Int?

    @Flag(help: .localized("Show all sessions, not only the last ten."))
    var all = false

    @Flag(
        help: .localized("Show how long bars were held, by the key with which you tapped where they begin; by columns.")
    )
    var taps = false

    @Flag(
        help: .localized(
            "Show only what to practice next: goals, bars that go wrong again and again, pieces not played for two weeks."
        ))
    var next = false

    @Option(
        help: .localized(
            "Set a goal: 'sequenza-vii at 100% by 2027-03-01'; 'sequenza-vii off' ends it.", valueName: "goal"),
        transform: { try OptionText.read($0, Goal.Wish.init(scoreText:)) })
    var goal: Goal.Wish?

    @OptionGroup var tableOptions: TableOptions

    @Option(
        help: .localized("Write a chart of the minutes per day to this SVG file.", valueName: "file"),
        completion: .file(extensions: ["svg"]))
    var svg: String?

    private static let lastSessions = 10

    func validate() throws {
        if let days, !(1...3660).contains(days) { throw ValidationError(localized("--days must be 1 to 3660")) }
        if svg == "-" {
            throw ValidationError(localized("--svg needs a file, because the log goes to standard output"))
        }
    }

    func run() throws {
        if let svg { try OutputFile.checkPicture(svg) }
        guard let log = PracticeLog(environment: Environment.values) else {
            throw Failure.exit(.noInput, localized("there is no home folder for the log: set HOME or XDG_STATE_HOME"))
        }
        let (entries, skipped) = try Failure.exitOnError(.noInput, "'\(log.path)' ") { try log.read() }
        if skipped > 0 {
            Failure.say(
                skipped == 1
                    ? localized("note: '\(log.path)': 1 invalid row was skipped")
                    : localized("note: '\(log.path)': \(skipped) invalid rows were skipped"))
        }
        var summary = PracticeSummary(entries)
        if let goal { try set(goal, summary) }
        let goals = try GoalFile(environment: Environment.values).map { file in
            try Failure.exitOnError(.noInput, "'\(file.path)' ") { try file.read() }
        }
        if let piece {
            summary = summary.of(try LogCommand.title(piece, "--piece", among: summary.pieces.map(\.piece)))
        }
        if taps { return try showTaps(summary) }
        let ofAll = (goals ?? []).filter { goal in piece == nil || summary.pieces.contains { $0.piece == goal.piece } }
        let whatNext = WhatNext(summary, ofAll, on: LocalTime.now.day)
        if next || goal != nil { return try show(whatNext) }
        let shown = summary.days(days ?? 28, upTo: LocalTime.now.day)
        if let svg {
            try OutputFile.write(Array(PracticePicture.svg(of: shown, title: title(summary, shown)).utf8), to: svg)
        }
        if !tableOptions.isForPeople {
            try StandardOutput.print(LogCommand.sessions(summary.entries[...]).text(tableOptions.style))
        } else if entries.isEmpty {
            let path = log.path.printable
            try StandardOutput.print(
                localized("there is no practice yet: `barline play` records it in '\(path)'") + "\n")
        } else {
            try StandardOutput.print(page(summary, shown, whatNext))
        }
    }

    /// Sets or ends a goal. Errors: there is no such piece in the log, or the goal cannot be kept.
    private func set(_ wish: Goal.Wish, _ summary: PracticeSummary) throws {
        guard let file = GoalFile(environment: Environment.values) else { return }
        let today = LocalTime.now.day
        let piece = try LogCommand.title(wish.piece, "--goal", among: summary.pieces.map(\.piece))
        if let aim = wish.aim, aim.by <= today {
            throw Failure.exit(.usage, localized("--goal: \(aim.by.text) is not in the future"))
        }
        try Failure.exitOnError(.cannotWrite, "'\(file.path)' ") {
            if let aim = wish.aim {
                try file.set(Goal(piece: piece, speed: aim.speed, by: aim.by, since: today))
            } else {
                try file.end(piece, on: today)
            }
        }
    }

    private func show(_ whatNext: WhatNext) throws {
        guard tableOptions.isForPeople else {
            return try StandardOutput.print(whatNext.table.text(tableOptions.style))
        }
        try StandardOutput.print(
            whatNext.isEmpty ? localized("the practice log asks for nothing") + "\n" : whatNext.text(isShort: false))
    }

    /// The title that the user means: a whole title, or a part of exactly one; blanks and signs may be left out, as names of
    /// scores do.
    private static func title(_ text: String, _ option: String, among titles: [String]) throws -> String {
        if titles.contains(text) { return text }
        func letters(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }
        let parts = titles.filter { $0.lowercased().contains(text.lowercased()) }
        let matching =
            parts.isEmpty && !letters(text).isEmpty ? titles.filter { letters($0).contains(letters(text)) } : parts
        if matching.count == 1 { return matching[0] }
        let shown = TextError.shown(text)
        if matching.count > 1 {
            throw Failure.exit(
                .usage, localized("\(option): \(shown) matches several titles: \(matching.joined(separator: "; "))"))
        }
        let near = Suggestion.nearest(to: text, in: titles).map {
            localized("\(option): there is no piece \(shown) in the log; did you mean '\($0)'?")
        }
        throw Failure.exit(.usage, near ?? localized("\(option): there is no piece \(shown) in the log"))
    }

    private func title(_ summary: PracticeSummary, _ days: [PracticeSummary.Day]) -> String {
        let name = piece == nil ? "Practice" : summary.entries.last?.piece ?? "Practice"
        let minutes = (days.reduce(0) { $0 + $1.hundredths } + 50) / 100
        return "\(name): \(minutes) min in \(days.count) day\(days.count == 1 ? "" : "s")"
    }

    // MARK: - Taps

    /// Prints how long bars were held in each session with taps, and draws the columns over the sessions.
    private func showTaps(_ summary: PracticeSummary) throws {
        let first = LocalDay(number: LocalTime.now.day.number - (days ?? 3660) + 1)
        let sessions = summary.entries.filter { $0.held != nil && $0.date.day >= first }
        if let svg {
            let rows = sessions.map { ($0.date.shown, $0.held?.columns ?? []) }
            try OutputFile.write(
                Array(
                    HeldDays.svg(of: rows, title: piece == nil ? "Practice" : summary.entries.last?.piece ?? "Practice")
                        .utf8), to: svg)
        }
        guard !sessions.isEmpty || !tableOptions.isForPeople else {
            return try StandardOutput.print(
                localized("there are no taps yet: the key j taps where a bar begins") + "\n")
        }
        let last = tableOptions.isForPeople && !all ? sessions.suffix(LogCommand.lastSessions) : sessions[...]
        try StandardOutput.print(LogCommand.taps(last).text(tableOptions.style))
    }

    /// A row for each session: how long bars were held together, how far they were off, and the columns.
    private static func taps(_ entries: ArraySlice<PracticeLog.Entry>) -> Table {
        var table = Table(columns: [
            .text(localized("date"), "date"), .text(localized("piece"), "piece"),
            .number(localized("speed"), "speed"), .number(localized("bars"), "held_bars"),
            .number(localized("held %"), "held_percent"), .number(localized("off %"), "off_percent"),
        ])
        let widest = entries.map { $0.held?.columns.count ?? 0 }.max() ?? 0
        for column in 0..<widest { table.columns.append(.number("\(column + 1)", "column_\(column + 1)_percent")) }
        table.rows = entries.compactMap { entry in
            guard let held = entry.held else { return nil }
            func share(_ column: Int) -> Table.Cell {
                .percent(column < held.columns.count ? held.columns[column].map { $0 / 100 } : nil)
            }
            return [
                Table.Cell(shown: entry.date.shown, value: .text(entry.date.text)), .text(entry.piece),
                .speed(entry.speed), .number(held.bars),
                Table.Cell(shown: held.held.fixed(1), value: .number(held.held.fixed(1))),
                Table.Cell(shown: held.off.fixed(1), value: .number(held.off.fixed(1))),
            ] + (0..<widest).map(share)
        }
        return table
    }

    // MARK: - For people

    private func page(_ summary: PracticeSummary, _ days: [PracticeSummary.Day], _ whatNext: WhatNext) -> String {
        let style = tableOptions.style
        let last = summary.entries.suffix(all ? summary.entries.count : LogCommand.lastSessions)
        var text = LogCommand.sessions(last).text(style)
        if last.count < summary.entries.count {
            text += localized("the last \(last.count) of \(summary.entries.count) sessions; --all shows all") + "\n"
        }
        let columns = Terminal.size.columns
        if days.contains(where: { $0.hundredths > 0 }) {
            text += "\n" + localized("minutes per day") + "\n" + PracticePlot.minutes(days, columns: columns)
        }
        if piece != nil, let first = days.first?.day {
            let speeds = summary.speeds.filter { $0.day >= first }
            if !speeds.isEmpty {
                text += "\n" + localized("speed") + "\n" + PracticePlot.speeds(speeds, columns: columns)
            }
        }
        text += "\n" + LogCommand.pieces(summary).text(style)
        return whatNext.isEmpty ? text : text + "\n" + localized("what next") + "\n" + whatNext.text(isShort: true)
    }

    /// A row for each session.
    private static func sessions(_ entries: ArraySlice<PracticeLog.Entry>) -> Table {
        var table = Table(columns: [
            .text(localized("date"), "date"), .text(localized("piece"), "piece"), .text(localized("bars"), "bars"),
            .number(localized("speed"), "speed"), .number(localized("minutes"), "minutes"),
            .number(localized("target"), "target"), .text(localized("program"), "program"),
            .text(localized("notes"), "marks"),
        ])
        table.rows = entries.map { entry in
            [
                Table.Cell(shown: entry.date.shown, value: .text(entry.date.text)), .text(entry.piece),
                .text(entry.bars), .speed(entry.speed), .minutes(entry.hundredths),
                entry.target.map { .speed($0) } ?? .text(""), .text(entry.program), .text(entry.marks),
            ]
        }
        return table
    }

    /// A row for each piece, and one for the total.
    private static func pieces(_ summary: PracticeSummary) -> Table {
        var table = Table(columns: [
            .text(localized("piece"), "piece"), .number(localized("sessions"), "sessions"),
            .number(localized("minutes"), "minutes"), .number(localized("speed"), "speed"),
            .text(localized("last"), "last"),
        ])
        let pieces = summary.pieces
        table.rows = pieces.map { piece in
            [
                .text(piece.piece), .number(piece.sessions), .minutes(piece.hundredths), .speed(piece.speed),
                .text(piece.last.text),
            ]
        }
        if pieces.count > 1 {
            table.rows.append([
                .text(localized("all")), .number(summary.entries.count), .minutes(summary.hundredths), .text(""),
                .text(""),
            ])
        }
        return table
    }
}

extension Table.Cell {
    /// A speed; for programs in per cent.
    fileprivate static func speed(_ speed: Speed) -> Table.Cell {
        Table.Cell(shown: "\(speed)", value: .number(String("\(speed)".dropLast())))
    }

    /// Hundredths of a minute as minutes.
    fileprivate static func minutes(_ hundredths: Int) -> Table.Cell {
        let text = PracticeLog.minutesText(hundredths)
        return Table.Cell(shown: text, value: .number(text))
    }
}

extension LocalTime {
    /// The date and the time to the minute, for people.
    fileprivate var shown: String { String(text.prefix(16).map { $0 == "T" ? " " : $0 }) }
}
