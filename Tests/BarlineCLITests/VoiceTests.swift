internal import Testing

/// Scores of several voices on the command line.
@Suite struct VoiceTests {
    @Test(
        "check prints the totals of all voices together, and of each; the other commands take voices by their options")
    func options() async throws {
        let scratch = try Scratch()
        try scratch.write(
            "canon.yaml",
            """
            voices:
              flute: {channel: 1, bars: [0.5, {duration: 0.3, cue: go}]}
              harp: {channel: 4, bars: [{duration: 0.6, label: B}]}
            """)
        let totals = """
            canon.yaml: 2 voices, 0:00.8
              voice 'flute': 1 line, 2 bars, 0:00.8
              voice 'harp': 1 line, 1 bar, 0:00.6

            """
        for (arguments, text) in [
            (["check", "canon.yaml"], totals),
            (["convert", "canon.yaml", "x.mid", "--each-voice"], ""),
            (["render", "canon.yaml", "-o", "y.wav", "--stems", "--voice", "harp, flute"], ""),
        ] {
            let outcome = try await Program.run(arguments, in: scratch)
            #expect(outcome.code == 0 && outcome.text == text, "\(outcome.errors)")
        }
        #expect(
            try Set(scratch.names).isSuperset(of: [
                "x-flute.mid", "x-harp.mid", "y-click-flute.wav", "y-click-harp.wav",
            ]))
        let outcome = try await Program.run(["check", "canon.yaml", "--tempi", "none.tempi"], in: scratch)
        #expect(outcome.code == 66)
        #expect(outcome.errors == "barline: error: 'none.tempi' cannot be read: No such file or directory\n")
    }
}
