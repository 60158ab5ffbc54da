internal import Shared
internal import Testing

/// `--jack-transport` without a server; `make sound-servers` follows one.
@Suite struct JackTests {
    @Test("without a server, and for several scores, --jack-transport is an error in one line")
    func errors() async throws {
        let scratch = try Scratch()
        try scratch.write("small.yaml", SampleTexts.small)
        let play = ["play", "small.yaml", "--device", "null", "--jack-transport", "2s"]
        let alone = try await Program.run(play, in: scratch, environment: ["JACK_DEFAULT_SERVER": "nobody"])
        #expect(alone.code == 69, "\(alone.errors)")
        #expect(
            alone.errors
                == "barline: error: --jack-transport: no JACK server runs, or the library libjack.so.0 is missing\n")
        let several = try await Program.run(play + ["--then", "small.yaml"], in: scratch)
        #expect(several.code == 64 && several.errors.contains("--jack-transport is for one score"))
    }

    @Test("what the setting jack-transport names may be missing: a note says so, and the music plays")
    func setting() async throws {
        let scratch = try Scratch()
        try scratch.write("small.yaml", SampleTexts.small)
        #expect(try await Program.run(["config", "jack-transport", "2s"], in: scratch).code == 0)
        let play = ["play", "small.yaml", "--device", "null"]
        let nobody = ["JACK_DEFAULT_SERVER": "nobody"]
        func note(_ text: String) -> String { "barline: note: --jack-transport\(text); the music goes on\n" }
        let alone = try await Program.run(play, in: scratch, environment: nobody)
        #expect(alone.code == 0 && alone.text.contains("\nend\n"), "\(alone.errors)")
        #expect(alone.errors == note(": no JACK server runs, or the library libjack.so.0 is missing"))
        let several = try await Program.run(play + ["--then", "small.yaml"], in: scratch, environment: nobody)
        #expect(several.code == 0 && several.errors == note(" is for one score, and not with --serve or --then"))
        let off = try await Program.run(play + ["--jack-transport", "off"], in: scratch, environment: nobody)
        #expect(off.code == 0 && off.errors.isEmpty, "\(off.errors)")
    }
}
