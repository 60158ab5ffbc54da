import Playback
import Scores
import Screens
import Testing
import Timing
import UserSettings

@Suite("Flash light")
struct FlashLightTests {
    private func choices(_ flash: FlashChoice) -> StandChoices {
        var choices = StandChoices()
        choices.flash = flash
        return choices
    }

    /// The times in ms at which the light changes, with its new color; updated every millisecond.
    private func lit(_ status: Status, _ flash: FlashChoice, milliseconds: Range<Int>) -> [(Int, Color?)] {
        var light = FlashLight()
        var changes: [(Int, Color?)] = []
        for millisecond in milliseconds {
            let now = Int64(millisecond) * 1_000_000
            light.look(status.moment(at: now), choices(flash), at: now)
            if changes.last?.1 != light.color?.color { changes.append((millisecond, light.color?.color)) }
        }
        return changes.filter { $0.0 > milliseconds.lowerBound || $0.1 != nil }
    }

    @Test("a flash begins with its bar and lasts 80 ms; the first bar of a line has its own color")
    func begins() {
        let (bar, line) = (StandChoices().barColor, StandChoices().lineColor)
        let changes = lit(.of(), .screen, milliseconds: 0..<7800)
        #expect(changes.map(\.0) == [0, 80, 3000, 3080, 5700, 5780, 6700, 6780])
        #expect(changes.map(\.1) == [line, nil, bar, nil, line, nil, bar, nil])
        #expect(lit(.of(), .off, milliseconds: 0..<7800).isEmpty)
    }

    @Test("a bar's own color overrides the player's")
    func own() throws {
        let status = Status.of(try Score.of("bars: [1, {duration: 1, flash: teal}]"))
        let teal = try Color(scoreText: "teal")
        #expect(lit(status, .screen, milliseconds: 500..<1900).map(\.1) == [teal, nil])
    }

    @Test("nothing flashes in a pause or a count-in, or long after the click")
    func dark() {
        #expect(lit(.of(paused: .seconds(3)), .screen, milliseconds: 0..<500).isEmpty)
        #expect(lit(.of(countsTo: .seconds(9)), .screen, milliseconds: 0..<8000).isEmpty)
        #expect(lit(.of(), .screen, milliseconds: 3061..<5600).isEmpty)
        #expect(lit(.of(), .screen, milliseconds: 3059..<5600).count == 2)
    }

    @Test(
        "there are at most three flashes a second, however short the bars are",
        arguments: [FlashChoice.border, .screen])
    func apart(_ flash: FlashChoice) {
        let status = Status.of(Score(lines: [Score.Line(passes: 100, bars: [Score.Bar(.milliseconds(70))])]))
        var begins: [Int] = []
        for (time, color) in lit(status, flash, milliseconds: 0..<6000) where color != nil { begins.append(time) }
        #expect(begins.count >= 14)
        #expect(zip(begins, begins.dropFirst()).allSatisfy { $1 - $0 >= 334 })
        var light = FlashLight()
        light.look(status.moment(at: 0), choices(flash), at: 0)
        #expect(light.color?.edgeOnly == (flash == .border))
    }

    @Test("a border flash lights only the edge")
    func edge() throws {
        let canvas = StandView(.of(), .end, StandChoices(), at: 0)
            .canvas((20, 6), lit: (try Color(scoreText: "sky"), true))
        for row in 0..<6 {
            for column in 0..<20 {
                let isEdge = row == 0 || row == 5 || column < 2 || column > 17
                #expect((canvas.ground(row: row, column: column) != nil) == isEdge)
            }
        }
    }
}
