import Running
import Testing

struct PaceCalculatorTests {
    private func calculator(_ text: String, unit: DistanceUnit = .kilometers) throws -> PaceCalculator {
        PaceCalculator(try Run(runText: text), unit: unit)
    }

    private func press(_ keys: String, on calculator: inout PaceCalculator) {
        for key in keys {
            let pressed: CalculatorKey =
                switch key {
                case "\t": .tab
                case "^": .up
                case "v": .down
                case "<": .left
                case ">": .right
                default: .character(key)
                }
            let goesOn = calculator.press(pressed)
            #expect(goesOn)
        }
    }

    @Test("digits can be typed or turned, and only the result changes with them")
    func digits() throws {
        var calculator = try calculator("marathon @ 6:00/km")
        #expect(calculator.run.result == .time)
        #expect(calculator.lines()[0] == "> " + "  distance  004[2].195 km   (26.219 mi)")
        press("<1", on: &calculator)
        #expect(calculator.run.distance.text(in: .kilometers) == "12.195 km")
        press("^^", on: &calculator)
        #expect(calculator.run.distance.text(in: .kilometers) == "14.195 km")
        #expect(calculator.run.time.runText() == "1:25:10")
        #expect(calculator.run.pace.text(in: .perKilometer) == "6:00 /km")
        press("\t\tv", on: &calculator)
        #expect(calculator.run.pace.text(in: .perKilometer) == "5:00 /km")
        #expect(calculator.lines()[1] == "  = time      001:10:59 ")
    }

    @Test(
        "a key that would make the run invalid says why, and leaves digit and cursor unchanged",
        arguments: [
            // Tens of minutes; the result; a pace of zero; the limits of a field; a unit of time.
            ("5k in 25:00", "\t<", "7", 1, "000:[2]5:00", "this digit must be 0 to 5"),
            (
                "5k in 25:00", "\t\t", "1", 2, "0[5]:00",
                "this is the result; go to another row and press l to lock that one"
            ),
            ("5k @ 5:00/km", "\t\t", "0", 2, "0[5]:00", RunError.pace(isResult: false).description),
            ("5k in 25:00", "<<<", "v", 0, "[0]005.000", "this is the limit"),
            ("9000k in 900:00:00", "<<<", "^", 0, "[9]000.000", "this is the limit"),
            ("5k in 25:00", "\t", "u", 1, "000:2[5]:00", "a time has only one unit"),
        ])
    func refused(run: String, way: String, key: String, row: Int, shown: String, message: String) throws {
        var calculator = try calculator(run)
        press(way, on: &calculator)
        #expect(calculator.lines()[row].contains(shown) && calculator.message == "")
        press(key, on: &calculator)
        #expect(calculator.lines()[row].contains(shown))
        #expect(calculator.message == message && calculator.lines()[3] == message)
    }

    @Test("typing a digit moves to the next one, and the cursor stays within its row")
    func cursor() throws {
        var calculator = try calculator("5k in 25:00")
        press("\t<", on: &calculator)
        for (key, shown) in [
            ("3", "000:3[5]:00"), ("6", "000:36:[0]0"), ("1", "000:36:1[0]"), ("2", "000:36:1[2]"),
            (">", "000:36:1[2]"), ("<<<<<<<<", "[0]00:36:12"),
        ] {
            press(key, on: &calculator)
            #expect(calculator.lines()[1].contains(shown), "\(key)")
        }
    }

    @Test("the result can be changed only after another value is locked")
    func lock() throws {
        var calculator = try calculator("5k in 25:00")
        press("\t\t1", on: &calculator)
        #expect(calculator.message.hasPrefix("this is the result"))
        #expect(calculator.run == (try Run(runText: "5k in 25:00")))
        press("\tl", on: &calculator)
        #expect(calculator.run.result == .distance)
        press("\t\tv", on: &calculator)
        #expect(calculator.run.pace.text(in: .perKilometer) == "4:00 /km")
        #expect(calculator.run.distance.text(in: .kilometers) == "6.25 km")
        press("r", on: &calculator)
        #expect(calculator.run == (try Run(runText: "5k in 25:00")))
    }

    @Test("the units of each quantity change independently, in a circle")
    func units() throws {
        var calculator = try calculator("5k in 25:00")
        press("u", on: &calculator)
        #expect(calculator.distanceUnit == .miles && calculator.paceUnit == .perKilometer)
        press("\t\tuu", on: &calculator)
        #expect(calculator.paceUnit == .kilometersPerHour && calculator.distanceUnit == .miles)
        #expect(calculator.lines()[2].hasPrefix("> = pace      1[2].00 km/h   (5:00 /km"))
    }

    @Test("Tab goes to the next row in a circle, Shift-Tab to the previous one")
    func rows() throws {
        var calculator = try calculator("5k in 25:00")
        var focus: [Int?] = []
        for key in [CalculatorKey.tab, .tab, .tab, .backTab, .backTab] {
            _ = calculator.press(key)
            focus.append(calculator.lines().firstIndex { $0.hasPrefix(">") })
        }
        #expect(focus == [1, 2, 0, 2, 1])
    }

    @Test("every unit has its own digits: meters have no decimals, speeds two")
    func digitsOfUnits() throws {
        let meters = try calculator("5k in 25:00", unit: .meters)
        #expect(meters.lines()[0] == "> " + "  distance  000[5]000 m   (5 km, 3.107 mi)")
        var speed = try calculator("5k @ 5:00/km")
        press("\t\tuu", on: &speed)
        #expect(speed.lines()[2].hasPrefix(">   pace      1[2].00 km/h"))
        press("^", on: &speed)
        #expect(speed.run.pace.text(in: .kilometersPerHour) == "13 km/h")
        press(">5", on: &speed)
        #expect(speed.run.pace.text(in: .kilometersPerHour) == "13.5 km/h")
    }

    @Test("after any keys, the calculator shows a valid run")
    func random() throws {
        var numbers = Seeded(state: 30)
        var calculator = try calculator("5k in 25:00")
        let keys: [CalculatorKey] =
            [.up, .down, .left, .right, .tab, .backTab, .enter, .delete] + "0123456789lur=x".map { .character($0) }
        for _ in 0..<20_000 {
            let goesOn = calculator.press(keys.randomElement(using: &numbers) ?? .up)
            #expect(goesOn)
            let run = calculator.run
            #expect(run.distance.isValid && run.pace.isValid && Run.timeRange.contains(run.time))
            #expect(agree(run.distance.meters, run.pace.metersPerSecond * run.time.inSeconds))
            #expect(calculator.lines().count == 5)
        }
        let ends = [calculator.press(.character("q")), calculator.press(.escape)]
        #expect(ends == [false, false])
    }
}
