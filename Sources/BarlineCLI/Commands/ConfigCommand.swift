internal import Application
internal import ArgumentParser
internal import Languages

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: localized("Show the settings and their origins, set one, or revert it to its default."),
        discussion: localized(
            """
            Precedence, highest first: options, environment variables (BARLINE_A4), the score, your file \
            ($XDG_CONFIG_HOME/barline/config.yaml, by default ~/.config/barline/config.yaml), defaults.

              barline config
              barline config a4
              barline config a4 442
              barline config drone-level -30 dB
              barline config --revert a4
              barline config --score sequenza-vii
            """))

    @Argument(help: .localized("The setting to show or to set.", valueName: "setting"), completion: .setting)
    var setting: String?

    // `.allUnrecognized`, because a level such as -30dB is a value, not an option.
    @Argument(parsing: .allUnrecognized, help: .localized("Its new value.", valueName: "value"))
    var value: [String] = []

    private var words: [String] { (setting.map { [$0] } ?? []) + value }

    @Option(
        help: .localized("Remove this setting from your file, so that its default applies.", valueName: "setting"),
        completion: .setting)
    var revert: String?

    @Flag(help: .localized("Remove all settings from your file."))
    var revertAll = false

    @Option(help: .localized("Show the settings that apply to this score.", valueName: "score"), completion: .score)
    var score: String?

    @Flag(help: .localized("Print a JSON array of objects."))
    var json = false

    func validate() throws {
        let changes = [revert != nil, revertAll, words.count > 1].filter { $0 }.count
        if changes > 1 || (changes == 1 && (score != nil || json)) || (revert != nil || revertAll) && !words.isEmpty {
            throw ValidationError(localized("show, set, --revert and --revert-all cannot be combined: use one of them"))
        }
        if let word = words.first(where: { $0.hasPrefix("--") }) {
            throw ValidationError(localized("Unknown option '\(word)'"))
        }
    }

    func run() throws {
        let text = words.dropFirst().joined(separator: " ")
        var request = ConfigRequest(
            revert != nil || revertAll
                ? .revert(revert) : words.count > 1 ? .set(words[0], to: text) : .show(words.first))
        (request.score, request.json) = (score, json)
        try request.carryOut()
    }
}
