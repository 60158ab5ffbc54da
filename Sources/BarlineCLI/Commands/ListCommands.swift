internal import Application
internal import ArgumentParser
internal import Languages

struct ScoresCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scores",
        abstract: localized("List the bundled scores and your own, or copy one for editing."),
        discussion: localized(
            """
            Your own scores are in $XDG_DATA_HOME/barline/scores (by default ~/.local/share/barline/scores). A score \
            with the name of a bundled one replaces it. Plans saved by `barline plan --save` are there, too.
            """))

    @Option(
        help: .localized("Copy this score into your folder, for example to add your own holds.", valueName: "name"),
        completion: .bundledScore)
    var copy: String?

    func run() throws { try ScoresRequest(copy: copy).print() }
}

struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: localized("List the ALSA outputs that can be opened."))

    @Flag(help: .localized("Print a JSON array of objects with name and description."))
    var json = false

    @Flag(help: .localized("List the inputs: what can record."))
    var inputs = false

    func run() throws {
        var request = DevicesRequest()
        (request.json, request.inputs) = (json, inputs)
        try request.print()
    }
}
