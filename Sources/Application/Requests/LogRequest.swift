internal import Charts
internal import Languages
internal import Scores
package import UserSettings

/// What the practice log has: sessions, minutes per day, pieces, and what to practice next. `print` writes it to standard
/// output.
package struct LogRequest: Sendable {
    /// Only this piece: its title, or a part of it.
    package var piece: String?
    /// The number of days up to today; nil for 28 in what is told of each day, and all in the rest.
    package var days: Int?
    /// Whether all sessions are shown, not only the last ones.
    package var all = false
    /// Whether only taps are shown: how long bars were held.
    package var taps = false
    /// Whether only what to practice next is shown.
    package var next = false
    /// A goal to set or to end.
    package var goal: Goal.Wish?
    package var style = Table.Style.plain
    /// The path of a picture; nil for none.
    package var svg: String?

    private static let lastSessions = 10

    package init() {}

    /// Prints it. Errors: `ProgramEnd`, whose reason has been told.
    package func print() throws {
        try OutputFile.checkPicture(svg)
        let log = try PracticeLog.own()
        let (entries, skipped) = try Failure.exitOnError(.noInput, "'\(log.path)' ") { try log.read() }
        note(skipped, in: log.path)
        var summary = PracticeSummary(entries)
        if let goal { try set(goal, summary) }
        let goals = try GoalFile(environment: Environment.values).map { file in
            let (goals, skipped) = try Failure.exitOnError(.noInput, "'\(file.path)' ") { try file.read() }
            note(skipped, in: file.path)
            return goals
        }
        if let piece { summary = summary.of(try LogRequest.title(piece, "--piece", among: summary)) }
        if taps { return try StandardOutput.print(textOfTaps(summary)) }
        let ofAll = (goals ?? []).filter { goal in piece == nil || summary.pieces.contains { $0.piece == goal.piece } }
        let whatNext = WhatNext(summary, ofAll, on: LocalTime.now.day)
        if next || goal != nil { return try StandardOutput.print(text(whatNext)) }
        let shown = summary.days(days ?? 28, upTo: LocalTime.now.day)
        try OutputFile.write(PracticePicture.svg(of: shown, title: title(summary, shown)), to: svg)
        let sessions = wanted(summary.entries)
        if !style.isForPeople {
            try StandardOutput.print(PracticeTable.sessions(sessions[...]).text(style))
        } else if entries.isEmpty {
            let path = log.path.printable
            let isLogged = try LoadedSettings.get()[Setting.practiceLog]
            try StandardOutput.print(
                (isLogged
                    ? localized("there is no practice yet: `barline play` records it in '\(path)'")
                    : localized("there is no practice yet, and the setting practice-log is off")) + "\n")
        } else {
            try StandardOutput.print(page(PracticeSummary(sessions), shown, whatNext))
        }
    }

    /// Says how many rows of a file are invalid.
    private func note(_ skipped: Int, in path: String) {
        guard skipped > 0 else { return }
        Failure.say(
            skipped == 1
                ? localized("note: '\(path)': 1 invalid row was skipped")
                : localized("note: '\(path)': \(skipped) invalid rows were skipped"))
    }

    /// Sets or ends a goal. Errors: there is no such piece in the log, or the goal cannot be kept.
    private func set(_ wish: Goal.Wish, _ summary: PracticeSummary) throws {
        guard let file = GoalFile(environment: Environment.values) else { return }
        let today = LocalTime.now.day
        let piece = try LogRequest.title(wish.piece, "--goal", among: summary)
        if let aim = wish.aim, aim.by <= today {
            throw Failure.exit(.usage, localized("--goal: \(aim.by.text) is not in the future"))
        }
        try Failure.exitOnError(.cannotWrite, "'\(file.path)' ") {
            if let aim = wish.aim {
                try file.set(Goal(piece: piece, speed: aim.speed, by: aim.by, since: today))
            } else {
                guard try file.read().goals.contains(where: { $0.piece == piece }) else {
                    throw Failure.exit(.usage, localized("--goal: \(TextError.shown(piece)) has no goal"))
                }
                try file.end(piece, on: today)
            }
        }
    }

    /// The title that the user means: a whole title, or a part of exactly one; blanks and signs may be left out, as names of
    /// scores do.
    private static func title(_ text: String, _ option: String, among summary: PracticeSummary) throws -> String {
        let titles = summary.pieces.map(\.piece)
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

    /// What pictures are of.
    private func name(_ summary: PracticeSummary) -> String {
        piece.flatMap { _ in summary.entries.last?.piece } ?? localized("Practice")
    }

    private func title(_ summary: PracticeSummary, _ days: [PracticeSummary.Day]) -> String {
        let minutes = (days.reduce(0) { $0 + $1.hundredths } + 50) / 100
        let name = name(summary)
        return days.count == 1
            ? localized("\(name): \(minutes) min in 1 day") : localized("\(name): \(minutes) min in \(days.count) days")
    }

    /// The sessions of the days that are asked for; all if none are.
    private func wanted(_ entries: [PracticeLog.Entry]) -> [PracticeLog.Entry] {
        guard let days else { return entries }
        let before = LocalDay(number: LocalTime.now.day.number - days)
        return entries.filter { $0.date.day > before }
    }

    /// How long bars were held in each session with taps; draws the columns over the sessions.
    private func textOfTaps(_ summary: PracticeSummary) throws -> String {
        let sessions = wanted(summary.entries).filter { $0.held != nil }
        try OutputFile.write(
            HeldDays.svg(of: sessions.map { ($0.date.shown, $0.held?.columns ?? []) }, title: name(summary)), to: svg)
        guard !sessions.isEmpty || !style.isForPeople else {
            return localized("there are no taps yet: the key j taps where a bar begins") + "\n"
        }
        let last = style.isForPeople && !all ? sessions.suffix(LogRequest.lastSessions) : sessions[...]
        return PracticeTable.taps(last).text(style)
    }

    private func text(_ whatNext: WhatNext) -> String {
        guard style.isForPeople else { return whatNext.table.text(style) }
        return whatNext.isEmpty ? localized("the practice log asks for nothing") + "\n" : whatNext.text(isShort: false)
    }

    /// A chart of letters, which Markdown must leave as it is.
    private func drawn(_ chart: String) -> String { style == .markdown ? "\n```text\n\(chart)```\n" : chart }

    private func page(_ summary: PracticeSummary, _ days: [PracticeSummary.Day], _ whatNext: WhatNext) -> String {
        let last = summary.entries.suffix(all ? summary.entries.count : LogRequest.lastSessions)
        var text = PracticeTable.sessions(last).text(style)
        if last.count < summary.entries.count {
            text += localized("the last \(last.count) of \(summary.entries.count) rows; --all shows all") + "\n"
        }
        let columns = StandardOutput.columns
        if days.contains(where: { $0.hundredths > 0 }) {
            text += "\n" + localized("minutes per day") + "\n" + drawn(PracticePlot.minutes(days, columns: columns))
        }
        if piece != nil, let first = days.first?.day {
            let speeds = summary.speeds.filter { $0.day >= first }
            if !speeds.isEmpty {
                text += "\n" + localized("speed") + "\n" + drawn(PracticePlot.speeds(speeds, columns: columns))
            }
        }
        text += "\n" + PracticeTable.pieces(summary).text(style)
        return whatNext.isEmpty ? text : text + "\n" + localized("what next") + "\n" + whatNext.text(isShort: true)
    }
}

extension PracticeLog {
    /// The user's log. Errors: there is no folder for it.
    static func own() throws -> PracticeLog {
        if let log = PracticeLog(environment: Environment.values) { return log }
        throw Failure.exit(.noInput, localized("there is no home folder for the log: set HOME or XDG_STATE_HOME"))
    }
}
