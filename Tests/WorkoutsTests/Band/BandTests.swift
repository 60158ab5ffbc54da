import Formats
import Languages
import Running
import Scores
import Shared
import Testing

@Suite("Bands for the wrist")
struct BandTests {
    private func band(_ text: String, every: Distance? = nil, in unit: DistanceUnit = .kilometers) throws -> Band {
        let plan = try #require(Plan.read(Array(text.utf8)).plan, "\(text)")
        return try Band(plan, every: every, in: unit)
    }

    @Test("a marathon has the time of every kilometer, by exact fractions, and of its end")
    func marathon() throws {
        let band = try band("run marathon in 3:45:00")
        #expect(band.time == "3:45:00" && band.facts == ["42.195 km", "5:20 /km"] && band.note == nil)
        #expect(band.rows.count == 43)
        for (index, row) in band.rows.dropLast().enumerated() {
            // 13,500 s over 42,195 m, rounded to the nearest second, halves up.
            let seconds = (2 * 13_500 * 1000 * (index + 1) + 42_195) / (2 * 42_195)
            #expect(row.mark == "\(index + 1)")
            #expect(row.text == Duration.seconds(seconds).runText(), "\(index + 1)")
        }
        #expect(band.rows.last == Band.Row(mark: "fin", text: "3:45:00", isEnd: true))
    }

    @Test("a plan of runs and walks has splits by their paces, and its workout in the header")
    func runWalk() throws {
        let band = try band("10x(run 4:00 @ 5:00/km, walk 1:00 @ 10:00/km)")
        #expect(band.workout == "10x(run 4:00 @ 5:00/km, walk 1:00 @ 10:00/km)")
        // A round is 900 m in 5 minutes; a kilometer ends 100 m, at 5:00/km 30 s, into the next one.
        #expect(band.rows.first == Band.Row(mark: "1", text: "5:30"))
        #expect(band.rows.last == Band.Row(mark: "9", text: "50:00", isEnd: true))
        // The last kilometer ends before the rest after it, as the others do; the whole is with that rest.
        let rests = try self.band("3x(run 1km @ 5:00/km, rest 1:00)")
        #expect(rests.rows.map(\.text) == ["5:00", "11:00", "17:00"] && rests.time == "18:00")
    }

    @Test("without distances, a band has the changes, or the ends of rounds if there are too many")
    func changes() throws {
        let few = try band("warm-up 10:00, 3x(run 5:00, walk 1:00)")
        #expect(few.rows.map(\.mark) == ["0:00", "10:00", "15:00", "16:00", "21:00", "22:00", "27:00", "28:00"])
        #expect(few.rows.map(\.text) == ["Warm-up", "Run", "Walk", "Run", "Walk", "Run", "Walk", "end"])
        let many = try band("40x(run 0:30, walk 0:30)")
        #expect(many.headings == ("round", "ends") && many.rows.count == 40)
        #expect(many.rows.first == Band.Row(mark: "1", text: "1:00"))
        #expect(many.note == "80 changes do not fit on a band: it has the end of each round")
    }

    @Test("a band tells the tenths of a time that was given, and none of one that follows from paces")
    func finish() throws {
        let run = try Run(runText: "10k in 49:59.6")
        let splits = try Splits(run, every: Distance(1, .kilometers))
        for band in [try Band(splits, in: .kilometers, isFixed: false), try band("10k in 49:59.6")] {
            #expect(band.time == "49:59.6" && band.rows.map(\.text).suffix(2) == ["44:59.6", "49:59.6"])
        }
        let times = try band("10:00.6, 5:00")
        #expect(times.time == "15:00.6" && times.rows.map(\.mark) == ["0:00", "10:00.6", "15:00.6"])
        let rounds = try band("20x(run 0:30.31, walk 0:30)")
        #expect(rounds.time == "20:06.2" && rounds.rows.map(\.text).prefix(2) == ["1:00.31", "2:00.62"])
        // Without room for tenths, there are as many rows, and none is too late.
        let many = try band("40x(run 0:30.31, walk 0:30)")
        #expect(many.rows.count == 40 && many.rows.map(\.text).prefix(4) == ["1:00", "2:00", "3:00", "4:01"])
        let long = try band("marathon in 3:44:59.6")
        #expect(long.time == "3:44:59.6" && long.rows.count == 43 && long.rows.last?.text == "3:44:59")
        let computed = try band("10k @ 4:59.96/km")
        #expect(computed.time == "50:00" && computed.rows.last?.text == "50:00")
    }

    @Test("of too many splits, every second, fifth or tenth is shown; too many chosen splits are an error")
    func manySplits() throws {
        let long = try band("run 100km @ 6:00/km")
        #expect(long.rows.map(\.mark).prefix(3) == ["5", "10", "15"])
        #expect(long.note == "100 splits do not fit on a band: it has one every 5 km")
        let error = #expect(throws: TextError.self) {
            try band("run 100km @ 6:00/km", every: Distance(meters: 400))
        }
        #expect(
            error.map { "\($0)".contains("250 splits do not fit on a band") } ?? false, "\(String(describing: error))")
    }

    @Test(
        "a plan without an end, or with an unknown time, has no band",
        arguments: ["(run 1:00), forever", "run 1km", "run 1:00, rest until lap"])
    func refusals(text: String) throws {
        let plan = try #require(Plan.read(Array(text.utf8), isDraft: true).plan)
        #expect(throws: TextError.self) { try Band(plan, every: nil, in: .kilometers) }
    }

    /// The place of a text on the sheet, from the top of its capitals to its baseline.
    private struct Box {
        var text: String
        var left, right, top, bottom: Double
    }

    private func boxes(_ picture: Picture) -> [Box] {
        picture.sheets.flatMap { $0 }.compactMap { shape in
            guard case .text(let text, let point, let lettering) = shape else { return nil }
            let width = Helvetica.width(text, size: lettering.size, isBold: lettering.isBold)
            let left =
                switch lettering.side {
                case .left: point.x
                case .middle: point.x - width / 2
                case .right: point.x - width
                }
            return Box(
                text: text, left: left, right: left + width, top: point.y - 0.72 * lettering.size, bottom: point.y)
        }
    }

    @Test("for random plans and long titles, no text leaves the sheet or overlaps another")
    func layout() throws {
        var numbers = Seeded(state: 5)
        for _ in 0..<300 {
            let words = ["Ἑλλάς", "🏃🏽‍♀️", "Marathon", "of", "Extraordinarilylongnameofarunwithoutanyspace", "ÄÖÜ"]
            var plan = randomPlan(&numbers)
            plan.title = (0..<Int.random(in: 0...12, using: &numbers)).compactMap { _ in
                words.randomElement(using: &numbers)
            }
            .joined(separator: " ")
            guard (try? PlanTable(plan)) != nil else { continue }
            let band = try Band(plan, every: nil, in: Bool.random(using: &numbers) ? .kilometers : .miles)
            let found = boxes(BandLayout.picture(of: band).picture)
            #expect(found.count > band.rows.count, "\(plan.text)")
            for (index, box) in found.enumerated() {
                #expect(box.left >= 85 && box.right <= 500 && box.top >= 85 && box.bottom <= 760, "\(box) \(plan.text)")
                for other in found[(index + 1)...] {
                    let overlaps =
                        box.left < other.right - 0.01 && other.left < box.right - 0.01 && box.top < other.bottom - 0.01
                        && other.top < box.bottom - 0.01
                    #expect(!overlaps, "\(box) \(other) \(plan.text)")
                }
            }
        }
    }

    @Test("a band has no English word in another language, and all its texts stay on the sheet")
    func translated() async {
        await #expect(processExitsWith: .success) {
            for language in Language.allCases where language != .en {
                speak(language)
                for text in ["run marathon in 3:45:00", "warm-up 10:00, run 5:00", "40x(run 0:30, walk 0:30)"] {
                    let boxes = BandTests().boxes(BandLayout.picture(of: try BandTests().band(text)).picture)
                    let words = Set(boxes.flatMap { $0.text.split(separator: " ") })
                    let english = ["time", "at", "end", "ends", "round", "part", "tape", "fold", "printed", "Cut"]
                    #expect(words.isDisjoint(with: english.map { $0[...] }), "\(language): \(words)")
                    #expect(boxes.allSatisfy { $0.left >= 85 && $0.right <= 500 }, "\(language): \(boxes)")
                }
            }
        }
    }

    @Test("type is always large enough to read at arm's length")
    func type() throws {
        for text in ["run marathon in 3:45:00", "run 100km @ 6:00/km", "40x(run 0:30, walk 0:30)", "run 5k in 25:00"] {
            let band = try band(text)
            let (_, size) = try #require(BandLayout.size(of: band.rows, band.headings))
            #expect(size >= 13.2)
        }
    }

    @Test("a file has the band, and losses are reported")
    func files() throws {
        let long = String(repeating: "a very long title ", count: 10)
        let title = "title: \(long)\nrun 5k in 25:00"
        for format in BandFormat.allCases {
            let writing = format.write(try band(title))
            #expect(
                writing.losses.count == 1 && writing.losses[0].hasSuffix("is cut, because the band has no more room"))
        }
        let pdf = BandFormat.pdf.write(try band("title: Ἑλλάς\nrun 5k in 25:00"))
        #expect(pdf.bytes.starts(with: Array("%PDF-".utf8)))
        #expect(pdf.losses == ["letters that the standard fonts of PDF lack are shown as ? (SVG has all)"])
        let svg = BandFormat.svg.write(try band("title: Ἑλλάς\nrun 5k in 25:00"))
        #expect(String(decoding: svg.bytes, as: UTF8.self).contains("Ἑλλάς") && svg.losses.isEmpty)
    }
}
