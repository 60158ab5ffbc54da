import Formats
import Running
import Scores
import Testing
import Timing

@Suite("A document is a score, a plan or a plan of weeks")
struct DocumentTests {
    private func read(_ text: String, _ name: String, format: Format? = nil) -> Document {
        Document.read(Array(text.utf8), name: name, format: format)
    }

    @Test("the content of a file tells which of the three it is, whatever it is called")
    func kinds() {
        for name in ["x", "x.txt"] {
            let plan = read("4x(run 0:30, walk 0:30)\n", name)
            #expect(plan.plan?.parts.count == 1 && plan.score == nil && plan.weeks == nil, "\(name)")
            let weeks = read("week 1: {tue: run 5km, sun: run 10km}\n", name)
            #expect(weeks.weeks?.slots.count == 2 && weeks.plan == nil && weeks.score == nil, "\(name)")
            #expect(weeks.placesOfDays.count == 2, "\(name)")
        }
        let score = read("bars: [2.7, 3]\n", "x")
        #expect(score.score != nil && score.plan == nil && score.weeks == nil)
    }

    @Test("a table is a score or a plan by its header, also if its format is given")
    func tables() {
        for format in [nil, Format.csv] {
            let plan = read("kind,time\nrun,0:30\n", "x.csv", format: format)
            #expect(plan.plan?.written.count == 1 && plan.diagnostics.isEmpty)
            let score = read("label,duration\nA,2.7\n", "x.csv", format: format)
            #expect(score.score != nil && score.plan == nil)
        }
    }

    @Test("the byte order mark that spreadsheets and editors write does not hide what a text is")
    func marks() {
        let mark = "\u{FEFF}"
        for format in [nil, Format.csv] {
            let plan = read(mark + "kind;time\r\nrun;0:30\r\n", "x.csv", format: format)
            #expect(plan.plan?.written.count == 1 && plan.diagnostics.isEmpty)
            #expect(read(mark + "label,duration\nA,2.7\n", "x.csv", format: format).score != nil)
        }
        for text in ["4x(run 0:30, walk 0:30)\n", "- 5m 80% Pace\n- 30s\n"] {
            #expect(read(mark + text, "x.txt").plan?.parts.isEmpty == false, "\(text)")
        }
        #expect(read(mark + "week 1: {tue: run 5km, sun: run 10km}\n", "x.txt").weeks?.slots.count == 2)
        #expect(read(mark + "bars: [2.7, 3]\n", "x").score != nil)
    }

    @Test("an interval has its place in every text")
    func places() throws {
        let texts = [
            ("x.txt", "- 5m 80% Pace\n\n2x\n- 1km 80% Pace\n- 30s\n", [1, 4, 5]),
            ("x.csv", "kind,time,distance\nrun,5:00,\nrun,,1 km\n", [2, 3]),
            (
                "x.zwo",
                "<workout_file><workout>\n<SteadyState Duration='300' Power='0.8'/>\n"
                    + "<IntervalsT Repeat='2' OnDuration='60' OffDuration='60' OnPower='1' OffPower='0.5'/>\n"
                    + "<Cooldown Duration='300' PowerLow='0.5' PowerHigh='0.4'/>\n</workout></workout_file>\n",
                [2, 3, 3, 4]
            ),
        ]
        for (name, text, lines) in texts {
            let document = read(text, name)
            let plan = try #require(document.plan, "\(name): \(document.diagnostics.map { $0.rendered() })")
            #expect(plan.written.count == lines.count && document.places.count == lines.count, "\(name)")
            let found = document.places.map { place in
                1 + document.text[..<place.lowerBound].count { $0 == UInt8(ascii: "\n") }
            }
            #expect(found == lines, "\(name)")
        }
    }

    @Test("a score is never read from the file of a plan")
    func plansAreNoScores() {
        let zwift = Array("<workout_file><workout/></workout_file>".utf8)
        let document = Score.read(zwift, file: "x", format: .zwift)
        #expect(document.score == nil && document.plan == nil)
        #expect(document.diagnostics.map(\.message) == ["a Zwift workout is not a score"])
        let plan = Format.yaml.plan(Array("bars: [1]".utf8), file: "x")
        #expect(plan.plan == nil && plan.diagnostics.map(\.message) == ["a Barline score is not a plan"])
        #expect(throws: TextError.self) { try Format.midi.write(Plan(runText: "run 0:30"), now: 0) }
    }

    @Test("tempi beside a score are not for a plan")
    func tempi() {
        let tempi = TempoFile(Array("bar 1: 60".utf8), file: "tempi.txt")
        let document = Document.read(Array("run 0:30\n".utf8), name: "x.plan", tempi: tempi)
        #expect(document.plan == nil)
        #expect(document.diagnostics.map(\.message) == ["tempi beside a score are for MusicXML"])
    }

    /// Texts of every kind that people keep in text files, with the length of each.
    private static let texts: [(kind: String, text: String, length: String)] = [
        ("Click Tracker", "# Study\nt 90 8\n3+2/8\n4/4 x 2\ncue A\ntc 120 4\n1 b\n0.5 s\n0.5\n", "0:16.142"),
        ("klick", "# Study\nintro: 2 4/4 120\n1 3/4 60 X.x\n\n4 120-60\n", "0:18.090"),
        ("Audacity", "0.000000\t2.700000\tA\n2.700000\t5.000000\tB\n", "0:05.000"),
        ("plan", "title: Tuesday\nwarm-up 0:10\n3x(run 0:30, walk 0:20)\n", "2:40.000"),
        ("intervals.icu", "Warmup\n- 1m Z1\n\nMain 2x\n- 30s 90%\n- 20s 50%\n", "2:40.000"),
        ("Barline", "title: Study\ntempo: 1/4 = 60\nbars: [4/4, 2.5]\n", "0:06.500"),
    ]

    @Test("the content of a text determines its format, whatever its name")
    func recognized() throws {
        for (kind, text, length) in Self.texts {
            for name in kind == "Barline" ? ["piece", "standard input"] : ["piece", "piece.txt", "standard input"] {
                let document = read(text, name)
                let score = try #require(try document.score ?? document.plan?.score(), "\(kind), \(name)")
                #expect(Timeline(score).total.clock(decimals: 3) == length, "\(kind), \(name)")
            }
        }
    }

    @Test("a plan in a text file is Barline's own, or a workout of intervals.icu")
    func plansInTextFiles() {
        for (text, format, count) in [("run 0:30, walk 0:20\n", Format.plan, 2), ("Warmup\n- 1m Z1\n", .intervals, 1)] {
            let found = Format.ofPlan(Array(text.utf8), file: "tuesday.txt")
            #expect(found == format)
            #expect(found.plan(Array(text.utf8), file: "tuesday.txt").plan?.written.count == count)
        }
    }

    @Test("a text that fits no format is an error that lists those that its name can mean")
    func none() {
        let document = read("Dear Anna,\nthe concert is on Friday.\n", "x.txt")
        #expect(
            document.diagnostics.map(\.message) == [
                "the text is not a klick tempo map, a Click Tracker score, a SO(a)P score, an Audacity label track, a plan of intervals or a workout of intervals.icu"
            ])
    }
}
