internal import Foundation
internal import Testing

/// Scores of several voices.
@Suite struct VoiceTests {
    private static let canon = """
        voices:
          flute: {channel: 1, bars: [0.5, {duration: 0.3, cue: go}]}
          harp: {channel: 4, bars: [{duration: 0.6, label: B}]}
        """

    private func run(_ arguments: [String]) async throws -> Outcome {
        let scratch = try Scratch()
        try scratch.write("canon.yaml", Self.canon)
        return try await Program.run(arguments, in: scratch)
    }

    @Test("the timeline has a column for the voices, in the order of time")
    func timeline() async throws {
        #expect(
            try await run(["timeline", "canon.yaml"]).text == """
                  voice  index    line.bar         start s      duration s  label
                  flute      1         1.1        0.000000        0.500000
                  harp       1         1.1        0.000000        0.600000  B
                  flute      2         1.2        0.500000        0.300000  go
                2 bars, 0:00.800

                """)
        #expect(
            try await run(["timeline", "canon.yaml", "--voice", "harp", "--csv"]).text == """
                index,section,line,bar,label,start_s,duration_s,number
                1,,1,1,B,0.000000000,0.600000000,1

                """)
        let json = try await run(["timeline", "canon.yaml", "--voice", "harp, flute", "--json"]).text
        #expect(json.hasPrefix("[\n  {\"voice\": \"harp\", \"index\": 1,"))
    }

    @Test("check prints the totals of all voices together, and of each")
    func check() async throws {
        #expect(
            try await run(["check", "canon.yaml"]).text == """
                canon.yaml: 2 voices, 0:00.8
                  voice 'flute': 1 line, 2 bars, 0:00.8
                  voice 'harp': 1 line, 1 bar, 0:00.6

                """)
    }

    @Test("convert to a format for one voice reports that the others are left out")
    func formats() async throws {
        let outcome = try await run(["convert", "canon.yaml", "-", "--to", "csv", "--voice", "harp,flute"])
        #expect(outcome.text == "line,bar,label,duration\n1,1,B,0.6\n")
        let loss = "barline: warning: a CSV table: only the first voice is written; --voice chooses another\n"
        #expect(outcome.errors.hasPrefix(loss))
        // A picture has a sheet of all voices, and sheets for each.
        let picture = try await run(["convert", "canon.yaml", "-", "--to", "svg"])
        #expect(picture.code == 0 && picture.errors == "")
        #expect(picture.text.contains(">flute<") && picture.text.contains(">harp<"))
        #expect(picture.text.contains("height=\"891mm\""))
    }

    @Test("--each-voice and --stems write a file for each voice")
    func files() async throws {
        let scratch = try Scratch()
        try scratch.write("canon.yaml", Self.canon)
        try scratch.write("one.yaml", "bars: [1]\n")
        let convert = try await Program.run(["convert", "canon.yaml", "x.mid", "--each-voice"], in: scratch)
        #expect(convert.code == 0, "\(convert.errors)")
        let render = try await Program.run(["render", "canon.yaml", "-o", "y.wav", "--stems"], in: scratch)
        #expect(render.code == 0, "\(render.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.folder).sorted()
        #expect(names.filter { $0.hasSuffix(".mid") } == ["x-flute.mid", "x-harp.mid", "x.mid"])
        let sounds = ["y-click-flute.wav", "y-click-harp.wav", "y-click.wav", "y-drone.wav", "y-speech.wav", "y.wav"]
        #expect(names.filter { $0.hasSuffix(".wav") } == sounds)
        for (arguments, error) in [
            (["one.yaml", "z.mid"], "--each-voice: the score has only one voice"),
            (
                ["canon.yaml", "z.mid", "--first", "2"],
                "--each-voice writes files of whole voices: -, --first and --last cannot be used with it"
            ),
        ] {
            let refused = try await Program.run(["convert"] + arguments + ["--each-voice"], in: scratch)
            #expect(refused.code == 64 && refused.errors == "barline: error: \(error)\n", "\(refused.errors)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder).allSatisfy { !$0.hasPrefix("z") })
    }

    @Test("a file of tempi that does not exist is one error")
    func noTempi() async throws {
        let outcome = try await run(["check", "canon.yaml", "--tempi", "none.tempi"])
        #expect(outcome.code == 66)
        #expect(outcome.errors == "barline: error: 'none.tempi' cannot be read: No such file or directory\n")
    }
}
