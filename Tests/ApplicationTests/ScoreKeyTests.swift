import Application
import Scores
import Shared
import Testing
import UserSettings

/// The keys of a score for the drone and its tuning mean the same as wishes.
@Suite struct ScoreKeyTests {
    private static let bars = "bars: [0.4, 0.3]\n"

    /// Keys of a score, and what a request has to want to mean the same.
    struct Same: Sendable, CustomTestStringConvertible {
        let keys: String
        let wanted: @Sendable (inout PerformanceRequest, Home) throws -> Void
        var testDescription: String { keys }
    }

    /// The sound of a score of this home.
    private func sound(
        _ score: String, in home: Home, _ settings: [String: String] = [:],
        _ change: (inout PerformanceRequest) throws -> Void = { _ in }
    ) async throws -> [UInt8] {
        let code = try await home.render(score, settings) { try change(&$0.performance) }
        #expect(code == 0 && home.errors == "", "\(home.errors)")
        return home.folder.bytes("x.wav")
    }

    @Test(
        "a tuning in a score sounds like the same tuning in a request",
        arguments: [
            Same(keys: "tuning: meantone\ntonic: D\n") { wanted, _ in
                (wanted.tuning.scale, wanted.tuning.tonic) = (.temperament(.meantone), try Score.tonic(scoreText: "D"))
            },
            Same(keys: "instrument: Bb\ntemperature: 26 C\n") { wanted, _ in
                (wanted.tuning.instrument, wanted.tuning.temperature) = (.bFlat, 26)
            },
            Same(keys: "tuning: our.scl\nkeyboard-map: our.kbm\n") { wanted, home in
                wanted.tuning.scale = .scala(home.folder("in/our.scl"), map: home.folder("in/our.kbm"))
            },
        ])
    func aTuningSoundsTheSame(same: Same) async throws {
        let home = Home()
        try home.folder.write("in/our.scl", "five\n5\n9/8\n5/4\n3/2\n5/3\n2/1\n")
        try home.folder.write("in/our.kbm", "0\n0\n127\n60\n69\n441.0\n5\n")
        let drone = "drone: \"E3, C#4\"\n"
        try home.folder.write("in/keys.yaml", same.keys + drone + Self.bars)
        try home.folder.write("plain.yaml", drone + Self.bars)
        let byKeys = try await sound("in/keys.yaml", in: home)
        #expect(try await sound("plain.yaml", in: home) { try same.wanted(&$0, home) } == byKeys)
        #expect(try await sound("plain.yaml", in: home) != byKeys)
        // A converted score in another folder still finds the files.
        let request = ConvertRequest(home.folder("in/keys.yaml"), to: home.folder("moved.yaml"))
        #expect(try await home.run { try request.convert() } == 0 && home.errors == "", "\(home.errors)")
        #expect(try await sound("moved.yaml", in: home) == byKeys)
    }

    @Test("the user's keyboard map changes the scale of a score, and the score's map that of the user")
    func mixedLayers() async throws {
        let home = Home()
        let maps = ["our.kbm": "0\n0\n127\n60\n69\n441.0\n5\n", "other.kbm": "0\n0\n127\n60\n69\n430.0\n5\n"]
        for (name, text) in maps { try home.folder.write(name, text) }
        try home.folder.write("our.scl", "five\n5\n9/8\n5/4\n3/2\n5/3\n2/1\n")
        try home.folder.write("other.scl", "five\n5\n9/8\n6/5\n3/2\n8/5\n2/1\n")
        let drone = "drone: \"E3, C#4\"\n" + Self.bars
        try home.folder.write("plain.yaml", drone)
        try home.folder.write("scale.yaml", "tuning: our.scl\n" + drone)
        try home.folder.write("both.yaml", "tuning: our.scl\nkeyboard-map: our.kbm\n" + drone)
        func wanted(_ scale: String, _ map: String) async throws -> [UInt8] {
            try await sound("plain.yaml", in: home) {
                $0.tuning.scale = .scala(home.folder(scale), map: map.isEmpty ? "" : home.folder(map))
            }
        }
        let (scale, map) = ("BARLINE_TUNING", "BARLINE_KEYBOARD_MAP")
        let (otherScale, otherMap) = (home.folder("other.scl"), home.folder("other.kbm"))
        for (score, settings, same) in [
            ("scale.yaml", [map: otherMap], ("our.scl", "other.kbm")),
            ("both.yaml", [map: otherMap], ("our.scl", "other.kbm")), ("both.yaml", [map: "none"], ("our.scl", "")),
            ("both.yaml", [scale: otherScale], ("other.scl", "our.kbm")),
            ("scale.yaml", [scale: otherScale], ("other.scl", "")),
            ("both.yaml", [scale: otherScale, map: otherMap], ("other.scl", "other.kbm")),
        ] {
            let played = try await sound(score, in: home, settings)
            #expect(try await wanted(same.0, same.1) == played, "\(score) \(settings)")
        }
        // The user's file is below the score, which has no map.
        try home.folder.write("home/.config/barline/config.yaml", "keyboard-map: \(otherMap)\n")
        let played = try await sound("scale.yaml", in: home)
        #expect(try await wanted("our.scl", "") == played)
    }

    @Test(
        "a drone in a score sounds like the same drone in a request",
        arguments: [
            Same(keys: "drone: {pitch: A3, fade: 200 ms, variation: 2 dB, seed: 4}\n") { wanted, _ in
                wanted.drone = try DroneChoice(text: "A3")
                wanted.droneSound.add { $0.fade = .milliseconds(200) }
                wanted.droneSound.add { $0.timbre.seed = 4 }
                wanted.droneSound.add { $0.timbre.variation = 2 }
            },
            Same(keys: "drone: {notes: \"A3, E4 -6dB\", waveform: oboe, brightness: -30 %, beating: 1 Hz}\n") {
                wanted, _ in
                wanted.drone = try DroneChoice(text: "A3, E4 -6dB")
                wanted.droneSound.add { $0.timbre.waveform = .oboe }
                wanted.droneSound.add { $0.timbre.beating = 1 }
                wanted.droneSound.add { $0.timbre.brightness = -0.3 }
            },
        ])
    func aDroneSoundsTheSame(same: Same) async throws {
        let home = Home()
        try home.folder.write("keys.yaml", same.keys + Self.bars)
        try home.folder.write("plain.yaml", Self.bars)
        let byKeys = try await sound("keys.yaml", in: home)
        #expect(try await sound("plain.yaml", in: home) { try same.wanted(&$0, home) } == byKeys)
    }

    @Test("a wish overrides the score") func aWishOverridesTheScore() async throws {
        let home = Home()
        try home.folder.write("a.yaml", "tuning: just\ntonic: D\ndrone: F#4\n" + Self.bars)
        try home.folder.write("b.yaml", "tuning: meantone\ntonic: D\ndrone: F#4\n" + Self.bars)
        let changed = try await sound("a.yaml", in: home) { $0.tuning.scale = .temperament(.meantone) }
        #expect(try await sound("b.yaml", in: home) == changed)
    }

    @Test("an error in a tuning file is reported where the score names the file")
    func anErrorInATuningFileIsReportedWhereTheScoreNamesTheFile() async throws {
        let home = Home()
        let score = try home.write("x.yaml", "title: X\ntuning: none.scl\n" + Self.bars)
        #expect(try await home.run { try CheckRequest([score]).check() } == 65)
        #expect(
            home.errors == """
                \(score):2:9: error: 'none.scl' cannot be read: No such file or directory
                tuning: none.scl
                        ^~~~~~~~

                """)
        try home.folder.write("high.yaml", "instrument: C\nbars: [{duration: 1, drone: [A3, B8]}]\n")
        #expect(try await home.render("high.yaml") { $0.performance.tuning.a4 = 480 } == 64)
        #expect(home.errors.contains("outside the range of a drone (16 to 8000 Hz)"), "\(home.errors)")
    }

    @Test("check names a jump that an order cannot take, and counts the lines without it")
    func jumpOutOfOrder() async throws {
        let home = Home()
        let text = """
            sections:
              - {label: A, bars: [1, 1]}
              - {label: B, bars: [1, {duration: 2, go-to: A}, 3]}
            orders: {short: [B]}
            """
        let score = try home.write("jump.yaml", text + "\n")
        #expect(try await home.run { try CheckRequest([score]).check() } == 0)
        let lines = home.text.split(separator: "\n")
        #expect(lines.count == 2 && !lines[0].contains("without"), "\(home.text)")
        #expect(
            lines.last == "  in the order 'short': 1 section, 1 line, 3 bars, 0:06, without the jump to 'A'",
            "\(home.text)")
    }
}
