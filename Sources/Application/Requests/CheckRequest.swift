internal import Formats
internal import Languages
internal import Running
internal import Scores
internal import Timing
internal import UserSettings

/// The problems of scores, and the totals of valid ones. `check` carries it out.
package struct CheckRequest: Sendable {
    /// Score files, names of scores, or `-`.
    package var scores: [String]
    package var reading = LoadedScore.Choice()

    package init(_ scores: [String]) { self.scores = scores }

    /// Prints the totals. Errors: `ProgramEnd`, whose reason has been told.
    package func check() throws {
        var worst: Failure.Code?
        for score in scores {
            let found: LoadedDocument
            do throws(ScoreSourceError) { found = try LoadedScore.find(score, reading) } catch {
                Failure.say(localized("error: \(error)"))
                worst = Failure.unread
                continue
            }
            let document = found.document
            LoadedScore.report(document.diagnostics)
            // Printed at once, so that it keeps its place among the messages on standard error.
            if var weeks = document.weeks {
                let threshold = reading.gaps.threshold
                let problems = found.problems(reading.gaps)
                LoadedScore.report(problems)
                if problems.contains(where: { $0.severity == .error }) { worst = worst ?? .badData }
                weeks.changePlans { $0.fill(threshold: threshold) }
                try StandardOutput.print("\(document.name.printable): \(weeks.totals(in: found.unit))\n")
            } else if let score = document.score {
                let timeline = Timeline(score)
                let table = found.words.plan.flatMap { try? PlanTable($0) }
                // Settings that are wrong are no fault of a score.
                let totals = table?.totals(in: found.unit) ?? score.totals(timeline)
                let others = score.otherTotals.map { "  \($0)" }
                let lines = (["\(document.name.printable): \(totals)"] + others).map { $0 + "\n" }
                try StandardOutput.print(lines.joined() + (HitTable.table(score, timeline)?.text(.plain) ?? ""))
            } else {
                worst = worst ?? .badData
            }
        }
        if let worst { throw ProgramEnd(worst) }
    }
}

extension Score {
    /// `13 lines, 169 bars, 4:53.8`, and the length at the score's own speed unless that is 100 %.
    fileprivate func totals(_ timeline: Timeline) -> String {
        let (lines, bars) = (timeline.lineCount, timeline.barCount)
        var written = [
            lines == 1 ? localized("1 line") : localized("\(lines) lines"),
            bars == 1 ? localized("1 bar") : localized("\(bars) bars"),
        ]
        if !companions.isEmpty {
            let voices = voiceNames.count
            written = [voices == 1 ? localized("1 voice") : localized("\(voices) voices")]
        }
        if !brackets.isEmpty {
            written = [brackets.count == 1 ? localized("1 bracket") : localized("\(brackets.count) brackets")]
        }
        if sections.count > 1 {
            let sections = playedSections.count
            written.insert(sections == 1 ? localized("1 section") : localized("\(sections) sections"), at: 0)
        }
        // Bars timed by a tempo can have 18 decimals.
        let isShort = timeline.total.attoseconds % 1_000_000_000 == 0
        written.append(isShort ? timeline.total.clock : timeline.total.clock(decimals: 3))
        written += timeline.missedJumps.map { localized("without the jump to '\($0.printable)'") }
        if isEndless { written.append(localized("repeated until stopped")) }
        if let difference = total?.difference(of: timeline.total) { written.append("\(difference)") }
        if speed != .asWritten {
            written.append(localized("at \(speed) \(speed.realDuration(of: timeline.total).clock(decimals: 3))"))
        }
        return written.joined(separator: ", ")
    }

    /// The totals of each voice, and those in the other orders of its sections.
    fileprivate var otherTotals: [String] {
        var piece = self
        // The time that the piece should last is that of its longest voice.
        piece.total = nil
        let ofVoices = voiceNames.compactMap { name in
            piece.with(voices: [name]).map { localized("voice '\(name.printable)': \($0.totals(Timeline($0)))") }
        }
        return ofVoices
            + orders.filter { $0.name != order }.map { other in
                var score = self
                score.order = other.name
                return localized("in the order '\(other.name.printable)': \(score.totals(Timeline(score)))")
            }
    }
}
