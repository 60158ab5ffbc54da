import Barline
internal import Shared
internal import Testing

/// What can be made of values, but not written or played.
@Suite struct RefusalTests {
    private static func score(_ change: (inout Score) -> Void = { _ in }) -> Score {
        var score = Score(lines: [Score.Line(bars: [Score.Bar(.milliseconds(20)), Score.Bar(.milliseconds(10))])])
        change(&score)
        return score
    }

    @Test("a score that repeats forever is played as often as a program says, otherwise until stopped")
    func times() throws {
        let endless = RefusalTests.score { $0.isEndless = true }
        let performance = try Performance(endless, from: "1.1", to: "1.2", times: 3)
        #expect(performance.count == 6 && performance.length == .milliseconds(90))
        #expect(Renderer(performance, format: SoundFormat()).frames == 4320)
        #expect(try Performance(endless).count == nil)
        #expect(try Performance(RefusalTests.score(), times: nil).count == nil)
        #expect(try Performance(RefusalTests.score()).count == 2)
    }
}
