import SampleScores
import Scores
import Testing

struct YAMLScoreTests {
    @Test("every key of a score is read")
    func everything() throws {
        let read = try score(
            """
            title: 1984
            composer: "日本"
            a4: 442
            drone: {pitch: Bb3, level: off, waveform: triangle}
            count-in: 3
            speed: 80%
            lines:
              - label: A
                repeat: 010
                bars: [1:30, 010, {duration: 2.7, label: Hold, cue: wait}]
              - [1]
            """)
        #expect(
            read
                == Score(
                    title: "1984", composer: "日本", a4: 442,
                    drone: .init(pitch: .note(58, cents: 0), level: .off, waveform: .triangle), countIn: .seconds(3),
                    speed: try Speed(scoreText: "80"),
                    lines: [
                        .init(
                            label: "A", passes: 10,
                            bars: [
                                .init(.seconds(90)), .init(.seconds(10)),
                                .init(.milliseconds(2700), label: "Hold", cue: "wait"),
                            ]), .init(bars: [.init(.seconds(1))]),
                    ]))
    }

    @Test(
        "a drone is a pitch, on, off or empty",
        arguments: [
            ("B4", Score.Drone?.some(.init())), ("off", nil), ("on", .init()), ("false", nil), ("True", .init()),
            ("", .init()), ("~", .init()),
            ("{}", .init()), ("440 Hz", .init(pitch: .frequency(440))),
        ])
    func drone(text: String, expected: Score.Drone?) throws {
        #expect(try score("drone: \(text)\nbars: [1]").drone == expected)
        #expect(try score("bars: [1]").drone == nil)
    }

    @Test(
        "beats and drone are turned on and off by all of YAML's words, in a score and in a bar",
        arguments: [("on", true), ("yes", true), ("True", true), ("off", false), ("No", false), ("false", false)])
    func switches(text: String, isOn: Bool) throws {
        #expect(try score("beats: \(text)\nbars: [4/4]").beats == isOn)
        let bar = try score("bars: [{meter: 4/4, beats: \(text)}]").lines[0].bars[0]
        let drone = try score("bars: [{duration: 4, drone: \(text)}]").lines[0].bars[0].details.drone
        #expect(drone == DroneChange(isOff: !isOn))
        #expect(bar.details.beats == (isOn ? [] : [Beat(.beat), Beat(.silent), Beat(.silent), Beat(.silent)]))
    }

    @Test("aliases stand for the values that they name")
    func aliases() throws {
        let read = try score(
            "lines:\n- &l {bars: [&b {duration: 2, label: A}, 3, *b]}\n- *l\n- {repeat: 2, bars: [*b]}\n")
        #expect(read.lines.map(\.bars.count) == [3, 3, 1])
        #expect(read.lines[2].bars == [.init(.seconds(2), label: "A")])
    }

    @Test("all errors of a score are reported at once, at their places")
    func errors() {
        #expect(
            rendered(
                """
                tilte: x
                a4: [440]
                drone: {pitch: H4, wave: sine}
                lines:
                  - {label: "", repeat: 0, bars: []}
                  - {bar: [1]}
                  - label: A
                  - 3
                  - bars: [[1], {label: x}]
                title: a
                title: b
                """) == """
                    x.yaml:1:1: error: a score has no key 'tilte'; did you mean 'title'?
                    tilte: x
                    ^~~~~
                    x.yaml:2:5: error: A4 is a single value, not a list
                    a4: [440]
                        ^
                    x.yaml:3:16: error: 'H4' is not a pitch; the German H is B, and the German B is Bb: write B4
                    drone: {pitch: H4, wave: sine}
                                   ^~
                    x.yaml:3:20: error: a drone has no key 'wave'; the keys of a drone are pitch, notes, level, waveform, brightness, variation, beating, seed, fade
                    drone: {pitch: H4, wave: sine}
                                       ^~~~
                    x.yaml:5:13: error: a label cannot be empty; leave it out
                      - {label: "", repeat: 0, bars: []}
                                ^~
                    x.yaml:5:25: error: 'repeat' must be a whole number, 1 to 1 000 000
                      - {label: "", repeat: 0, bars: []}
                                            ^
                    x.yaml:5:34: error: 'bars' is an empty list
                      - {label: "", repeat: 0, bars: []}
                                                     ^
                    x.yaml:6:6: error: a line has no key 'bar'; did you mean 'bars'?
                      - {bar: [1]}
                         ^~~
                    x.yaml:7:5: error: this line has no 'bars'
                      - label: A
                        ^
                    x.yaml:8:5: error: a line is a list of bars, for example [3, 2.7, 2]
                      - 3
                        ^
                    x.yaml:9:12: error: a bar is a duration, not a list, for example 2.7 or {duration: 2.7, label: A}
                      - bars: [[1], {label: x}]
                               ^
                    x.yaml:9:17: error: this bar has no 'duration' and no 'meter'
                      - bars: [[1], {label: x}]
                                    ^
                    x.yaml:11:1: error: the key 'title' is given a second time
                    title: b
                    ^~~~~
                    """)
    }

    @Test(
        "a text that is not a score is refused with a reason",
        arguments: [
            ("", "1:1: error: the file is empty; a score needs 'lines' or 'bars'"),
            (" \n\n", "1:1: error: the file is empty; a score needs 'lines' or 'bars'"),
            ("# a\n# b\n", "1:1: error: the file has comments but no score; a score needs 'lines' or 'bars'"),
            ("title: x", "1:1: error: the score has no bars; it needs 'lines' or 'bars'"),
            ("bars", "1:1: error: a score is a set of keys; a score needs 'lines' or 'bars'"),
            ("- 1", "1:1: error: a score is a set of keys; write 'bars:' before the list"),
            ("lines: []", "1:8: error: 'lines' is an empty list"),
            ("bars: 3", "1:7: error: 'bars' is a list of durations, for example [3, 2.7, 2]"),
            ("bars: [1]\nlines: [[1]]", "2:8: error: a score has 'lines' or 'bars', not both"),
            (
                "lines: [[1]]\nrepeat: 2",
                "2:9: error: 'repeat' belongs to a line; write it next to the line's 'bars'; 'repeat: forever' repeats the whole score until stopped"
            ),
            ("bars: [1]\nrepeat: 2.5", "2:9: error: 'repeat' must be a whole number, 1 to 1 000 000"),
            ("bars: [1]\n---\nbars: [2]", "2:1: error: a score file has one document, but another begins here"),
            ("title: \"日本\nbars: [1]\n", "1:8: error: the quote that opens here is never closed"),
            ("bars: [1, 2\n", "1:7: error: the '[' that opens here is never closed"),
            ("bars:\n\t- 1\n", "2:1: error: YAML indents with spaces, not tabs"),
            ("lines:\n  - label: A\n  \tbars: [1]\n", "3:3: error: YAML indents with spaces, not tabs"),
            ("title: @x\nbars: [1]", "1:8: error: a text cannot begin with this character; put the text in quotes"),
            ("bars: [*x]", "1:8: error: nothing above this is named &x"),
            ("bars: &x [*x]", "1:11: error: *x is inside the value that it names"),
            ("? [a]\n: 1\nbars: [1]", "1:3: error: a key must be a word"),
            (
                "<<: 1\nbars: [1]",
                "1:1: error: a score has no key '<<'; the keys of a score are title, composer, a4, tuning, tonic, keyboard-map, instrument, temperature, drone, count-in, warning, speed, tempo, beats, subdivide, grid, first-bar, pickup, timecode, total, realize, order, orders, fragments, voices, brackets, sections, lines, bars, repeat"
            ),
            ("bars: [1]\nrepeat: 1000001", "2:9: error: 'repeat' must be a whole number, 1 to 1 000 000"),
            (
                "lines:\n- {repeat: 1000000, bars: [1000, 1000]}",
                "2:12: error: the piece lasts more than 10 000 h with its repeats"
            ),
            ("title: |\n  a\n  b\nbars: [1]", "1:8: error: a title must be one line without control characters"),
        ])
    func refuses(text: String, expected: String) {
        #expect(rendered(text).firstLine == "x.yaml:" + expected)
    }

    @Test("a piece has at most a thousand million bars")
    func tooManyBars() {
        let text = "bars: [" + String(repeating: "0.001,", count: 1001) + "]\nrepeat: 1000000"
        #expect(
            rendered(text).hasPrefix("x.yaml:2:9: error: the piece has more than 1 000 000 000 bars with its repeats"))
        let fragments = """
            fragments:
              a: {lines: [{repeat: 1000000, bars: [1, 1]}]}
              b: {lines: [{repeat: 1000, lines: [{use: a}]}]}
            lines:
              - [1]
              - use: b
            """
        #expect(rendered(fragments).hasPrefix("x.yaml:3:24: error: the piece has more than 1 000 000 000 bars"))
        #expect(rendered(fragments).components(separatedBy: "error:").count == 2)
        // Each fragment uses the one before, twice: 32 deep is the limit, 33 is an error at the innermost.
        func chain(_ count: Int, _ bars: String) -> String {
            let uses = (2...count).map { "  f\($0): {lines: [{use: f\($0 - 1)}\(bars)]}\n" }.joined()
            return "fragments:\n  f1: [1]\n\(uses)lines: [{use: f\(count)}]"
        }
        #expect(rendered(chain(32, "")) == "")
        #expect(rendered(chain(32, ", {use: f1}")) == "")
        #expect(
            rendered(chain(33, "")).hasPrefix("x.yaml:3:22: error: fragments use each other more than 32 deep"),
            "\(rendered(chain(33, "")))")
        let use =
            "fragments: {a: {lines: [{repeat: 1000000, bars: [1, 1]}]}}\nlines:\n  - [1]\n  - {use: a, repeat: 600}"
        #expect(rendered(use).hasPrefix("x.yaml:4:22: error: the piece has more than 1 000 000 000 bars"))
    }

    @Test("a text has at most 200 characters")
    func longTexts() throws {
        let long = String(repeating: "é", count: 200)
        #expect(try score("title: \(long)\nbars: [1]").title == long)
        #expect(
            rendered("title: \(long)é\nbars: [1]").hasPrefix("x.yaml:1:8: error: a title has at most 200 characters"))
    }
}

struct YAMLPageTests {
    @Test(
        "an error in meters, tempi and the structure of a score is reported at its place",
        arguments: [
            ("bars: [3/0]", "1:8: error: a number here must be more than 0"),
            ("bars: [5/8x]", "1:8: error: '5/8x' is not a meter, for example 4/4, 3+2/8 or 2/4 + 3/8"),
            ("bars: [日本, 5/]", "1:8: error: '日本' is not a duration, for example 2.7 or 1:30"),
            (
                "tempo: quater = 60\nbars: [4/4]", "1:8: error: 'quater' is not a note value; did you mean 'quarter'?"
            ),
            ("tempo: 1/4 = 0\nbars: [1]", "1:8: error: a number here must be more than 0"),
            (
                "tempo: 1/4. = 1/4\nbars: [1]",
                "1:8: error: expected a tempo, not a relation of two note values, for example 1/4 = 60"
            ),
            ("bars: [{meter: 4/4, beats: xxx}]", "1:28: error: the pattern has 3 beats, but the bar has 4"),
            (
                "bars: [{meter: 3/4, beats: [1/4, 1/8]}]",
                "1:28: error: the beats add up to 1/4., but the bar has 1/2."
            ),
            ("bars: [{duration: 3, hold: 5 at 4}]", "1:28: error: the hold is at 4 s, but the bar lasts 3 s"),
            (
                "bars: [{duration: 3, hold: untl cue}]",
                "1:28: error: 'untl cue' is not a hold, for example 5, 5 at 1.5, 5 at beat 3 or until cue"
            ),
            ("bars: [{duration: 1, click: lien}]", "1:29: error: 'lien' is not a click; did you mean 'line'?"),
            ("bars: [{duration: 1, flash: oragne}]", "1:29: error: 'oragne' is not a color; did you mean 'orange'?"),
            (
                "bars: [{duration: 1, flash: #ff0000}]",
                "1:8: error: the '{' that opens here is never closed; text after a '#' is a comment"
            ),
            ("grid: second\nbars: [1]", "1:7: error: 'second' is not a grid; did you mean 'seconds'?"),
            (
                "bars: [{duration: 1, go-to: B}, {duration: 1, label: Bb}]",
                "1:29: error: there is no label 'B'; did you mean 'Bb'?"
            ),
            (
                "bars: [4/4, {meter: 4/4, ramp: {to: 90, over: 4 bars}}, 3]",
                "1:13: error: the ramp goes over 4 bars with a meter, but the section has only 1 from here to its end or to another tempo; give the number of beats"
            ),
            (
                "tempo: 90000\nbars: [1, 1/4 x 3]",
                "2:11: error: with its tempo and speed, this bar lasts 0.667 ms, but a bar must last at least 1 ms"
            ),
            (
                "lines: [{use: sigh}]",
                "1:15: error: there is no fragment 'sigh' above; define it in 'fragments'"
            ),
            (
                "fragments: {a: [{use: b}], b: [1]}\nlines: [{use: a}]",
                "1:18: error: a bar has no key 'use'; the keys of a bar are duration, meter, times, number, label, tempo, ramp, beats, subdivide, grid, hold, hit, speed, go-to, click, warning, cue, say, send, drone, flash"
            ),
            (
                "fragments: {a: {lines: [{use: b}]}, b: [1]}\nlines: [{use: a}]",
                "1:31: error: there is no fragment 'b' above; define it in 'fragments'"
            ),
            (
                "fragments: {a: [{duration: 1, go-to: end}]}\nlines: [{use: a}]",
                "1:38: error: a fragment cannot have jumps; write 'go-to' where the fragment is used"
            ),
            (
                "lines: [{repeat: 2, bars: [1], endings: [{passes: 3, bars: [1]}]}]",
                "1:51: error: a pass of this line must be 1 to 2"
            ),
            (
                "lines: [{repeat: 3, bars: [1], endings: [{passes: 1-2, bars: [1]}, {passes: 2, bars: [1]}]}]",
                "1:77: error: another ending already has one of these passes"
            ),
            ("sections: [{label: A, bars: [1]}]\norders: {x: [B]}", "2:14: error: there is no section 'B'"),
            (
                "sections: [{label: A, bars: [1]}]\norders: {short: [A]}\norder: shrot",
                "3:8: error: there is no order 'shrot'; did you mean 'short'?"
            ),
            (
                "brackets: [{start: 1:00 - 0:30, end: 2:00}]",
                "1:20: error: a window ends before it begins; write the earlier time first"
            ),
            ("brackets: [{start: 1:00, end: 0:30}]", "1:31: error: a bracket cannot end before it begins"),
            (
                "bars: [1]\nrealize: 3",
                "2:10: error: 'realize' draws times for 'brackets', which the score does not have"
            ),
            (
                "bars: [1 x 2000000]",
                "1:8: error: the number of times after 'x' must be 1 to 1 000 000; 'repeat' a line for more"
            ),
            (
                "bars: [4/4 x 600000, 3/4 x 600000]",
                "1:22: error: a score multiplies at most 1 000 000 bars; 'repeat' a line for more"
            ),
            (
                "total: 6:30\nbars: [3, 2.7]",
                "1:8: warning: the score lasts 0:05.7, which is 6:24.3 shorter than its total of 6:30"
            ),
        ])
    func refuses(text: String, expected: String) {
        #expect(rendered(text).firstLine == "x.yaml:" + expected)
    }

    @Test("a total that equals the sum to the millisecond gives no warning")
    func total() throws {
        #expect(try score("total: 0:02.143\ntempo: 1/4 = 84\nbars: [3/4]").total?.duration == .milliseconds(2143))
    }
}
