import Running
import Scores
internal import Testing

/// Values that readers refuse, but that a program can create.
@Suite struct HandMadeTests {
    static let durations: [Duration] = [
        Duration(attoseconds: .min), .seconds(-1), .zero, .seconds(1), Duration(attoseconds: .max),
    ]
    static let distances = [-Double.infinity, -1, 0, 1, 1e300, .nan].map { Distance(meters: $0) }
    static let counts = [Int.min, -1, 0, 3, .max]

    @Test("a plan that a program builds never traps, whatever its values", arguments: durations, distances)
    func plan(time: Duration, distance: Distance) {
        let pace = Pace(distance, in: time)
        let intervals = [
            Interval(.run, .time(time)), Interval(.walk, .distance(distance)), Interval(.rest, .time(time)),
            Interval(.run, .open(OpenEnd(about: time, pace: pace))),
        ]
        for count in Self.counts {
            let parts = [Plan.Part.group(count, [.group(count, intervals.map { .interval($0) })])]
            for length in [Plan.Length.once, .forever, .time(time), .distance(distance)] {
                let plan = Plan(parts, paces: [.run: pace, .walk: pace], length: length, countIn: time, cadence: count)
                _ = (try? PlanTable(plan), try? plan.score(), try? plan.writtenOut(), plan.extent(plan.parts))
                _ = (try? Filling(time, with: plan), try? Filling(distance, with: plan))
                _ = (try? plan.runPace(forTime: time), try? plan.fitted(to: distance, in: time))
            }
        }
    }

    @Test(
        "a run, split or prediction that a program builds never traps, whatever its values", arguments: durations,
        distances)
    func run(time: Duration, distance: Distance) throws {
        let pace = Pace(distance, in: time)
        _ = (try? Run(distance, in: time), try? Run(distance, at: pace), try? Run(time, at: pace))
        var splits = try Splits(Run(Distance(meters: 1000), in: .seconds(300)), every: Distance(meters: 100))
        try? splits.change(3, by: time)
        try? splits.progress(by: time)
        for number in Self.counts { try? splits.change(number, by: time) }
        _ = try? Splits(Run(Distance(meters: 1000), in: .seconds(300)), every: distance)
        for race in MagicMile.Race.allCases {
            _ = MagicMile(time).pace(race, at: Heat(celsius: distance.meters))
            _ = MagicMile(time).longRunPace(at: Heat(fahrenheit: distance.meters))
        }
        _ = RunWalkRatio.ratios(for: pace)
        for decimals in Self.counts {
            _ = (time.runText(decimals: decimals), time.seconds(decimals: decimals), time.clock(decimals: decimals))
            for unit in DistanceUnit.allCases { _ = distance.text(in: unit, decimals: decimals) }
            for unit in PaceUnit.allCases { _ = pace.text(in: unit, decimals: decimals) }
        }
        _ = (distance.exactText, pace.exactText, time.exactSeconds, time.clock)
    }
}
