import Running
import Scores
import Testing

struct PaceCalculatorTests {
    private func calculator(_ text: String, unit: DistanceUnit = .kilometers) throws -> PaceCalculator {
        PaceCalculator(try Run(runText: text), unit: unit)
    }

    /// The calculator as `barline pace` opens it.
    private func opened() throws -> PaceCalculator {
        var run = try Run(runText: "marathon in 4:00:00")
        run.lock(.time)
        return PaceCalculator(run)
    }

    private func press(_ keys: String, on calculator: inout PaceCalculator) {
        for key in keys {
            let pressed: CalculatorKey =
                switch key {
                case "\t": .tab
                case "\n": .enter
                case "^": .up
                case "v": .down
                case "<": .left
                case ">": .right
                case "~": .backspace
                case "!": .escape
                default: .character(key)
                }
            let goesOn = calculator.press(pressed)
            #expect(goesOn)
        }
    }

    @Test(
        "a common question takes eight keys or fewer, each of which leaves a valid run",
        arguments: [
            ("10\n930u\n", "10k @ 9:30/mi", Run.Quantity.time), ("5\nl2500\n", "5k in 25:00", .pace),
            ("half\n500", "half @ 5:00/km", .time), ("10k\n500\n", "10k @ 5:00/km", .time),
            ("1mi\n630\n", "1mi @ 6:30/km", .time),
        ])
    func questions(keys: String, asked: String, result: Run.Quantity) throws {
        #expect(keys.count <= 8)
        var calculator = try opened()
        for key in keys {
            press(String(key), on: &calculator)
            #expect(
                agree(
                    calculator.run.distance.meters, calculator.run.pace.metersPerSecond * calculator.run.time.inSeconds)
            )
        }
        let run = try Run(runText: asked)
        #expect(calculator.run.result == result)
        #expect(agree(calculator.run.distance.meters, run.distance.meters))
        guard calculator.entry == nil else { return }
        #expect(agree(calculator.run.time.inSeconds, run.time.inSeconds))
    }

    @Test(
        "a typed value is what was typed, in the unit of its row or its own",
        arguments: [
            ("\t", "0002500", "0:25:00"), ("\t", "2500", "0:25:00"), ("\t", "25:00", "0:25:00"),
            ("\t", "90", "0:01:30"),
            ("\t", "10203", "1:02:03"), ("\t", "1:02:03", "1:02:03"), ("\t", "90 min", "1:30:00"),
            ("\t", "9000", "1:30:00"), ("\t", "25:00,500", "(25:00.5)"), ("", "5,25", "0005.250 km"),
            ("\t", "99.58", "000:01:40    (1:39.58)"), ("u", "26.2", "0026.200 mi"), ("", "26.2mi", "0026.200 mi"),
            ("u", ".5", "0.5"), ("", "400m", "0000400 m "),
            ("", "half", "21.098"), ("", "half marathon", "21.098"), ("", "marathon", "42.195"),
            ("", "mile", "0001.000 mi"),
            ("", "mi~~marathon", "42.195"),
        ])
    func typed(way: String, text: String, shown: String) throws {
        var calculator = try calculator("5k in 25:00")
        press(way + text, on: &calculator)
        #expect(calculator.run == (try Run(runText: "5k in 25:00")), "nothing changes before Enter")
        press("\n", on: &calculator)
        #expect(calculator.message == "" && calculator.entry == nil)
        let row = calculator.lines(marks: ("", ""))[way == "\t" ? 1 : 0]
        #expect(row.contains(shown), "\(row)")
    }

    @Test("digits can be turned, and only the result changes with them")
    func digits() throws {
        var calculator = try calculator("marathon @ 6:00/km")
        #expect(calculator.run.result == .time)
        #expect(calculator.lines()[0] == "> " + "  distance  004[2].195 km   (26.219 mi)")
        press("<v", on: &calculator)
        #expect(calculator.run.distance.text(in: .kilometers) == "32.195 km")
        press("vv^>^^", on: &calculator)
        #expect(calculator.run.distance.text(in: .kilometers) == "24.195 km")
        #expect(calculator.run.pace.text(in: .perKilometer) == "6:00 /km")
        press("\t\tv", on: &calculator)
        #expect(calculator.run.pace.text(in: .perKilometer) == "5:00 /km")
        #expect(calculator.run.time.runText() == "2:00:59")
    }

    @Test(
        "a key that cannot do anything says why, and changes nothing",
        arguments: [
            ("5k in 25:00", "\t\t", "1", "this is the result; go to another row and press l to lock that one"),
            ("5k in 25:00", "\t\t", "^", "this is the result; go to another row and press l to lock that one"),
            ("5k in 25:00", "<<<", "v", "this is the limit"),
            ("5k @ 5:00/km", "\t\t5", "~0\n", "a pace must be more than 0:00"),
            ("99999k in 9000:00:00", "<<<<", "^", "a distance must be 1 mm to 100 000 km"),
            ("5k in 25:00", "\t", "u", "a time has only one unit"),
            ("5k in 25:00", "\t2575", "\n", "minutes and seconds after a larger number must be 0 to 59"),
            ("5k in 25:00", "1..2", "\n", "'1..2' is not a distance, for example 10k, 26.2mi or half"),
            ("5k in 25:00", "25:00", "\n", "'25:00' is not a distance"),
            ("5k in 25:00", "5,500", "\n", "'5,500' may be a decimal number or thousands; write 5.500 or 5500"),
            ("5k in 25:00", "5,500 km", "\n", "'5,500' may be a decimal number or thousands; write 5.500 or 5500"),
            ("5k in 25:00", "10min", "\n", "this is not a distance"),
            ("5k in 25:00", "\t12k", "\n", "this is not a time"),
            ("5k in 25:00", "\t0", "\n", "a time must be 1 ms to 10 000 h"),
            ("5k in 25:00", "9q", "\n", "'q' is not a unit"), ("5k in 25:00", ".", "\n", "'.' is not a distance"),
            ("5k in 25:00", "\t.", "\n", "'.' is not a time"), ("5k in 25:00", "\t5:75", "\n", ""),
        ] as [(String, String, String, String)])
    func refused(run: String, way: String, key: String, message: String) throws {
        var calculator = try calculator(run)
        press(way, on: &calculator)
        let before = calculator.run
        press(key, on: &calculator)
        #expect(calculator.run == before && calculator.message != "")
        #expect(
            calculator.message.hasPrefix(message) && calculator.lines()[3] == calculator.message,
            "\(calculator.message)")
    }

    @Test("a typed text can be corrected and abandoned, and shows how it is read")
    func entry() throws {
        var calculator = try calculator("5k in 25:00")
        press("\t25", on: &calculator)
        #expect(calculator.lines()[1] == "> " + "  time      25▏    (0:25)")
        #expect(calculator.lines()[4].contains("Esc leave it as it was"))
        press("~~", on: &calculator)
        #expect(calculator.entry == nil)
        press("31!", on: &calculator)
        let start = try Run(runText: "5k in 25:00")
        #expect(calculator.entry == nil && calculator.run == start)
        press(String(repeating: "1", count: 40), on: &calculator)
        #expect((calculator.entry?.count ?? 0) <= 24)
    }

    @Test("a result of any size is shown in full")
    func large() throws {
        #expect(try calculator("1k in 2:00:00").lines()[2].hasPrefix("  = pace      120:00 min/km"))
        #expect(try calculator("1m in 16:00").lines()[2].hasPrefix("  = pace      16000:00 min/km"))
        #expect(try calculator("9000k @ 1 km/h").lines()[1].hasPrefix("  = time      9000:00:00"))
        #expect(try calculator("9000:00:00 @ 10 km/h").lines()[0].hasPrefix("  = distance  90000.000 km"))
        #expect(try calculator("100m in 9.58s").lines()[1].hasSuffix("(0:09.58)"))
    }

    @Test("l locks the row as the result and goes to the next one; r starts again")
    func lock() throws {
        var calculator = try calculator("5k in 25:00")
        press("l", on: &calculator)
        #expect(calculator.run.result == .distance && calculator.focus == .time)
        press("\n400\n", on: &calculator)
        #expect(calculator.run.pace.text(in: .perKilometer) == "4:00 /km" && calculator.focus == .time)
        #expect(calculator.run.distance.text(in: .kilometers) == "6.25 km")
        press("r", on: &calculator)
        #expect(calculator.run == (try Run(runText: "5k in 25:00")))
    }

    @Test("the units of each quantity change independently, in a circle; a typed unit is that of its row")
    func units() throws {
        var calculator = try calculator("5k in 25:00")
        press("u", on: &calculator)
        #expect(calculator.distanceUnit == .miles && calculator.paceUnit == .perKilometer)
        press("\t\tuu", on: &calculator)
        #expect(calculator.paceUnit == .kilometersPerHour && calculator.distanceUnit == .miles)
        #expect(calculator.lines()[2].hasPrefix("> = pace      1[2].00 km/h   (5:00 /km"))
        press("\tl\n", on: &calculator)
        for (text, unit, pace) in [
            ("930/mi", PaceUnit.perMile, "9:30 /mi"), ("12km/h", .kilometersPerHour, "12 km/h"),
            ("6 mph", .milesPerHour, "6 mph"),
            ("3.5 m/s", .metersPerSecond, "3.5 m/s"), ("4:30/km", .perKilometer, "4:30 /km"),
        ] {
            press(text + "\n\n", on: &calculator)
            #expect(
                calculator.message == "" && calculator.paceUnit == unit && calculator.run.pace.text(in: unit) == pace)
        }
    }

    @Test("Tab goes to the next row in a circle, Shift-Tab to the previous one, and Enter passes over the result")
    func rows() throws {
        var calculator = try calculator("5k in 25:00")
        var focus: [Int?] = []
        for key in [CalculatorKey.tab, .tab, .tab, .backTab, .backTab, .enter, .enter] {
            _ = calculator.press(key)
            focus.append(calculator.lines().firstIndex { $0.hasPrefix(">") })
        }
        #expect(focus == [1, 2, 0, 2, 1, 0, 1])
    }

    @Test("after any keys, the rows show a valid run, of which a key has changed one value and the result at most")
    func random() throws {
        var numbers = Seeded(state: 30)
        var calculator = try calculator("5k in 25:00")
        let keys: [CalculatorKey] =
            [.up, .down, .left, .right, .tab, .backTab, .enter, .enter, .delete, .shiftUp]
            + "0123456789.:lur=xkmih/".map { .character($0) }
        var changes = 0
        for _ in 0..<40_000 {
            let key = keys.randomElement(using: &numbers) ?? .up
            let (before, focus) = (calculator.run, calculator.focus)
            let goesOn = calculator.press(key)
            #expect(goesOn)
            let run = calculator.run
            #expect(run.distance.isValid && run.pace.isValid && Run.timeRange.contains(run.time))
            #expect(agree(run.distance.meters, run.pace.metersPerSecond * run.time.inSeconds))
            if key != .character("r"), key != .character("l"), key != .character("="), run != before {
                changes += 1
                #expect(run.result == before.result && focus != run.result)
                let third = Run.Quantity.allCases.first { $0 != focus && $0 != run.result }
                switch third {
                case .distance: #expect(run.distance == before.distance)
                case .time: #expect(run.time == before.time)
                default: #expect(run.pace == before.pace)
                }
            }
            expectShown(calculator)
            // Abandons a text that has become too long to be a value.
            if (calculator.entry?.count ?? 0) > 8 { _ = calculator.press(.escape) }
        }
        #expect(changes > 500, "\(changes)")
        if calculator.entry != nil { _ = calculator.press(.escape) }
        let ends = [calculator.press(.character("q")), calculator.press(.escape)]
        #expect(ends == [false, false])
    }

    /// Each row that is not being typed shows the value of the run, rounded to its last digit.
    private func expectShown(_ calculator: PaceCalculator) {
        let run = calculator.run
        for (quantity, line) in zip(Run.Quantity.allCases, calculator.lines(marks: ("", ""))) {
            if calculator.entry != nil, quantity == calculator.focus { continue }
            let digits = line.dropFirst(14).prefix { $0 != " " }
            let parts = digits.split(separator: ":").compactMap { Double($0) }
            let shown = parts.reduce(0) { $0 * 60 + $1 }
            let (value, step): (Double, Double) =
                switch quantity {
                case .distance:
                    (run.distance.count(in: calculator.distanceUnit), calculator.distanceUnit == .meters ? 1 : 0.001)
                case .time: (run.time.inSeconds, 1)
                case .pace: (run.pace.value(in: calculator.paceUnit), calculator.paceUnit.isPace ? 1 : 0.01)
                }
            #expect((shown - value).magnitude <= step * 0.501, "\(line)")
        }
    }
}
