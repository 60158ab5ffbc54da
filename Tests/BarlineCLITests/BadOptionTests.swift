internal import Shared
internal import Testing

/// Options that no command can carry out. Each ends with one message after the program's name and code 64; nothing is
/// written.
@Suite struct BadOptionTests {
    @Test("--countdown off leaves out the countdown; 0 is an error that says so")
    func aCountdownIsLeftOutWithOff() async throws {
        let outcome = try await Program.run(["render", "run 0:02", "-o", "x.wav", "--countdown", "0"], in: Scratch())
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains("a countdown must be 1 to 10 seconds, or off"), "\(outcome.errors)")
    }

    private static let renderUsage = """
        Usage: barline render [<options>] <score> --output <file>
          See 'barline render --help' for more information.

        """

    /// Options, invalid values, and the reason given for each.
    @Test(
        "the error about an option's value says how to correct it",
        arguments: [
            ("--speed <percent>", "0", "the speed cannot be 0 %, for example 80%"),
            ("--speed <percent>", "-5%", "the speed cannot be negative, for example 80%"),
            ("--speed <percent>", "0.8", "the speed must be 5 % to 1000 %; for 0.8 times the speed write 80%"),
            ("--speed <percent>", "fast", "'fast' is not a speed, for example 80%"),
            ("--drone <notes>", "H4", "'H4' is not a pitch; the German H is B, and the German B is Bb: write B4"),
            ("--drone <notes>", "494", "a frequency needs its unit; write 494 Hz"),
            ("--drone-level <level>", "-24", "a level needs its unit, dB or %, for example -12 dB, 25 % or off"),
            ("--drone-level <level>", "6dB", "a level cannot be above 0 dB; did you mean -6 dB?"),
            ("--click-level <level>", "120%", "a level cannot be above 100 %"),
            (
                "--waveform <name>", "wobble",
                "'wobble' is not a waveform; write sine, triangle, sawtooth, square, reed-organ, oboe, strings or shruti"
            ),
            ("--a4 <Hz>", "500", "A4 must be 380 Hz to 480 Hz, for example 442"),
            ("--a4 <Hz>", "-440", "'-440' is not a frequency of A4, for example 442"),
            ("--count-in <length>", "99", "a count-in lasts at most 60 s"),
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

    /// Numbers out of range, and options that contradict each other.
    @Test(
        "numbers out of range and contradictory options are refused",
        arguments: [
            (["--rate", "1"], "--rate must be 8000 to 192000 Hz"),
            (["--rate", "400000"], "--rate must be 8000 to 192000 Hz"),
            (["--channels", "33"], "--channels must be 1 to 32"),
            (
                ["--channels", "1", "--drone-channels", "2"],
                "--drone-channels names a channel above 1: use --channels for more channels"
            ),
            (["--times", "0"], "--times must be 1 to 1000000"),
            (["--times", "-1"], "--times must be 1 to 1000000"),
            (["--loop", "--times", "2"], "--loop and --times cannot both be given"),
            (["--loop"], "a file must end: use --times instead of --loop, or -o - for a stream"),
        ])
    func numbersOutOfRangeAndContradictoryOptionsAreRefused(arguments: [String], why: String) async throws {
        let scratch = try Scratch()
        try scratch.write("small.yaml", SampleTexts.small)
        let outcome = try await Program.run(["render", "small.yaml", "-o", "x.wav"] + arguments, in: scratch)
        #expect(outcome.errors == "barline: error: \(why)\n" + BadOptionTests.renderUsage)
        #expect(outcome.code == 64, "\(outcome.errors)")
        #expect(outcome.text == "")
        #expect(try scratch.names == ["small.yaml"])
    }

    /// Places that the piece does not have.
    @Test(
        "the error about a place outside the piece says which places it has",
        arguments: [
            (["--from", "9"], "--from: there is no bar 9: the piece has bars 1 to 4"),
            (["--from", "0"], "--from: there is no bar 0: the piece has bars 1 to 4"),
            (["--to", "3.1"], "--to: there is no line 3: the piece has lines 1 to 2"),
            (["--to", "1.5"], "--to: there is no bar 5 in line 1: it has bars 1 to 2"),
            (["--from", "B"], "--from: there is no label 'B' in the piece"),
            (["--from", "2.1", "--to", "1.2"], "--from 2.1 comes after --to 1.2: there is nothing to play"),
        ])
    func theErrorAboutAPlaceOutsideThePieceSaysWhichPlacesItHas(arguments: [String], why: String) async throws {
        let scratch = try Scratch()
        try scratch.write("small.yaml", SampleTexts.small)
        for command in [["timeline"], ["play"], ["render", "-o", "x.wav"]] {
            let outcome = try await Program.run(command + ["small.yaml"] + arguments, in: scratch)
            #expect(outcome.errors == "barline: error: \(why)\n", "\(command)")
            #expect(outcome.code == 64, "\(command)")
            #expect(outcome.text == "", "\(command)")
            #expect(try scratch.names == ["small.yaml"])
        }
    }

    /// Names of files to write, for every command that writes one.
    @Test(
        "a file name with an unknown extension is refused by every command, which lists the known ones",
        arguments: [
            (
                ["render", "small.yaml", "-o", "x.m4a"],
                "use .wav, .rf64, .flac, .ogg, .oga, .opus, .mp3, .aiff or .aif"
            ),
            (["render", "small.yaml", "--stems", "-o", "x.wav.xyz"], "or add --type"),
            (["convert", "small.yaml", "x.doc"], "use one of .csv, .htm, .html, .klick, .labels, .mid, .midi, .pdf, "),
            (["plan", "run 1:00", "-o", "x.doc"], "use .plan, .zwo, .fit, .csv, .txt, .ics, .pdf or .svg"),
            (["plan", "edit", "x.doc"], "use .plan, .zwo, .fit, .csv or .txt"),
            (["report", "small.yaml", "--svg", "x.png"], "a picture of --svg is .svg"),
            (["log", "--svg", "x.png"], "a picture of --svg is .svg"),
        ])
    func anUnknownExtensionIsRefused(arguments: [String], known: String) async throws {
        let scratch = try Scratch()
        try scratch.write("small.yaml", SampleTexts.small)
        let outcome = try await Program.run(arguments, in: scratch)
        #expect(outcome.errors.hasPrefix("barline: error: 'x."), "\(outcome.errors)")
        #expect(outcome.errors.contains("' has no known extension: ") && outcome.errors.contains(known))
        #expect(outcome.code == 64 && outcome.text == "")
        #expect(try scratch.names == ["small.yaml"])
    }

    @Test("a file needs no known extension if --type is given, or if its name has no extension")
    func aGivenTypeNeedsNoExtension() async throws {
        let scratch = try Scratch()
        try scratch.write("small.yaml", SampleTexts.small)
        for (name, options, tag) in [
            ("x.xyz", ["--type", "flac"], "fLaC"), ("x", [], "RIFF"), ("x.aif", [], "FORM"),
        ] {
            let outcome = try await Program.run(["render", "small.yaml", "-o", name] + options, in: scratch)
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(try scratch.read(name).starts(with: tag.utf8))
        }
    }

    @Test("a drone level without a drone is an error") func aDroneLevelWithoutADroneIsAnError()
        async throws
    {
        let scratch = try Scratch()
        let outcome = try await Program.run(
            ["render", "metronome", "-o", "x.wav", "--to", "1.1", "--drone-level", "-20dB"], in: scratch)
        #expect(outcome.errors == "barline: error: the score has no drone; add one with --drone B4\n")
        #expect(outcome.code == 64 && outcome.text == "", "\(outcome.errors)")
        #expect(try scratch.names == [])
    }

    /// Command lines that cannot be parsed.
    @Test(
        "a command line that cannot be parsed ends with exit code 64",
        arguments: [
            (["plya"], "there is no command 'plya'; did you mean 'play'?"),
            (["help", "plya"], "there is no command 'plya'; did you mean 'play'?"),
            (["foo"], "there is no command 'foo'; `barline --help` lists the commands"),
            (["timeline"], "Missing expected argument '<score>'"),
            (["timeline", "metronome", "--cvs"], "Unknown option '--cvs'. Did you mean '--csv'?"),
            (["timeline", "metronome", "--csv", "--json"], "--csv and --json cannot both be given"),
            (["play", "metronome", "--qqqqqqqq"], "Unknown option '--qqqqqqqq'"),
            (
                ["play", "metronome", "--clock", "sun"],
                "The value 'sun' is invalid for '--clock <clock>'. Please provide one of 'system' and 'card'."
            ),
            (["render", "metronome"], "Missing expected argument '--output <file>'"),
            (
                ["render", "metronome", "-o", "x", "--bits", "8"],
                "The value '8' is invalid for '--bits <bits>'. Please provide one of '16', '24' or '32f'."
            ),
            (["check"], "Missing expected argument '<files> ...'"),
            (["scores", "--copy"], "Missing value for '--copy <name>'"),
            (
                ["drone", "H4"],
                "The value 'H4' is invalid for '<notes>': 'H4' is not a pitch; the German H is B, and the German B is Bb: write B4"
            ),
            (["devices", "--xml"], "Unknown option '--xml'"),
        ])
    func aCommandLineThatCannotBeParsedEndsWithExitCode64(arguments: [String], why: String) async throws {
        let scratch = try Scratch()
        let outcome = try await Program.run(arguments, in: scratch)
        #expect(outcome.errors.split(separator: "\n").first == "barline: error: \(why)")
        // The usage of a command that does not exist would be that of all.
        let hasUsage = !why.hasPrefix("there is no command")
        #expect(outcome.errors.contains("Usage: barline") == hasUsage)
        #expect(outcome.errors.contains("--help' for more information.\n") == hasUsage)
        #expect(outcome.code == 64, "\(outcome.errors)")
        #expect(outcome.text == "")
        #expect(try scratch.names == [])
    }
}
