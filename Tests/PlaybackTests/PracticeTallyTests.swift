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
}
