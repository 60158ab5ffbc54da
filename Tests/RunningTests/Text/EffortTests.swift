import Languages
import Running
import Scores
import Shared
import Testing

/// Shares of a threshold, zones, ranges and ramps of pace, and heart rates.
struct EffortTests {
    @Test(
        "an effort is read wherever a pace can stand, and its text reads back as the same",
        arguments: [
            ("run 5:00 @ 80%", Effort(.percent, 80), "80%"),
            ("run 5:00 at 78,5 - 82%", Effort(.percent, 78.5, to: 82), "78.5-82%"),
            ("run 5:00 60% to 80%", Effort(.percent, 60, to: 80, isRamp: true), "60% to 80%"),
            ("5:00 @ Z2 run", Effort(.zone, 2), "Z2"), ("run 1k @ z2-z3 pace", Effort(.zone, 2, to: 3), "Z2-Z3"),
            ("run 1k @ Z2 HR", Effort(.heartZone, 2), "Z2 HR"),
            ("run 1k @ 140-150bpm", Effort(.heartRate, 140, to: 150), "140-150 bpm"),
            ("run 1k @ 140 bpm", Effort(.heartRate, 140), "140 bpm"),
            ("run 1k @ 70%-80% HR", Effort(.percentOfMaximum, 70, to: 80), "70-80% HR"),
            ("run 1k in 5:00 @ 85% lthr", Effort(.percentOfThreshold, 85), "85% LTHR"),
            ("run until lap @ 80% about 2:00", Effort(.percent, 80), "80%"),
            ("run \"Hill\" 5:00 @ 100%", Effort(.percent, 100), "100%"),
        ])
    func reading(text: String, effort: Effort, written: String) throws {
        let read = try plan(text)
        #expect(read.written.map(\.effort) == [effort])
        #expect(effort.text == written)
        #expect(try plan(read.text) == read)
    }

    @Test("a comma after a zone begins the next interval")
    func zoneAndComma() throws {
        #expect(try plan("run 5:00 @ Z2,3:00 walk").written.map(\.text) == ["run 5:00 @ Z2", "walk 3:00"])
    }

    @Test("a range or a ramp of paces is written with one unit, or with both if they differ")
    func paces() throws {
        for text in ["5:00-5:10/km", "8:00-8:30/mi", "6:00/km to 5:00/km", "12.5-13.1km/h", "5:00/km - 10mph"] {
            let read = try plan("run 10:00 @ \(text)")
            let effort = try #require(read.written.first?.effort)
            #expect(effort.scale == .speed && effort.isRamp == text.contains("to"))
            #expect(try plan(read.text) == read)
        }
        #expect(try plan("run 10:00 @ 5:00-5:10/km").written[0].text == "run 10:00 @ 5:00-5:10/km")
        #expect(try plan("run 10:00 @ 5:00/km").written[0].effort == nil)
    }

    @Test(
        "a mistake in an effort is reported at its place",
        arguments: [
            ("run 5:00 @ 0%", "this must be 1 to 500", 11..<13), ("run 5:00 @ Z9", "this must be 1 to 7", 11..<13),
            ("run 5:00 @ 78-", "a range needs two values", 14..<14),
            ("run 5:00 @ 80%-5:00/km", "the two values have different units", 11..<22),
            ("run 5:00 @ 5:00-5:10", "the pace 5:00 has no unit", 11..<15),
            ("run 1k in 5:00 @ 80%", "the pace is given twice", 14..<20),
            ("run until lap @ 5:00/km @ 80%", "the pace is given twice", 23..<29),
            ("run until lap @ 80% @ 5:00/km", "the pace is given twice", 4..<29),
            ("run: 80%\nrun 1:00", "'run:' sets one pace, and not 80%", 5..<8),
            ("threshold: 4:00\nrun 1:00", "'threshold:' sets a pace, but this is a time", 11..<15),
            ("run 5:00 @ 300 bpm", "this must be 30 to 250", 11..<18),
        ])
    func faults(text: String, message: String, range: Range<Int>) throws {
        try expectFault(text, message, range)
    }

    @Test(
        "a share is that of the speed at the threshold; a zone is one of Friel's; a heart rate leaves the pace of its kind"
    )
    func threshold() throws {
        func seconds(_ interval: String, _ settings: String = "threshold: 5:00/km\n") throws -> Double? {
            let read = try plan(settings + "run: 6:00/km\n" + interval)
            return try PlanTable(read).total.time?.inSeconds
        }
        let same = { (a: Double?, b: Double) in a.map { agree($0, b) } ?? false }
        #expect(same(try seconds("run 1k @ 80%"), 375))
        #expect(same(try seconds("run 1k @ 78-82%"), 375))
        #expect(same(try seconds("run 1k @ 70% to 90%"), 375))
        #expect(same(try seconds("run 1k @ Z2"), 300 / 0.826))
        #expect(same(try seconds("run 1k @ Z2-Z3"), 300 / 0.859))
        #expect(same(try seconds("run 1k @ 5:00-5:10/km"), 305))
        #expect(same(try seconds("run 1k @ 6:00/km to 4:00/km"), 288))
        #expect(same(try seconds("run 1k @ 150 bpm"), 360))
        // Without a threshold, its time is unknown, whatever the pace of its kind is.
        #expect(try seconds("run 1k @ 80%", "") == nil)
        let unknown = try plan("run: 6:00/km\nrun 1k @ 80%")
        #expect(message { try unknown.score() }.contains("is a share of a threshold that is unknown"))
    }

    @Test("a plan with shares fits a total, and then has the paces that do; ramps stay ramps")
    func fitting() throws {
        let plan = try plan("threshold: 5:00/km\nrun 2k @ 80%, walk 1:00 @ 10:00/km, run 1k @ 70% to 90%")
        let target = Duration.seconds(20 * 60)
        let paced = try plan.paced(forTime: target)
        #expect(abs(try #require(try PlanTable(paced).total.time).inSeconds - 1200) < 1e-6)
        #expect(paced.written[0].effort == nil && paced.written[2].effort?.isRamp == true)
        let fitted = try plan.fitted(to: Distance(3.1, .kilometers), in: target)
        #expect(abs(try #require(try PlanTable(fitted).total.distance).meters - 3100) < 1e-3)
        let cut = try PlanTable(try Plan(runText: "threshold: 5:00/km\nrun 1k @ 80%, for 1.5k"))
        #expect(cut.rows.map(\.interval.text) == ["run 1km @ 80%", "run 500m @ 80%"])
        #expect(
            message { try Plan(runText: "run 1k @ 80%").paced(forTime: target) }.contains("a threshold that is unknown")
        )
        // With a threshold, it is the lap button that is in the way.
        let open = try Plan(runText: "threshold: 5:00/km\nrun until lap @ 80%\nevery 1km in run: \"x\"")
        #expect(
            message { try open.fitted(to: Distance(3, .kilometers), in: target) }.contains("ends with the lap button"))
    }

    @Test(
        "with the pace, the voice says the share, the range or the heart rate",
        arguments: [
            ("80%", "80 percent of the threshold, 6 minutes 15 per kilometer"),
            ("78-82%", "78 to 82 percent of the threshold, 6 minutes 15 per kilometer"),
            (
                "50% to 100%",
                "From 50 to 100 percent of the threshold, from 10 minutes per kilometer to 5 minutes per kilometer"
            ),
            ("Z2", "Zone 2, 6 minutes 3 seconds per kilometer"),
            ("140-150 bpm", "6 minutes per kilometer, heart rate 140 to 150"),
            ("5:00-5:10/km", "5 minutes per kilometer to 5 minutes 10 per kilometer"),
            ("70% HR", "6 minutes per kilometer, 70 percent of the maximum heart rate"),
            ("85% LTHR", "6 minutes per kilometer, 85 percent of the threshold heart rate"),
            ("Z3 HR", "6 minutes per kilometer, heart rate zone 3"),
        ])
    func spoken(effort: String, words: String) throws {
        let score = try plan("threshold: 5:00/km\nrun: 6:00/km\nrun 5:00 @ \(effort)").score()
        let announcement = try #require(score.lines.first?.bars.first?.details.announcement)
        #expect(Language.en.words(announcement, [.name, .pace], lasting: .seconds(300)) == "Run. \(words).")
    }

    @Test("without a threshold, the voice says the share in words; at another speed, only the pace")
    func spokenShare() throws {
        func words(_ text: String, _ factor: Double) throws -> String {
            let bar = try #require(try plan(text).score().lines.first?.bars.first)
            let announcement = try #require(bar.details.announcement)
            return Language.en.words(announcement, [.name, .pace], lasting: .seconds(300), factor: factor)
        }
        #expect(try words("run 5:00 @ 80%", 1) == "Run. 80 percent of the threshold.")
        #expect(try words("run 5:00 @ 80%", 2) == "Run.")
        #expect(try words("threshold: 5:00/km\nrun 5:00 @ 80%", 2) == "Run. 3 minutes 8 seconds per kilometer.")
    }

    @Test("a text that begins with a threshold is a plan, as with other settings")
    func likely() {
        #expect(Plan.isLikely("threshold: 5:00/km, run 1k @ 80%", settings: true))
        #expect(!Plan.isLikely("threshold: 5:00/km, run 1k @ 80%"))
    }

    @Test("an effort of random numbers reads back, and no text of an effort crashes")
    func random() throws {
        var numbers = Seeded(state: 8)
        for _ in 0..<500 {
            let scale = try #require(Effort.Scale.allCases.randomElement(using: &numbers))
            let whole = [.zone, .heartZone].contains(scale)
            func value() -> Double {
                let range: ClosedRange<Double> =
                    switch scale {
                    case .zone, .heartZone: 1...7
                    case .speed: 1...9
                    case .heartRate: 40...200
                    default: 10...120
                    }
                let value = Double.random(in: range, using: &numbers)
                return whole ? value.rounded() : (value * 8).rounded() / 8
            }
            let effort = Effort(scale, value(), to: value(), isRamp: Bool.random(using: &numbers))
            guard effort.first != effort.last else { continue }
            let again = try #require(try plan("run 1:00 @ \(effort.text)").written[0].effort)
            #expect(again.scale == effort.scale && again.isRamp == effort.isRamp)
            #expect(agree(again.first, effort.first) && agree(again.last, effort.last))
        }
        let pieces = [
            "run ", "1:00", " @ ", "80", "%", "-", " to ", "Z", "2", " HR", "bpm", "/km", ",", "5:00", "\u{2013}", "\n",
        ]
        for _ in 0..<3000 {
            let text = (0..<8).map { _ in pieces.randomElement(using: &numbers) ?? "" }.joined()
            let reading = Plan.read(Array(text.utf8))
            #expect((reading.plan == nil) == !reading.faults.isEmpty)
        }
    }
}
