import SampleScores
import Scores
import Testing

@Suite("Multiplied bars")
struct YAMLMultipliedTests {
    @Test("a bar with keys is written several times; its texts and changes belong to the first one")
    func multiplied() throws {
        let read = try score(
            """
            drone: B4
            bars:
              - {meter: 3/4, label: A, cue: softly, say: go, tempo: 1/4 = 90, drone: C4, beats: X.x, click: +3 dB, times: 3}
              - {duration: 2, hold: 5 at 1, speed: 50%, flash: red, grid: 4 parts, times: 2}
              - {meter: 4/4, ramp: {to: 120, over: 2 bars}, times: 4}
            """)
        let bars = read.lines[0].bars
        #expect(bars.count == 9)
        #expect(bars.map(\.label) == ["A", "", "", "", "", "", "", "", ""])
        #expect(bars[0].details.tempo != nil && bars[0].details.drone != nil && bars[0].cue == "softly")
        var rest = bars[0].details
        (rest.cue, rest.say, rest.tempo, rest.drone) = ("", "", nil, nil)
        #expect(bars[1].details == rest && bars[2] == bars[1])
        #expect(bars[3] == bars[4] && bars[3].details.holds.count == 1)
        #expect(bars[5].details.ramp != nil && bars[6] == Score.Bar(Meter(4, over: 4)) && bars[8] == bars[6])
        #expect(try score(read.yaml) == read)
    }

    @Test("runs of bars with keys are written once")
    func written() throws {
        let text = """
            bars:
              - {meter: 3/4, times: 8, label: A, beats: "X.x"}
              - {meter: 4/4, label: B}
              - 4/4 x 7
              - {duration: 2, times: 2, flash: red}

            """
        #expect(try score(text).yaml == text)
    }

    @Test(
        "a bar that cannot be multiplied is refused with a reason",
        arguments: [
            (
                "bars: [{meter: 4/4, go-to: end, times: 2}]",
                "1:28: error: a bar with 'times' cannot have a jump; write the bar with 'go-to' on its own after the others"
            ),
            ("bars: [{meter: 4/4, times: 0}]", "1:28: error: 'times' must be a whole number, 1 to 1 000 000"),
            ("bars: [{meter: 4/4, times: x}]", "1:28: error: 'times' must be a whole number, 1 to 1 000 000"),
            (
                "bars: [{meter: 4/4 x 3}]",
                "1:16: error: in a set of keys, the number of bars is a key of its own; write '4/4' and times: 3"
            ),
            (
                "bars: [1 x 999999, {duration: 1, times: 2}]",
                "1:41: error: a score multiplies at most 1 000 000 bars; 'repeat' a line for more"
            ),
            (
                "bars: [1 x 1000000, {duration: 1, times: 1}]",
                "1:42: error: a score multiplies at most 1 000 000 bars; 'repeat' a line for more"
            ),
        ])
    func refused(text: String, expected: String) {
        #expect(rendered(text).hasPrefix("x.yaml:\(expected)\n"), "\(rendered(text))")
    }

    @Test("an error after layout is at the item that contains the bar, also after multiplied bars")
    func places() {
        let text = "bars:\n- {meter: 4/4, times: 5}\n- 3 x 2\n- {meter: 1/64, tempo: 100000}\n"
        #expect(
            rendered(text).hasPrefix("x.yaml:4:3: error: with its tempo and speed, this bar lasts"), "\(rendered(text))"
        )
    }
}
