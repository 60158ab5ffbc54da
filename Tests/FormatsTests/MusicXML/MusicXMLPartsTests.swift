import Formats
import Scores
import Testing

/// What the other parts, and words, say of the time.
struct MusicXMLPartsTests {
    /// A file of parts, each of measures; every part has divisions of 2 and 4/4.
    private func file(_ parts: [[String]]) -> [UInt8] {
        let first =
            "<attributes><divisions>2</divisions><time><beats>4</beats><beat-type>4</beat-type></time></attributes>"
        var text = "<score-partwise><part-list/>\n"
        for (number, measures) in parts.enumerated() {
            text += "<part id='P\(number + 1)'>\n"
            for (index, measure) in measures.enumerated() {
                text += "<measure number='\(index + 1)'>\(index == 0 ? first : "")\(measure)</measure>\n"
            }
            text += "</part>\n"
        }
        return Array((text + "</score-partwise>").utf8)
    }

    private func seconds(_ parts: [[String]], _ messages: [String] = []) throws -> [Double] {
        let reading = musicXMLReading(file(parts))
        #expect(reading.diagnostics.map(\.message) == messages)
        return starts(try #require(reading.score)).map(\.inSeconds)
    }

    @Test("a tempo in any part counts, and that of an earlier part where two have one")
    func tempi() throws {
        let note = eighths(8)
        #expect(try seconds([[note, note], ["<sound tempo='60'/>" + note, note]]) == [0, 4, 8])
        #expect(
            try seconds([[note, note], [note, note], ["<sound tempo='60'/>" + note, "<sound tempo='120'/>" + note]])
                == [0, 4, 6])
        #expect(try seconds([["<sound tempo='60'/>" + note], ["<sound tempo='120'/>" + note]]) == [0, 4])
        // A sound is worth more than a mark, whatever its part.
        let mark = direction("<metronome><beat-unit>quarter</beat-unit><per-minute>60</per-minute></metronome>")
        #expect(try seconds([[mark + note], ["<sound tempo='120'/>" + note]]) == [0, 2])
        // In the middle of a measure, too.
        #expect(
            try seconds([["<sound tempo='60'/>" + note], [eighths(4) + "<sound tempo='120'/>" + eighths(4)]]) == [0, 3])
    }

    @Test("a measure is as long as its longest part, and the piece has the measures of all")
    func lengths() throws {
        let start = "<sound tempo='60'/>"
        #expect(try seconds([[start + eighths(4), eighths(8)], [eighths(8), eighths(8)]]) == [0, 4, 8])
        #expect(try seconds([[start + eighths(8)], [eighths(8), eighths(6)]]) == [0, 4, 7])
    }

    @Test("what another part has wrong is left out with a warning, and refused if strict")
    func wrong() throws {
        let bytes = file([["<sound tempo='60'/>" + eighths(8)], ["<sound tempo='fast'/><note><pitch/></note>"]])
        let reading = musicXMLReading(bytes)
        #expect(starts(try #require(reading.score)) == [.zero, .seconds(4)])
        #expect(
            reading.diagnostics.map(\.message) == [
                "'fast' is not a tempo: it is left out", "a duration is missing here: it is left out",
            ])
        #expect(Score.read(bytes, file: "x.musicxml", isStrict: true).score == nil)
    }

    @Test("signs that only another part has count; those that every part has count once")
    func signs() throws {
        let note = eighths(8)
        let start = "<sound tempo='60'/>" + note
        #expect(try seconds([[start, note], [note, note + "<sound dacapo='yes'/>"]]) == [0, 4, 8, 12, 16])
        let rehearsal =
            direction("<rehearsal>A</rehearsal>") + note + "<barline><repeat direction='backward'/></barline>"
        let score = try #require(musicXMLReading(file([[start + rehearsal], [note + rehearsal]])).score)
        #expect(score.lines.map(\.label) == ["A"])
        #expect(score.lines[0].passes == 2)
        let coda = direction("<coda/>") + note
        let toEnd = direction("<words>D.C. al Coda</words>") + note
        #expect(
            try seconds([[start, coda, toEnd, coda], [note, coda, toEnd, coda]]) == [0, 4, 8, 12, 16, 20, 24])
    }

    // MARK: - Words

    private func words(_ text: String, _ more: String = "") -> String { direction("<words>\(text)</words>", more) }

    @Test(
        "words about the tempo for which the file has none are each named with their measure",
        arguments: [
            "rit.", "Rallentando", "poco accel.", "Più mosso", "Meno mosso", "doppio movimento", "rubato",
            "Allegro assai", "tempo di valse",
        ])
    func leftOut(text: String) throws {
        let note = eighths(8)
        #expect(
            try seconds(
                [["<sound tempo='60'/>" + note, words(text) + note], [note, words(text) + note]],
                ["'\(text)' in measure 2 is left out: the file gives no tempo for it"]) == [0, 4, 8])
        // A tempo at the same place, in whichever element or part, is its tempo.
        for tempo in [
            "<sound tempo='120'/>",
            direction("<metronome><beat-unit>half</beat-unit><per-minute>60</per-minute></metronome>"),
        ] {
            #expect(try seconds([["<sound tempo='60'/>" + note, words(text) + tempo + note]]) == [0, 4, 6])
            #expect(
                try seconds([["<sound tempo='60'/>" + note, words(text) + note], [note, tempo + note]]) == [0, 4, 6])
        }
    }

    @Test("other words pass in silence", arguments: ["dolce", "pizz.", "G string", "Solo", "espressivo", "Tempo"])
    func others(text: String) throws {
        #expect(try seconds([["<sound tempo='60'/>" + words(text) + eighths(8)]]) == [0, 4])
    }

    @Test("a ritardando whose steps are heard has its tempi; a tempo goes back to the tempo before it")
    func back() throws {
        let steps = words("rit.") + "<sound tempo='60'/>" + eighths(4) + "<sound tempo='30'/>" + eighths(4)
        let measures = ["<sound tempo='60'/>" + eighths(8), steps, words("a tempo") + eighths(8)]
        let message = "'a tempo' in measure 3 has no tempo; the last tempo mark before it is assumed"
        #expect(try seconds([measures], [message]) == [0, 4, 10, 14])
        // With a sound of its own, nothing is assumed.
        let sounding = words("a tempo", "<sound tempo='120'/>") + eighths(8)
        #expect(try seconds([Array(measures[..<2]) + [sounding]]) == [0, 4, 10, 12])
        // A mark on the page is a new tempo, to which the next one goes back.
        let allegro = words("Allegro", "<sound tempo='120'/>") + eighths(8)
        #expect(
            try seconds(
                [["<sound tempo='60'/>" + eighths(8), steps, allegro, steps, words("a tempo") + eighths(8)]],
                [message.replacing("measure 3", with: "measure 5")]) == [0, 4, 10, 12, 18, 20])
    }

    @Test("a range of tempi is read as its first, and named")
    func range() throws {
        let mark = direction("<metronome><beat-unit>quarter</beat-unit><per-minute>60-90</per-minute></metronome>")
        #expect(try seconds([[mark + eighths(8)]], ["'60-90' is more than one tempo; 60 is read"]) == [0, 4])
        let about = direction("<metronome><beat-unit>quarter</beat-unit><per-minute>c. 60</per-minute></metronome>")
        #expect(try seconds([[about + eighths(8)]]) == [0, 4])
    }

    @Test("Tempo I is the first tempo of the piece", arguments: ["Tempo I", "tempo primo", "Tempo 1°", "Tempo Iº"])
    func first(text: String) throws {
        let measures = [
            "<sound tempo='60'/>" + eighths(8), "<sound tempo='120'/>" + eighths(8), words(text) + eighths(8),
        ]
        #expect(
            try seconds(
                [measures], ["'\(text)' in measure 3 has no tempo; the first one of the piece is assumed"])
                == [0, 4, 6, 10])
    }
}
