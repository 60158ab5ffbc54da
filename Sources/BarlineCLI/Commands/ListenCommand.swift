internal import Application
internal import ArgumentParser
internal import Languages

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
        try OptionText.checkInputs([take, score, corrected])
        if svg == "-" || labels == "-" {
            throw ValidationError(localized("--svg and --labels need files, because the table goes to standard output"))
        }
    }

    func run() throws {
        var request = ListenRequest(take, score)
        (request.passage, request.svg, request.labels) = (passageOptions.request, svg, labels)
        (request.corrected, request.notes, request.log, request.json) = (corrected, notes, log, json)
        try request.listen()
    }
}
