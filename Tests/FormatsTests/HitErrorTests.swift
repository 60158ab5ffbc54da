import SampleScores
import Scores
import Testing

/// What the reader says of hits that cannot be met.
struct HitErrorTests {
    @Test(
        "a hit that cannot be met is an error in its line",
        arguments: [
            (
                "bars:\n- 4/4\n- {meter: 4/4, hit: 2.5}\n- {meter: 4/4, hit: 2.4}",
                "x.yaml:5:3: error: the hit is at 0:02.4, but the hit before it is at 0:02.5"
            ),
            (
                "bars:\n- 4/4\n- {meter: 4/4, hit: 0:20}",
                "x.yaml:4:3: error: to meet this hit, the tempo would be 1/4 = 12 instead of 1/4 = 96; check its time and its bar"
            ),
            (
                "bars:\n- 4/4\n- {meter: 4/4, hit: 2 at beat 5}",
                "x.yaml:4:3: error: the hit is at beat 5, but the bar has 4 beats"
            ),
            (
                "bars:\n- 4/4\n- {duration: 4, hit: 2 at beat 2}",
                "x.yaml:4:3: error: a bar of seconds can have a hit only at its beginning; write the hit without a beat"
            ),
            (
                "bars:\n- 4\n- {duration: 4, hit: 5}",
                "x.yaml:4:3: error: from the start to this hit, no bar has a tempo: it lasts 0:04, but should last 0:05"
            ),
            (
                "bars:\n- 4/4\n- 4\n- {meter: 4/4, hit: 3}",
                "x.yaml:5:3: error: up to this hit, bars of seconds and holds last 0:04, but there are only 0:03"
            ),
            (
                "lines:\n- repeat: 2\n  bars:\n  - 4/4\n  - {meter: 4/4, hit: 3}",
                "x.yaml:6:5: error: a hit has one time, but this bar is part of a repeat, an ending or a fragment; write the bars of a hit where they are played"
            ),
            (
                "bars:\n- {meter: 4/4, go-to: {to: start, times: 2}}\n- {meter: 4/4, hit: 3}",
                "x.yaml:4:3: error: a hit cannot follow a jump: it would not have a fixed time"
            ),
            (
                "sections:\n- {label: A, bars: [{meter: 4/4, hit: 0}]}\norders: {a: [A, A]}",
                "x.yaml:3:21: error: a score with orders of its sections cannot have hits: they would not have a fixed time"
            ),
            (
                "bars:\n- {meter: 4/4, hold: 1 at 0.5, hit: 2 at beat 3}",
                "x.yaml:3:3: error: in a bar with a hit, the place of a hold is a beat, for example hold: 5 at beat 3"
            ),
            (
                "bars:\n- 4/4\n- {meter: 4/4, tempo: 90}\n- {meter: 4/4, hit: 5 by ramp}",
                "x.yaml:5:3: error: a ramp to a hit cannot lead through repeats, other tempi or bars with their own speed; leave out the ramp, or write another hit before it"
            ),
            (
                "bars:\n- {meter: 4/4, hit: \"01:00:00:00\"}",
                "x.yaml:3:21: error: a timecode needs its frames per second, for example 01:00:00:00 @ 25"
            ),
            (
                "bars:\n- {meter: 4/4, hit: 01:00:00:00 @ 25}",
                "x.yaml:3:21: error: a hit by timecode needs the timecode of the score's start; write 'timecode: 01:00:00:00 @ 25' at the top of the score"
            ),
            (
                "timecode: 01:00:00:00 @ 25\nbars:\n- 4/4\n- {meter: 4/4, hit: \"00:59:59:00\"}",
                "x.yaml:5:3: error: the hit is before the start of the score at 01:00:00:00"
            ),
            ("bars:\n- {meter: 4/4, hit: {beat: 2}}", "x.yaml:3:21: error: a hit needs 'time', for example 1:23.480"),
        ])
    func errors(text: String, message: String) {
        let said = rendered("tempo: 96\n" + text)
        #expect(said.hasPrefix(message + "\n"), "\(said)")
    }

    @Test("a tempo far from the written one gives a warning, unless no tempo is written")
    func warning() {
        let bars = "bars:\n- 4/4 x 10\n- {meter: 4/4, hit: 0:22}\n"
        #expect(
            rendered("tempo: 96\n" + bars).hasPrefix(
                "x.yaml:4:3: warning: to meet this hit, the tempo is 1/4 = 109.09, 13.6% faster than 1/4 = 96\n"))
        #expect(rendered("tempo: 109\n" + bars).isEmpty)
        #expect(rendered(bars).isEmpty)
        #expect(
            rendered("bars:\n- 4/4\n- {meter: 4/4, hit: 0:00.1}").hasPrefix(
                "x.yaml:3:3: error: to meet this hit, the tempo would be 1/4 = 2400; check its time and its bar, or write a tempo"
            ))
    }

    @Test("the slowest and the fastest tempo that may be computed are allowed") func limits() {
        #expect(rendered("bars: [10/4, {meter: 4/4, hit: 0.6}]").isEmpty)
        #expect(rendered("bars: [10/4, {meter: 4/4, hit: 1:00}]").isEmpty)
        #expect(rendered("bars: [10/4, {meter: 4/4, hit: 0.599}]").contains("the tempo would be"))
        #expect(rendered("bars: [10/4, {meter: 4/4, hit: 1:00.1}]").contains("the tempo would be"))
        for tempo in [70, 96, 113] {
            for time in ["0.7", "1.1", "2.3"] {
                let written = "tempo: 1/4 = \(tempo)\nbars: [{meter: 4/4, speed: 100%}, {meter: 4/4, hit: \(time)}]"
                #expect(!rendered(written).contains("1/4 = \(tempo * 4) instead"))
            }
        }
    }

    @Test("a tempo that is written counts, even if it is the one of scores without a tempo")
    func standardTempo() {
        for voice in [
            "bars: [4/4 x 5, {meter: 4/4, hit: HIT}]\n", "voices: {a: {bars: [4/4 x 5, {meter: 4/4, hit: HIT}]}}\n",
        ] {
            func told(_ hit: String) -> String { rendered("tempo: 60\n" + voice.replacing("HIT", with: hit)) }
            #expect(told("\"0:03\"").contains("the tempo would be 1/4 = 400 instead of 1/4 = 60; check its time"))
            #expect(told("\"0:26\"").contains("warning: to meet this hit, the tempo is 1/4 = 46.15, 23.1% slower"))
            #expect(!told("\"2:26\"").contains("write a tempo"))
        }
    }

    @Test("a score whose speed moves its hits gives a warning")
    func speed() {
        #expect(
            rendered("speed: 80%\ntempo: 96\nbars:\n- 4/4\n- {meter: 4/4, hit: 2.5}").hasPrefix(
                "x.yaml:5:3: warning: at the score's speed of 80%, hits come at other times than those written\n"))
    }

    @Test("hits that are repeated by aliases are an error before they take memory")
    func aliases() {
        let hits = "[" + Array(repeating: "1", count: 100).joined(separator: ", ") + "]"
        let bars = "&b [" + Array(repeating: "{meter: 4/4, hit: \(hits)}", count: 100).joined(separator: ", ") + "]"
        let said = rendered("lines:\n- \(bars)\n" + String(repeating: "- *b\n", count: 2000))
        #expect(said.contains("error: a score has at most 10 000 hits"), "\(said.prefix(300))")
    }

    @Test("after midnight, a hit by timecode follows a start before midnight")
    func midnight() throws {
        let read = try score("timecode: 23:59:55:00 @ 25\nbars: [4/4, {meter: 4/4, hit: \"00:00:00:00\"}]")
        #expect(read.position(of: read.lines[0].bars[1].details.hits[0]) == .seconds(5))
    }
}
