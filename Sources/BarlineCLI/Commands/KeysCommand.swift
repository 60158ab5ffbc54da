internal import Application
internal import ArgumentParser
internal import Languages
internal import UserSettings

struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: localized("List the keys while music plays, and what they do."),
        discussion: localized(
            """
            Change them in your settings: the keys that you list for an action replace those that it has. A key has only one \
            action.

              barline config keys 'pause f5 b, a4-up none'

            --learn asks for a key and then for a button of a MIDI device, which does the same from then on.
            """))

    @Flag(help: .localized("Print a JSON array of objects with action, keys and says."))
    var json = false

    @Flag(help: .localized("Learn what the buttons of a MIDI device do: press a key of Barline, and then the button."))
    var learn = false

    @Option(
        help: .localized(
            "With --learn, the MIDI device: a part of its name, an address such as 20:0, or all. Default: all.",
            valueName: "port"), transform: { try OptionText.chosen($0, Setting.midiIn) })
    var midiIn: Chosen<String>?

    func validate() throws {
        if learn, json { throw ValidationError(localized("--learn and --json cannot be combined: use one of them")) }
        if midiIn != nil, !learn {
            throw ValidationError(localized("--midi-in says what --learn listens to: add --learn"))
        }
    }

    func run() throws {
        var request = KeysRequest()
        (request.style, request.learnsFrom) = (json ? .json : .plain, learn ? midiIn?.value ?? "all" : nil)
        try request.carryOut()
    }
}
