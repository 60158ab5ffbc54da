import Listening
import Playback
import Scores
import Shared
import Testing
import Timing

/// Taps of the player: "now I begin a bar".
@Suite("Taps")
struct TapTests {
    /// A minute of bars on a card; `taps` are in seconds of the simulation.
    private func play(
        _ taps: [Double], minutes: Double = 1, ppm: Double = 200, others: [(Double, Command)] = [],
        options: Conductor.Options = Conductor.Options()
    ) throws -> SimulatedPlay {
        let begin = Simulation.beginning
        let commands = taps.map { ($0, Command.tell(.tap(at: Int64((begin + $0) * 1e9)))) }
        return try SimulatedPlay.run(
            LiveTests.performance(minutes: minutes), on: .fine(ppm: ppm), policy: .rewind, options: options,
            commands: (commands + others).sorted { $0.0 < $1.0 })
    }

    @Test("each bar is measured within 1 ms of the truth, whatever the card's crystal", arguments: [-200.0, 200])
    func truth(ppm: Double) throws {
        var random = Seeded(state: 38)
        let known = try play([], ppm: ppm)
        // The player taps near the clicks as they are heard, some early, some late.
        let clicks = known.heard.map { $0.time - Simulation.beginning }
        let taps = clicks.map { $0 + Double.random(in: -0.08...0.08, using: &random) }
        let played = try play(taps, ppm: ppm)
        let tapped = TappedBars(played.rows)
        #expect(tapped.spare == 0 && tapped.bars.count == clicks.count)
        for (index, bar) in tapped.bars.enumerated() {
            let late = try #require(bar.late)
            #expect(abs(Double(late) / 1e9 - (taps[index] - clicks[index])) < 0.001, "bar \(index)")
            guard index + 1 < taps.count, let excess = bar.excess else { continue }
            let truth = (taps[index + 1] - taps[index]) - (clicks[index + 1] - clicks[index])
            #expect(abs(Double(excess) / 1e9 - truth) < 0.001, "bar \(index)")
        }
        #expect(tapped.count == clicks.count - 1)
    }

    @Test("what the player notes is kept with the bar that is heard, also in a pause, and changes nothing in the music")
    func marks() throws {
        let begin = Simulation.beginning
        let plain = try play([], minutes: 0.2)
        let played = try play(
            [], minutes: 0.2,
            others: [
                (4.1, .tell(.mark("good"))), (6, .pause), (7, .tell(.mark("bad"))), (8, .resume),
            ])
        let marks = try #require(played.status).marks
        #expect(marks.map(\.word) == [.mark("good"), .mark("bad")])
        let heard = plain.heard.map { $0.time - begin }
        for (mark, time) in zip(marks, [4.1, 6]) {
            #expect(mark.bar.index == heard.lastIndex { $0 <= time })
        }
        let many = try play([], minutes: 0.2, others: (0..<200).map { (4 + Double($0) / 100, .tell(.mark("\($0)"))) })
        #expect(many.status?.marks.count == 100 && many.rows.map(\.nominal) == plain.rows.map(\.nominal))
    }

    /// Two bars, a hold in the second that lasts from 2 s on until the player goes on, and more bars.
    private func playHold(_ commands: [(Double, Command)]) throws -> SimulatedPlay {
        let text = "bars: [1, {duration: 1, hold: until cue}, 1, 1, 1, 1, 1]"
        let score = try #require(Score.read(Array(text.utf8), file: "x.yaml").score)
        return try SimulatedPlay.run(
            score.performance { $0.waits = true }, on: .fine(ppm: 0), policy: .rewind, commands: commands)
    }

    @Test("a note at a hold until a cue belongs to the bar with the hold, however long the music waits")
    func markAtHold() throws {
        let play = try playHold([
            (8, .tell(.mark("late"))), (10, .pause), (12, .tell(.mark("paused"))), (13, .resume), (14, .continue),
        ])
        #expect(try #require(play.status).marks.map(\.bar.index) == [1, 1])
    }

    @Test("a bar in which the music waited at a hold until a cue has no written duration")
    func tapsAroundHold() throws {
        let begin = Simulation.beginning
        let clicks = try playHold([(8, .continue)]).heard.map { $0.time - begin }
        let taps = clicks.map { ($0 + 0.02, Command.tell(.tap(at: Int64((begin + $0 + 0.02) * 1e9)))) }
        let play = try playHold((taps + [(8, .continue)]).sorted { $0.0 < $1.0 })
        let bars = TappedBars(play.rows).bars
        #expect(bars.count == 7 && bars.allSatisfy { $0.tapped != nil && !$0.isRestart })
        #expect(bars.map { $0.written == nil } == [false, true, false, false, false, false, true])
        #expect(play.rows.filter { $0.flags.contains(.held) }.map(\.index) == [3])
    }

    @Test("the delay of the key is subtracted, and the latency of the device counts")
    func delays() throws {
        var options = Conductor.Options()
        options.tapDelay = .milliseconds(30)
        let late = try play([5, 6, 7], minutes: 0.2, options: options).rows.filter(\.isTap)
        options.tapDelay = .zero
        let plain = try play([5, 6, 7], minutes: 0.2, options: options).rows.filter(\.isTap)
        options.latency = .milliseconds(50)
        let latency = try play([5, 6, 7], minutes: 0.2, options: options).rows.filter(\.isTap)
        #expect(late.count == 3 && plain.count == 3 && latency.count == 3)
        for (late, (plain, latency)) in zip(late, zip(plain, latency)) {
            let (first, second, third) = (
                late.heardNanoseconds ?? 0, plain.heardNanoseconds ?? 0, latency.heardNanoseconds ?? 0
            )
            #expect(abs(second - first - 30_000_000) < 100_000 && abs(second - third - 50_000_000) < 100_000)
        }
    }

    @Test("a tap while the music stands still, before it begins or after a stop is no tap")
    func standing() throws {
        let play = try play(
            [0.001, 4, 6, 9, 11.5], others: [(5, .pause), (8, .resume), (11, .stop)])
        let taps = play.rows.filter(\.isTap)
        #expect(taps.count == 2)
        #expect(play.status?.told?.number == 2)
        // The music is the same as without taps.
        let bars = play.rows.filter { !$0.isTap }
        #expect(bars.map(\.index) == Array(1...max(play.rows.count - 2, 1)))
    }

    @Test("a tap tells the screens at once which bar it is nearest to, and by how much")
    func status() throws {
        let sixth = try play([], minutes: 0.2).heard[5].time - Simulation.beginning
        let play = try play([sixth - 0.04], minutes: 0.2)
        let tap = try #require(play.status?.told)
        #expect(tap.bar.index == 5 && abs(tap.late.seconds + 0.04) < 0.001)
    }
}
