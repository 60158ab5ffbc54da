internal import ArgumentParser
internal import Languages
internal import Screens
internal import UserSettings

/// The option for a terminal without pictures.
struct PlainOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: .localized(
            """
            Write lines of text instead of a picture, without any escape sequence, as for a screen reader. All keys work. \
            Default: if TERM is dumb.
            """))
    var plain: Bool?

    /// The same for a command that may have the option.
    static func begin(of command: any ParsableCommand, _ settings: Settings) {
        if let plain = (command as? any PlainCommand)?.plainOptions.plain { begin(plain, settings) }
    }

    /// Decides, before anything is written, whether the terminal is plain. A dumb terminal always is.
    static func begin(_ option: Bool?, _ settings: Settings) {
        Terminal.isPlain = option ?? settings[Setting.plain] || Environment.values["TERM"] == "dumb"
    }
}

/// A command that writes to a terminal and so has the option.
protocol PlainCommand {
    var plainOptions: PlainOptions { get }
}
