internal import ArgumentParser
internal import Hearing
internal import Languages
internal import Playback
internal import Running
internal import Scores
internal import Screens
internal import Timing

struct ListenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: localized("Show how long each bar was held in a recording."),
        discussion: localized(
            """
            Finds where notes begin in a recording (WAV, FLAC, MP3 and others), and sets them against the bars of the \
            score. A bar is sure if its place is at least 90 % probable; of other bars no duration is shown. The \
            recording may begin and end anywhere, and the player may stop and begin again. Clicks of this program that \
            the microphone heard do not count as notes.

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
        let heard = try HeardScore(passageOptions, score)
        let bars: [HeardBar]
        var clicks: [Double] = []
        if let corrected {
            bars = try HeardLabels.read(corrected, heard)
        } else {
            let result = try heard.listen(to: take)
            (bars, clicks) = (result.bars, result.clicks)
        }
        let table = HeardTable(heard, bars, clicks: clicks.count)
        if let labels { try OutputFile.write(HeardLabels.text(bars, heard), to: labels) }
        if let svg {
            let title = take.split(separator: "/").last.map(String.init) ?? take
            try OutputFile.write(Array(HeldPicture.svg(of: table.held, title: title).utf8), to: svg)
        }
        try StandardOutput.print(json ? table.json : table.text)
    }
}

/// The bars of a passage against which a take is set.
struct HeardScore {
    let performance: Performance
    let passage: Passage
    /// The boundaries that can be heard, and the one with which the player begins.
    let count: Int
    let first: Int
    /// How long each bar lasts at the speed, in seconds.
    let written: [Double]
    /// The boundaries that begin lines.
    let lines: [Int]

    /// More bars than this cannot be set against a take.
    private static let most = 20_000

    init(_ options: PassageOptions, _ score: String) throws {
        let (page, passage, first, _, _) = try options.passage(of: .named(score))
        var performance = Performance(of: page, passage: passage)
        performance.first = first
        if let speed = options.speed { performance.speed = speed }
        count = passage.count ?? max(1, 2000 / passage.barsInPass) * passage.barsInPass
        guard count <= HeardScore.most else {
            throw Failure.exit(
                .badData,
                localized("the score has \(count) bars, and a recording is set against at most \(HeardScore.most)"))
        }
        let speed = performance.speed
        let positions = (0...count).map { speed.realDuration(of: passage.position(of: $0)).inSeconds }
        written = (0..<count).map { positions[$0 + 1] - positions[$0] }
        lines = (0..<count).filter { $0 == 0 || passage.bar(of: $0).bar == 1 }
        (self.performance, self.passage, self.first) = (performance, passage, first)
    }

    /// Listens to a take. What is wrong with it is said on standard error; an error ends the command.
    func listen(to path: String) throws -> HeardTake {
        let sound: TakeSound
        do throws(RenderError) {
            sound = try TakeSound(path, rate: HeardTake.rate)
        } catch {
            if case .noMusic = error { throw Failure.exit(.noInput, error) }
            throw Failure.exit(.badData, error)
        }
        do throws(HeardTake.Fault) {
            let heard = try HeardTake(sound.samples, written, first: first, lines: lines, known: try knownClicks())
            report(sound, path, heard)
            return heard
        } catch {
            throw Failure.exit(.badData, HeardScore.message(error, path))
        }
    }

    /// The clicks that play beside the player; nil if they cannot be made.
    private func knownClicks() throws(HeardTake.Fault) -> KnownClicks? {
        guard passage.count != nil else { return nil }
        let played = PlayedClicks(performance, rate: HeardTake.rate)
        var sounds: [ClickSound] = []
        let clicks = played.clicks.map { click -> (seconds: Double, shape: Int) in
            if let shape = sounds.firstIndex(of: click.sound) { return (click.seconds, shape) }
            sounds.append(click.sound)
            return (click.seconds, sounds.count - 1)
        }
        let shapes = sounds.compactMap { try? PlayedClicks.samples(of: $0, rate: HeardTake.rate) }
        return shapes.count == sounds.count ? KnownClicks(clicks, shapes: shapes) : nil
    }

    private func report(_ sound: TakeSound, _ path: String, _ heard: HeardTake) {
        if sound.clippedPieces > 0 {
            let seconds = Double(sound.clippedPieces) / 100
            Failure.say(
                localized(
                    "warning: '\(path)' is clipped for \(Duration(inSeconds: seconds).seconds(decimals: 2)) s: record it at a lower level"
                ))
        }
        switch sound.side {
        case .left: Failure.say(localized("note: the player is on the left side of '\(path)'; the other is left out"))
        case .right: Failure.say(localized("note: the player is on the right side of '\(path)'; the other is left out"))
        case .only, .both: break
        }
        if !heard.clicks.isEmpty {
            Failure.say(localized("note: clicks of this program are heard in '\(path)'; they do not count as notes"))
        }
    }

    private static func message(_ fault: HeardTake.Fault, _ path: String) -> String {
        switch fault {
        case .silent: localized("'\(path)' is silent: check the microphone and its level")
        case .noNotes: localized("no notes are heard in '\(path)': nothing can be set against the score")
        case .onlyClicks: localized("only clicks of this program are heard in '\(path)', and no player")
        case .otherPiece:
            localized(
                "the notes in '\(path)' do not fit the durations of the score: is it this piece, at this speed? --from tells where it begins"
            )
        }
    }
}
