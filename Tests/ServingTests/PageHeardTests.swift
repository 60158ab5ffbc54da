internal import Playback
internal import Scores
internal import Screens
internal import Serving
internal import Testing
internal import Timing

/// What pages learn of a player whom a microphone hears.
@Suite struct PageHeardTests {
    private func state(_ heard: Status.Heard?) throws -> String {
        let score = try #require(Score.read(Array("bars: [2, 3]\n".utf8), file: "x.yaml").score)
        var status = Status(
            performance: Performance(of: score, passage: Passage(Timeline(score))), anchor: Anchor(speed: .asWritten),
            countsTo: nil, pause: nil, zeroHeard: 0, sound: .device("x"))
        status.lastHeard = heard.map { [$0] } ?? []
        return PageMessage.state(status, ScoreWords(), at: 0)
    }

    @Test("the state names the bar that was heard last and how late it was, in words, too; null if nobody listens")
    func bars() throws {
        #expect(try state(nil).contains(#""heard": null"#))
        let score = try #require(Score.read(Array("bars: [2, 3]\n".utf8), file: "x.yaml").score)
        let bar = Timeline(score)[1]
        let late = try state(Status.Heard(number: 1, bar: bar, late: .milliseconds(-40)))
        #expect(
            late.contains(#""heard": {"bar": "1.2", "late": -0.040, "says": "1.2: 40 ms early"}"#), "\(late)")
        let unsure = try state(Status.Heard(number: 2, bar: bar, late: nil))
        #expect(unsure.contains(#""heard": {"bar": "1.2", "late": null, "says": "1.2: unsure"}"#), "\(unsure)")
    }

    @Test("the pitch is told with how often it beats with the note and with the pure interval; null for no note")
    func pitch() {
        var (tuner, setting) = (Tuner(), Tuner.Setting())
        #expect(PageMessage.pitch(tuner) == #"{"pitch": null}"#)
        setting.drones = [220]
        tuner.take(443, isSure: true, for: 0.1, setting)
        #expect(
            PageMessage.pitch(tuner)
                == #"{"pitch": {"note": "A4 +12 ¢", "beats": 3.0, "interval": "2:1 +12 ¢", "intervalBeats": 3.0}}"#)
        tuner.take(440, isSure: false, for: 0.1, Tuner.Setting())
        #expect(PageMessage.pitch(tuner) == #"{"pitch": {"note": "A4 ?", "beats": 0.0}}"#)
    }
}
