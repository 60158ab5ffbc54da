import Running
import Scores
import Shared
import Testing

struct RunTextTests {
    @Test(
        "two of distance, time and pace are a run, in any notation",
        arguments: [
            "26.2mi @ 10:00/mi", "26.2 mi @ 10:00 /mi", "26.2mi 10:00/mi", "10:00/mi 26.2mi",
            "26.2 miles at 10:00/mile",
            "26.2mi, 10:00 min/mi", "26.2mi @ 6mph", "26.2mi @ 10 min/mi", "26.2mi @ 6 mi/h", "4:22:00 @ 10:00/mi",
            "26.2mi in 4h22", "26.2mi in 4h22min", "26.2mi in 262 min", "  26.2mi  in  15720s ",
            "10:00 per mile, 26.2mi",
        ])
    func same(text: String) throws {
        let run = try Run(runText: text)
        #expect(agree(run.distance.count(in: .miles), 26.2))
        #expect(agree(run.time.inSeconds, 15720))
        #expect(agree(run.pace.value(in: .perMile), 600))
    }

    @Test(
        "hours, minutes and seconds can be written together without blanks",
        arguments: [
            ("1h30", 5400), ("1h30min", 5400), ("1h30min15s", 5415), ("1h30m15", 5415), ("2min5s", 125), ("2min5", 125),
            ("1h", 3600), ("3h0min1s", 10_801),
        ])
    func composed(text: String, seconds: Int) throws {
        #expect(try Duration(runText: text) == .seconds(seconds))
    }

    @Test(
        "a comma between digits is a decimal sign where it can mean nothing else",
        arguments: [
            ("5,5 km in 30:00", 5500, 1800), ("0,5km @ 5:00/km", 500, 150), ("10 km @ 12,5 km/h", 10_000, 2880),
            ("100m in 9,58 s", 100, 9.58), ("100m in 0:09,58", 100, 9.58), ("1k 4:30,5/km", 1000, 270.5),
            ("21,0975 km, 1:45:00", 21_097.5, 6300), ("5,25 mi 10:00/mi", 8449.056, 3150),
        ] as [(String, Double, Double)])
    func decimalComma(text: String, meters: Double, seconds: Double) throws {
        let run = try Run(runText: text)
        #expect(agree(run.distance.meters, meters) && agree(run.time.inSeconds, seconds))
    }

    @Test("in a plan, a comma between complete parts separates them, and decimals belong to their number")
    func commaInPlans() throws {
        let both = try plan("run 5,5km @ 5:00/km,1:30,400m @ 4:00/km,2x(run 0:30,walk 0:30)")
        #expect(
            both.parts.map(\.text)
                == ["run 5.5km @ 5:00/km", "run 1:30", "run 400m @ 4:00/km", "2x(run 0:30, walk 0:30)"])
        #expect(try plan("run 1:30,5x400m @ 4:00/km").parts.count == 2)
        #expect(try plan("run 1:30,5k @ 4:00/km").parts.count == 2)
        #expect(try plan("run 1:30,5:00").parts.count == 2)
        #expect(try plan("run 1:30,5, walk 1:00").parts.first?.text == "run 1:30.5")
        let thousands = faults("run 10,000m @ 5:00/km")
        #expect(
            thousands.contains("'10,000' may be a decimal number or thousands; write 10.000 or 10000 with its unit"))
        #expect(thousands.components(separatedBy: "error").count == 2, "\(thousands)")
    }

    @Test("a group with a wrong count is one error")
    func wrongCount() {
        let text = faults("0x(run 1:00, walk 1:00), run 5:00")
        #expect(text.contains("1 to 10 000 times") && text.components(separatedBy: "error").count == 2, "\(text)")
    }

    @Test(
        "a run that nobody runs is questioned with what was probably meant",
        arguments: [
            ("10k 5:30", "nobody has run this distance so fast; did you mean 10k @ 5:30/km?"),
            ("5k in 5:30", "nobody has run this distance so fast; did you mean 5k @ 5:30/km?"),
            ("marathon in 3:45", "the resulting speed is not 0.001 to 100 m/s; did you mean marathon in 3:45:00?"),
            ("half in 1:45", "the resulting speed is not 0.001 to 100 m/s; did you mean half in 1:45:00?"),
            ("10k @ 1:00/km", "nobody has run this distance so fast"), ("1k in 2:11", nil), ("100m in 9.4s", nil),
            ("marathon in 2:00:00", nil), ("10k in 26:00", nil), ("60m in 5.5s", nil), ("5mi in 25:00", nil),
            ("10k in 20:00", "nobody has run this distance so fast; did you mean 10k @ 20:00/km?"),
        ] as [(String, String?)])
    func questioned(text: String, question: String?) throws {
        do {
            #expect(try Run.read(text).note?.description == question)
        } catch { #expect(error.description == question) }
    }

    @Test(
        "a mistake is reported at its place",
        arguments: [
            ("5k in 25", 6..<8, "'25' has no unit"), ("5k", 2..<2, "expected a distance, time or pace"),
            ("5k in 10k", 6..<9, "this is a second distance"), ("5q in 25:00", 1..<2, "'q' is not a unit"),
            ("-5k in 25:00", 0..<3, "a distance, time or pace cannot be negative"),
            ("5k in 25:99", 6..<11, "the minutes and seconds"),
            ("5k in 0:00", 6..<10, "a time must be 1 ms to 10 000 h"),
            ("5k @ 0:00/km", 5..<9, "a pace must be more than 0:00"),
            ("5k @ 5:00/ft", 10..<12, "a pace must be per kilometer or mile"),
            ("5k in 25:00 x", 12..<13, "give only two of distance"),
            ("100km in 0:01", 0..<13, "the resulting speed is not 0.001 to 100 m/s"),
            ("1.2.3k in 25:00", 0..<5, "'1.2.3' is not a number"),
            ("fast", 0..<4, "expected a distance, time or pace"),
            ("5k @ 5/km", 5..<6, "a pace must be in minutes and seconds"),
            ("1h75 6mph", 2..<4, "minutes or seconds after a larger unit"),
        ])
    func pointed(text: String, range: Range<Int>, message: String) {
        do throws(Problem) {
            let run = try Run(runText: text)
            Issue.record("\(text) is \(run)")
        } catch {
            #expect(error.range == range)
            #expect(error.description.hasPrefix(message), "\(error)")
        }
    }

    @Test(
        "every unit of distance can be written as runners do",
        arguments: [
            (["400m", "400 meters", "400 meter", "0.4k", "0.4 km", "0.4 kilometers", "0.4 kilometer"], 400.0),
            (["1mi", "1 mile", "1.0 miles"], 1609.344), (["half", "half-marathon", "HALF"], 21_097.5),
            (["marathon"], 42_195),
        ] as [([String], Double)])
    func distances(texts: [String], meters: Double) throws {
        for text in texts { #expect(agree(try Distance(runText: text).meters, meters), "\(text)") }
    }

    @Test("every unit of time and pace can be written as runners do")
    func timesAndPaces() throws {
        for text in ["90s", "90 sec", "90 seconds", "1:30", "1.5 min", "1.5 minutes", "1min30s", "1min30sec", "0.025h"]
        {
            #expect(try Duration(runText: text) == .seconds(90), "\(text)")
        }
        for text in ["2h", "2 hours", "2 hrs", "120 mins", "2h0", "2h0min"] {
            #expect(try Duration(runText: text) == .seconds(7200), "\(text)")
        }
        for text in [
            "5:00/km", "5:00 / k", "5:00 per km", "5 min/km", "5:00min/km", "12km/h", "12 k/h", "12 kph", "12kmh",
        ] {
            #expect(agree(try Pace(runText: text).metersPerSecond, 12 / 3.6), "\(text)")
        }
        for text in ["6mph", "6 mi/h", "10:00/mi", "10:00 per mile", "10 min/mi", "2.68224 m/s"] {
            #expect(agree(try Pace(runText: text).metersPerSecond, 2.68224), "\(text)")
        }
        #expect(try Duration(runText: "1h59min59s") == .seconds(7199))
    }

    @Test(
        "a text with a single quantity is read, if it has the right kind",
        arguments: [
            ("5k", "this is a distance, not a time"), ("1:00 x", "unexpected text after a time"),
            ("1h60", "minutes or seconds after a larger unit must be 0 to 59"),
            ("1min60", "minutes or seconds after a larger unit must be 0 to 59"),
            ("1h30km", "'30km' does not continue a time"), ("1..5min", "'1..5' is not a number"),
            ("1.min", "'1.' is not a number"), ("", "expected a distance, time or pace"),
        ])
    func single(text: String, expected: String) {
        let found = message { try Duration(runText: text) }
        #expect(found.hasPrefix(expected), "\(found)")
    }

    @Test("the error about an unknown unit of pace says which units are valid")
    func noPace() {
        for text in ["5 km/s", "5 m/h", "5 mi/s"] {
            #expect(message { try Pace(runText: text) }.contains("is not a unit of pace or speed; write min/km"))
        }
    }

    @Test("an error has its line and column, with any line ending")
    func places() {
        for end in ["\n", "\r\n", "\r"] {
            let found = faults(["run 1:00", "", "run 1:0x, run 5q"].joined(separator: end))
            #expect(found.hasPrefix("plan:3:"), "\(found)")
            #expect(found.contains("plan:3:16: error: 'q' is not a unit"), "\(found)")
            #expect(found.contains("\nrun 1:0x, run 5q\n               ^"), "\(found)")
        }
    }

    @Test("a run written as text reads back as the same run")
    func written() throws {
        var numbers = Seeded(state: 8)
        for _ in 0..<3_000 {
            var run = try Run(
                Distance(meters: numbers.number(1...1e5)), at: Pace(metersPerSecond: numbers.number(0.1...20)))
            run.lock(Run.Quantity.allCases.randomElement(using: &numbers) ?? .time)
            let again = try Run(runText: run.text)
            #expect(again.result == run.result)
            #expect(agree(again.distance.meters, run.distance.meters))
            #expect(agree(again.time.inSeconds, run.time.inSeconds))
            #expect(agree(again.pace.metersPerSecond, run.pace.metersPerSecond))
        }
    }
}
