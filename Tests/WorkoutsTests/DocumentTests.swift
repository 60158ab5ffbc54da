import Formats
import Running
import Scores
import Testing

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
}
