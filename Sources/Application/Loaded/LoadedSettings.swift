internal import Files
internal import Glibc
internal import Languages
internal import Screens
package import UserSettings

/// Reads the user's settings for commands. Problems are reported on standard error; an error ends the command.
package enum LoadedSettings {
    /// The settings in the environment and the user's file, which are read once, under the options of a command.
    package static func get(_ options: OptionValues = OptionValues()) throws -> Settings {
        let (settings, code) = Environment.own == nil ? loaded : read()
        if let code { throw ProgramEnd(code) }
        return settings.under(options)
    }

    private static let loaded = read()

    /// The settings that are valid, for output that does not need the others.
    package static var valid: Settings { Environment.own == nil ? firstValid : findValid() }

    private static let firstValid = findValid()

    private static func findValid() -> Settings {
        let environment = Environment.values
        var settings = Settings()
        _ = settings.take(environment: environment)
        if let file = SettingsFile(environment: environment) { settings.take(file.look()) }
        return settings
    }

    /// Turns color and escape sequences off if the user wants none. Call it before anything is written: messages about
    /// invalid settings have none then, either. Returns the settings that are valid.
    package static func begin() -> Settings {
        let settings = valid
        // All code that writes in color checks this variable.
        if settings[Setting.color] == .never { setenv("NO_COLOR", "1", 1) }
        usePlain(nil, settings)
        return settings
    }

    /// Decides, before anything is written, whether the terminal is plain: as it is wanted, or else by the settings. A dumb
    /// terminal always is.
    package static func usePlain(_ wanted: Bool?, _ settings: Settings) {
        Terminal.isPlain = wanted ?? settings[Setting.plain] || Environment[.terminal] == "dumb"
    }

    /// Reads the settings and reports problems. `code` is for commands that need valid settings; nil if they are.
    package static func read() -> (settings: Settings, code: Failure.Code?) {
        var settings = Settings()
        var code: Failure.Code?
        let environment = Environment.values
        for fault in settings.take(environment: environment) {
            Failure.say(localized("error: \(fault)"))
            code = .usage
        }
        guard let file = SettingsFile(environment: environment) else { return (settings, code) }
        do throws(FileError) {
            let contents = try file.read()
            settings.take(contents)
            LoadedScore.report(contents.diagnostics)
            if let aside = contents.setAside {
                Failure.say(
                    localized("note: the settings file was damaged and has been moved to '\(aside)'; defaults are used")
                )
            } else if contents.hasErrors {
                code = code ?? .badData
            }
        } catch {
            Failure.say(localized("error: '\(file.path)' \(error)"))
            code = code ?? .noInput
        }
        return (settings, code)
    }
}
