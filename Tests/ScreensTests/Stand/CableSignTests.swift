import Playback
import Scores
import Screens
import Testing
import Timing

@Suite("Signs of life of cables")
struct CableSignTests {
    @Test("a dot is full for a second after something has gone through, and a cable that is gone has a cross")
    func dots() {
        var sign = CableSign("→MIDI")
        #expect(sign.text(at: 5) == "→MIDI○")
        sign.lastAt = 10
        #expect(sign.text(at: 10) == "→MIDI●" && sign.text(at: 10 + CableSign.life) == "→MIDI●")
        #expect(sign.text(at: 11 + CableSign.life) == "→MIDI○" && sign.text(at: 9) == "→MIDI○")
        sign.isGone = true
        #expect(sign.text(at: 10) == "→MIDI×")
    }

    @Test("the stand shows them in the row of the settings, and nothing without cables", arguments: [80, 120])
    func stand(columns: Int) {
        let signs = ["OSC→", "→OSC", "→MIDI"].map(CableSign.init)
        func rows(_ cables: [CableSign]) -> [String] {
            let status = Status.of()
            return StandView(status, status.moment(at: 0), StandChoices(), at: 0, cables: cables)
                .canvas((columns, 24), lit: nil).text
        }
        let (with, without) = (rows(signs), rows([]))
        let changed = with.indices.filter { with[$0] != without[$0] }
        #expect(changed.count == 1)
        for row in changed {
            #expect(with[row].hasSuffix("OSC→○ →OSC○ →MIDI○") && with[row].contains("100%"))
        }
    }

    @Test("timecode is shown where a channel of the card carries it, and not where it goes to MIDI alone")
    func timecode() throws {
        var performance = Status.of().performance
        performance.linearTimecode = LinearTimecode(start: try Timecode(scoreText: "01:00:00:00 @ 25"))
        let status = Status(
            performance: performance, anchor: Anchor(speed: .asWritten), countsTo: nil, pause: nil, zeroHeard: 0,
            sound: .device("default"))
        func text(_ carries: Bool) -> String {
            var choices = StandChoices()
            choices.carriesTimecode = carries
            return StandView(
                status, status.moment(at: 500_000_000), choices, at: 500_000_000, cables: [CableSign("MIDI→")]
            )
            .canvas((80, 24), lit: nil).text.joined(separator: "\n")
        }
        #expect(text(true).contains("LTC→● MIDI→○"))
        #expect(!text(false).contains("LTC") && text(false).contains("MIDI→○"))
    }
}
