import Formats
import Scores
import Testing
import Timing

/// How measures, meters and tempi are read; times are in seconds, at 60 quarters per minute.
struct MusicXMLTests {
    @Test(
        "the meter of a measure without notes is its length",
        arguments: [
            ("<beats>3</beats><beat-type>4</beat-type>", "3/4"),
            ("<beats>3+2</beats><beat-type>8</beat-type>", "3+2/8"),
            ("<beats>2</beats><beat-type>4</beat-type><beats>3</beats><beat-type>8</beat-type>", "2/4 + 3/8"),
            (" <beats> 12 </beats> <beat-type>16</beat-type>", "12/16"),
        ])
    func meters(time: String, text: String) throws {
        let start = "<attributes><divisions>1</divisions><time>\(time)</time></attributes><sound tempo='60'/>"
        let meter = try Meter(scoreText: text)
        let score = try musicXMLScore(["", ""], start: start)
        #expect(score.lines[0].bars.map(\.meter) == [meter, meter])
        #expect(starts(score)[1] == (meter.length * Fraction(4)).exactSeconds)
    }

    @Test("a measure is as long as the farthest note, whatever its meter, its voices and chords")
    func lengths() throws {
        let back = "<backup><duration>6</duration></backup>"
        let voices = eighths(2) + eighths(4) + back + eighths(1) + "<forward><duration>4</duration></forward>"
        let chord = eighths(3) + eighths(3, "<chord/>") + "<note><grace/></note>" + eighths(2, "<cue/>")
        #expect(try secondsOfBars([voices, chord, eighths(11), ""]) == [0, 3, 5.5, 11, 15])
    }

    @Test("free time is a bar of seconds, as long as its notes")
    func freeTime() throws {
        let free = "<attributes><time><senza-misura/></time></attributes>" + eighths(13)
        let score = try musicXMLScore([eighths(8), free, eighths(5)])
        #expect(score.lines[0].bars.map(\.meter) == [Meter(4, over: 4), nil, nil])
        #expect(starts(score) == [.zero, .seconds(4), .milliseconds(10_500), .seconds(13)])
    }

    @Test("a pickup is counted before the first bar, and begins with what is left of a beat")
    func pickup() throws {
        let score = try musicXMLScore([eighths(3), eighths(8)])
        #expect(score.pickup == 1)
        #expect(score.firstBar == 2)
        #expect(score.lines[0].bars[0].details.beats == [Beat(.accent, Fraction(1, 8)), Beat(.beat, Fraction(1, 4))])
        #expect(starts(score)[1] == .milliseconds(1500))
    }

    @Test("a pickup that begins just before a beat is a bar of seconds, because no note value is that short")
    func tinyPickup() throws {
        let time = "<time><beats>4</beats><beat-type>4</beat-type></time>"
        let start = "<attributes><divisions>10080</divisions>\(time)</attributes><sound tempo='60'/>"
        let score = try musicXMLScore(["<note><duration>30241</duration></note>", ""], start: start)
        #expect(score.lines[0].bars.map { $0.meter == nil } == [true, false])
        #expect(starts(score)[1] == Duration(attoseconds: 3_000_099_206_349_206_349))
        #expect(Score.read(Array(score.yaml.utf8), file: "x.yaml").score == score)
    }

    // MARK: - Tempi

    @Test(
        "metronome marks give the tempo",
        arguments: [
            ("<beat-unit>quarter</beat-unit><per-minute>120</per-minute>", 2.0),
            ("<beat-unit>quarter</beat-unit><beat-unit-dot/><per-minute>40</per-minute>", 4.0),
            ("<beat-unit>eighth</beat-unit><per-minute>c. 80</per-minute>", 6.0),
            (
                "<beat-unit>quarter</beat-unit><beat-unit-tied><beat-unit>16th</beat-unit></beat-unit-tied>"
                    + "<per-minute>60</per-minute>", 3.2
            ),
            ("<beat-unit>quarter</beat-unit><beat-unit>quarter</beat-unit><beat-unit-dot/>", 4 / 1.5),
            ("<beat-unit>eighth</beat-unit><beat-unit-dot/><beat-unit>quarter</beat-unit>", 3.0),
            (
                "<metronome-note><metronome-type>eighth</metronome-type></metronome-note>"
                    + "<metronome-note><metronome-type>eighth</metronome-type></metronome-note>"
                    + "<metronome-relation>equals</metronome-relation>"
                    + "<metronome-note><metronome-type>quarter</metronome-type><metronome-tuplet type='start'>"
                    + "<actual-notes>3</actual-notes><normal-notes>2</normal-notes></metronome-tuplet></metronome-note>"
                    + "<metronome-note><metronome-type>eighth</metronome-type><metronome-tuplet type='stop'>"
                    + "<actual-notes>3</actual-notes><normal-notes>2</normal-notes></metronome-tuplet></metronome-note>",
                4
            ),
        ] as [(String, Double)])
    func metronome(mark: String, seconds: Double) throws {
        let bars = try secondsOfBars([eighths(8), direction("<metronome>\(mark)</metronome>") + eighths(8)])
        #expect(abs(bars[2] - bars[1] - seconds) < 1e-9)
    }

    @Test("a sound decides before a metronome mark, and a mark before words")
    func ranks() throws {
        let mark = "<metronome><beat-unit>quarter</beat-unit><per-minute>30</per-minute></metronome>"
        let words = "<words>Presto (q = 240)</words>"
        #expect(try secondsOfBars(["", direction(mark, "<sound tempo='120'/>")]) == [0, 4, 6])
        #expect(try secondsOfBars(["", "<sound tempo='120'/>" + direction(mark) + direction(words)]) == [0, 4, 6])
        #expect(try secondsOfBars(["", direction(words) + direction(mark)]) == [0, 4, 12])
        #expect(try secondsOfBars(["", direction(words)]) == [0, 4, 5])
        #expect(try secondsOfBars(["", direction("<words>♩. = ca. 40</words>")]) == [0, 4, 8])
        #expect(
            try secondsOfBars(["", direction("<words>Lento</words><words>[dotted half=20]</words>")]) == [0, 4, 8])
        #expect(try secondsOfBars(["", direction("<words>Page = 9, 1 = 2</words>")]) == [0, 4, 8])
    }

    @Test("a tempo keeps the note value of its mark if its sound agrees")
    func units() throws {
        let mark = "<metronome><beat-unit>quarter</beat-unit><beat-unit-dot/><per-minute>50</per-minute></metronome>"
        let score = try musicXMLScore(["", direction(mark, "<sound tempo='75'/>")])
        #expect(score.lines[0].bars[1].details.tempo == .tempo(Tempo(Fraction(3, 8), Fraction(50))))
    }

    @Test("tempi change at their places in the measure, and beats keep their lengths")
    func inside() throws {
        let fast = "<sound tempo='120'/>"
        #expect(try secondsOfBars([eighths(3) + fast + eighths(5), eighths(8)]) == [0, 2.75, 4.75])
        let moved = direction("<words/>", "<offset>3</offset><sound tempo='120'/>") + eighths(8)
        let before = eighths(8) + direction("<words/>", "<offset>-5</offset><sound tempo='120'/>")
        let own = "<sound tempo='120'><offset>3</offset></sound>" + eighths(8)
        for measure in [moved, before, own] {
            let score = try musicXMLScore([measure, eighths(8)])
            #expect(starts(score) == [.zero, .milliseconds(2750), .milliseconds(4750)])
            let beats = Timeline(score).beats(inBar: 0, InnerSettings(score)).map(\.offset)
            #expect(beats == [0, 1000, 1750, 2250].map { .milliseconds($0) })
        }
    }

    @Test("without a tempo, 120 quarters per minute are assumed with a warning")
    func noTempo() throws {
        let reading = musicXMLReading(musicXML(["<attributes><divisions>2</divisions></attributes>"], start: ""))
        #expect(starts(try #require(reading.score)) == [.zero, .seconds(2)])
        #expect(reading.diagnostics.map(\.message) == ["no tempo is given here; 120 quarters per minute are assumed"])
    }

    // MARK: - The page

    @Test("rehearsal marks begin lines, and title and composer are read")
    func page() throws {
        let text = String(
            decoding: musicXML(["", direction("<rehearsal> A\n1 </rehearsal>"), ""]), as: UTF8.self)
        let head =
            "<work><work-title>Study</work-title></work><identification><creator type='lyricist'>X</creator>"
            + "<creator type='composer'>B. Y</creator></identification><part-list/>"
        let score = try #require(musicXMLReading(Array(text.replacing("<part-list/>", with: head).utf8)).score)
        #expect(score.lines.map(\.label) == ["", "A 1"])
        #expect(score.lines.map(\.bars.count) == [1, 2])
        #expect([score.title, score.composer] == ["Study", "B. Y"])
    }

    @Test("fermatas wait for the player at their places, once for all voices, and add no time")
    func fermatas() throws {
        let fermata = "<notations><fermata/></notations>"
        let voice = "<backup><duration>8</duration></backup>" + eighths(2) + eighths(6, fermata)
        let end = "<barline location='right'><fermata/></barline>"
        let score = try musicXMLScore([eighths(2) + eighths(3, fermata) + eighths(3, fermata) + voice + end])
        #expect(
            score.lines[0].bars[0].details.holds == [
                Hold(.zero, at: .beat(2), waits: true), Hold(.zero, at: .offset(.milliseconds(2500)), waits: true),
                Hold(.zero, waits: true),
            ])
        #expect(starts(score) == [.zero, .seconds(4)])
    }

    @Test("equal measures share one bar, and repeats are passes of one line")
    func shared() throws {
        let repeated = "<barline><repeat direction='backward' times='1000'/></barline>"
        let score = try musicXMLScore(["", "", repeated])
        #expect(score.lines.map(\.passes) == [1000])
        #expect(starts(score).last == .seconds(12_000))
        #expect(Score.read(Array(score.yaml.utf8), file: "x.yaml").score == score)
    }
}

extension Fraction {
    fileprivate var exactSeconds: Duration { .seconds(numerator) / Int(denominator) }
}
