internal import Application
internal import ArgumentParser
internal import Charts
internal import Formats
internal import Hearing
internal import Languages
internal import Playback
internal import Running
internal import Scores
internal import Screens
internal import Timing
internal import UserSettings

struct ListenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: localized("Show how long each bar was held in a recording, and how far each note was out of tune."),
        discussion: localized(
            """
            Finds where notes begin in a recording (WAV, FLAC, MP3 and others), and sets them against the bars of the \
            score. A bar is sure if its place is at least 90 % probable; of other bars no duration is shown. The \
            recording may begin and end anywhere, and the player may stop and begin again. Clicks of this program that \
            the microphone heard do not count as notes.

            The cents of a bar are those of its notes against the nearest notes of the tuning, and against the purest \
            intervals over the drone. --notes shows each note, and how far a long one drifts. A note that cannot be told \
            from the drone is unsure.

            --labels writes the bars as labels for Audacity. Correct them there, export them, and --corrected reads them \
            in place of the recording: a label is a place such as 5.7, with a ? if it is unsure, and with the word \
            'again' where the player began again.
            """))

    @Argument(help: .localized("A recording of the player."), completion: .file())
    var take: String

    @Argument(help: ScoreChoice.help, completion: .score)
    var score: String

    @OptionGroup var passageOptions: PassageOptions

    @Option(
        help: .localized("Write a picture, early and late, to this file as SVG.", valueName: "file"),
        completion: .file(extensions: ["svg"]))
    var svg: String?

    @Option(help: .localized("Write labels for Audacity to this file.", valueName: "file"), completion: .file())
    var labels: String?

    @Option(
        help: .localized("Read corrected labels in place of the recording.", valueName: "file"), completion: .file())
    var corrected: String?

    @Flag(help: .localized("Show the pitch of each note."))
    var notes = false

    @Flag(help: .localized("Add how long the bars were held, and how far they were out of tune, to the practice log."))
    var log = false

    @Flag(help: .localized("Print a JSON object."))
    var json = false

    func validate() throws {
        if svg == "-" || labels == "-" {
            throw ValidationError(localized("--svg and --labels need files, because the table goes to standard output"))
        }
    }

    func run() throws {
        for path in [svg, labels].compactMap(\.self) where OutputFile.isSame(path, as: corrected ?? take) {
            throw Failure.exit(.cannotWrite, localized("'\(path)' is what is read: give what is written another name"))
        }
        if let svg { try OutputFile.checkPicture(svg) }
        let heard = try HeardScore(passageOptions.request, score)
        let bars: [HeardBar]
        var clicks: [Double] = []
        let sound: TakeSound?
        if let corrected {
            bars = try HeardLabels.read(corrected, heard)
            // The labels do without the recording; only the pitches need it.
            sound = try? TakeSound(take, rate: HeardTake.rate)
        } else {
            let result = try heard.listen(to: take)
            (bars, clicks, sound) = (result.heard.bars, result.heard.clicks, result.sound)
        }
        let pitch = TakePitch(sound?.samples ?? [], bars, heard.performance)
        let table = HeardTable(heard, bars, clicks: clicks.count, pitch, notes: notes)
        if let labels { try OutputFile.write(HeardLabels.text(bars, heard), to: labels) }
        if let svg {
            let title = take.split(separator: "/").last.map(String.init) ?? take
            let cents = bars.indices.map { pitch.cents(ofBar: $0).note }
            try OutputFile.write(Array(HeldPicture.svg(of: table.held, title: title, cents: cents).utf8), to: svg)
        }
        if log { try addToLog(table.held, pitch, heard) }
        try StandardOutput.print(json ? table.json : table.text)
    }

    /// Adds a session without minutes, because a session of `play` that was recorded has its own.
    private func addToLog(_ held: HeldBars, _ pitch: TakePitch, _ heard: HeardScore) throws {
        guard let first = held.bars.first, let last = held.bars.last, !held.figures.isEmpty else {
            throw Failure.exit(.badData, localized("no bar is sure: there is nothing to add to the practice log"))
        }
        guard let log = PracticeLog(environment: Environment.values) else {
            throw Failure.exit(.noInput, localized("there is no home folder for the log: set HOME or XDG_STATE_HOME"))
        }
        var entry = PracticeLog.Entry(
            piece: heard.performance.title.isEmpty ? ScoreSource.title(ofScore: score) : heard.performance.title,
            bars: "\(first.line).\(first.bar)-\(last.line).\(last.bar)", speed: heard.performance.speed, minutes: 0,
            held: HeldSummary(held))
        (entry.lengths, entry.cents, entry.notes) = (held.figures, pitch.figures(held), pitch.tendencies)
        try Failure.exitOnError(.cannotWrite, "'\(log.path)' ") { try log.append(entry) }
    }
}
