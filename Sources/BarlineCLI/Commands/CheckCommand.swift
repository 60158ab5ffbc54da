internal import ArgumentParser
internal import Score
internal import Timing

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say everything that is wrong with score files, or what they add up to.")

    @Argument(help: "Score files, names of scores, or - for standard input.")
    var files: [String]

    func run() throws {
        var worst: Failure.Code?
        for file in files {
            let name: String
            let reading: Reading
            do throws(ScoreSourceError) {
                (name, reading) = try LoadedScore.reading(file)
            } catch {
                Failure.say("error: \(error)")
                worst = .noInput
                continue
            }
            LoadedScore.report(reading.diagnostics)
            if let score = reading.score {
                // At once, so that it stands in its place among what standard error says.
                var output = StandardOutput()
                try output.write("\(name): \(CheckCommand.totals(score))\n")
                try output.flush()
            } else {
                worst = worst ?? .badData
            }
        }
        if let worst { throw ExitCode(worst.rawValue) }
    }

    /// `13 lines, 169 bars, 4:53.8`, and how long it takes at the score's own speed.
    static func totals(_ score: Score) -> String {
        let timeline = Timeline(score)
        let lines = timeline.lineCount == 1 ? "1 line" : "\(timeline.lineCount) lines"
        let bars = timeline.barCount == 1 ? "1 bar" : "\(timeline.barCount) bars"
        let written = "\(lines), \(bars), \(timeline.total.clock)"
        guard score.speed != .asWritten else { return written }
        return written + ", at \(score.speed) \(score.speed.realDuration(of: timeline.total).clock(decimals: 3))"
    }
}
