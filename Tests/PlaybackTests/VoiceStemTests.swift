internal import Formats
internal import Playback
internal import Scores
internal import Testing
internal import Timing

@Suite("Stems of voices")
struct VoiceStemTests {
    private func samples(_ text: String, _ parts: SoundParts) throws -> [UInt8] {
        let score = try #require(Score.read(Array(text.utf8), file: "x.yaml").score)
        var renderer = Renderer(score.performance(), format: SoundFormat(channels: 1, samples: .float32))
        renderer.parts = parts
        return try renderer.samples()
    }

    @Test("the click of a voice is that of the piece with the clicks of all other voices off")
    func stem() throws {
        func text(_ a: String, _ b: String) -> String {
            """
            count-in: 1 s
            warning: 1 s
            voices:
              a: {click: \(a), bars: [0.4, {duration: 0.3, hold: 2.2}, 0.3]}
              b: {click: \(b), bars: [0.25, {duration: 0.5, hold: 2.5 at 0.2}, {duration: 1.1, click: off}, 0.4]}
            """
        }
        let both = text("beat", "line")
        #expect(try samples(both, .click(ofVoice: 1)) == samples(text("beat", "off"), .click))
        #expect(try samples(both, .click(ofVoice: 2)) == samples(text("off", "line"), .click))
        #expect(try samples(both, .click(ofVoice: 1)) != samples(both, .click))
    }
}
