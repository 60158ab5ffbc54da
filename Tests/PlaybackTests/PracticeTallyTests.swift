import Playback
import Scores
import Testing
import Timing

/// What a session practiced.
@Suite("Practice tally")
struct PracticeTallyTests {
    private static let home: Passage = Passage(Timeline(.ofMilliseconds([[1000, 1000, 1000]])))

    /// The programs of a session in which each pair of a program and of silent bars was played in turn.
    private func programs(_ played: [(program: String, isSilent: Bool)]) -> [String] {
        var tally = PracticeTally()
        for (n, (program, isSilent)) in played.enumerated() {
            var performance = Score.ofMilliseconds([[1000, 1000, 1000]]).performance()
            if !program.isEmpty {
                var stretch = Passage.Stretch(0..<2)
                stretch.program = program
                performance.passage = Passage(Self.home.timeline, [stretch], passes: nil)
            }
            performance.silence = isSilent ? Performance.Silence(bars: 1, of: 2) : nil
            let status = Status(
                performance: performance, anchor: Anchor(speed: .asWritten), countsTo: nil, pause: nil, zeroHeard: 0,
                sound: .device("x"))
            tally.take(status, at: Int64(n) * 1_000_000)
        }
        return tally.programs
    }

    @Test("a program and silent bars are named together only if they were played together")
    func together() {
        let (ladder, silent) = ("ladder 50% 25%", "silent 1 of 2")
        #expect(programs([("", true), ("", false), (ladder, false)]) == [ladder])
        #expect(programs([(ladder, false), ("", false), ("", true), ("", false)]) == [silent])
        #expect(programs([("", true), (ladder, true), (ladder, false)]) == [ladder, silent])
        #expect(programs([(ladder, false), (ladder, true), ("", true), ("", false)]) == [ladder, silent])
        #expect(programs([(ladder, true), ("each 3", false)]) == ["each 3"])
        #expect(programs([("", false)]) == [])
    }

    /// A status of a ladder over two bars of a second, or of the piece, that began at second 0.
    private func status(speeds: [Int64], player: Int64 = 1_000_000, isPaused: Bool = false) -> Status {
        var performance = Score.ofMilliseconds([[1000, 1000, 1000]]).performance()
        if !speeds.isEmpty {
            let stretches = speeds.map { millionths in
                var stretch = Passage.Stretch(0..<2, speed: Speed(millionths: millionths) ?? .asWritten)
                stretch.program = "ladder"
                return stretch
            }
            performance.passage = Passage(Self.home.timeline, stretches, passes: nil)
        }
        return Status(
            performance: performance, anchor: Anchor(speed: Speed(millionths: player) ?? .asWritten), countsTo: nil,
            pause: isPaused ? Status.Pause(.zero) : nil, zeroHeard: 0, sound: .device("x"))
    }

    @Test("the speed of a session is the last that sounded, and its target is that of a program that sounded")
    func speeds() {
        let second: Int64 = 1_000_000_000
        func told(_ takes: [(Status, Int64)]) -> [Int64?] {
            var tally = PracticeTally()
            for (status, at) in takes { tally.take(status, at: at) }
            return [tally.speed?.millionths, tally.target?.millionths]
        }
        let (ladder, home) = ([500_000, 1_000_000] as [Int64], [] as [Int64])
        // Two bars at 50% take four seconds.
        #expect(
            told([(status(speeds: ladder), 0), (status(speeds: ladder, isPaused: true), 3 * second)]) == [
                500_000, 1_000_000,
            ])
        #expect(
            told([(status(speeds: ladder), 0), (status(speeds: ladder, isPaused: true), 5 * second)]) == [
                1_000_000, 1_000_000,
            ])
        // A program that is set in a pause has not sounded.
        let paused = (status(speeds: home, isPaused: true), second)
        let after = (status(speeds: [1_500_000, 2_000_000], player: 1_100_000, isPaused: true), 2 * second)
        #expect(told([(status(speeds: home), 0), paused, after]) == [1_000_000, nil])
        // One that has ended leaves its target, as it leaves its name.
        let ended = [(status(speeds: home), 3 * second), (status(speeds: home, isPaused: true), 4 * second)]
        #expect(told([(status(speeds: ladder), 0)] + ended) == [1_000_000, 1_000_000])
    }

    @Test("a ladder that comes down again has its top as the target")
    func down() {
        #expect(status(speeds: [600_000, 1_000_000, 600_000]).targetSpeed == .asWritten)
        #expect(status(speeds: [600_000, 600_000]).targetSpeed == nil)
    }
}
