import Listening
import Playback
import Scores
import SimulatedCardSupport
import Testing
import Timing

/// Screens know only the status: the time that it gives for a boundary is when the boundary is heard.
@Suite("Screen time")
struct ScreenTimeTests {
    /// The difference in s between the time that the newest status gave for each boundary and the time at which it was
    /// heard. Expects that none was lost.
    private static func errors(
        _ policy: Card.Policy, latency: Duration = .zero, commands: [(Double, Command)] = []
    ) throws -> [Double] {
        var options = Conductor.Options()
        options.latency = latency
        let play = try SimulatedPlay.run(
            LiveTests.performance(minutes: 1), on: .fine(ppm: 300, seed: 3), policy: policy, options: options,
            commands: commands, keepsStatuses: true)
        #expect(!play.rows.contains { $0.flags.contains(.lost) })
        #expect(play.rows.count == play.heard.count)
        return try zip(play.rows, play.heard).map { row, heard in
            let newest = try #require(play.statuses.last { $0.time <= heard.time } ?? play.statuses.first)
            // The passage is the piece, once: boundary and bar are the same.
            let said = Double(newest.status.heard(boundary: row.index - 1)) * 1e-9
            return said - latency.seconds - heard.time
        }
    }

    @Test(
        "a flash comes within 5 ms of its boundary, with any card, latency and commands",
        arguments: [Card.Policy.rewind, .small])
    func flash(policy: Card.Policy) throws {
        let plain = try Self.errors(policy)
        #expect(plain.count > 150 && plain.allSatisfy { abs($0) < 0.005 })
        let late = try Self.errors(policy, latency: .milliseconds(180))
        #expect(late.count > 150 && late.allSatisfy { abs($0) < 0.005 })
        let commanded = try Self.errors(
            policy,
            commands: [
                (9.3, .jump(.nextLine)), (12.1, .speed(change: 10)), (15.7, .togglePause), (17.2, .togglePause),
                (20.4, .nudge(.milliseconds(10))), (25.2, .speedTo(.asWritten)), (29.9, .jump(.nextBar)),
            ])
        #expect(commanded.count > 120 && commanded.allSatisfy { abs($0) < 0.005 })
    }
    @Test(
        "after a pause no bar that has sounded is shown again, even if the pause came right after it",
        arguments: [Card.Policy.rewind, .small])
    func resumed(policy: Card.Policy) throws {
        let pauses = (0..<60).map { 10 + 0.53 * Double($0) }
        let play = try SimulatedPlay.run(
            LiveTests.performance(minutes: 0.6), on: .fine(ppm: 300, seed: 3), policy: policy,
            commands: pauses.flatMap { [($0, .pause), ($0 + 0.2, .resume)] }, keepsStatuses: true)
        let going = play.statuses.prefix { $0.status.ending == nil }
        let shown = zip(going, going.dropFirst().map(\.time)).flatMap { now, end in
            stride(from: now.time, to: end, by: 0.005).map { now.status.boundary(at: Int64($0 * 1e9)) }
        }
        #expect(Set(shown).count > 100)
        let again = zip(shown, shown.dropFirst()).filter { $0 > $1 }.map(\.0)
        #expect(again == [])
    }
}
