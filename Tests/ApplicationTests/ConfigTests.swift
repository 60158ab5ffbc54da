import Application
import Foundation
import Scores
import Shared
import Testing
import Timing
import UserSettings

extension Home {
    /// The path of the file with the user's settings.
    var settingsPath: String { folder("home/.config/barline/config.yaml") }

    /// Shows or changes settings; returns the exit code.
    @discardableResult
    func config(
        _ action: ConfigRequest.Action = .show(nil), _ settings: [String: String] = [:],
        _ change: (inout ConfigRequest) -> Void = { _ in }
    ) async throws -> Int32 {
        var request = ConfigRequest(action)
        change(&request)
        return try await run(request, settings) { try $0.carryOut() }
    }
}

/// The user's settings: how they are shown and changed, and what they change.
@Suite struct ConfigTests {
    private func home(_ settings: String) throws -> Home {
        let home = Home()
        try home.folder.write("home/.config/barline/config.yaml", settings)
        return home
    }

    private func text(_ home: Home) -> String { home.folder.text("home/.config/barline/config.yaml") }

    /// The row of a setting: value and origin.
    private func row(_ name: String, in home: Home) -> String? {
        home.text.split(separator: "\n").first { $0.hasPrefix("  \(name) ") }.map(String.init)
    }

    @Test("a settings file that is a symbolic link stays one") func aSettingsFileThatIsASymbolicLinkStaysOne()
        async throws
    {
        let home = try home("")
        try FileManager.default.removeItem(atPath: home.settingsPath)
        try home.folder.write("home/dotfiles/other.yaml", "")
        try FileManager.default.createSymbolicLink(
            atPath: home.settingsPath, withDestinationPath: "../../dotfiles/barline.yaml")
        #expect(try await home.config(.set("a4", to: "442")) == 0)
        #expect(home.folder.text("home/dotfiles/barline.yaml").contains("a4: 442"))
        let goal = try FileManager.default.destinationOfSymbolicLink(atPath: home.settingsPath)
        #expect(goal == "../../dotfiles/barline.yaml")
    }

    @Test("a value is stored without the blanks around it, and of a file that is not there a note tells")
    func missingFiles() async throws {
        let home = try home("")
        #expect(try await home.config(.set("a4", to: " 442 ")) == 0 && home.errors.isEmpty)
        #expect(text(home) == "a4: 442\n")
        #expect(try await home.config(.set("tuning", to: "nosuch.scl")) == 0)
        #expect(home.errors.contains("note: 'nosuch.scl' cannot be read: "), "\(home.errors)")
        #expect(try await home.config(.set("keyboard-map", to: "bogus!")) == 0)
        #expect(home.errors.contains("note: 'bogus!' cannot be read: "), "\(home.errors)")
        #expect(try await home.config(.set("wait", to: "x")) == 64)
        #expect(home.errors.contains("'x' is neither on, off nor auto"), "\(home.errors)")
        #expect(try await home.config(.set("osc-in", to: "70000")) == 64)
        #expect(home.errors.contains("'70000' is not a UDP port; a port is 1 to 65535"), "\(home.errors)")
    }

    @Test("a settings file that has to be written anew loses its comments with a warning, and never a key")
    func writtenAnew() async throws {
        for before in ["%YAML 1.2\n---\n# mine\na4: 443\n...\n", "{a4: 443} # tuned to the organ\n"] {
            let home = try home(before)
            #expect(try await home.config(.set("speed", to: "90%")) == 0)
            #expect(text(home) == "a4: 443\nspeed: 90%\n")
            let warning = "barline: warning: \(home.settingsPath): the comments in the old file are lost\n"
            #expect(home.errors == warning, "\(home.errors)")
        }
        for (before, after) in [
            ("# mine\na4: 443 # tuned\n", "# mine\na4: 443 # tuned\nspeed: 90%\n"),
            ("{a4: 443, flash-color: '#ff8000'}\n", "a4: 443\nflash-color: \"#ff8000\"\nspeed: 90%\n"),
        ] {
            let home = try home(before)
            #expect(try await home.config(.set("speed", to: "90%")) == 0)
            #expect(text(home) == after && !home.errors.contains("comments"), "\(text(home)) \(home.errors)")
        }
        let braces = "{a4: 443, drone: [A4, E5]} # mine\n"
        let home = try home(braces)
        #expect(try await home.config(.set("speed", to: "90%")) == 73 && text(home) == braces)
        let error = "its key 'drone' is not a single value and would be lost; edit the file\n"
        #expect(home.errors.hasSuffix("config.yaml' cannot be written: \(error)"), "\(home.errors)")
        #expect(try await home.config(.revert("drone")) == 0 && text(home) == "a4: 443\n", "\(home.errors)")
    }

    @Test("a setting is shown with its origin, and can be reverted to its default")
    func aSettingIsShownWithItsOriginAndCanBeRevertedToItsDefault() async throws {
        let home = Home()
        #expect(try await home.config() == 0 && home.errors == "")
        let before = home.text
        #expect(row("a4", in: home)?.split(separator: " ") == ["a4", "440", "default"])
        #expect(row("flash-color", in: home)?.hasSuffix("default  (flash is off)") == true)
        // Not marked as having no effect: plans have a countdown by default.
        #expect(row("countdown-to", in: home)?.hasSuffix("default") == true)

        #expect(try await home.config(.set("a4", to: "442")) == 0 && home.text == "" && home.errors == "")
        try await home.config(.set("drone", to: "A4, E5"))
        try await home.config(.set("drone-level", to: "-30dB"))
        #expect(text(home) == "a4: 442\ndrone: \"A4, E5\"\ndrone-level: -30dB\n")
        try await home.config()
        let words: [Substring]? = row("a4", in: home)?.split(separator: " ")
        #expect(words == ["a4", "442", "\(home.settingsPath):1"])
        #expect(row("drone-level", in: home)?.hasSuffix("\(home.settingsPath):3") == true)

        try await home.config(.show("a4"))
        #expect(
            home.text == """
                a4: 442
                  The tuning of A4, in Hz.
                  Values: 380 to 480 Hz.
                  This value is from \(home.settingsPath):1; the default is 440.
                  Set by: option --a4, variable BARLINE_A4, scores, your file.

                """)
        #expect(try await home.config(.revert("a4")) == 0, "\(home.errors)")
        #expect(text(home) == "drone: \"A4, E5\"\ndrone-level: -30dB\n")
        try await home.config(.revert(nil))
        try await home.config()
        #expect(home.text == before)
    }

    @Test("a key that no setting has, which a newer version or a mistake left in the file, can be removed")
    func unknown() async throws {
        let home = try home("a4: 442\nnosuch: 5\nspeed: 90%\n")
        #expect(try await home.config(.revert("nosuch")) == 0, "\(home.errors)")
        #expect(text(home) == "a4: 442\nspeed: 90%\n")
        #expect(try await home.config(.revert("nosuch")) == 64, "\(home.errors)")
    }

    @Test("every origin is named, and the one with the highest precedence counts")
    func everyOriginIsNamedAndTheOneWithTheHighestPrecedenceCounts()
        async throws
    {
        let home = try home("a4: 441\nspeed: 90%\ncount-in: 3\n")
        let score = try home.write("own.yaml", "a4: 443\nspeed: 80%\nbars: [1]\n")
        try await home.config(.show(nil), ["BARLINE_SPEED": "70%"]) { ($0.score, $0.json) = (score, true) }
        let all = try JSONSerialization.jsonObject(with: Data(home.output)) as? [[String: Any]] ?? []
        func found(_ name: String) -> [String] {
            let object = all.first { $0["setting"] as? String == name } ?? [:]
            return ["value", "from", "place"].map { object[$0] as? String ?? "none" }
        }
        #expect(found("a4") == ["443", "score", "none"])
        #expect(found("speed") == ["70%", "environment", "BARLINE_SPEED"])
        #expect(found("count-in") == ["3", "file", home.settingsPath + ":3"])
        #expect(found("grid") == ["off", "default", "none"])
    }

    @Test("with a plan, what plans have by default is shown where nothing else is set, as it is played")
    func plans() async throws {
        let home = try home("speak: pace\ncount-in: 1 bar\n")
        let plan = "2x(run 0:06, walk until lap)"
        try await home.config(.show(nil), [:]) { ($0.score, $0.json) = (plan, true) }
        let all = try JSONSerialization.jsonObject(with: Data(home.output)) as? [[String: Any]] ?? []
        let found = Dictionary(
            uniqueKeysWithValues: all.map {
                ($0["setting"] as? String ?? "", [$0["value"] as? String, $0["from"] as? String])
            })
        #expect(found["countdown"] == ["3", "plan"] && found["countdown-to"] == ["bars", "plan"])
        #expect(found["end-signal"] == ["on", "plan"] && found["speak"] == ["pace", "file"])
        try await home.config(.show(Setting.countIn.setting.name), ["BARLINE_COUNT_IN": "4 beats"]) { $0.score = plan }
        #expect(home.text.contains("count-in: 5"), "\(home.text)")
        #expect(found["count-in"] == ["5", "plan"] && found["a4"] == ["440", "default"])
    }

    @Test("the error about a setting says how to correct it, and nothing is written")
    func theErrorAboutASettingSaysHowToCorrectItAndNothingIsWritten() async throws {
        let home = Home()
        for (action, why) in [
            (ConfigRequest.Action.show("a5"), "there is no setting 'a5'; did you mean 'a4'?"),
            (.revert("dron"), "there is no setting 'dron'; did you mean 'drone'?"),
            (.set("a4", to: "4420"), "a4: A4 must be 380 Hz to 480 Hz, for example 442"),
            (
                .set("drone-level", to: "-30"),
                "drone-level: a level needs its unit, dB or %, for example -12 dB, 25 % or off"
            ),
        ] {
            #expect(try await home.config(action) == 64 && home.text == "")
            #expect(home.errors == "barline: error: \(why)\n")
        }
        #expect(home.folder.contents == [])
    }

    @Test("setting a value that has no effect gives a note")
    func settingAValueThatHasNoEffectGivesANote() async throws {
        let home = Home()
        #expect(try await home.config(.set("flash-color", to: "red")) == 0)
        #expect(home.errors == "barline: note: flash-color has no effect now: flash is off\n")
        #expect(try await home.config(.set("a4", to: "442"), ["BARLINE_A4": "441"]) == 0)
        #expect(home.errors == "barline: note: BARLINE_A4 is set, too, and overrides your file\n")
        try await home.config(.show("a4"), ["BARLINE_A44": "1"])
        #expect(home.errors == "barline: note: 'BARLINE_A44' is not a setting; did you mean BARLINE_A4?\n")
    }

    @Test("an invalid setting stops the commands that use it, and can be corrected")
    func anInvalidSettingStopsTheCommandsThatUseItAndCanBeCorrected() async throws {
        let home = try home("# mine\na4: 4420\n")
        let score = try home.write("small.yaml", SampleTexts.small)
        let why = "\(home.settingsPath):2:5: error: A4 must be 380 Hz to 480 Hz, for example 442\na4: 4420\n    ^~~~\n"
        #expect(try await home.render() == 65 && home.errors == why)
        #expect(home.folder.contents == ["home", "small.yaml"])
        #expect(try await home.config() == 65 && home.errors == why)
        #expect(row("a4", in: home)?.split(separator: " ") == ["a4", "440", "default"])
        #expect(try await home.run { try CheckRequest([score]).check() } == 0)
        #expect(try await home.config(.set("a4", to: "442")) == 0 && home.errors == "", "\(home.errors)")
        #expect(text(home) == "# mine\na4: 442\n")
        #expect(try await home.render() == 0)
        #expect(try await home.render(to: "y.wav", ["BARLINE_SPEED": "fast"]) == 64)
        #expect(home.errors == "barline: error: BARLINE_SPEED: 'fast' is not a speed, for example 80%\n")
    }

    @Test("a damaged settings file is renamed, and reported once") func aDamagedSettingsFileIsRenamedAndReportedOnce()
        async throws
    {
        let home = try home("a4: [442\n")
        #expect(try await home.run { try TimelineRequest("sequenza-vii").print() } == 0, "\(home.errors)")
        #expect(home.errors.hasPrefix("\(home.settingsPath):1:5: error: the '[' that opens here is never closed\n"))
        #expect(
            home.errors.hasSuffix(
                "barline: note: the settings file was damaged and has been moved to '\(home.settingsPath).damaged-1'; defaults are used\n"
            ))
        let first = home.text
        #expect(try await home.run { try TimelineRequest("sequenza-vii").print() } == 0)
        #expect(home.errors == "" && home.text == first)
        #expect(home.folder.text("home/.config/barline/config.yaml.damaged-1") == "a4: [442\n")
    }

    /// Settings, and what a request has to want to mean the same; nil for settings that change nothing in this score's sound.
    struct Same: Sendable, CustomTestStringConvertible {
        let settings: String
        let wanted: (@Sendable (inout PerformanceRequest) throws -> Void)?
        var testDescription: String { settings }

        init(_ settings: String, _ wanted: (@Sendable (inout PerformanceRequest) throws -> Void)? = nil) {
            (self.settings, self.wanted) = (settings, wanted)
        }
    }

    @Test(
        "a setting sounds like the same wish, and the score overrides it",
        arguments: [
            Same("a4: 442\n") { $0.tuning.a4 = 442 }, Same("drone: A3\n"),
            Same("drone-level: -40 dB\n") { $0.droneSound.add { $0.level = Level(decibels: -40) } },
            Same("drone-waveform: oboe\n") { $0.droneSound.add { $0.timbre.waveform = .oboe } },
            Same("beating: 2 Hz\n") { $0.droneSound.add { $0.timbre.beating = 2 } },
            Same("click-level: -20 dB\n") { $0.clicks[Setting.clickLevel] = try Level(scoreText: "-20dB") },
            Same("speed: 80%\n") { $0.passage.speed = try Speed(scoreText: "80%") },
            Same("grid: 4 parts\n") { $0.clicks.others.add { $0.grid = .parts(4) } },
            Same("one-sound: on\n") { $0[Setting.oneSound] = true },
            Same("line-sound: section\n") { $0[Setting.lineSound] = .section },
            Same("count-in: 2\n"),
            Same("tuning: werckmeister3\ntonic: D\n") {
                ($0.tuning.scale, $0.tuning.tonic) = (.temperament(.werckmeister3), try Score.tonic(scoreText: "D"))
            },
            Same("instrument: Bb\n") { $0.tuning.instrument = .bFlat },
            Same("temperature: 30 C\n") { $0.tuning.temperature = 30 },
            Same("fade: 0.2\n") { $0.droneSound.add { $0.fade = .milliseconds(200) } },
            Same("fade: 0.2\nbeating: 1 Hz\n") {
                $0.droneSound.add { $0.fade = .milliseconds(200) }
                $0.droneSound.add { $0.timbre.beating = 1 }
            },
            Same("end-signal: on\nwarn-last-bar: on\n") {
                ($0.cues[Setting.endSignal], $0.cues[Setting.warnLastBar]) = (true, true)
            },
            Same("countdown: 1\ncountdown-to: bars\n") {
                ($0.cues[Setting.countdown], $0.cues[Setting.countdownTo]) = (1, .bars)
            },
            Same("device: nosuch\nlatency: 180\nflash: screen\nspeak: off\n"),
        ])
    func aSettingSoundsLikeTheSameWishAndTheScoreOverridesIt(same: Same) async throws {
        let home = Home()
        try home.folder.write(
            "own.yaml", "drone: B4\ncount-in: 0.5\nlines: [{label: A, bars: [1.2, 1.1]}, {bars: [1.3, 0.4]}]\n")
        #expect(try await home.render("own.yaml", to: "wish.wav") { try same.wanted?(&$0.performance) } == 0)
        #expect(try await home.render("own.yaml", to: "bare.wav") == 0)
        try home.folder.write("home/.config/barline/config.yaml", same.settings)
        #expect(try await home.render("own.yaml", to: "setting.wav") == 0 && home.errors == "", "\(home.errors)")
        let setting = home.folder.bytes("setting.wav")
        #expect(firstDifference(setting, home.folder.bytes("wish.wav")) == nil)
        // Settings that the score overrides, or that a rendering does not depend on, change nothing.
        #expect((setting == home.folder.bytes("bare.wav")) == (same.wanted == nil))
    }

    @Test("jumps are counted in as it is wished, or else as the settings have it", arguments: [nil, true, false])
    func jumps(wish: Bool?) async throws {
        for setting in [true, false] {
            let code = try await Home().run(["BARLINE_COUNT_IN_ON_JUMPS": setting ? "on" : "off"]) {
                var request = PerformanceRequest()
                request[Setting.countInOnJumps] = wish
                let performance = try request.performance(of: .named("sequenza-vii")).performance
                #expect(performance.countsInJumps == wish ?? setting)
            }
            #expect(code == 0)
        }
    }

    @Test("wishes override the environment, which overrides the score, which overrides settings")
    func wishesOverrideTheEnvironmentWhichOverridesTheScoreWhichOverridesSettings() async throws {
        let home = try home("speed: 25%\n")
        try home.folder.write("own.yaml", "speed: 50%\nbars: [1, 1]\n")
        func end(_ settings: [String: String] = [:], wanted: String? = nil) async throws -> String {
            var request = TimelineRequest(home.folder("own.yaml"))
            request.style = .csv
            request.passage.speed = try wanted.map { try Speed(scoreText: $0) }
            try await home.run(request, settings) { try $0.print() }
            return String(home.text.split(separator: "\n").last?.split(separator: ",")[4] ?? "")
        }
        #expect(try await end() == "2.000000000")
        #expect(try await end(["BARLINE_SPEED": "200%"]) == "0.500000000")
        #expect(try await end(["BARLINE_SPEED": "200%"], wanted: "100%") == "1.000000000")
        try home.folder.write("own.yaml", "bars: [1, 1]\n")
        #expect(try await end() == "4.000000000")
    }

    @Test("a converted score has the times that are heard; as YAML it stays as written")
    func aConvertedScoreHasTheTimesThatAreHeardAsYAMLItStaysAsWritten() async throws {
        let home = try home("speed: 50%\ndrone: B4\na4: 442\ngrid: 4 parts\n")
        var request = ConvertRequest(try home.write("own.yaml", "bars: [1, 1]\n"), to: "-")
        request.to = .score(.audacity)
        #expect(try await home.run(request) { try $0.convert() } == 0)
        #expect(home.text.hasPrefix("0.000000000\t2.000000000\t"))
        #expect(home.errors == "barline: warning: an Audacity label track: the speed is written into the times\n")
        request.to = .score(.yaml)
        #expect(try await home.run(request) { try $0.convert() } == 0)
        #expect(home.text == "bars: [1, 1]\n" && home.errors == "")
    }
}
