internal import Application
internal import ArgumentParser
internal import Languages
internal import Scores
internal import Screens
internal import UserSettings

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

    // `.allUnrecognized`, because a level such as -30dB is a value, not an option.
    @Argument(
        parsing: .allUnrecognized,
        help: .localized("A setting to show, or a setting and its new value.", valueName: "setting> <value"),
        completion: .setting)
    var words: [String] = []

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
        if let revert {
            let setting = try named(revert)
            return try change { try $0.revert([setting.name]) }
        }
        if revertAll { return try change { try $0.revert(Setting.all.map(\.name)) } }
        guard words.count > 1 else { return try show(try words.first.map { try named($0) }) }
        let setting = try named(words[0])
        let value = words.dropFirst().joined(separator: " ")
        try Failure.exitOnError(.usage, "\(setting.name): ") { try setting.check(value) }
        try change { try $0.set(setting, value) }
        noteWhatIsStronger(setting)
    }

    private func named(_ name: String) throws -> Setting {
        try Failure.exitOnError(.usage) { try Setting.named(name) }
    }

    // MARK: - Setting

    private func change(_ change: (SettingsFile) throws -> String?) throws {
        guard let file = SettingsFile(environment: Environment.values) else {
            throw Failure.exit(
                .cannotWrite, localized("there is no home folder for settings: set HOME or XDG_CONFIG_HOME"))
        }
        if let aside = try Failure.exitOnError(.cannotWrite, "'\(file.path)' ", { try change(file) }) {
            Failure.say(localized("note: the settings file was damaged and has been moved to '\(aside)'"))
        }
    }

    /// Prints a note if the new value has no effect, so that the user does not find out at the next rehearsal.
    private func noteWhatIsStronger(_ setting: Setting) {
        let (settings, _) = LoadedSettings.read()
        if settings.isInEnvironment(setting) {
            Failure.say(localized("note: \(setting.variable) is set, too, and overrides your file"))
        } else if let reason = settings.idleness(of: setting) {
            Failure.say(localized("note: \(setting.name) has no effect now: \(reason)"))
        }
    }

    // MARK: - Showing

    private func show(_ setting: Setting?) throws {
        var (settings, code) = LoadedSettings.read()
        for fault in Environment.unknownSettings { Failure.say(localized("note: \(fault)")) }
        if let score {
            let (score, preferences, _) = try LoadedScore.read(score)
            settings.take(score, preferences: preferences)
        }
        if json {
            try StandardOutput.print(ConfigCommand.json(setting.map { [$0] } ?? Setting.all, settings))
        } else if let setting {
            try StandardOutput.print(ConfigCommand.description(setting, settings))
        } else {
            try StandardOutput.print(ConfigCommand.table(settings, dims: Terminal.hasColor(1)))
        }
        if let code { throw ProgramEnd(code) }
    }

    /// A line for each setting. Settings without effect are dimmed, or say why.
    private static func table(_ settings: Settings, dims: Bool) -> String {
        let rows = Setting.all.map { setting in
            let found = settings.found(setting)
            let idleness = dims ? nil : settings.idleness(of: setting).map { "(\($0))" }
            return [setting.name, found.text, "\(found.origin)", idleness ?? ""].map(Table.Cell.text)
        }
        let table = Table(
            columns: [
                .text(localized("setting"), "setting"), .text(localized("value"), "value"),
                .text(localized("from"), "from"), .text("", "idle"),
            ], rows: rows)
        let lines = table.text(.plain).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        guard dims, let head = lines.first else { return lines.map { $0 + "\n" }.joined() }
        let dimmed = zip(Setting.all, lines.dropFirst()).map { setting, line in
            settings.idleness(of: setting) == nil ? "\(line)\n" : "\u{1B}[2m\(line)\u{1B}[0m\n"
        }
        return head + "\n" + dimmed.joined()
    }

    /// Everything about one setting.
    private static func description(_ setting: Setting, _ settings: Settings) -> String {
        let found = settings.found(setting)
        var lines = [setting.help, localized("Values: \(setting.form).")]
        lines.append(
            found.origin == .standard
                ? localized("This is the default.")
                : localized("This value is from \(found.origin); the default is \(setting.standard)."))
        if let reason = settings.idleness(of: setting) { lines.append(localized("It has no effect now: \(reason).")) }
        let ways: [String?] = [
            setting.option.map { localized("option \($0)") }, localized("variable \(setting.variable)"),
            setting.preference == nil ? nil : localized("scores"), localized("your file"),
        ]
        lines.append(localized("Set by: \(ways.compactMap(\.self).joined(separator: ", "))."))
        return (["\(setting.name): \(found.text)"] + lines.map { "  " + $0 }).map { $0.printable + "\n" }.joined()
    }

    private static func json(_ all: [Setting], _ settings: Settings) -> String {
        let objects = all.map { setting in
            let found = settings.found(setting)
            let texts: [(String, String?)] = [
                ("setting", setting.name), ("value", found.text), ("from", found.origin.layer),
                ("place", found.origin == .standard || found.origin == .score ? nil : "\(found.origin)"),
                ("default", setting.standard), ("idle", settings.idleness(of: setting)), ("help", setting.help),
                ("form", setting.form), ("variable", setting.variable), ("option", setting.option),
            ]
            return JSON.line(texts.map { ($0, .text(orNull: $1)) })
        }
        return JSON.array(objects)
    }
}

extension Settings.Origin {
    /// The layer in one word, for programs.
    fileprivate var layer: String {
        switch self {
        case .environment: "environment"
        case .score: "score"
        case .file: "file"
        case .standard: "default"
        }
    }
}
