import SampleScores
import Scores
import Testing

struct YAMLVoicesTests {
    @Test("voices are read and written, each with its own channel, click, tempo, numbers and bars")
    func roundTrip() throws {
        let text = """
            tempo: 1/4 = 72
            fragments:
              theme:
                bars: [4/4, 3/4]
            voices:
              flute:
                channel: 1
                bars: [3, 4/4 x 2]
              harp:
                channel: 3
                click: {sound: accent, level: -3 dB}
                tempo: 1/8. = 90
                first-bar: 7
                pickup: 1
                sections:
                  - label: A
                    bars: [3, 2.7]
                  - lines:
                      - use: theme
              drum:
                click: off
                lines:
                  - use: theme
                    repeat: 3
                  - [1]

            """
        let read = try score(text)
        #expect(read.yaml == text)
        #expect(read.voiceNames == ["flute", "harp", "drum"])
        #expect(read.voice == Score.VoiceMark("flute", channel: 1))
        #expect(read.lines.map(\.bars.count) == [3])
        let harp = read.companions[0]
        #expect(harp.voice == Score.VoiceMark("harp", channel: 3, click: BarClick(.accent, decibels: -3)))
        #expect(harp.music.tempo == (try Tempo(scoreText: "1/8. = 90")))
        #expect((harp.music.firstBar, harp.music.pickup) == (7, 1))
        #expect(read.companions[1].music.tempo == read.tempo)
        #expect(read.companions[1].voice.click.isSilent)
    }

    @Test("a voice that was chosen is written with its name")
    func chosen() throws {
        let read = try score("voices: {a: {bars: [1]}, b: {channel: 2, bars: [2]}}")
        let chosen = try #require(read.with(voices: ["b"]))
        #expect(chosen.yaml == "voices:\n  b:\n    bars: [2]\n")
        #expect(try score(chosen.yaml) == chosen)
        #expect(read.written(voices: ["b"])?.yaml == "voices:\n  b:\n    channel: 2\n    bars: [2]\n")
    }

    @Test(
        "a mistake in a voice is an error at its place",
        arguments: [
            (
                "voices: []",
                "x.yaml:1:9: error: 'voices' is a set of keys, for example {flute: {channel: 1, bars: [3, 2.7]}, harp: {channel: 2, bars: [4/4 x 2]}}"
            ),
            (
                "voices: {}",
                "x.yaml:1:9: error: 'voices' has no voice, for example {flute: {channel: 1, bars: [3, 2.7]}, harp: {channel: 2, bars: [4/4 x 2]}}"
            ),
            (
                "voices: {a: [1]}",
                "x.yaml:1:13: error: a voice is a set of keys, for example {channel: 1, bars: [3, 2.7]}"
            ),
            ("voices: {a: {channel: 1}}", "x.yaml:1:13: error: this voice has no 'lines' or 'bars'"),
            ("voices: {a: {channel: 33, bars: [1]}}", "x.yaml:1:23: error: a channel must be a whole number, 1 to 32"),
            ("voices: {a: {bars: [1]}, a: {bars: [1]}}", "x.yaml:1:26: error: there is already a voice 'a'"),
            ("voices: {\"a, b\": {bars: [1]}}", "x.yaml:1:10: error: a voice needs a name without commas"),
            (
                "voices: {a: {sections: [{bars: [1]}], bars: [1]}}",
                "x.yaml:1:45: error: a voice has 'sections' or 'bars', not both"
            ),
            ("voices: {a: {bars: [1]}}\nbars: [1]", "x.yaml:1:9: error: a score has 'voices' or 'bars', not both"),
            (
                "voices: {a: {bars: [1]}}\norders: {x: [A]}",
                "x.yaml:2:9: error: a score of several voices has no 'orders'"
            ),
            (
                "voices: {a: {bars: [1]}, b: {bars: [{duration: 1, go-to: X}]}}",
                "x.yaml:1:58: error: there is no label 'X'; write start, end or a label of the score"
            ),
        ])
    func mistakes(text: String, error: String) {
        #expect(rendered(text).firstLine == error)
    }

    @Test("a score has at most 15 voices")
    func limit() {
        let voices = (1...16).map { "v\($0): {bars: [1]}" }.joined(separator: ", ")
        #expect(rendered("voices: {\(voices)}").contains("error: a score has at most 15 voices"))
    }

    @Test("a drone in a bar of a voice that does not lead is reported once, at its first bar")
    func drone() {
        let text = "drone: E4\nvoices:\n  a: {bars: [4, {duration: 4, drone: B3}]}\n  b:\n    bars:\n      - 4 x 2\n"
        let changes = "      - {duration: 4, drone: A3}\n"
        #expect(rendered(text) == "")
        #expect(
            rendered(text + changes + changes).firstLine
                == "x.yaml:7:9: warning: a drone in a bar is heard only if its voice leads; write it in a bar of the first voice"
        )
        let fragment = "fragments: {f: [4, {duration: 4, drone: A3}]}\nvoices: {a: {bars: [9]}, b: {lines: [{use: f}]}}"
        #expect(rendered(fragment).hasPrefix("x.yaml:1:20: warning: a drone in a bar is heard only"))
    }

    @Test("the total is that of the longest voice")
    func total() throws {
        #expect(rendered("total: 0:05\nvoices: {a: {bars: [3]}, b: {bars: [5]}}") == "")
        #expect(rendered("total: 0:04\nvoices: {a: {bars: [4]}, b: {bars: [5]}}").contains("0:01 longer"))
    }
}
