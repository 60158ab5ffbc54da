internal import Application
internal import ArgumentParser
internal import Languages
internal import Scores
internal import Screens

/// What `barline` does before its arguments are parsed: without any it offers a beginning, and a word that is no command
/// gets a suggestion.
enum Welcome {
    /// The arguments to parse; nil if the player has chosen none of the offers. Errors: the first is no command.
    static func arguments() throws -> [String]? {
        let arguments = Array(CommandLine.arguments.dropFirst())
        // Of a name that is not UTF-8, as on old disks, Swift would make another one: that of another file.
        for n in 0..<Int(CommandLine.argc) {
            guard let text = CommandLine.unsafeArgv[n], String(validatingCString: text) == nil else { continue }
            throw Failure.exit(
                .usage, localized("'\(String(cString: text))' is not UTF-8: rename the file, for example with `convmv`")
            )
        }
        guard let first = arguments.first else { return Terminal.isInteractive ? choice() : [] }
        let names = BarlineCommand.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
        // The options of `plan` are those of `plan show`, which is meant by `plan` alone.
        if first == "plan", arguments.count == 2, ["--help", "-h"].contains(arguments[1]) {
            return ["plan", "show", "--help"]
        }
        if arguments == ["help", "plan"] { return ["help", "plan", "show"] }
        let name = first == "help" && arguments.count > 1 ? arguments[1] : first
        guard !name.hasPrefix("-"), !names.contains(name) else { return arguments }
        let near = Suggestion.hint(for: name, in: names) ?? localized("`barline --help` lists the commands")
        throw Failure.exit(.usage, localized("there is no command '\(name)'; \(near)"))
    }

    /// Asks a player at a terminal for a beginning; nil for none.
    private static func choice() -> [String]? {
        let offers = [
            localized("Barline clicks and drones in time with music timed in seconds. Press a key:"),
            localized("  p  plays a piece, Sequenza VII; there, ? shows the keys and q ends"),
            localized("  l  looks around: the scores that can be played"),
            localized("  t  tests the sound"),
            localized("  q  quits; `barline --help` lists all commands"),
        ]
        Terminal().write(offers.joined(separator: "\n") + "\n")
        let answer = HeldTerminal.key { key -> [String]? in
            switch key {
            case "p": ["play", "sequenza-vii"]
            case "l": ["scores"]
            case "t": ["doctor"]
            case "q", "\u{1B}", "\u{4}": []
            default: nil
            }
        }
        return answer == [] ? nil : answer
    }
}
