import Running
import Scores
import Shared
import Testing

struct RunTests {
    @Test("a mile is 1609.344 m, and five kilometers are 3.10685596118667 of them")
    func miles() {
        #expect(DistanceUnit.miles.meters == 1609.344)
        #expect(agree(Distance(5, .kilometers).count(in: .miles), 3.10685596118667, within: 1e-14))
        #expect(Distance.marathon.meters == 42_195)
        #expect(Distance.halfMarathon.meters == 21_097.5)
    }

    @Test(
        "results that runners know by heart are right",
        arguments: [
            ("5mi @ 5mph", "5 mi", "1:00:00", "12:00 /mi"), ("5mi in 1:00:00", "5 mi", "1:00:00", "12:00 /mi"),
            ("26.2mi in 5:45:00", "26.2 mi", "5:45:00", "13:10 /mi"),
            ("26.2mi @ 10:00/mi", "26.2 mi", "4:22:00", "10:00 /mi"),
            ("5k in 25:00", "3.107 mi", "25:00", "8:03 /mi"),
        ])
    func known(text: String, distance: String, time: String, pace: String) throws {
        let run = try Run(runText: text)
        #expect(run.distance.text(in: .miles) == distance)
        #expect(run.time.runText() == time)
        #expect(run.pace.text(in: .perMile) == pace)
    }

    @Test("any two values give the third, from which each of the two follows within 1e-9")
    func roundTrips() throws {
        var numbers = Seeded(state: 1)
        for _ in 0..<5_000 {
            let distance = Distance(meters: numbers.number(1...1e6))
            let pace = Pace(metersPerSecond: numbers.number(0.1...20))
            let byPace = try Run(distance, at: pace)
            #expect(agree(try Run(byPace.distance, in: byPace.time).pace.metersPerSecond, pace.metersPerSecond))
            #expect(agree(try Run(byPace.time, at: pace).distance.meters, distance.meters))
            let time = Duration.milliseconds(Int(numbers.number(1000...1e8)))
            guard let byTime = try? Run(distance, in: time) else { continue }
            #expect(agree(try Run(distance, at: byTime.pace).time.inSeconds, time.inSeconds))
            #expect(agree(try Run(time, at: byTime.pace).distance.meters, distance.meters))
        }
    }

    @Test("a value converted to any unit and back stays the same within 1e-9")
    func units() {
        var numbers = Seeded(state: 2)
        for _ in 0..<2_000 {
            let number = numbers.number(0.01...1000)
            for unit in DistanceUnit.allCases {
                #expect(agree(Distance(number, unit).count(in: unit), number))
            }
            for unit in PaceUnit.allCases { #expect(agree(Pace(number, unit).value(in: unit), number)) }
        }
    }

    @Test("setting a value changes only it and the result")
    func locked() throws {
        var numbers = Seeded(state: 3)
        var run = try Run(Distance(10, .kilometers), in: .seconds(3000))
        for _ in 0..<5_000 {
            run.lock(Run.Quantity.allCases.randomElement(using: &numbers) ?? .pace)
            let before = run
            let distance = Distance(meters: numbers.number(100...100_000))
            let time = Duration.seconds(Int(numbers.number(60...90_000)))
            let pace = Pace(metersPerSecond: numbers.number(0.5...10))
            switch Run.Quantity.allCases.randomElement(using: &numbers) ?? .pace {
            case .distance:
                guard (try? run.set(distance)) != nil else { continue }
                #expect(run.distance == distance)
                #expect(run.time == before.time || run.result == .time)
                #expect(run.pace == before.pace || run.result == .pace)
            case .time:
                guard (try? run.set(time)) != nil else { continue }
                #expect(run.time == time)
                #expect(run.distance == before.distance || run.result == .distance)
                #expect(run.pace == before.pace || run.result == .pace)
            case .pace:
                guard (try? run.set(pace)) != nil else { continue }
                #expect(run.pace == pace)
                #expect(run.distance == before.distance || run.result == .distance)
                #expect(run.time == before.time || run.result == .time)
            }
            #expect(run.result == before.result)
            #expect(agree(run.distance.meters, run.pace.metersPerSecond * run.time.inSeconds))
        }
    }

    @Test("locking another value changes no value, and the result cannot be set")
    func lock() throws {
        var run = try Run(.marathon, in: .seconds(4 * 3600))
        let before = run
        for quantity in Run.Quantity.allCases {
            run.lock(quantity)
            #expect(run.distance == before.distance)
            #expect(run.time == before.time)
            #expect(run.pace == before.pace)
            let message = message {
                switch quantity {
                case .distance: try run.set(Distance.halfMarathon)
                case .time: try run.set(Duration.seconds(1))
                case .pace: try run.set(Pace(metersPerSecond: 1))
                }
            }
            #expect(message == "the \(quantity.rawValue) is the result of the other two; to set it, lock another one")
        }
    }

    @Test("impossible values of a run are refused, and change nothing")
    func ranges() throws {
        var run = try Run(Distance(5, .kilometers), in: .seconds(1500))
        let before = run
        #expect(message { try run.set(Distance(meters: .nan)) } == "a distance must be 1 mm to 100 000 km")
        #expect(message { try run.set(Distance(meters: -1)) } == "a distance must be 1 mm to 100 000 km")
        #expect(message { try run.set(Duration.zero) } == "a time must be 1 ms to 10 000 h")
        #expect(message { try run.set(Duration.seconds(1)) } == "the resulting speed is not 0.001 to 100 m/s")
        #expect(run == before)
        #expect(
            message { try Run(.marathon, at: Pace(metersPerSecond: .infinity)) }
                == "the resulting time is not 1 ms to 10 000 h")
    }

    @Test("a run can have the limits of its ranges, and nothing beyond")
    func ends() throws {
        for (meters, isTaken) in [
            (0.001, true), (0.001.nextDown, false), (1e8, true), (1e8.nextUp, false), (.infinity, false),
        ] { #expect(Distance(meters: meters).isValid == isTaken) }
        for (speed, isTaken) in [
            (0.001, true), (0.001.nextDown, false), (100, true), (100.0.nextUp, false), (.nan, false),
        ] { #expect(Pace(metersPerSecond: speed).isValid == isTaken) }
        let pace = Pace(metersPerSecond: 2)
        for time in [Duration.milliseconds(1), .seconds(36_000_000)] { #expect(try Run(time, at: pace).time == time) }
        for time in [Duration.microseconds(999), .seconds(36_000_000) + .nanoseconds(1)] {
            #expect(message { try Run(time, at: pace) }.contains("1 ms to 10 000 h"))
        }
    }

    @Test("infinite and extreme durations are clamped")
    func durations() {
        let limit = Duration.seconds(Int64(1) << 58)
        for (seconds, duration) in [
            (.infinity, limit), (-.infinity, .zero - limit), (1e300, limit), (-1e300, .zero - limit),
            (1.5, .milliseconds(1500)),
        ] as [(Double, Duration)] { #expect(Duration(inSeconds: seconds) == duration) }
    }

    @Test("numbers are rounded to nearest, halves away from zero, in spite of floating-point errors")
    func rounding() throws {
        #expect(Pace(.milliseconds(790_500), per: .miles).text(in: .perMile) == "13:11 /mi")
        #expect(Pace(.milliseconds(790_499), per: .miles).text(in: .perMile) == "13:10 /mi")
        #expect(Duration.milliseconds(59_500).runText() == "1:00")
        #expect(Duration.milliseconds(3_599_499).runText() == "59:59")
        #expect(Distance(meters: 1000.5).text(in: .meters) == "1001 m")
        #expect(Distance(meters: 0.1 * 3 * 5000).text(in: .kilometers) == "1.5 km")
        #expect(Pace(1.005, .metersPerSecond).text(in: .metersPerSecond) == "1.01 m/s")
        #expect(Pace(12, .kilometersPerHour).text(in: .kilometersPerHour) == "12 km/h")
    }
}
