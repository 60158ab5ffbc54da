internal import Application
internal import ArgumentParser
internal import Languages
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

    /// Makes the terminal of a command that may have the option as its user wants it.
    static func begin(of command: any ParsableCommand, _ settings: Settings) {
        if let plain = (command as? any PlainCommand)?.plainOptions.plain { LoadedSettings.usePlain(plain, settings) }
    }
}

/// A command that writes to a terminal and so has the option.
protocol PlainCommand {
    var plainOptions: PlainOptions { get }
}
