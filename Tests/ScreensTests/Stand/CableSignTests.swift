import Playback
import Scores
import Screens
import Synchronization
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
        sign.missing = 1
        #expect(sign.text(at: 10) == "→MIDI●×" && sign.text(at: 9) == "→MIDI○×")
        (sign.isGone, sign.missing) = (true, 0)
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
            let (now, stand) = (Int64(500_000_000), Stand(choices, cables: { [CableSign("MIDI→")] }))
            return stand.signs(status.moment(at: now), at: now).map { $0.text(at: now) }.joined(separator: " ")
        }
        #expect(text(true) == "LTC→● MIDI→○" && text(false) == "MIDI→○")
    }

    @Test("read aloud and for programs, a cable is alive, quiet or gone")
    func words() {
        var (out, back) = (CableSign("OSC→"), CableSign("→JACK"))
        out.lastAt = 5
        back.isGone = true
        #expect(out.words(at: 6) == "OSC out alive" && out.words(at: 7 + CableSign.life) == "OSC out quiet")
        #expect(back.words(at: 6) == "JACK in gone")
        var some = out
        some.missing = 2
        #expect(some.words(at: 6) == "OSC out alive, not to all: 2 gone")
        #expect(StatusText.json(.of(), cables: [some], at: 6).hasSuffix(#""state": "alive", "gone": 2}]}"#))
        let status = StatusText.json(.of(), cables: [out, back], at: 6)
        #expect(
            status.hasSuffix(
                #""cables": [{"cable": "osc", "direction": "out", "state": "alive"}, {"cable": "jack", "direction": "in", "state": "gone"}]}"#
            ), "\(status)")
        #expect(!StatusText.json(.of(), at: 6).contains("cables"))
    }

    @Test(
        "the latency that was told is on the stand, in the first line, and in the status; where there is none, it is not"
    )
    func latency() {
        var options = Conductor.Options()
        let plain = SilentStatus.of(options)
        options.latency = .milliseconds(850)
        let late = SilentStatus.of(options)
        func texts(_ status: Status) -> [String] {
            let stand = StandView(status, status.moment(at: 0), StandChoices(), at: 0).canvas((80, 24), lit: nil).text
            return [stand.joined(separator: "\n"), ScoreWords().header(status), StatusText.line(status, at: 0)]
        }
        #expect(texts(late).allSatisfy { $0.contains("latency 850 ms") }, "\(texts(late))")
        #expect(texts(plain).allSatisfy { !$0.contains("latency") })
        #expect(StatusText.json(late, at: 0).contains(#""latency_s": 0.850"#))
    }
}

/// A status as the conductor publishes it, without a card.
private enum SilentStatus {
    static func of(_ options: Conductor.Options) -> Status {
        let published = Mutex<Status?>(nil)
        var live = LivePerformance(
            Status.of().performance, output: SilentOutput { 0 }, sound: .silent("none"), options: options
        ) { status in published.withLock { $0 = status } }
        try? live.begin()
        for _ in 0..<5 { _ = live.step() }
        return published.withLock { $0 } ?? .of()
    }
}
