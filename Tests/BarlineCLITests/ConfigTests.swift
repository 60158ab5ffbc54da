internal import Foundation
internal import Shared
internal import Testing

/// `config`, and the effect of the settings on other commands.
@Suite struct ConfigTests {
    @Test("a settings file that is a symbolic link stays one") func aSettingsFileThatIsASymbolicLinkStaysOne()
        async throws
    {
        let scratch = try Scratch()
        let home = try #require(scratch.environment["HOME"])
        let folder = home + "/.config/barline"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: home + "/dotfiles", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/config.yaml", withDestinationPath: "../../dotfiles/barline.yaml")
        #expect(try await Program.run(["config", "a4", "442"], in: scratch).code == 0)
        let text = String(decoding: try Scratch.read(home + "/dotfiles/barline.yaml"), as: UTF8.self)
        #expect(text.contains("a4: 442"))
        let goal = try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/config.yaml")
        #expect(goal == "../../dotfiles/barline.yaml")
    }

    /// The settings file of a program that runs in a scratch folder.
    private func path(_ scratch: Scratch) -> String {
        (scratch.environment["HOME"] ?? "") + "/.config/barline/config.yaml"
    }

    private func text(_ scratch: Scratch) throws -> String {
        String(decoding: try Scratch.read(path(scratch)), as: UTF8.self)
    }

    private func write(_ text: String, _ scratch: Scratch) throws {
        let folder = String(path(scratch).dropLast("/config.yaml".count))
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try text.write(toFile: path(scratch), atomically: false, encoding: .utf8)
    }

    /// The row of a setting: value and origin.
    private func row(_ name: String, _ text: String) -> String? {
        text.split(separator: "\n").first { $0.hasPrefix("  \(name) ") }.map(String.init)
    }

    @Test("a setting is shown with its origin, and can be reverted to its default")
    func aSettingIsShownWithItsOriginAndCanBeRevertedToItsDefault() async throws {
        let scratch = try Scratch()
        let before = try await Program.run(["config"], in: scratch)
        #expect(row("a4", before.text)?.split(separator: " ") == ["a4", "440", "default"])
        #expect(row("flash-color", before.text)?.hasSuffix("default  (flash is off)") == true)
        // Not marked as having no effect: plans have a countdown by default.
        #expect(row("countdown-to", before.text)?.hasSuffix("default") == true)
        #expect(before.errors == "" && before.code == 0)

        let set = try await Program.run(["config", "a4", "442"], in: scratch)
        #expect(set.text == "" && set.errors == "" && set.code == 0)
        _ = try await Program.run(["config", "drone", "A4,", "E5"], in: scratch)
        _ = try await Program.run(["config", "drone-level", "-30dB"], in: scratch)
        #expect(try text(scratch) == "a4: 442\ndrone: \"A4, E5\"\ndrone-level: -30dB\n")
        let after = try await Program.run(["config"], in: scratch)
        #expect(row("a4", after.text)?.split(separator: " ").map(String.init) == ["a4", "442", "\(path(scratch)):1"])
        #expect(row("drone-level", after.text)?.hasSuffix("\(path(scratch)):3") == true)

        let one = try await Program.run(["config", "a4"], in: scratch)
        #expect(
            one.text == """
                a4: 442
                  The tuning of A4, in Hz.
                  Values: 380 to 480 Hz.
                  This value is from \(path(scratch)):1; the default is 440.
                  Set by: option --a4, variable BARLINE_A4, scores, your file.

                """)
        let reverted = try await Program.run(["config", "--revert", "a4"], in: scratch)
        #expect(reverted.code == 0, "\(reverted.errors)")
        #expect(try text(scratch) == "drone: \"A4, E5\"\ndrone-level: -30dB\n")
        _ = try await Program.run(["config", "--revert-all"], in: scratch)
        #expect(try await Program.run(["config"], in: scratch).text == before.text)
    }

    @Test("every origin is named, and the one with the highest precedence counts")
    func everyOriginIsNamedAndTheOneWithTheHighestPrecedenceCounts()
        async throws
    {
        let scratch = try Scratch()
        try write("a4: 441\nspeed: 90%\ncount-in: 3\n", scratch)
        try scratch.write("own.yaml", "a4: 443\nspeed: 80%\nbars: [1]\n")
        let outcome = try await Program.run(
            ["config", "--score", "own.yaml", "--json"], in: scratch, environment: ["BARLINE_SPEED": "70%"])
        let all = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [[String: Any]] ?? []
        func found(_ name: String) -> [String] {
            let object = all.first { $0["setting"] as? String == name } ?? [:]
            return ["value", "from", "place"].map { object[$0] as? String ?? "none" }
        }
        #expect(found("a4") == ["443", "score", "none"])
        #expect(found("speed") == ["70%", "environment", "BARLINE_SPEED"])
        #expect(found("count-in") == ["3", "file", path(scratch) + ":3"])
        #expect(found("grid") == ["off", "default", "none"])
    }

    @Test("the error about a setting says how to correct it, and nothing is written")
    func theErrorAboutASettingSaysHowToCorrectItAndNothingIsWritten() async throws {
        let scratch = try Scratch()
        for (arguments, why) in [
            (["config", "a5"], "there is no setting 'a5'; did you mean 'a4'?"),
            (["config", "--revert", "dron"], "there is no setting 'dron'; did you mean 'drone'?"),
            (["config", "a4", "4420"], "a4: A4 must be 380 Hz to 480 Hz, for example 442"),
            (
                ["config", "drone-level", "-30"],
                "drone-level: a level needs its unit, dB or %, for example -12 dB, 25 % or off"
            ),
        ] {
            let outcome = try await Program.run(arguments, in: scratch)
            #expect(outcome.errors == "barline: error: \(why)\n")
            #expect(outcome.code == 64 && outcome.text == "", "\(outcome.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: path(scratch)))
        let both = try await Program.run(["config", "a4", "442", "--revert-all"], in: scratch)
        #expect(
            both.code == 64
                && both.errors.hasPrefix("barline: error: show, set, --revert and --revert-all cannot be combined"))
    }

    @Test("setting a value that has no effect gives a note")
    func settingAValueThatHasNoEffectGivesANote() async throws {
        let scratch = try Scratch()
        let idle = try await Program.run(["config", "flash-color", "red"], in: scratch)
        #expect(idle.errors == "barline: note: flash-color has no effect now: flash is off\n" && idle.code == 0)
        let weaker = try await Program.run(["config", "a4", "442"], in: scratch, environment: ["BARLINE_A4": "441"])
        let mistyped = try await Program.run(["config", "a4"], in: scratch, environment: ["BARLINE_A44": "1"])
        #expect(mistyped.errors == "barline: note: 'BARLINE_A44' is not a setting; did you mean BARLINE_A4?\n")
        #expect(weaker.errors == "barline: note: BARLINE_A4 is set, too, and overrides your file\n" && weaker.code == 0)
    }

    @Test("an invalid setting stops the commands that use it, and can be corrected")
    func anInvalidSettingStopsTheCommandsThatUseItAndCanBeCorrected() async throws {
        let scratch = try Scratch()
        try write("# mine\na4: 4420\n", scratch)
        try scratch.write("small.yaml", SampleTexts.small)
        let why = "\(path(scratch)):2:5: error: A4 must be 380 Hz to 480 Hz, for example 442\na4: 4420\n    ^~~~\n"
        let render = try await Program.run(["render", "small.yaml", "-o", "x.wav"], in: scratch)
        #expect(render.errors == why && render.code == 65)
        #expect(try scratch.names == ["small.yaml"])
        let show = try await Program.run(["config"], in: scratch)
        #expect(show.errors == why && show.code == 65)
        #expect(row("a4", show.text)?.split(separator: " ") == ["a4", "440", "default"])
        #expect(try await Program.run(["check", "small.yaml"], in: scratch).code == 0)
        let mend = try await Program.run(["config", "a4", "442"], in: scratch)
        #expect(mend.code == 0 && mend.errors == "", "\(mend.errors)")
        #expect(try text(scratch) == "# mine\na4: 442\n")
        #expect(try await Program.run(["render", "small.yaml", "-o", "x.wav"], in: scratch).code == 0)
        let variable = try await Program.run(
            ["render", "small.yaml", "-o", "y.wav"], in: scratch, environment: ["BARLINE_SPEED": "fast"])
        #expect(variable.errors == "barline: error: BARLINE_SPEED: 'fast' is not a speed, for example 80%\n")
        #expect(variable.code == 64, "\(variable.errors)")
    }

    @Test("a damaged settings file is renamed, and reported once") func aDamagedSettingsFileIsRenamedAndReportedOnce()
        async throws
    {
        let scratch = try Scratch()
        try write("a4: [442\n", scratch)
        let first = try await Program.run(["timeline", "sequenza-vii"], in: scratch)
        #expect(first.code == 0, "\(first.errors)")
        #expect(first.errors.hasPrefix("\(path(scratch)):1:5: error: the '[' that opens here is never closed\n"))
        #expect(
            first.errors.hasSuffix(
                "barline: note: the settings file was damaged and has been moved to '\(path(scratch)).damaged-1'; defaults are used\n"
            ))
        let second = try await Program.run(["timeline", "sequenza-vii"], in: scratch)
        #expect(second.errors == "" && second.text == first.text)
        #expect(String(decoding: try Scratch.read(path(scratch) + ".damaged-1"), as: UTF8.self) == "a4: [442\n")
    }

    /// Settings, and the options that mean the same; none for settings that change nothing in this score's sound.
    @Test(
        "a setting sounds like its option, and the score overrides it",
        arguments: [
            ("a4: 442\n", ["--a4", "442"]), ("drone: A3\n", []), ("drone-level: -40 dB\n", ["--drone-level", "-40dB"]),
            ("drone-waveform: oboe\n", ["--drone-waveform", "oboe"]), ("beating: 2 Hz\n", ["--beating", "2Hz"]),
            ("click-level: -20 dB\n", ["--click-level", "-20dB"]), ("speed: 80%\n", ["--speed", "80%"]),
            ("grid: 4 parts\n", ["--grid", "4 parts"]), ("one-sound: on\n", ["--one-sound"]),
            ("line-sound: section\n", ["--line-sound", "section"]), ("count-in: 2\n", []),
            ("tuning: werckmeister3\ntonic: D\n", ["--tuning", "werckmeister3", "--tonic", "D"]),
            ("instrument: Bb\n", ["--instrument", "Bb"]), ("temperature: 30 C\n", ["--temperature", "30"]),
            ("fade: 0.2\n", ["--fade", "0.2"]), ("fade: 0.2\nbeating: 1 Hz\n", ["--fade", "0.2", "--beating", "1Hz"]),
            ("end-signal: on\nwarn-last-bar: on\n", ["--end-signal", "--warn-last-bar"]),
            ("countdown: 1\ncountdown-to: bars\n", ["--countdown", "1", "--countdown-to", "bars"]),
            ("device: nosuch\nlatency: 180\nflash: screen\nspeak: off\n", []),
        ])
    func aSettingSoundsLikeItsOptionAndTheScoreOverridesIt(settings: String, options: [String]) async throws {
        let scratch = try Scratch()
        try scratch.write(
            "own.yaml", "drone: B4\ncount-in: 0.5\nlines: [{label: A, bars: [1.2, 1.1]}, {bars: [1.3, 0.4]}]\n")
        let plain = ["render", "own.yaml", "-o"]
        _ = try await Program.run(plain + ["option.wav"] + options, in: scratch)
        _ = try await Program.run(plain + ["bare.wav"], in: scratch)
        try write(settings, scratch)
        let outcome = try await Program.run(plain + ["setting.wav"], in: scratch)
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
        let (bare, option, setting) = (
            try scratch.read("bare.wav"), try scratch.read("option.wav"), try scratch.read("setting.wav")
        )
        #expect(firstDifference(setting, option) == nil)
        // Settings that the score overrides, or that a rendering does not depend on, change nothing.
        #expect((setting == bare) == options.isEmpty)
    }

    @Test("options override the environment, which overrides the score, which overrides settings")
    func optionsOverrideTheEnvironmentWhichOverridesTheScoreWhichOverridesSettings() async throws {
        let scratch = try Scratch()
        try scratch.write("own.yaml", "speed: 50%\nbars: [1, 1]\n")
        try write("speed: 25%\n", scratch)
        func end(_ options: [String], _ environment: [String: String] = [:]) async throws -> String {
            let outcome = try await Program.run(
                ["timeline", "own.yaml", "--csv"] + options, in: scratch, environment: environment)
            return String(outcome.text.split(separator: "\n").last?.split(separator: ",")[4] ?? "")
        }
        #expect(try await end([]) == "2.000000000")
        #expect(try await end([], ["BARLINE_SPEED": "200%"]) == "0.500000000")
        #expect(try await end(["--speed", "100%"], ["BARLINE_SPEED": "200%"]) == "1.000000000")
        try scratch.write("own.yaml", "bars: [1, 1]\n")
        #expect(try await end([]) == "4.000000000")
    }

    @Test(
        "settings without effect are dimmed at a terminal, and marked in words without color",
        arguments: [[:], ["NO_COLOR": "1"]])
    func settingsWithoutEffectAreDimmedAtATerminalAndMarkedInWordsWithoutColor(environment: [String: String])
        async throws
    {
        let hasColor = environment.isEmpty
        try await TerminalSession.run(["config"], in: try Scratch(), environment: environment) { session in
            try session.expectEnd(0)
            let lines = session.text.split(whereSeparator: \.isNewline)
            let idle = try #require(lines.first { $0.contains("flash-color") })
            let other = try #require(lines.first { $0.contains("click-level") })
            #expect(idle.contains("\u{1B}[2m") == hasColor && idle.contains("(flash is off)") == !hasColor)
            #expect(!other.contains("\u{1B}"))
        }
    }

    @Test("a converted score has the times that are heard; as YAML it stays as written")
    func aConvertedScoreHasTheTimesThatAreHeardAsYAMLItStaysAsWritten() async throws {
        let scratch = try Scratch()
        try scratch.write("own.yaml", "bars: [1, 1]\n")
        try write("speed: 50%\ndrone: B4\na4: 442\ngrid: 4 parts\n", scratch)
        let labels = try await Program.run(["convert", "own.yaml", "-", "--to", "audacity"], in: scratch)
        #expect(labels.text.hasPrefix("0.000000000\t2.000000000\t") && labels.code == 0)
        #expect(
            labels.errors == "barline: warning: an Audacity label track: the speed is written into the times\n")
        let page = try await Program.run(["convert", "own.yaml", "-", "--to", "yaml"], in: scratch)
        #expect(page.text == "bars: [1, 1]\n" && page.errors == "" && page.code == 0)
    }

    @Test("two programs that change settings at the same time lose nothing")
    func twoProgramsThatChangeSettingsAtTheSameTimeLoseNothing() async throws {
        let scratch = try Scratch()
        try write("# mine\n", scratch)
        let program = Program.path
        let loop = { (key: String) in "for n in $(seq 100); do '\(program)' config \(key) $((380 + n)) || exit 1; done"
        }
        let script = "(\(loop("a4"))) & (\(loop("latency"))); wait"
        let outcome = try await Program.run([], in: scratch, wrapper: ["/bin/sh", "-c", script])
        #expect(outcome.errors == "")
        let lines = Set(try text(scratch).split(separator: "\n").map(String.init))
        #expect(lines == ["# mine", "a4: 480", "latency: 480"])
    }

    @Test("every option that a setting names is an option of play or of a calculator")
    func everyOptionThatASettingNamesIsAnOption()
        async throws
    {
        let scratch = try Scratch()
        let play = try await Program.run(["play", "--help"], in: scratch).text
        let help = try await play + Program.run(["pace", "--help"], in: scratch).text
        let json = try await Program.run(["config", "--json"], in: scratch)
        let all = try JSONSerialization.jsonObject(with: Data(json.output)) as? [[String: Any]] ?? []
        #expect(all.count > 30)
        for option in all.compactMap({ $0["option"] as? String }) {
            #expect(help.contains(" \(option) ") || help.contains("\(option)/--no-"), "\(option)")
        }
    }
}
