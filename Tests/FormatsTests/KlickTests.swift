import Formats
import SampleScores
import Scores
import Testing
import Timing

struct KlickTests {
    @Test("a tempo map of every kind of entry is read with its labels, ramps and patterns")
    func map() throws {
        let (score, warnings) = try sampleScore("tempo-map.klick")
        #expect(warnings == [])
        #expect(score.lines.map(\.label) == ["intro", "accel", "uneven", "held", "seconds"])
        #expect(score.lines.map(\.bars.count) == [10, 4, 1, 1, 4])
        #expect(score.lines[3].bars == [Score.Bar(.seconds(8))])
        #expect(score.lines[4].bars[0] == Score.Bar(.milliseconds(2700)))
        let click = try #require(score.lines[0].bars[2].details.click)
        #expect(abs(click.decibels + 1.9382002601611284) < 1e-9)
        #expect(score.beats)
    }

    @Test("a gradual tempo lasts n beats at the logarithmic mean, as klick's manual says")
    func gradual() throws {
        let score = try score("4 4/4 120-160\n", file: "x.klick")
        // 16 beats at (160 - 120) / ln(160/120)
        let mean = 40 / 0.28768207245178090
        let exact = 16 * 60 / mean
        let end = starts(score).last.map { Double($0.components.seconds) + Double($0.components.attoseconds) / 1e18 }
        #expect(abs((end ?? 0) - exact) < 1e-12)
    }

    @Test("bars keep their times where a grid clicks at the barlines", arguments: ["grid: 90/min", "grid: clock"])
    func grid(grid: String) throws {
        let score = try SampleScores.score("tempo: 90\nbars: [{meter: 4/4, \(grid), times: 10}]\n", file: "grid.yaml")
        let written = try SampleScores.score(
            String(decoding: Format.klick.write(played(score)).bytes, as: UTF8.self), file: "grid.klick")
        for (one, other) in zip(starts(score), starts(written)) {
            #expect(max(one, other) - min(one, other) < .nanoseconds(1))
        }
    }

    @Test("a list of tempi sets the length of every beat")
    func beats() throws {
        let score = try score("2 2/4 60,120,60,30\n", file: "x.klick")
        #expect(starts(score) == [.zero, .milliseconds(1500), .milliseconds(4500)])
        let timeline = Timeline(score)
        let moments = timeline.moments(inBar: 1, InnerSettings(score))
        #expect(moments.map(\.offset) == [.seconds(1)])
    }

    @Test("bars of 24 h and of 1 ms read back", arguments: ["24 h", "1 ms"], ["", "beats: xxx", "beats: xxxxxxx"])
    func extremes(duration: String, beats: String) throws {
        let bar = try score("bars: [{duration: \(duration)\(beats.isEmpty ? "" : ", " + beats)}]")
        let written = try Format.klick.write(played(bar))
        let reading = Score.read(written.bytes, file: "x.klick")
        #expect(reading.diagnostics.map { $0.rendered() } == [])
        let again = Timeline(try #require(reading.score))
        #expect(abs((again.total - Timeline(bar).total) / .nanoseconds(1)) < 1)
    }

    @Test(
        "an invalid entry is an error at its place",
        arguments: [
            ("", "1:1: error: the tempo map has no entries, for example 8 4/4 120"),
            ("8\n", "1:2: error: this entry has no tempo, for example 8 4/4 120"),
            ("0 120", "1:1: error: an entry must begin with a number of bars, 1 to 1 000 000, for example 8 4/4 120"),
            ("1 4/4 120 Xx", "1:11: error: the pattern has 2 beats, but the bar has 4"),
            (
                "1 4/4 0",
                "1:7: error: '0' is not a tempo; quarters per minute, for example 120, 100-140 or 120,118,116,114"
            ),
            (
                "1 4/4 60,61",
                "1:7: error: there are 2 tempi for 4 beats; give a tempo for every beat of every bar, or only one"
            ),
            (
                "1 2/4 60,61,62",
                "1:7: error: there are more tempi than beats; give a tempo for every beat of every bar, or only one"
            ),
            ("ü: 1 60", "1:1: error: a label can have only letters, digits, _ and -, for example intro: 8 4/4 120"),
            ("1 4/0 60", "1:3: error: a meter must be two whole numbers, 1/1 to 1000/10000, for example 5/8"),
            ("1 60 loud", "1:6: error: 'loud' is neither a pattern such as Xxx. nor a volume"),
            ("1 1000/1 0.001", "1:1: error: with this tempo, a bar lasts less than 1 ms or more than 24 h"),
            ("1000000 1/4 60\n1 60", "2:1: error: a tempo map has at most 1 000 000 bars"),
        ])
    func errors(text: String, expected: String) {
        #expect(rendered(text, file: "x.klick").firstLine == "x.klick:" + expected)
    }

    @Test("a map with more than 200 000 lines is refused at the first label beyond that")
    func lines() {
        let map = String(repeating: "a: 1 120\n", count: 200_001)
        #expect(
            rendered(map, file: "x.klick").hasPrefix("x.klick:200001:1: error: a tempo map has at most 200 000 lines"))
    }

    @Test("a ramp linear in beats over whole bars becomes a klick ramp; any other becomes a tempo for every beat")
    func ramps() throws {
        let text = """
            beats: on
            tempo: 1/4 = 90
            lines:
              - [{meter: 4/4, ramp: {to: 1/4 = 120, over: 4 bars}}, 4/4 x 3, 4/4]
              - [{meter: 3/8, tempo: 1/4. = 60, ramp: {to: 1/8 = 90, over: 12 beats}}, 3/8 x 3]
              - [{meter: 4/4, ramp: {to: 1/4 = 60, over: 6 beats}}, 4/4]
              - [{meter: 4/4, ramp: {to: 1/4 = 80, over: 2 bars, curve: time}}, 4/4]
              - [{meter: 4/4, ramp: {to: 1/4 = 60, over: 2 bars}}, {meter: 4/4, label: in, hold: 1}]
            """
        let score = try score(text)
        let writing = try Format.klick.write(played(score))
        let lines = String(decoding: writing.bytes, as: UTF8.self).split(separator: "\n")
        #expect(lines.prefix(3) == ["4 4/4 90-120", "1 4/4 120", "4 3/8 90-45"])
        #expect(lines.dropFirst(3).allSatisfy { !$0.contains("-") })
        #expect(
            writing.losses.contains { $0.hasPrefix("gradual changes of tempo are written as tempi from beat to beat") })
        let again = try #require(Score.read(writing.bytes, file: "x.klick").score)
        #expect(farthest(starts(score), starts(again)) < .nanoseconds(1))
        var slow = score
        slow.speed = try #require(Speed(millionths: 500_000))
        let written = String(decoding: try Format.klick.write(played(slow)).bytes, as: UTF8.self)
        #expect(written.hasPrefix("4 4/4 45-60\n"))
    }

    @Test(
        "a ramp over beats that are not equal, or not those of the meter that is written, goes from beat to beat",
        arguments: [
            "meter: 2/4 + 3/8", "meter: 4/4, subdivide: 2", "meter: 3/8.5", "meter: 4/4, grid: 3 parts",
            "meter: 3/4, beats: [1/4., 1/4.]", "meter: 3/4, beats: [1/8, 1/4, 1/8, 1/4 X]", "meter: 3/4, subdivide: 3",
            "meter: 3+2/8", "meter: 5/8, beats: xxx.x",
        ])
    func unequalRamps(bar: String) throws {
        for count in [1, 2] {
            let plain = String(repeating: "{\(bar)}, ", count: count - 1)
            let text = """
                beats: on
                tempo: 60
                bars: [{\(bar), ramp: {to: 90, over: \(count) bar\(count > 1 ? "s" : "")}}, \(plain)4/4]
                """
            let score = try score(text)
            let (read, bytes, _) = try again(score, .klick)
            #expect(
                farthest(starts(score), starts(read)) < .nanoseconds(1), "\(String(decoding: bytes, as: UTF8.self))")
        }
    }

    @Test("equal bars are one entry, and bars in seconds have one beat")
    func writing() throws {
        let text = """
            title: Study
            beats: on
            lines:
              - {label: A, bars: [4/4, 4/4, {meter: 5/8, beats: Xx.xx}]}
              - [2.7, 8, {meter: 3/4, tempo: 72, cue: breathe}]
            """
        let written = try Format.klick.write(played(try score(text)))
        #expect(
            String(decoding: written.bytes, as: UTF8.self) == """
                # Study

                A: 2 4/4 60
                1 5/8 60 Xx.xx

                1 1/4 22.222222222222222 X
                1 1/4 7.5 X
                1 3/4 72  # breathe

                """)
    }

    @Test("a bar with several subdivisions is one bar with a loss; a label that is too long is told as such")
    func lossesAndLength() throws {
        let text = "tempo: 60\nbeats: on\nbars: [{meter: 4/4, subdivide: 2}, 4/4, {meter: 2/4, subdivide: 3}]"
        let losses = try Format.klick.write(played(try score(text))).losses
        #expect(losses == ["subdivisions are written as beats (in 2 bars, the first is 1.1)"])
        let long = String(repeating: "x", count: 201)
        let read = Score.read(Array("\(long): 1 4/4 60\n".utf8), file: "x", format: .klick)
        #expect(read.diagnostics.map(\.message) == ["a label has at most 200 characters"])
    }
}
