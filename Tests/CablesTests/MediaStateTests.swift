import Cables
import Listening
import Playback
import Scores
import SimulatedCardSupport
import Testing
import Timing
import UserSettings

@Suite("Media keys")
struct MediaStateTests {
    @Test(
        "each command has the actions of keys",
        arguments: [
            ("Play", [.play]), ("Pause", [.halt]), ("PlayPause", [.pause]), ("Next", [.nextBar]),
            ("Previous", [.previousBar]), ("Stop", [.halt, .firstBar]), ("Quit", [.quit]), ("play", []), ("Seek", []),
        ] as [(String, [KeyAction])])
    func commands(method: String, actions: [KeyAction]) {
        #expect((MediaCommand(method: method)?.actions.map(\.action) ?? []) == actions)
    }

    @Test("a position goes to its time of the score")
    func position() {
        let actions = MediaCommand.position(150_500_000).actions
        #expect(actions.map(\.action) == [.goTo] && actions.map(\.text) == ["2:30.500"])
        #expect(MediaCommand.position(-1).actions.map(\.text) == ["0:00.000"])
    }

    @Test("the position goes on with the speed, stands in a pause, and a jump is told")
    func states() throws {
        let score = Score(lines: [Score.Line(bars: (0..<8).map { _ in Score.Bar(.seconds(2)) })])
        let play = try SimulatedPlay.run(
            Performance(of: score, passage: Passage(Timeline(score), passes: 1)), on: [:], policy: .rewind,
            commands: [
                (2, .pause), (4, .resume), (5, .speed(change: 50)),
                (7, .jump(.bar(6))),
            ],
            keepsStatuses: true)
        let states = play.statuses.map { (Int64($0.time * 1e9), MediaState($0.status, at: Int64($0.time * 1e9))) }
        #expect(states.contains { $0.1.playing == .paused } && states.contains { $0.1.rate == 1.5 })
        #expect(states.last?.1.playing == .stopped)
        #expect(states.allSatisfy { $0.1.length == 16_000_000 && (0...16_000_000).contains($0.1.position) })
        let jumps = zip(states, states.dropFirst()).filter { old, new in
            !new.1.follows(old.1, after: .nanoseconds(new.0 - old.0))
        }
        #expect(jumps.count == 1, "\(jumps)")
    }
}
