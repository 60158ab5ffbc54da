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
}
