import Listening
import Playback
import Scores
import Shared
import Testing
import Timing

/// The flags in a follower's log.
extension FollowerTests {
    @Test("a follower's log has a jump where its leader has jumped, and none where speed, shift or loop have changed")
    func flags() throws {
        var leading = SimulatedNetwork(drift: 30e-6, delay: 0.0002...0.0005)
        let zero = leading.leader(Simulation.beginning + 3)
        let fast = try #require(Speed(millionths: 1_500_000))
        func anchor(_ time: Int, _ position: Int, _ speed: Speed) -> Anchor {
            Anchor(time: .milliseconds(time), position: .milliseconds(position), speed: speed)
        }
        let loop = Passage.Stretch(118..<122)
        // After 20 s the leader is faster, then later by 10 ms, then it loops, and after 50 s it jumps to bar 1000.
        let changes: [(Double, Anchor, Passage.Stretch?)] = [
            (0, anchor(0, 0, .asWritten), nil), (20, anchor(20_000, 20_000, fast), nil),
            (30, anchor(20_010, 20_000, fast), nil), (40, anchor(20_010, 20_000 + 417 - 119 * 417, fast), loop),
            (50, anchor(50_000, 417_000, fast), nil),
        ]
        func music(_ time: Double) -> LeaderMusic {
            let (_, anchor, loop) = changes.last { $0.0 <= time - 3 } ?? changes[0]
            var music = Self.music(zero, anchor)
            if let loop { (music.stretches, music.passes) = ([loop], nil) }
            return music
        }
        var leads = leading.leads(60, music)
        // Each change is told at once.
        leads = try Self.telling(leads, at: changes.dropFirst().map({ $0.0 + 3.02 }), music)
        let play = try Self.play(leads, for: 60)
        let looped = play.rows.filter { (119...122).contains($0.index) }
        #expect(looped.count > 20, "\(looped.count)")
        let jumps = play.rows.filter { $0.flags.contains(.jump) }.map(\.index)
        #expect(jumps == [1001] || jumps == [1002], "\(jumps)")
    }

    @Test("a follower's log has no jump after a hold at which its leader has gone on")
    func flagOfHold() throws {
        var leading = SimulatedNetwork(drift: 30e-6, delay: 0.0002...0.0005)
        let zero = leading.leader(Simulation.beginning + 3)
        // The hold begins after 11 s; the leader goes on after 20 s.
        var bars = [Score.Bar](repeating: Score.Bar(.seconds(1)), count: 100)
        bars[10].details.holds = [Hold(.seconds(5), at: .end, waits: true)]
        func music(_ time: Double) -> LeaderMusic {
            let isLater = time >= 23
            var music = LeaderMusic(
                zero: Int64(zero * 1e9),
                anchor: isLater
                    ? Anchor(time: .seconds(20), position: .seconds(16), speed: .asWritten)
                    : Anchor(speed: .asWritten),
                stretches: [Passage.Stretch(0..<100)], passes: 1)
            music.waits = true
            if time >= 12, !isLater {
                music.held = HeldMusic(boundary: 10, position: .seconds(11), length: .seconds(5))
            }
            return music
        }
        var leads = leading.leads(60, music)
        let clock = try #require(leads.last { $0.0 <= 23.02 }?.1.clock)
        leads.append((23.02, Leader(music(23.02), clock)))
        leads.sort { $0.0 < $1.0 }
        var performance = Score(lines: [Score.Line(bars: bars)]).performance()
        performance.waits = true
        let play = try Self.play(leads, performance, for: 40)
        // The bar after the hold may be too late to be heard.
        let held = play.rows.filter { $0.flags.contains(.held) }.map(\.index)
        #expect(held == [12] || held == [13], "\(play.rows)")
        #expect(
            play.rows.map(\.index).last ?? 0 > 20 && play.rows.allSatisfy { !$0.flags.contains(.jump) }, "\(play.rows)")
    }
}
