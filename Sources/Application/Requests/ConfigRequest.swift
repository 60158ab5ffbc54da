internal import Glibc
internal import Languages
internal import Scores
internal import SystemPackage
internal import UserSettings

/// What becomes of the user's settings. `carryOut` does it.
package struct ConfigRequest: Sendable {
    package enum Action: Sendable {
        /// Shows one setting, or all.
        case show(String?)
        case set(String, to: String)
        /// Reverts one setting to its default, or all.
        case revert(String?)
    }

    package var action: Action
    /// The score for which settings are shown; nil for none.
    package var score: String?
    package var json = false

    package init(_ action: Action) { self.action = action }

    /// Does it. Errors: `ProgramEnd`, whose reason has been told.
    package func carryOut() throws {
        switch action {
        case .show(let name): try show(try name.map(named))
        case .revert(let name):
            try change { file in
                // What a mistake, or a newer version, has left in the file can be removed, too.
                let names = try name.map { name in file.has(name) ? [name] : [try named(name).name] }
                return try file.revert(names ?? Setting.all.map(\.name))
            }
        case .set(let name, let value):
            let (setting, value) = (try named(name), value.trimmingBlanks)
            try Failure.exitOnError(.usage, "\(setting.name): ") { try setting.check(value) }
            try change { try $0.set(setting, value) }
            noteWhatIsStronger(setting)
            noteMissingFile(setting)
        }
    }

    private func named(_ name: String) throws -> Setting {
        try Failure.exitOnError(.usage) { try Setting.named(name) }
    }

    // MARK: - Setting

    private func change(_ change: (SettingsFile) throws -> SettingsFile.Change) throws {
        let file = try SettingsFile.own()
        file.report(try Failure.exitOnError(.cannotWrite, "'\(file.path)' ") { try change(file) })
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

    /// Prints a note if the file that a tuning or a keyboard map names cannot be read now.
    private func noteMissingFile(_ setting: Setting) {
        guard [Setting.tuning.setting.name, Setting.keyboardMap.setting.name].contains(setting.name) else { return }
        let (settings, _) = LoadedSettings.read()
        let (tuning, map) = (settings[Setting.tuning], settings[Setting.keyboardMap])
        let path = setting.name == Setting.keyboardMap.setting.name ? map : tuning
        guard !path.isEmpty, Temperament(rawValue: path) == nil, access(path, R_OK) != 0 else { return }
        Failure.say(localized("note: '\(path)' cannot be read: \(Errno.last.reason)"))
    }

    // MARK: - Showing

    private func show(_ setting: Setting?) throws {
        var (settings, code) = LoadedSettings.read()
        for fault in Environment.unknownSettings { Failure.say(localized("note: \(fault)")) }
        if let score {
            let (score, preferences, words, _) = try LoadedScore.read(
                score, LoadedScore.Choice(gaps: LoadedScore.PlanGaps(canWait: true)))
            if words.plan != nil { settings.becomeThoseOfPlan() }
            settings.take(score, preferences: preferences)
        }
        if json {
            try StandardOutput.print(settings.json(setting.map { [$0] } ?? Setting.all))
        } else if let setting {
            try StandardOutput.print(settings.description(of: setting))
        } else {
            try StandardOutput.print(settings.table(dims: StandardOutput.hasColor))
        }
        if let code { throw ProgramEnd(code) }
    }
}

extension Settings {
    /// A line for each setting. Settings without effect are dimmed, or say why.
    fileprivate func table(dims: Bool) -> String {
        let rows = Setting.all.map { setting in
            let found = found(setting)
            let idleness = dims ? nil : idleness(of: setting).map { "(\($0))" }
            return [setting.name, found.text, "\(found.origin)", idleness ?? ""].map(Table.Cell.text)
        }
        let table = Table(
            columns: [
                .text(localized("setting"), "setting"), .text(localized("value"), "value"),
                .text(localized("from"), "from"), .text("", "idle"),
            ], rows: rows)
        let text = table.text(.plain)
        guard dims else { return text }
        let lines = text.split(separator: "\n")
        let dimmed = zip(Setting.all, lines.dropFirst()).map { setting, line in
            idleness(of: setting) == nil ? "\(line)\n" : "\u{1B}[2m\(line)\u{1B}[0m\n"
        }
        return lines[0] + "\n" + dimmed.joined()
    }

    /// Everything about one setting.
    fileprivate func description(of setting: Setting) -> String {
        let found = found(setting)
        var lines = [setting.help, localized("Values: \(setting.form).")]
        lines.append(
            found.origin == .standard
                ? localized("This is the default.")
                : localized("This value is from \(found.origin); the default is \(setting.standard)."))
        if let reason = idleness(of: setting) { lines.append(localized("It has no effect now: \(reason).")) }
        let ways: [String?] = [
            setting.option.map { localized("option \($0)") }, localized("variable \(setting.variable)"),
            setting.preference == nil ? nil : localized("scores"), localized("your file"),
        ]
        lines.append(localized("Set by: \(ways.compactMap(\.self).joined(separator: ", "))."))
        return (["\(setting.name): \(found.text)"] + lines.map { "  " + $0 }).map { $0.printable + "\n" }.joined()
    }

    fileprivate func json(_ all: [Setting]) -> String {
        JSON.array(
            all.map { setting in
                let found = found(setting)
                let texts: [(String, String?)] = [
                    ("setting", setting.name), ("value", found.text), ("from", found.origin.layer),
                    ("place", [.standard, .score, .plan].contains(found.origin) ? nil : "\(found.origin)"),
                    ("default", setting.standard), ("idle", idleness(of: setting)), ("help", setting.help),
                    ("form", setting.form), ("variable", setting.variable), ("option", setting.option),
                ]
                return JSON.line(texts.map { ($0, .text(orNull: $1)) })
            })
    }
}

extension Settings.Origin {
    /// The layer in one word, for programs.
    fileprivate var layer: String {
        switch self {
        case .environment: "environment"
        case .score: "score"
        case .file: "file"
        case .plan: "plan"
        case .standard: "default"
        }
    }
}

extension SettingsFile {
    /// Says what became of the file besides the change that was wanted.
    func report(_ change: Change) {
        if let aside = change.setAside {
            Failure.say(localized("note: the settings file was damaged and has been moved to '\(aside)'"))
        }
        if change.losesComments {
            let loss = localized("the comments in the old file are lost")
            Failure.say(localized("warning: \(path): \(loss)"))
        }
    }

    /// The user's file. Errors: there is no folder for it.
    static func own() throws -> SettingsFile {
        if let file = SettingsFile(environment: Environment.values) { return file }
        throw Failure.exit(
            .cannotWrite, localized("there is no home folder for settings: set HOME or XDG_CONFIG_HOME"))
    }
}
