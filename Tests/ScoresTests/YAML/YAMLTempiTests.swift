import SampleScores
import Scores
import Testing

@Suite("Tempi inside bars")
struct YAMLTempiTests {
    @Test("a bar has tempi and ramps at beats, in their order, with those at its beginning")
    func read() throws {
        let bars = try score(
            """
            bars:
              - {meter: 4/4, tempo: 80 at beat 3}
              - {meter: 4/4, tempo: [1/4. = 60 at beat 4.5, 72, 1/4. = 1/4 at beat 7:3]}
              - {meter: 4/4, ramp: {to: 60, from: beat 2, over: 2 beats}}
              - {meter: 4/4, tempo: 90 at beat 2, ramp: [{to: 60, over: 1 beat}, {to: 80, from: beat 2, over: 2 bars, curve: time}]}
              - 4/4
              - {meter: 4/4, tempo: 80 at beat 1}
              - {duration: 4, tempo: 80}
            """
        ).lines[0].bars
        #expect(bars[0].details.tempo == nil)
        #expect(bars[0].details.tempoChanges == [TempoChange(at: Fraction(3), to: quarters(80))])
        #expect(bars[1].details.tempo == .tempo(quarters(72)))
        #expect(
            bars[1].details.tempoChanges == [
                TempoChange(at: Fraction(7, 3), .tempo(.modulation(old: Fraction(3, 8), new: Fraction(1, 4)))),
                TempoChange(at: Fraction(9, 2), to: Tempo(Fraction(3, 8), Fraction(60))),
            ])
        let first = TempoChange(at: Fraction(2), .ramp(Ramp(to: quarters(60), over: .beats(Fraction(2)))))
        #expect(bars[2].details.tempoChanges == [first] && bars[2].details.ramp == nil)
        #expect(bars[3].details.ramp == Ramp(to: quarters(60), over: .beats(.one)))
        let ramp = Ramp(to: quarters(80), over: .bars(2), curve: .time)
        #expect(
            bars[3].details.tempoChanges == [
                TempoChange(at: Fraction(2), to: quarters(90)), TempoChange(at: Fraction(2), .ramp(ramp)),
            ])
        #expect(bars[5].details.tempo == .tempo(quarters(80)) && bars[5].details.tempoChanges.isEmpty)
        #expect(bars[6].details.tempo == .tempo(quarters(80)))
    }

    @Test("tempi at beats are written as they are read")
    func written() throws {
        let text = """
            bars:
              - {meter: 4/4, tempo: [1/4 = 72, 1/4 = 80 at beat 3, 1/4. = 1/4 at beat 10:3], ramp: {to: 1/4 = 60, from: beat 4, over: 2 beats}}
              - 4/4
              - {meter: 4/4, tempo: 1/4 = 90 at beat 2.5}
              - 4/4
              - {meter: 4/4, ramp: [{to: 1/4 = 60, over: 1 beat}, {to: 1/4 = 80, from: beat 3, over: 1 bar, curve: time}]}

            """
        #expect(try score(text).yaml == text)
    }

    @Test(
        "a change of tempo that its bar cannot have is refused where it is written",
        arguments: [
            (
                "bars: [{meter: 4/4, tempo: 80 at beat 9}]",
                "1:28: error: the tempo changes at beat 9, but the bar has 4 beats"
            ),
            (
                "bars: [{meter: 4/4, tempo: [60, 80 at beat 5]}]",
                "1:33: error: the tempo changes at beat 5, but the bar has 4 beats"
            ),
            (
                "bars: [{meter: 1/4, ramp: {to: 60, from: beat 2, over: 1 bar}}]",
                "1:27: error: the tempo changes at beat 2, but the bar has 1 beat"
            ),
            (
                "bars: [{duration: 4, tempo: 80 at beat 3}]",
                "1:29: error: in a bar of seconds, the tempo can change only at the beginning; write it without a beat, or give the bar a meter"
            ),
            (
                "bars: [{meter: 4/4, tempo: [80 at beat 3, 70 at beat 3]}]",
                "1:43: error: at one beat, a bar has one tempo and one ramp"
            ),
            (
                "bars: [{meter: 4/4, tempo: [80, 70]}]",
                "1:33: error: at one beat, a bar has one tempo and one ramp"
            ),
            (
                "bars: [{meter: 4/4, tempo: 80 at 0}]",
                "1:28: error: '0' is not a beat, for example beat 3 or beat 3.5"
            ),
            (
                "bars: [{meter: 4/4, tempo: q at beat 3}]",
                "1:28: error: 'q' is not a tempo, for example 1/4 = 60, 1/8. = 90 or 1/4. = 1/4"
            ),
            (
                "bars: [{meter: 4/4, ramp: {from: 60, to: 90, over: 2 bars}}]",
                "1:34: error: '60' is not a beat; a ramp begins with the tempo before it: write tempo: 60 beside 'ramp', as in {meter: 4/4, tempo: 60, ramp: {to: 90, over: 4 bars}}"
            ),
            (
                "lines: [{tempo: 80 at beat 3, bars: [4/4]}]",
                "1:17: error: '80 at beat 3' is not a tempo; a bar can have a tempo at a beat, for example {meter: 4/4, tempo: 80 at beat 3}"
            ),
        ])
    func refused(text: String, expected: String) {
        #expect(rendered(text).hasPrefix("x.yaml:\(expected)\n"), "\(rendered(text))")
    }

    private func quarters(_ rate: Int64) -> Tempo { Tempo(Fraction(1, 4), Fraction(rate)) }
}
