internal import Foundation
internal import Shared
internal import Testing

/// That options reach what they are for. What becomes of them there is tested without the command line.
@Suite struct OptionTests {
    @Test("the options for formats, places and tables reach their commands") func places() async throws {
        let scratch = try Scratch()
        try scratch.write("small.yaml", SampleTexts.small)
        try scratch.write("clicks", "2 4/4 120\n")
        func run(_ command: String...) async throws -> String {
            let outcome = try await Program.run(command, in: scratch)
            #expect(outcome.code == 0, "\(command): \(outcome.errors)")
            return outcome.text
        }
        let from = try await run("timeline", "small.yaml", "--from", "2.2", "--count-in", "2")
        #expect(from.hasSuffix("        2.000000        0.300000  日本  Go\n1 bar, 0:02.300\n"), "\(from)")
        let passage = try await run(
            "timeline", "small.yaml", "--csv", "--from", "3", "--to", "4", "--times", "2", "--speed", "50%")
        #expect(passage.hasSuffix("\n3,,2,1,,1.400000000,0.800000000,3\n4,,2,2,日本,2.200000000,0.600000000,4\n"))
        let beats = try await run("timeline", "small.yaml", "--beats", "--json", "--from", "2.2")
        #expect(beats.contains("\"beat\": 1, \"label\": \"日本\""), "\(beats)")
        let labels = try await run(
            "convert", "small.yaml", "-", "--to", "audacity", "--first", "1.2", "--last", "2.1", "--speed", "50%")
        #expect(
            labels == "0.500000000\t1.100000000\t1.2 say \"x\", y\n1.100000000\t1.900000000\t2.1 no. 3\n",
            "\(labels)")
        let letter = try await run("convert", "small.yaml", "-", "--to", "svg", "--paper", "Letter")
        #expect(letter.contains("width=\"215.9mm\" height=\"279.4mm\""))
        #expect(try await run("check", "clicks", "--format", "klick") == "clicks: 1 line, 2 bars, 0:04\n")
        #expect(try await run("timeline", "clicks", "--format", "klick").hasSuffix("\n2 bars, 0:04.000\n"))
        #expect(try await run("render", "clicks", "-o", "x.wav", "--format", "klick", "--rate", "8000") == "")
    }

    /// Options, and the settings and the keys of a score that mean the same.
    @Test(
        "the options of the sound mean the same as settings, and as the keys of a score",
        arguments: [
            (
                """
                --a4 442 --drone-level -40dB --waveform oboe --beating 2Hz --click-level -20dB --speed 80% --fade 0.2 \
                --grid 3_parts --one-sound --tuning werckmeister3 --tonic D --instrument Bb --temperature 30
                """,
                """
                a4: 442
                drone-level: -40 dB
                drone-waveform: oboe
                beating: 2 Hz
                click-level: -20 dB
                speed: 80%
                fade: 0.2
                grid: 3 parts
                one-sound: on
                tuning: werckmeister3
                tonic: D
                instrument: Bb
                temperature: 30 C

                """, ""
            ),
            (
                "--line-sound section --end-signal --warn-last-bar --countdown 1 --countdown-to bars",
                "line-sound: section\nend-signal: on\nwarn-last-bar: on\ncountdown: 1\ncountdown-to: bars\n", ""
            ),
            (
                """
                --drone A3,_E4_-6dB --fade 0.2 --variation 2dB --drone-seed 4 --waveform oboe --brightness=-30% \
                --tuning our.scl --keyboard-map our.kbm
                """, "",
                """
                tuning: our.scl
                keyboard-map: our.kbm
                drone:
                  {notes: "A3, E4 -6dB", fade: 200 ms, variation: 2 dB, seed: 4, waveform: oboe, brightness: -30 %}

                """
            ),
        ])
    func sound(options: String, settings: String, keys: String) async throws {
        let scratch = try Scratch()
        let bars = "count-in: 0.5\nlines: [{label: A, bars: [1.2, 1.1]}, {bars: [1.3, 0.4]}]\n"
        let drone = keys.isEmpty ? "drone: B4\n" : ""
        try scratch.write("plain.yaml", drone + bars)
        try scratch.write("keys.yaml", drone + keys + bars)
        try scratch.write("our.scl", "five\n5\n9/8\n5/4\n3/2\n5/3\n2/1\n")
        try scratch.write("our.kbm", "0\n0\n127\n60\n69\n441.0\n5\n")
        func render(_ score: String, _ options: [String] = []) async throws -> [UInt8] {
            let outcome = try await Program.run(["render", score, "-o", "-"] + options, in: scratch)
            #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
            return outcome.output
        }
        let words = options.split(separator: " ").map { String($0).replacing("_", with: " ") }
        let bare = try await render("plain.yaml")
        let wanted = try await render("plain.yaml", words)
        let folder = (scratch.environment["HOME"] ?? "") + "/.config/barline"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try settings.write(toFile: folder + "/config.yaml", atomically: false, encoding: .utf8)
        #expect(firstDifference(try await render("keys.yaml"), wanted) == nil)
        #expect(bare != wanted)
    }
}
