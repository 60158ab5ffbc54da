import Formats
import Scores
import Testing

/// A file that is not a valid score, and the complete message about it.
struct BadScore: Sendable, CustomTestStringConvertible {
    var file: String
    var bytes: [UInt8]
    var message: String

    init(_ file: String, _ text: String, _ message: String) {
        self.init(file, bytes: Array(text.utf8), message)
    }

    init(_ file: String, bytes: [UInt8], _ message: String) {
        (self.file, self.bytes, self.message) = (file, bytes, message)
    }

    var testDescription: String { file }

    static let durations = [
        BadScore(
            "negative.yaml", "bars: [3, -2.7, 2]\n",
            """
            negative.yaml:1:11: error: a duration cannot be negative
            bars: [3, -2.7, 2]
                      ^~~~

            """),
        BadScore(
            "zero.yaml", "bars: [3, 0, 2]\n",
            """
            zero.yaml:1:11: error: a bar cannot last 0 s
            bars: [3, 0, 2]
                      ^

            """),
        BadScore(
            "nan.yaml", "bars: [3, .nan]\n",
            """
            nan.yaml:1:11: error: a duration must be a finite number of seconds, for example 2.7 or 1:30
            bars: [3, .nan]
                      ^~~~

            """),
        BadScore(
            "exponent.yaml", "bars: [1e300]\n",
            """
            exponent.yaml:1:8: error: a duration must be written without an exponent, for example 2.7 or 1:30
            bars: [1e300]
                   ^~~~~

            """),
        BadScore(
            "absurd.yaml", "bars: [25 h]\n",
            """
            absurd.yaml:1:8: error: a bar lasts at most 24 h
            bars: [25 h]
                   ^~~~

            """),
        BadScore(
            "negative.csv", "label,duration\nA,-3\n",
            """
            negative.csv:2:3: error: a duration cannot be negative
            A,-3
              ^~

            """),
    ]

    static let structures = [
        BadScore("empty.yaml", "", "empty.yaml:1:1: error: the file is empty; a score needs 'lines' or 'bars'\n"),
        BadScore(
            "no-bars.yaml", "title: Silence\n",
            """
            no-bars.yaml:1:1: error: the score has no bars; it needs 'lines' or 'bars'
            title: Silence
            ^

            """),
        BadScore(
            "empty-list.yaml", "bars: []\n",
            """
            empty-list.yaml:1:7: error: 'bars' is an empty list
            bars: []
                  ^

            """),
        BadScore(
            "pitch.yaml", "drone: H4\nbars: [3]\n",
            """
            pitch.yaml:1:8: error: 'H4' is not a pitch; the German H is B, and the German B is Bb: write B4
            drone: H4
                   ^~

            """),
        BadScore(
            "speed.yaml", "speed: 0%\nbars: [3]\n",
            """
            speed.yaml:1:8: error: the speed cannot be 0 %, for example 80%
            speed: 0%
                   ^~

            """),
        BadScore(
            "tab.yaml", "lines:\n\t- bars: [3]\n",
            "tab.yaml:2:1: error: YAML indents with spaces, not tabs\n\t- bars: [3]\n^\n"),
        BadScore(
            "type.yaml", "bars: {a: 3}\n",
            """
            type.yaml:1:7: error: 'bars' is a list of durations, for example [3, 2.7, 2]
            bars: {a: 3}
                  ^

            """),
        BadScore(
            "key.yaml", "count-im: 3\nbars: [3]\n",
            """
            key.yaml:1:1: error: a score has no key 'count-im'; did you mean 'count-in'?
            count-im: 3
            ^~~~~~~~

            """),
        BadScore(
            "header.csv", "label,length\nA,3\n",
            """
            header.csv:1:7: error: there is no column 'length'; the columns are index, section, line, bar, label, cue, start, duration, number, timecode, frames_per_beat
            label,length
                  ^~~~~~

            """),
    ]

    static let hostile = [
        BadScore(
            "encoding.yaml", bytes: Array("title: ".utf8) + [0xff] + Array("\nbars: [3]\n".utf8),
            """
            encoding.yaml:1:8: error: the byte 0xFF is not UTF-8; save the file as UTF-8
            title: \u{FFFD}
                   ^

            """),
        BadScore(
            "bomb.yaml", bomb,
            """
            bomb.yaml:8:35: error: the aliases of the file expand to more than 100 000 000 values
            h: &h [*g,*g,*g,*g,*g,*g,*g,*g,*g,*g]
                                              ^~

            """),
        BadScore(
            "nesting.yaml", String(repeating: "[", count: 10_000_000),
            "nesting.yaml:1:33: error: this is nested deeper than a score needs\n"
                + String(repeating: "[", count: 100) + "…\n" + String(repeating: " ", count: 32) + "^\n"),
    ]

    /// Nine lists, each with ten copies of the previous one: a thousand million values in 300 bytes.
    private static var bomb: String {
        var text = "a: &a [1,1,1,1,1,1,1,1,1,1]\n"
        for (before, name) in zip("abcdefgh", "bcdefghi") {
            text += "\(name): &\(name) [" + repeatElement("*\(before)", count: 10).joined(separator: ",") + "]\n"
        }
        return text + "lines: *i\n"
    }
}

struct BadScoreTests {
    @Test(
        "a bad score gives exactly this message, and no score",
        arguments: BadScore.durations + BadScore.structures + BadScore.hostile)
    func messages(bad: BadScore) {
        let document = Document.read(bad.bytes, name: bad.file)
        #expect(document.score == nil && document.plan == nil && document.weeks == nil)
        #expect(document.diagnostics.map { $0.rendered() + "\n" }.joined() == bad.message)
    }
}
