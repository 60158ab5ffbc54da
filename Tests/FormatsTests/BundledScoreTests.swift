import Formats
import Scores
import Testing

struct BundledScoreTests {
    @Test("every bundled score is read without diagnostics", arguments: BundledScore.all.map(\.name))
    func clean(name: String) throws {
        let reading = try #require(BundledScore.named(name)).reading
        #expect(reading.diagnostics.isEmpty)
        #expect(reading.score?.title != nil)
    }

    @Test("Sequenza VII has 13 lines of 13 bars, 4:53.8 in all, over a B4, after a count-in of 3 s")
    func sequenza() throws {
        let score = try #require(BundledScore.named("sequenza-vii")?.reading.score)
        #expect(score.lines.map(\.passes) == [13])
        #expect(score.lines[0].bars.count == 13)
        #expect((score.lines[0].bars.reduce(.zero) { $0 + $1.duration } * 13).clock == "4:53.8")
        #expect(score.drone == .init(pitch: .b4))
        #expect(score.countIn == .seconds(3))
    }

    @Test("the score run-walk-run is half an hour long, without a drone")
    func run() throws {
        let score = try #require(BundledScore.named("run-walk-run")?.reading.score)
        let pass: Duration = score.lines[0].bars.reduce(.zero) { $0 + $1.duration }
        #expect((pass * score.lines[0].passes).clock == "30:00")
        #expect(score.drone == nil)
    }

    @Test("names are sorted, and an unknown one is nil")
    func names() {
        let names = BundledScore.all.map(\.name)
        #expect(names == names.sorted())
        #expect(
            Set(names).isSuperset(of: [
                "sequenza-vii", "time-brackets", "irrational-meters", "until-the-sign", "open-form",
            ]))
        #expect(BundledScore.named("x") == nil)
    }
}
