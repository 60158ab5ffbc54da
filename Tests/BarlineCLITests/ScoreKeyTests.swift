internal import Foundation
internal import Testing

/// The keys of a score for the drone and its tuning mean the same as the options.
@Suite struct ScoreKeyTests {
    private static let bars = "bars: [0.4, 0.3]\n"

    @Test(
        "a tuning in a score sounds like the same tuning in options",
        arguments: [
            ("tuning: meantone\ntonic: D\n", ["--tuning", "meantone", "--tonic", "D"]),
            ("instrument: Bb\ntemperature: 26 C\n", ["--instrument", "Bb", "--temperature", "26"]),
            ("tuning: our.scl\nkeyboard-map: our.kbm\n", ["--tuning", "in/our.scl", "--keyboard-map", "in/our.kbm"]),
        ])
    func aTuningSoundsTheSame(keys: String, options: [String]) async throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.folder + "/in", withIntermediateDirectories: true)
        try scratch.write("in/our.scl", "five\n5\n9/8\n5/4\n3/2\n5/3\n2/1\n")
        try scratch.write("in/our.kbm", "0\n0\n127\n60\n69\n441.0\n5\n")
        let drone = "drone: \"E3, C#4\"\n"
        try scratch.write("in/keys.yaml", keys + drone + Self.bars)
        try scratch.write("plain.yaml", drone + Self.bars)
        let plain = try await Program.run(["render", "plain.yaml", "-o", "-"], in: scratch).output
        let byKeys = try await Program.run(["render", "in/keys.yaml", "-o", "-"], in: scratch)
        let byOptions = try await Program.run(["render", "plain.yaml", "-o", "-"] + options, in: scratch)
        #expect(byKeys.errors == "" && byOptions.errors == "")
        #expect(byKeys.output == byOptions.output)
        #expect(byKeys.output != plain)
        // A converted score in another folder still finds the files.
        let converted = try await Program.run(["convert", "in/keys.yaml", "moved.yaml"], in: scratch)
        #expect(converted.errors == "" && converted.code == 0)
        #expect(try await Program.run(["render", "moved.yaml", "-o", "-"], in: scratch).output == byKeys.output)
    }

    @Test(
        "a drone in a score sounds like the same drone in options",
        arguments: [
            (
                "drone: {pitch: A3, fade: 200 ms, variation: 2 dB, seed: 4}\n",
                ["--drone", "A3", "--fade", "0.2", "--variation", "2dB", "--drone-seed", "4"]
            ),
            (
                "drone: {notes: \"A3, E4 -6dB\", waveform: oboe, brightness: -30 %, beating: 1 Hz}\n",
                ["--drone", "A3, E4 -6dB", "--waveform", "oboe", "--brightness=-30%", "--beating", "1Hz"]
            ),
        ])
    func aDroneSoundsTheSame(keys: String, options: [String]) async throws {
        let scratch = try Scratch()
        try scratch.write("keys.yaml", keys + Self.bars)
        try scratch.write("plain.yaml", Self.bars)
        let byKeys = try await Program.run(["render", "keys.yaml", "-o", "-"], in: scratch)
        let byOptions = try await Program.run(["render", "plain.yaml", "-o", "-"] + options, in: scratch)
        #expect(byKeys.errors == "" && byOptions.errors == "")
        #expect(byKeys.output == byOptions.output)
    }

    @Test("options override the score") func optionsOverrideTheScore() async throws {
        let scratch = try Scratch()
        try scratch.write("a.yaml", "tuning: just\ntonic: D\ndrone: F#4\n" + Self.bars)
        try scratch.write("b.yaml", "tuning: meantone\ntonic: D\ndrone: F#4\n" + Self.bars)
        let changed = try await Program.run(["render", "a.yaml", "-o", "-", "--tuning", "meantone"], in: scratch)
        #expect(try await Program.run(["render", "b.yaml", "-o", "-"], in: scratch).output == changed.output)
    }

    @Test("an error in a tuning file is reported where the score names the file")
    func anErrorInATuningFileIsReportedWhereTheScoreNamesTheFile() async throws {
        let scratch = try Scratch()
        try scratch.write("x.yaml", "title: X\ntuning: none.scl\n" + Self.bars)
        let outcome = try await Program.run(["check", "x.yaml"], in: scratch)
        #expect(outcome.code == 65, "\(outcome.errors)")
        #expect(
            outcome.errors == """
                x.yaml:2:9: error: 'none.scl' cannot be read: No such file or directory
                tuning: none.scl
                        ^~~~~~~~

                """)
        try scratch.write("high.yaml", "instrument: C\nbars: [{duration: 1, drone: [A3, B8]}]\n")
        let high = try await Program.run(["render", "high.yaml", "-o", "-", "--a4", "480"], in: scratch)
        #expect(high.code == 64 && high.errors.contains("outside the range of a drone (16 to 8000 Hz)"))
    }
}
