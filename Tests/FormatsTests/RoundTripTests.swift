import Formats
import SampleScores
import Scores
import Shared
import Testing

struct RoundTripTests {
    /// The formats that can be both written and read.
    static let formats = Format.allCases.filter { $0.canRead && $0.canWrite }

    @Test("a written score reads back with the same boundaries within 1 µs (MIDI: 20 µs)", arguments: formats)
    func boundaries(format: Format) throws {
        var random = Seeded(state: 11)
        let tolerance: Duration = format == .midi ? .microseconds(20) + .nanoseconds(2) : .microseconds(1)
        for _ in 0..<200 {
            let score = try random.score()
            let (one, two) = (starts(score), starts(try again(score, format).score))
            try #require(one.count == two.count)
            #expect(farthest(one, two) <= tolerance)
        }
    }

    @Test("a speed is included in the written times, so that they equal those of a rendering", arguments: formats)
    func speed(format: Format) throws {
        var score = Score(lines: [.init(bars: [.init(.seconds(3)), .init(.milliseconds(2700)), .init(.seconds(2))])])
        score.speed = try #require(Speed(millionths: 730_000))
        let read = try again(score, format).score
        let real = starts(score).map { read.speed == score.speed ? $0 : score.speed.realDuration(of: $0) }
        #expect(farthest(real, starts(read)) <= .microseconds(format == .midi ? 20 : 1))
    }

    @Test("CSV and Barline's own format keep durations to the attosecond", arguments: [Format.csv, .yaml])
    func exactDurations(format: Format) throws {
        var random = Seeded(state: 3)
        for _ in 0..<100 {
            let score = try random.score()
            #expect(starts(try again(score, format).score) == starts(score))
        }
    }

    @Test("labels are read back in order", arguments: formats)
    func labels(format: Format) throws {
        var random = Seeded(state: 5)
        for _ in 0..<50 {
            let score = try random.score()
            let (one, two) = (played(score), played(try again(score, format).score))
            #expect((0..<one.barCount).map { one.bar($0).label } == (0..<two.barCount).map { two.bar($0).label })
        }
    }

    @Test(
        "lines are read back if the format has a place for them",
        arguments: [Format.yaml, .csv, .klick, .midi, .audacity, .reaper])
    func lines(format: Format) throws {
        let line = Score.Line(passes: 13, bars: [3, 2.7, 2].map { .init(.seconds($0)) })
        let two = played(try again(Score(lines: [line]), format).score)
        #expect(two.barCount == 39)
        #expect((0..<39).map { two.bar($0).place } == (0..<39).map { "\($0 / 3 + 1).\($0 % 3 + 1)" })
    }

    @Test("the count-in is the time before the first label", arguments: [Format.audacity, .reaper])
    func countIn(format: Format) throws {
        let score = Score(countIn: .seconds(4), lines: [.init(bars: [.init(.seconds(3))])])
        let read = try again(score, format)
        #expect(read.score.countIn == .seconds(4))
        #expect(starts(read.score) == starts(score))
    }

    @Test("a count-in in bars is the time before the first label", arguments: [Format.audacity, .reaper])
    func countInOfBars(format: Format) throws {
        let score = Score(countIn: .bars(2), lines: [.init(bars: [.init(Meter(3, over: 4)), .init(.seconds(3))])])
        #expect(try again(score, format).score.countIn == .seconds(6))
    }

    @Test("bars of hours survive every format", arguments: formats)
    func long(format: Format) throws {
        let lengths: [Int64] = [1, 16, 17, 300, 3600, 17_000]
        let score = Score(lines: [.init(bars: lengths.map { .init(.seconds($0)) })])
        #expect(farthest(starts(score), starts(try again(score, format).score)) <= .microseconds(20))
    }
}

struct StatedSettingTests {
    private static let heads = [
        "a4: 440\n", "tuning: equal\n", "tuning: equal\ntonic: D\n", "tonic: C\n", "instrument: C\n",
        "temperature: 20 C\n", "count-in: 0\n", "beats: off\n", "subdivide: 1\n", "beats: on\nsubdivide: 2\n",
        "speed: 100%\n", "grid: off\n", "drone: off\n", "drone: A3\n",
        "drone: {pitch: E4, waveform: sine, level: -24 dB, fade: 50 ms}\n", "drone: {level: -24 dB, brightness: 0}\n",
        "tempo: 60\n", "tempo: 61\n", "",
    ]

    @Test("a page keeps the settings that it states, even where they equal the defaults", arguments: heads)
    func stated(head: String) throws {
        let reading = Score.read(Array((head + "bars: [4/4, 3/4]\n").utf8), file: "x.yaml")
        let score = try #require(reading.score, "\(reading.diagnostics)")
        var page = played(score)
        page.stated = reading.preferences
        let again = Score.read(try Format.yaml.write(page).bytes, file: "y.yaml")
        #expect(again.score == score)
        // Parts of beats tell whether the beats are on.
        #expect(again.preferences == reading.preferences)
    }

    @Test("the tempo of each voice is written where one of them has none, and is the same when it is read")
    func voices() throws {
        for head in ["", "tempo: 60\n", "tempo: 90\n"] {
            for (a, b) in [("", "tempo: 70, "), ("tempo: 60, ", ""), ("tempo: 61, ", "tempo: 61, "), ("", "")] {
                let score = try score(head + "voices: {a: {\(a)bars: [4/4]}, b: {\(b)bars: [4/4]}}\n")
                #expect(try again(score, .yaml).score == score)
            }
        }
    }
}

struct SectionLabelTests {
    @Test(
        "the label of a section and that of its first bar are both written",
        arguments: [Format.audacity, .reaper, .midi, .klick])
    func both(format: Format) throws {
        let text =
            "sections: [{label: B, bars: [{duration: 1, label: rit}, 2]}, {label: C, bars: [{duration: 1, label: C}]}]"
        let read = played(try again(try score(text), format).score)
        let labels = (0..<3).map { read.bar($0).label }
        #expect(labels == (format == .klick ? ["B_rit", "", "C"] : ["B rit", "", "C"]))
    }
}

struct LossTests {
    @Test("writing reports the features that a format does not carry, how often they occur, and where first")
    func losses() throws {
        let text = """
            composer: Me
            drone: B4
            beats: on
            lines:
              - [{meter: 4/4, hold: until cue, cue: wait}, {meter: 3+2/8, say: go, flash: red, send: /go}, {duration: 3, click: run}]
              - {repeat: 2, bars: [{meter: 4/4, ramp: {to: 90, over: 1 bar}}]}
            """
        let written = try Format.audacity.write(played(try score(text)))
        #expect(
            written.losses == [
                "the composer is left out", "the drone is left out",
                "repeats, jumps and orders are written out as they are played", "beats inside bars are left out",
                "meters and tempi are written as seconds (in 4 bars, the first is 1.1)",
                "holds are written as part of their bars (in bar 1.1)",
                "holds until a cue continue without waiting (in bar 1.1)", "cues are left out (in bar 1.1)",
                "spoken cues are left out (in bar 1.2)", "colors are left out (in bar 1.2)",
                "messages to other machines are left out (in bar 1.2)",
                "click sounds are left out (in bar 1.3)",
            ])
        let midi = try Format.midi.write(played(try score(text)))
        #expect(midi.losses.contains("meters of several groups are written as one (in bar 1.2)"))
        #expect(
            midi.losses.contains(
                "gradual changes of tempo are written as tempi from beat to beat (in 2 bars, the first is 2.1)"))
        #expect(try Format.yaml.write(played(try score(text))).losses == [])
    }

    @Test(
        "groups and fragments that are played once are no repeats",
        arguments: [
            ("fragments: {f: [1, 2]}\nlines: [{use: f}, [3]]", false),
            ("lines: [{label: G, lines: [[1, 2], [3]]}]", false),
            ("fragments: {f: [1, 2]}\nlines: [{use: f}, [3], {use: f}]", true),
            ("lines: [{label: G, lines: [[1, 2], {repeat: 2, bars: [3]}]}]", true),
            ("lines: [{repeat: 2, lines: [[1], [2]]}]", true),
        ])
    func repeats(text: String, isTold: Bool) throws {
        let losses = try Format.csv.write(played(try score(text))).losses
        #expect(losses.contains("repeats, jumps and orders are written out as they are played") == isTold)
    }

    @Test("a picture tells of repeats that are written out, but not of lines that have one row")
    func pictureRepeats() throws {
        let loss = "repeats, jumps and orders are written out as they are played"
        for (text, isTold) in [
            ("lines: [{repeat: 100, bars: [1, 2]}]", false), ("lines: [{repeat: 2, bars: [1, 2]}]", true),
            ("lines: [{repeat: 100, bars: [1, 2]}, {repeat: 2, lines: [[1], [2]]}]", true),
        ] {
            #expect(try Format.svg.write(played(try score(text))).losses.contains(loss) == isTold, "\(text)")
        }
    }

    @Test("what a voice changes of its clicks is in its bars, or told; a voice without a title loses none")
    func voiceClicks() throws {
        let text = """
            beats: on
            voices:
              a: {click: off, channel: 3, bars: [4/4, {meter: 4/4, click: accent}]}
              b: {click: -12 dB, bars: [4/4, {meter: 4/4, click: -3 dB}]}
              c: {bars: [4/4, 4/4]}
            """
        let whole = played(try score(text))
        let clicks = whole.voices.map { voice in (0..<voice.barCount).map { voice.bar($0).written.details.click } }
        #expect(clicks[0].allSatisfy { $0?.isSilent ?? false })
        #expect(clicks[1].map { $0?.decibels } == [-12, -15] && clicks[2] == [nil, nil])
        let losses = try Format.csv.write(whole).losses
        #expect(
            losses == [
                "only the first voice is written; --voice chooses another", "the channels of voices are left out",
                "beats inside bars are left out",
                "meters and tempi are written as seconds (in 2 bars, the first is 1.1)",
                "silent, louder and softer clicks are written as normal clicks (in 2 bars, the first is 1.1)",
                "click sounds are left out (in bar 1.2)",
            ], "\(losses)")
        #expect(String(decoding: try Format.klick.write(whole).bytes, as: UTF8.self).contains(" 4/4 60 ...."))
    }

    @Test("a bar that a hit reaches by a ramp, a label inside a line and a piece without end are told")
    func ofOthers() throws {
        let text = """
            tempo: 54
            repeat: forever
            lines: [[4/4, {meter: 4/4, label: B, hit: 0:04.5 by ramp}]]
            """
        let losses = try Format.klick.write(played(try score(text))).losses
        for loss in [
            "a piece that repeats forever is written once",
            "gradual changes of tempo are written as tempi from beat to beat (in bar 1.2)",
            "labels inside lines begin new lines (in bar 1.2)",
        ] { #expect(losses.contains(loss), "\(losses)") }
    }

    @Test("a piece with too many bars and a format that can only be read are refused with a reason")
    func refusals() throws {
        let line = Score.Line(passes: 1_000_000, bars: [.init(.seconds(1)), .init(.seconds(1))])
        #expect(
            message { try Format.midi.write(played(Score(lines: [line]))) }
                == "the piece has 2000000 bars as it is played; a MIDI file takes at most 1 000 000; "
                + "write a part of it")
        #expect(
            message { try Format.clickTracker.write(played(Score(lines: [.init(bars: [.init(.seconds(1))])]))) }
                == "a Click Tracker score can be read, but not written")
    }
}
