internal import Application
internal import ArgumentParser
internal import CMalloc
internal import Glibc
internal import Languages
internal import Scores
internal import Screens

@main
struct BarlineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "barline",
        abstract: localized("A metronome and drone for music timed in seconds."),
        discussion: localized(
            """
            Plays a score: a click at every bar, a different click at the first bar of a line, and a continuous drone. \
            SCORE is a file (YAML, CSV, MIDI and other formats), the name of a bundled score or of your own score (see \
            `barline scores`), or - for standard input.

              barline play sequenza-vii --from 5.7 --speed 80%
              barline render sequenza-vii -o sequenza.wav --a4 442
              barline check my-piece.yaml
              barline convert my-piece.yaml my-piece.mid
            """),
        version: "0.2.0",
        subcommands: [
            PlayCommand.self, ServeCommand.self, FollowCommand.self, RenderCommand.self, TimelineCommand.self,
            ConvertCommand.self, CheckCommand.self, ScoresCommand.self, DroneCommand.self, TuneCommand.self,
            DevicesCommand.self,
            ReportCommand.self, ListenCommand.self, PaceCommand.self, PlanCommand.self, SplitsCommand.self,
            GallowayCommand.self,
            EveryCommand.self, TapCommand.self,
        ] + SessionCommands.all + [ConfigCommand.self, KeysCommand.self, LogCommand.self, DoctorCommand.self])

    /// Every error on standard error begins like this, also those of ArgumentParser.
    static let _errorPrefix = "barline: " + localized("error: \("")")

    static func main() async {
        StandardStream.replaceClosed()
        // A file that reaches its size limit is an error to report, not a signal that ends the program.
        signal(SIGXFSZ, SIG_IGN)
        // Freed large blocks return to the system; by default, glibc raises this threshold to the largest freed one.
        mallopt(M_MMAP_THRESHOLD, 128 << 10)
        // The language is chosen before any text is made, because many texts are made only once. Output for programs stays English.
        let isForPrograms = CommandLine.arguments.contains {
            ["--json", "--csv", "--experimental-dump-help"].contains($0)
        }
        let language: Language = isForPrograms ? .en : Environment.language
        speak(language)
        Logs.begin()
        let settings = LoadedSettings.begin()
        do {
            guard let arguments = try Welcome.arguments() else { StandardOutput.end() }
            var command = try parseAsRoot(arguments)
            PlainOptions.begin(of: command, settings)
            if var longer = command as? any AsyncParsableCommand {
                try await longer.run()
            } else {
                try command.run()
            }
            StandardOutput.end()
        } catch let end as ProgramEnd {
            guard end != .success else { StandardOutput.end() }
            Glibc.exit(end.code)
        } catch {
            let code = exitCode(for: error)
            // Help and version go to standard output.
            let text = fullMessage(for: error)
            if code == .success {
                let help = language == .en ? text : ParserWords.help(text) ?? text
                if !help.isEmpty { StandardOutput.say(CompletionScript.completed(help)) }
                StandardOutput.end()
            }
            // The message may quote any argument, so it is made safe for a terminal.
            let message = language == .en ? text : ParserWords.error(text)
            let lines = message.isEmpty ? [] : message.split(separator: "\n", omittingEmptySubsequences: false)
            StandardError.write(lines.map { $0.printable + "\n" }.joined())
            Glibc.exit(code.rawValue)
        }
    }
}
