internal import ArgumentParser
internal import Files
internal import Glibc
internal import UserSettings

/// The user's settings for commands: what is wrong with them goes to standard error, and an error ends the command.
enum LoadedSettings {
    /// The settings in the environment and the user's file, read once.
    static func get() throws -> Settings {
        let (settings, code) = loaded
        if let code { throw ExitCode(code.rawValue) }
        return settings
    }

    private static let loaded = read()

    /// Before anything is written: who wants no color has none, also in what is said of faulty settings.
    static func begin() {
        let environment = Environment.values
        var settings = Settings()
        _ = settings.take(environment: environment)
        if let file = SettingsFile(environment: environment) { settings.take(file.look()) }
        // Whatever writes in color asks this variable.
        if settings[Setting.color] == .never { setenv("NO_COLOR", "1", 1) }
    }

    /// Reads the settings, says what is wrong with them, and how a command ends that cannot do without them.
    static func read() -> (settings: Settings, code: Failure.Code?) {
        var settings = Settings()
        var code: Failure.Code?
        let environment = Environment.values
        for fault in settings.take(environment: environment) {
            Failure.say("error: \(fault)")
            code = .usage
        }
        guard let file = SettingsFile(environment: environment) else { return (settings, code) }
        do throws(FileError) {
            let contents = try file.read()
            settings.take(contents)
            LoadedScore.report(contents.diagnostics)
            if let aside = contents.setAside {
                Failure.say("the settings were damaged: they are '\(aside)' now, and defaults are used")
            } else if contents.hasErrors {
                code = code ?? .badData
            }
        } catch {
            Failure.say("error: '\(file.path)' \(error)")
            code = code ?? .noInput
        }
        return (settings, code)
    }
}
