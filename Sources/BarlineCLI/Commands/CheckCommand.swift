internal import Application
internal import ArgumentParser
internal import Formats
internal import Languages
internal import Running
internal import Scores
internal import Timing

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: localized("Report all problems in score files, and the totals of valid ones."))

    @Argument(help: .localized("Score files, names of scores, or - for standard input."), completion: .score)
    var files: [String]

    @OptionGroup var inputOptions: InputOptions

    func run() throws {
        var worst: Failure.Code?
        for file in files {
            let found: LoadedDocument
            do throws(ScoreSourceError) {
                found = try LoadedScore.find(file, inputOptions.choice(canWait: true))
            } catch {
                Failure.say(localized("error: \(error)"))
                worst = .noInput
                continue
            }
            let (name, document) = (found.document.name, found.document)
            LoadedScore.report(document.diagnostics)
            if let weeks = document.weeks {
                LoadedScore.report(found.problems)
                if !found.problems.isEmpty { worst = worst ?? .badData }
                let totals = weeks.totals(in: try .shown(of: weeks.unit))
                try StandardOutput.print("\(name.printable): \(totals)\n")
            } else if let score = document.score {
                // Printed at once, so that it keeps its place among the messages on standard error.
                let open = found.words.openTotals(Timeline(score).total)
                var lines = ["\(name.printable): \(open ?? CheckCommand.totals(score))"]
                for name in score.voiceNames {
                    guard let voice = score.with(voices: [name]) else { continue }
                    lines.append("  " + localized("voice '\(name.printable)': \(CheckCommand.totals(voice))"))
                }
                for order in score.orders where order.name != score.order {
                    var other = score
                    other.order = order.name
                    lines.append(
                        "  " + localized("in the order '\(order.name.printable)': \(CheckCommand.totals(other))"))
                }
                let hits = HitTable.table(score)?.text(.plain) ?? ""
                try StandardOutput.print(lines.map { $0 + "\n" }.joined() + hits)
            } else {
                worst = worst ?? .badData
            }
        }
        if let worst { throw ProgramEnd(worst) }
    }

    /// `13 lines, 169 bars, 4:53.8`, and the length at the score's own speed unless that is 100 %.
    private static func totals(_ score: Score) -> String {
        let timeline = Timeline(score)
        let (lines, bars) = (timeline.lineCount, timeline.barCount)
        var written = [
            lines == 1 ? localized("1 line") : localized("\(lines) lines"),
            bars == 1 ? localized("1 bar") : localized("\(bars) bars"),
        ]
        if !score.companions.isEmpty {
            let voices = score.voiceNames.count
            written = [voices == 1 ? localized("1 voice") : localized("\(voices) voices")]
        }
        if !score.brackets.isEmpty {
            let brackets = score.brackets.count
            written = [brackets == 1 ? localized("1 bracket") : localized("\(brackets) brackets")]
        }
        if score.sections.count > 1 {
            let sections = score.playedSections.count
            written.insert(sections == 1 ? localized("1 section") : localized("\(sections) sections"), at: 0)
        }
        // Bars timed by a tempo can have 18 decimals.
        let isShort = timeline.total.attoseconds % 1_000_000_000 == 0
        written.append(isShort ? timeline.total.clock : timeline.total.clock(decimals: 3))
        if let difference = score.total?.difference(of: timeline.total) { written.append("\(difference)") }
        if score.speed != .asWritten {
            let length = score.speed.realDuration(of: timeline.total).clock(decimals: 3)
            written.append(localized("at \(score.speed) \(length)"))
        }
        return written.joined(separator: ", ")
    }
}
