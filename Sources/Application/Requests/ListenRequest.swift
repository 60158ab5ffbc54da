internal import Charts
internal import Formats
internal import Hearing
internal import Languages
internal import Playback
internal import Scores
internal import UserSettings

/// A recording that is set against a score. `listen` carries it out.
package struct ListenRequest: Sendable {
    /// The path of the recording.
    package var take: String
    /// The score: a file, the name of a score, or `-`.
    package var score: String
    package var passage = PassageRequest()
    /// The paths of a picture and of labels; nil for none.
    package var svg: String?
    package var labels: String?
    /// The path of labels that are read in place of the recording.
    package var corrected: String?
    /// Whether the pitch of each note is shown.
    package var notes = false
    /// Whether it is added to the practice log.
    package var log = false
    package var json = false

    package init(_ take: String, _ score: String) { (self.take, self.score) = (take, score) }

    /// Listens, writes the files and prints the table. Errors: `ProgramEnd`, whose reason has been told.
    package func listen() throws {
        try OutputFile.check(
            [svg, labels], read: [take, corrected, LoadedScore.path(score)] + passage.reading.files)
        try OutputFile.checkPicture(svg)
        let heard = try HeardScore(passage, score)
        try OutputFile.check([svg, labels], read: heard.files)
        let bars: [HeardBar]
        var clicks: [Double] = []
        let sound: TakeSound?
        if let corrected {
            sound = try soundOfPitches()
            bars = try HeardLabels.read(corrected, heard, length: sound?.seconds)
        } else {
            let result = try heard.listen(to: take)
            (bars, clicks, sound) = (result.heard.bars, result.heard.clicks, result.sound)
        }
        let pitch = TakePitch(sound?.samples ?? [], bars, heard.performance)
        let table = HeardTable(heard, bars, clicks: clicks.count, pitch, notes: notes)
        var files: [(path: String, bytes: [UInt8])] = []
        if let labels { files.append((labels, HeardLabels.text(bars, heard))) }
        if let svg {
            let cents = bars.indices.map { pitch.cents(ofBar: $0).note }
            let picture = HeldPicture.svg(of: table.held, title: FileKind.name(of: take), cents: cents)
            files.append((svg, Array(picture.utf8)))
        }
        try OutputFile.write(files)
        if log { try addToLog(table.held, pitch, heard) }
        try StandardOutput.print(json ? table.json : table.text)
    }

    /// The recording beside labels, which do without it: only the pitches need it.
    private func soundOfPitches() throws -> TakeSound? {
        do throws(RenderError) { return try TakeSound(take, rate: HeardTake.rate) } catch {
            guard !notes else { throw HeardScore.failure(error) }
            Failure.say(localized("note: no pitch is told: \(error)"))
            return nil
        }
    }

    /// Adds a session without minutes, because a session of `play` that was recorded has its own.
    private func addToLog(_ held: HeldBars, _ pitch: TakePitch, _ heard: HeardScore) throws {
        guard let first = held.bars.first, let last = held.bars.last, !held.figures.isEmpty else {
            throw Failure.exit(.badData, localized("no bar is sure: there is nothing to add to the practice log"))
        }
        let log = try PracticeLog.own()
        var entry = PracticeLog.Entry(
            piece: heard.performance.title.isEmpty ? ScoreSource.title(ofScore: score) : heard.performance.title,
            bars: "\(first.line).\(first.bar)-\(last.line).\(last.bar)", speed: heard.performance.speed, minutes: 0,
            held: HeldSummary(held))
        (entry.lengths, entry.cents, entry.notes) = (held.figures, pitch.figures(held), pitch.tendencies)
        try Failure.exitOnError(.cannotWrite, "'\(log.path)' ") { try log.append(entry) }
    }
}
