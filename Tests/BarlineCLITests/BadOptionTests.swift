internal import Shared
internal import Testing

/// Command lines that the parser refuses: each ends with one message after the program's name, the usage and code 64; nothing is
/// written. What requests refuse is tested without the command line.
@Suite struct BadOptionTests {
    private static let renderUsage = """
        Usage: barline render [<options>] <score> --output <file>
          See 'barline render --help' for more information.

        """

    /// Options, invalid values, and the reason given for each, one for each reader of values: what else a reader refuses is
    /// tested where it is.
    @Test(
        "the error about an option's value says how to correct it",
        arguments: [
            ("--speed <percent>", "-5%", "the speed cannot be negative, for example 80%"),
            ("--drone <notes>", "H4", "'H4' is not a pitch; the German H is B, and the German B is Bb: write B4"),
            ("--drone-level <level>", "6dB", "a level cannot be above 0 dB; did you mean -6 dB?"),
            ("--click-level <level>", "120%", "a level cannot be above 100 %"),
            (
                "--waveform <name>", "wobble",
                "'wobble' is not a waveform; write sine, triangle, sawtooth, square, reed-organ, oboe, strings or shruti"
            ),
            ("--drone-seed <n>", "-1", "a seed must be a whole number, 0 to 4294967295, for example 7"),
            ("--a4 <Hz>", "-440", "'-440' is not a frequency of A4, for example 442"),
            (
                "--speak <list>", "tunes",
                "'tunes' is not a list of bars, lines, labels, cues, intervals, durations, counts, pace, speed, distance and finish, for example lines,bars:4 or cues,pace"
            ),
            ("--count-in <length>", "-1", "a duration cannot be negative"),
        ])
    func theErrorAboutAnOptionsValueSaysHowToCorrectIt(option: String, value: String, why: String) async throws {
        let scratch = try Scratch()
        try scratch.write("small.yaml", SampleTexts.small)
        let name = String(option.prefix { $0 != " " })
        let outcome = try await Program.run(["render", "small.yaml", "-o", "x.wav", name, value], in: scratch)
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.first == "barline: error: The value '\(value)' is invalid for '\(option)': \(why)")
        #expect(lines.dropFirst().first?.hasPrefix("Help:  \(option)  ") == true)
        #expect(outcome.errors.hasSuffix(BadOptionTests.renderUsage))
        #expect(outcome.code == 64, "\(outcome.errors)")
        #expect(outcome.text == "")
        #expect(try scratch.names == ["small.yaml"])
    }

    /// Options that no command can carry out, alone or together.
    @Test(
        "a command line that cannot be parsed ends with exit code 64",
        arguments: [
            ("plya", "there is no command 'plya'; did you mean 'play'?"),
            ("help plya", "there is no command 'plya'; did you mean 'play'?"),
            ("foo", "there is no command 'foo'; `barline --help` lists the commands"),
            ("timeline", "Missing expected argument '<score>'"),
            ("timeline metronome --cvs", "Unknown option '--cvs'. Did you mean '--csv'?"),
            ("timeline metronome --csv --json", "--csv and --json cannot both be given"),
            ("play metronome --qqqqqqqq", "Unknown option '--qqqqqqqq'"),
            (
                "play metronome --clock sun",
                "The value 'sun' is invalid for '--clock <clock>'. Please provide one of 'system' and 'card'."
            ),
            ("play metronome --program eech_2", "there is no practice program 'eech'; did you mean 'each'?"),
            (
                "play metronome --silent-bars 2_of_2",
                "silent bars must be a number of bars out of at most 10000, for example 2 of 8"
            ),
            ("render metronome", "Missing expected argument '--output <file>'"),
            ("render run_0:02 -o x.wav --countdown 0", "a countdown must be 1 to 10 seconds, or off"),
            (
                "render metronome -o x.wav --click bar:knock.wav,level=50%,pitch=80%",
                "--click: the sound file 'knock.wav' has its own pitch and length; only its level can be changed"
            ),
            ("render metronome -o x.wav --rate 1", "--rate must be 8000 to 192000 Hz"),
            ("render metronome -o x.wav --rate 400000", "--rate must be 8000 to 192000 Hz"),
            ("render metronome -o x.wav --channels 33", "--channels must be 1 to 32"),
            (
                "render metronome -o x.wav --channels 1 --drone-channels 2",
                "--drone-channels names a channel above 1: use --channels for more channels"
            ),
            ("render metronome -o x.wav --times -1", "--times must be 1 to 1000000"),
            ("render metronome -o x.wav --loop --times 2", "--loop and --times cannot both be given"),
            (
                "render metronome -o x.wav --loop",
                "a file must end: use --times instead of --loop, or -o - for a stream"
            ),
            (
                "play metronome" + String(repeating: " --osc 127.0.0.1:9000", count: 9),
                "there are at most 8 receivers of OSC"
            ),
            ("play metronome" + String(repeating: " --midi none", count: 9), "there are at most 8 MIDI ports"),
            ("scores --copy", "Missing value for '--copy <name>'"),
            (
                "drone H4",
                "The value 'H4' is invalid for '<notes>': 'H4' is not a pitch; the German H is B, and the German B is Bb: write B4"
            ),
            ("tune --every x", "'x'"), ("convert piece.yaml x.mid --to mdi", "did you mean 'midi'?"),
            ("convert piece.yaml x.pdf --paper a5", "'a5' is not a value of --paper; write a4 or letter"),
            (
                "config a4 442 --revert-all",
                "show, set, --revert and --revert-all cannot be combined: use one of them"
            ),
            ("tap --beats 65 taps.txt", "--beats must be 1 to 64 taps"),
            (
                "tap --beats 4 taps.txt -o x.mid",
                "'x.mid' must end in .yaml; `barline convert` writes other formats"
            ),
            ("tap --beats 4 --seconds --meter 4/4 taps.txt", "--meter and --seconds cannot both be given"),
            ("report log.csv --csv", "--csv needs --taps, and no --json"),
            ("report log.csv log.csv --taps", "--taps takes one timing log"),
            ("doctor --input x", "--input needs --latency"), ("doctor --taps", "--taps needs --latency"),
            ("log --goal sequenza_at_100%", "a goal needs a piece, a speed and a day"),
        ])
    func aCommandLineThatCannotBeParsedEndsWithExitCode64(line: String, why: String) async throws {
        let scratch = try Scratch()
        // Underscores stand for blanks within a word.
        let words = line.split(separator: " ").map { String($0).replacing("_", with: " ") }
        let outcome = try await Program.run(words, in: scratch)
        let first = try #require(outcome.errors.split(separator: "\n").first)
        #expect(first.hasPrefix("barline: error: ") && first.contains(why), "\(first)")
        // The usage of a command that does not exist would be that of all.
        let hasUsage = !why.hasPrefix("there is no command")
        #expect(outcome.errors.contains("Usage: barline") == hasUsage)
        #expect(outcome.errors.contains("--help' for more information.\n") == hasUsage)
        #expect(outcome.code == 64 && outcome.text == "", "\(outcome.errors)")
        #expect(try scratch.names == [])
    }

    @Test("a plan is not written to a file with an unknown extension; the known ones are listed")
    func plans() async throws {
        let scratch = try Scratch()
        for (arguments, known) in [
            (["plan", "run 1:00", "-o", "x.doc"], "use .plan, .zwo, .fit, .csv, .txt, .ics, .pdf or .svg"),
            (["plan", "edit", "x.doc"], "use .plan, .zwo, .fit, .csv or .txt"),
        ] {
            let outcome = try await Program.run(arguments, in: scratch)
            #expect(outcome.errors.hasPrefix("barline: error: 'x.doc' has no known extension: "), "\(outcome.errors)")
            #expect(outcome.errors.contains(known) && outcome.code == 64 && outcome.text == "")
            #expect(try scratch.names == [])
        }
    }
}
