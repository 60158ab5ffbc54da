import Application
import Shared
import Testing

/// Scores that cannot be read; other mistakes are tested where scores are read.
@Suite struct BadScoreTests {
    /// What every command says of a score.
    private func told(_ path: String, in home: Home) async throws -> [Told] {
        [
            try await home.told { try TimelineRequest(path).print() },
            try await home.told { try await PlayRequest(path).play() },
            try await home.told { try RenderRequest(path, to: home.folder("sound.wav")).render() },
        ]
    }

    @Test("every command reports a bad score with the same message, and writes nothing") func bad() async throws {
        let home = Home()
        try home.folder.write("negative.yaml", "bars: [3, -2.7, 2]\n")
        for told in try await told(home.folder("negative.yaml"), in: home) {
            #expect(told.code == 65 && told.text == "")
            #expect(
                told.errors == """
                    negative.yaml:1:11: error: a duration cannot be negative
                    bars: [3, -2.7, 2]
                              ^~~~

                    """)
        }
        #expect(home.files == ["negative.yaml"])
    }

    @Test("a score that does not exist ends with exit code 66") func missing() async throws {
        let home = Home()
        for told in try await told("missing/piece.yaml", in: home) {
            #expect(told.code == 66 && told.text == "")
            #expect(told.errors == "barline: error: there is no file 'missing/piece.yaml'\n")
        }
        #expect(home.files == [])
    }
}
