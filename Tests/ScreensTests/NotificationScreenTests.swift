import Playback
import Scores
import Screens
import Testing
import Timing

@Suite("Notification screen")
struct NotificationScreenTests {
    private func nextLook(_ status: Status, at now: Int64) -> Int64 {
        status.nextLook(status.moment(at: now), at: now)
    }

    @Test("the next update is due when the next bar begins, and after a count-in")
    func bars() {
        #expect(nextLook(.of(), at: seconds(1)) == seconds(3))
        #expect(nextLook(.of(), at: seconds(6)) == seconds(6.7))
        #expect(nextLook(.of(countsTo: .zero, zeroHeard: seconds(10)), at: seconds(7)) == seconds(10) + 1)
    }

    @Test("in a pause and at a hold, no update is due")
    func standing() {
        let late = seconds(100)
        #expect(nextLook(.of(paused: .seconds(1)), at: late) == .max)
        var holding = Status.of(passes: nil)
        holding.held = HeldMusic(boundary: 0, position: .seconds(2), length: .zero)
        #expect(nextLook(holding, at: seconds(1)) == seconds(3))
        for now in [2, 3, 100] { #expect(nextLook(holding, at: seconds(Double(now))) == .max) }
        #expect(nextLook(.of(), at: late) == .max)
    }

    @Test("at a hold, no screen needs an update until something changes")
    func everyScreen() {
        var holding = Status.of(passes: nil)
        holding.held = HeldMusic(boundary: 0, position: .seconds(2), length: .zero)
        var lines = LineScreen { _ in }
        #expect(lines.show(holding, at: seconds(100)) == .max)
        var drone = DroneScreen { _ in }
        #expect(drone.show(holding, at: seconds(100)) == .max)
        var notifications = NotificationScreen {
        } onFailure: { _ in
        }
        #expect(notifications.show(holding, at: seconds(100)) == .max)
        notifications.end(holding)
    }

    @Test("notifications contain no bidirectional characters")
    func printable() throws {
        let score = Score(
            lines: [Score.Line(bars: [Score.Bar(.seconds(3), label: "A\u{202E}B", cue: "go\u{2066}")])])
        let status = Status.of(score)
        let heard = try #require(status.moment(at: seconds(1)).bar)
        let texts = NotificationScreen.texts(status, heard)
        #expect(texts.title == "A\u{FFFD}B, 0:03")
        #expect(texts.text == "go\u{FFFD}\n0:01.0 of 0:03.0")
    }
}
