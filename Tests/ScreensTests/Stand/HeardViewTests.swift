import Foundation
import Playback
import Screens
import Testing
import Timing

/// What a microphone hears of the player, on the stand.
@Suite("A player who is heard, on the stand")
struct HeardViewTests {
    private func heard(_ late: Duration?, worth: [Status.Heard.Worth] = []) -> Status {
        var status = Status.of()
        let bar = status.performance.passage.bar(of: 0)
        status.lastHeard = [Status.Heard(number: 1, bar: bar, late: late, worth: worth)]
        return status
    }

    private func rows(_ status: Status, _ tuner: Tuner? = nil, rows: Int = 24) -> [String] {
        var choices = StandChoices()
        choices.listens = true
        return StandView(status, status.moment(at: 0), choices, at: 0, tuner: tuner).canvas((80, rows), lit: nil).text
    }

    @Test("the needle names its bar and grows to the right if it was late, to the left if it was early")
    func needle() throws {
        let middle = 40
        for (late, columns) in [(50, 41..<54), (-50, 27..<39), (1000, 41..<66), (-1000, 15..<39)] {
            let rows = rows(heard(.milliseconds(late)))
            let row = Array(rows[3])
            #expect(rows[3].contains("1.1"), "\(rows[3])")
            #expect(rows[3].hasSuffix(late > 0 ? "+\(late) ms" : "-\(-late) ms"), "\(rows[3])")
            #expect(row[columns].allSatisfy { $0 == "█" }, "\(late): \(rows[3])")
            let other = late > 0 ? 15..<middle - 1 : middle + 1..<66
            #expect(row[other].allSatisfy { $0 != "█" }, "\(late): \(rows[3])")
            // Two rows, so that it is seen from afar.
            #expect(Array(rows[4])[columns].allSatisfy { $0 == "█" })
        }
        #expect(rows(heard(nil))[3].hasSuffix("unsure") && !rows(heard(nil))[3].contains("█"))
        #expect(!rows(heard(.zero), rows: 16).contains { $0.contains(" ms") })
    }

    @Test("a strobe shows the note, and another one the pure interval over the drone")
    func strobe() {
        var (tuner, setting) = (Tuner(), Tuner.Setting())
        tuner.take(440, isSure: true, for: 0.1, setting)
        #expect(rows(heard(nil), tuner)[5].hasPrefix("  A4 0.0"))
        setting.drones = [220]
        tuner.take(440, isSure: true, for: 0.1, setting)
        let row = rows(heard(nil), tuner)[5]
        #expect(row.contains("A4 0.0") && row.contains("2:1 0.0") && row.contains("████"), "\(row)")
        setting.drones = []
        tuner.take(440, isSure: false, for: 0.1, setting)
        #expect(rows(heard(nil), tuner)[5].contains("A4 ?"))
    }

    @Test("words tell the same, and the bars worth practicing")
    func words() {
        let late = heard(.milliseconds(40), worth: [.init(bar: 0, late: .milliseconds(-31))])
        #expect(ScoreWords().heard(late) == "1.1: 40 ms late")
        #expect(ScoreWords().heard(heard(nil)) == "1.1: unsure" && ScoreWords().heard(.of()) == nil)
        #expect(ScoreWords().worth(late) == "worth practicing, against your usual: 1.1: 31 ms early")
        #expect(ScoreWords().worth(heard(.zero)) == nil)
    }

    @Test("the key e loops the bars worth practicing, each with the bar before it; without any it says why not")
    func key() {
        let stand = Stand()
        stand.see(heard(.zero, worth: [.init(bar: 1, late: .milliseconds(50))]))
        guard case .practice(let stretches?, nil)? = stand.press(.character("e"), at: 0).first else {
            Issue.record("no practice")
            return
        }
        #expect(stretches.map(\.bars) == Array(repeating: 0..<2, count: 4))
        stand.see(heard(.zero))
        #expect(stand.press(.character("e"), at: 0).isEmpty && stand.choices.message.contains("--listen"))
    }

    @Test("the last bars, which are heard only after the end of the music, have lines, in a pipe and after the stand")
    func afterTheEnd() {
        var status = Status.complete
        let bars = (0..<2).map { status.performance.passage.bar(of: $0) }
        var text = ""
        var screen = LineScreen(ScoreWords()) { text += $0 }
        _ = screen.show(status, at: 0)
        status.lastHeard = bars.enumerated().map {
            Status.Heard(number: $0.offset + 1, bar: $0.element, late: .milliseconds(10 * $0.offset - 5))
        }
        screen.end(status)
        #expect(text.contains("heard 1.1: 5 ms early\n  heard 1.2: 5 ms late\nend"), "\(text)")
        #expect(
            StandScreen.farewell(status)
                == "Piece · Nobody: played to the end\nheard 1.1: 5 ms early\nheard 1.2: 5 ms late\n")
    }

    @Test("status for programs has what was heard last, null where nothing was, and null if nobody listens")
    func json() {
        let status = heard(.milliseconds(-12))
        #expect(StatusText.json(.of(), at: 0).contains(#""heard": null"#))
        #expect(
            StatusText.json(.of(), tuner: Tuner(), at: 0).contains(
                #""heard": {"line": null, "bar": null, "late_s": null, "note": null, "hertz": null, "cents": null, "interval": null, "over": null, "interval_cents": null, "is_sure": null}"#
            ))
        var (tuner, setting) = (Tuner(), Tuner.Setting())
        setting.drones = [493.883]
        tuner.take(493.883 * 1.5, isSure: true, for: 0.1, setting)
        // The pitch that was heard last stays after it has ended.
        tuner.take(nil, isSure: false, for: 5, setting)
        let json = StatusText.json(status, tuner: tuner, at: 0)
        #expect(
            json.contains(
                #""heard": {"line": 1, "bar": 1, "late_s": -0.0120, "note": "F#5", "hertz": 740.8245, "cents": 1.95, "interval": "3:2", "over": "B4", "interval_cents": 0.00, "is_sure": true}"#
            ), "\(json)")
        #expect(tuner.heard == nil)
    }

    @Test("lines tell of each bar once; read aloud, of none")
    func lines() {
        for isSpoken in [false, true] {
            var text = ""
            var screen = LineScreen(isSpoken: isSpoken) { text += $0 }
            let status = heard(.milliseconds(-12))
            for _ in 0..<3 { _ = screen.show(status, at: 0) }
            #expect(text.components(separatedBy: "heard 1.1: 12 ms early").count == (isSpoken ? 1 : 2), "\(text)")
        }
    }
}
