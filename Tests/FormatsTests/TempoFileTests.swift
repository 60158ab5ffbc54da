internal import Formats
internal import Scores
internal import Testing
internal import Timing

@Suite("A file of tempi beside a MusicXML score")
struct TempoFileTests {
    private func read(_ tempi: String, _ measures: [String], start: String? = nil) -> Document {
        Document.read(
            musicXML(measures, start: start), name: "x.musicxml",
            tempi: TempoFile(Array(tempi.utf8), file: "tempi.txt"))
    }

    private func seconds(_ reading: Document) throws -> [Double] {
        starts(try #require(reading.score, "\(reading.diagnostics.map { $0.rendered() })")).map(\.inSeconds)
    }

    private let plain = Array(repeating: "", count: 6)

    @Test("tempi, gradual changes and tempi at beats are where the lines say")
    func tempi() throws {
        let reading = read(
            """
            # the conductor's tempi
            bar 1: 120
            no. 3: rit. to 60 over 2 bars   # two bars
            bar 5 beat 3: 1/4. = 80

            """, plain)
        #expect(reading.diagnostics.isEmpty)
        let starts = try seconds(reading)
        #expect(Array(starts.prefix(3)) == [0, 2, 4])
        let shape = RampShape(from: Fraction(30), to: Fraction(15), length: 2, curve: .beats)
        #expect(abs(starts[4] - 4 - shape.moment(at: 2).inSeconds) < 1e-12)
        // Two quarters at 60, two at 120.
        #expect(abs(starts[5] - starts[4] - 3) < 1e-12 && abs(starts[6] - starts[5] - 2) < 1e-12)
        #expect(Score.read(Array((reading.score?.yaml ?? "").utf8), file: "x.yaml").score == reading.score)
    }

    @Test("a bar has its tempo in every pass, or only in the one that is named")
    func passes() throws {
        let repeated = ["", "<barline location='right'><repeat direction='backward'/></barline>", ""]
        #expect(try seconds(read("bar 2: 120", repeated)) == [0, 4, 6, 10, 12, 14])
        let second = read("no. 2 (2): 120", repeated)
        #expect(try seconds(second) == [0, 4, 8, 12, 14, 16])
        let timeline = Timeline(try #require(second.score))
        #expect((0..<5).map { "\(timeline[$0].number)" } == ["1", "2", "1", "2", "3"])
    }

    @Test("a tempo lasts until the next one of the file or of the score itself, in every pass")
    func both() throws {
        let measures = ["", "<sound tempo='60'/>", direction("<rehearsal>A</rehearsal>"), "<sound tempo='30'/>"]
        #expect(try seconds(read("bar 1: 120", measures)) == [0, 2, 6, 10, 18])
        // A rehearsal mark begins a line, and does not go back to the tempo of the score.
        let marked = ["", "", direction("<rehearsal>A</rehearsal>"), ""]
        #expect(try seconds(read("bar 1: 120", marked)) == [0, 2, 4, 6, 8])
        // In its second pass, too, a tempo of the score is heard where it is written.
        let repeated = ["", "<sound tempo='30'/><barline location='right'><repeat direction='backward'/></barline>"]
        #expect(try seconds(read("bar 1: 120", repeated)) == [0, 2, 10, 12, 20])
    }

    @Test("a tempo at the beginning answers the warning that there is none")
    func missing() {
        let start = "<attributes><divisions>2</divisions></attributes>"
        #expect(read("bar 1: 90", plain, start: start).diagnostics.isEmpty)
        #expect(read("bar 2: 90", plain, start: start).diagnostics.count == 1)
    }

    @Test("words whose tempi the file gives are no longer said to be left out, and others are")
    func words() throws {
        func words(_ text: String) -> String { direction("<words>\(text)</words>") }
        let measures = ["", words("rit."), words("a tempo"), words("Tempo I"), words("rit."), ""]
        let messages = read("bar 1: 96\nno. 2: rit. to 60 over 1 bars\nno. 3: 96\n", measures).diagnostics.map(
            \.message)
        #expect(
            messages == [
                "'Tempo I' in measure 4 has no tempo; the first one of the piece is assumed",
                "'rit.' in measure 5 is left out: the file gives no tempo for it",
            ])
    }

    @Test(
        "an error is at its line and column in the file of tempi",
        arguments: [
            (
                "bar 1: 96\nbar 99: 60",
                "2:1: error: there is no bar no. 99: the piece begins with no. 1 and ends with no. 6"
            ),
            ("no. 2 (2): 60", "1:1: error: there is no pass 2 of bar no. 2: it is played once"),
            (
                "bar 1 60",
                "1:1: error: a line is a bar, a colon and a tempo, for example bar 12: rit. to 60 over 2 bars"
            ),
            ("bar 1: q", "1:8: error: 'q' is not a tempo, for example 1/4 = 60, 1/8. = 90 or 1/4. = 1/4"),
            (
                "bar 1: rit. to 60",
                "1:8: error: a gradual change of tempo needs its length, for example bar 12: rit. to 60 over 2 bars"
            ),
            ("bar 1 beat 9: 60", "1:1: error: the tempo changes at beat 9, but the bar has 4 beats"),
            (
                "bar 5: rit. to 60 over 4 bars",
                "1:8: error: the ramp goes over 4 bars with a meter, but the section has only 2 from here to its end or to another tempo; give the number of beats"
            ),
            ("# nothing", "1:1: error: the file has no tempi, for example bar 12: rit. to 60 over 2 bars"),
        ])
    func errors(text: String, expected: String) {
        let reading = read(text, plain)
        #expect(reading.score == nil)
        let first = reading.diagnostics.first?.rendered() ?? ""
        #expect(first.hasPrefix("tempi.txt:\(expected)\n"), "\(first)")
    }

    @Test("only a MusicXML score has a file of tempi")
    func others() {
        let tempi = TempoFile(Array("bar 1: 60".utf8), file: "tempi.txt")
        let reading = Document.read(Array("bars: [4/4]".utf8), name: "x.yaml", tempi: tempi)
        #expect(reading.score == nil)
        #expect(
            reading.diagnostics.first?.rendered().hasPrefix("x.yaml:1:1: error: tempi beside a score are for MusicXML")
                == true)
    }
}
