import Running
import Scores
import Shared
import Testing

struct PlanTests {
    @Test("a total equals the sum of its rows, and a running total the sum of all rows so far")
    func totals() throws {
        var numbers = Seeded(state: 4)
        for _ in 0..<300 {
            let plan = randomPlan(&numbers)
            let table = try PlanTable(plan)
            var (time, distance) = (Duration.zero, 0.0)
            for (index, row) in table.rows.enumerated() {
                #expect(row.number == index + 1)
                #expect(row.start == time)
                time += try #require(row.extent.time)
                distance += try #require(row.extent.distance).meters
                #expect(row.total.time == time)
                #expect(agree(try #require(row.total.distance).meters, distance))
            }
            #expect(table.total == table.rows.last?.total)
            #expect(table.total.time == time)
            let whole = plan.extent(plan.parts)
            #expect(whole.time == table.total.time)
            #expect(agree(try #require(whole.distance).meters, distance))
            if let pace = table.total.pace { #expect(agree(pace.metersPerSecond, distance / time.inSeconds)) }
        }
    }

    @Test("four times run and walk plus a walk, for two hours, gives 24 sets of 9 intervals and exactly two hours")
    func twoHours() throws {
        let table = try PlanTable(plan("4 × (0:30 run, 0:30 walk), 1:00 walk, for 2 hours"))
        #expect(table.rows.count == 216)
        #expect(table.rows.last?.set == 24)
        #expect(table.total.time == .seconds(7200))
        for row in table.rows {
            let place = (row.number - 1) % 9
            let isWalk = place == 8 || place % 2 == 1
            #expect(row.interval.kind == (isWalk ? Interval.Kind.walk : .run))
            let seconds = 300 * ((row.number - 1) / 9) + 30 * place
            #expect(row.start == .seconds(seconds))
        }
    }

    @Test(
        "a plan for a time or a distance has exactly that length: the last interval is cut, warm-up and cool-down come once"
    )
    func cut() throws {
        let table = try PlanTable(plan("warm-up 5:00, run 4:00, walk 1:00, cool-down 5:00, for 30:30"))
        #expect(table.total.time == .seconds(1830))
        let kinds: [Interval.Kind] = table.rows.map(\.interval.kind)
        let framing = kinds.filter { $0 != .run && $0 != .walk }
        #expect(framing == [.warmUp, .coolDown])
        let written: [Int] = table.rows.map(\.written)
        #expect(written.first == 0 && written.last == 3)
        #expect(written.dropFirst().dropLast().enumerated().allSatisfy { $1 == 1 + $0 % 2 })
        #expect(table.rows.dropLast().last?.extent.time == .seconds(30))
        let way = try PlanTable(plan("run: 5:00/km\nwalk: 10:00/km\nrun 4:00\nwalk 1:00\nfor 5k"))
        #expect(agree(try #require(way.total.distance).meters, 5000))
        var numbers = Seeded(state: 5)
        for _ in 0..<200 {
            var plan = randomPlan(&numbers)
            let time = Duration.seconds(Int.random(in: 60...36_000, using: &numbers))
            plan.length = .time(time)
            if let table = try? PlanTable(plan) { #expect(table.total.time == time) }
            let distance = Distance(meters: Double(Int.random(in: 1000...42_195, using: &numbers)))
            plan.length = .distance(distance)
            if let table = try? PlanTable(plan), let way = table.total.distance {
                #expect(agree(way.meters, distance.meters))
            }
        }
    }

    @Test(
        "every row refers to its written interval and its set",
        arguments: [
            ("", [0, 1, 2, 1, 2, 3, 4, 5, 5], [1, 2, 2, 3, 3, 4, 4, 5, 6]),
            (", for 0:50", [0, 1, 2, 1, 2], [1, 1, 1, 1, 1]),
            (", for 1:40", [0, 1, 2, 1, 2, 3, 4, 5, 5, 0], [1, 1, 1, 1, 1, 1, 1, 1, 1, 2]),
        ])
    func written(length: String, indices: [Int], sets: [Int]) throws {
        let text = "run 0:10, 2x(walk 0:10, run 0:10), rest 0:10, walk 0:10, 2x(run 0:10)"
        let plan = try plan(text + length)
        let rows = try PlanTable(plan).rows
        #expect(rows.map(\.written) == indices && rows.map(\.set) == sets)
        #expect(rows.allSatisfy { plan.written[$0.written].kind == $0.interval.kind })
    }

    @Test("unknown values stay unknown, and a rest without a pace covers no distance")
    func unknown() throws {
        let table = try PlanTable(plan("run 1:00, walk 0:30"))
        #expect(table.total == Extent(time: .seconds(90)))
        let rest = try PlanTable(plan("400m in 1:30, rest 1:00"))
        #expect(rest.total.distance?.meters == 400)
        #expect(rest.total.time == .seconds(150))
    }

    @Test("whole sets and the remainder add up to the target, and one more set would not fit")
    func filling() throws {
        let set = try plan("run: 10:00/mi\nwalk: 15:00/mi\n4x(run 1:00, walk 0:30), walk 1:00")
        var numbers = Seeded(state: 6)
        for _ in 0..<500 {
            let distance = Distance(meters: numbers.number(10...1e6))
            let filling = try Filling(distance, with: set)
            let each = try #require(set.extent(set.parts).distance)
            let left = try #require(filling.distanceLeft)
            #expect(agree(each.meters * Double(filling.repetitions) + left.meters, distance.meters))
            #expect(left < each && left.meters >= 0)
            let time = Duration.seconds(Int(numbers.number(1...1e6)))
            let timed = try Filling(time, with: set)
            #expect(timed.used.time.map { $0 + (timed.timeLeft ?? .zero) } == time)
            #expect(try #require(timed.timeLeft) < .seconds(420))
        }
        #expect(try Filling(.seconds(7200), with: plan("4x(run 0:30, walk 0:30), walk 1:00")).repetitions == 24)
        #expect(try Filling(Distance(5, .kilometers), with: plan("run 0.1km @ 5:00/km")).repetitions == 50)
        // A rest fills no distance.
        #expect(throws: PlanError.nothingRepeats) {
            try Filling(Distance(5, .kilometers), with: RunningTests.plan("rest 1:00"))
        }
    }

    @Test("the rounds that fill a time or distance are those of the plan with this length, with one warm-up")
    func fillingOnce() throws {
        let text = "run: 5:00/km\nwarm-up: 7:00/km\ncool-down: 7:00/km\n"
        let plan = try plan(text + "warm-up 10:00, 2x(run 1:30, run 1:30 @ 6:00/km), cool-down 5:00")
        let hour = try Filling(.seconds(3600), with: plan)
        #expect(hour.repetitions == 7 && hour.used.time == .seconds(900 + 7 * 360) && hour.timeLeft == .seconds(180))
        var numbers = Seeded(state: 35)
        for _ in 0..<200 {
            let time = Duration.seconds(Int(numbers.number(901...20_000)))
            let filling = try Filling(time, with: plan)
            var filled = plan
            filled.length = .time(time)
            let rows = try PlanTable(filled).rows.dropFirst().dropLast()
            let whole = rows.filter { $0.extent.time == .seconds(90) }.count / 4
            #expect(filling.repetitions == whole, "\(time)")
            #expect(filling.used.time.map { $0 + (filling.timeLeft ?? .zero) } == time)
            let way = Distance(meters: numbers.number(2200...50_000))
            let far = try Filling(way, with: plan)
            #expect(agree((far.used.distance ?? .zero).meters + (far.distanceLeft ?? .zero).meters, way.meters))
        }
        #expect(throws: PlanError.lengthUsedUp) { try Filling(.seconds(900), with: plan) }
        #expect(throws: PlanError.lengthUsedUp) { try Filling(Distance(2, .kilometers), with: plan) }
    }

    @Test("a target time changes the paces of runs over distances by one factor, and nothing else")
    func target() throws {
        let plan = try plan("6x(run 400m @ 5:00/km, walk 1:30)\nrun 1k in 5:00")
        let paced = try plan.paced(forTime: .seconds(1500))
        #expect(paced.length == .once && paced.written.count == 3)
        let total = try #require(PlanTable(paced).total.time)
        #expect((total - .seconds(1500)).inSeconds.magnitude < 1e-6)
        let runs = [plan, paced].map { $0.written.filter { $0.kind == .run }.compactMap { $0.known(at: nil).pace } }
        let factors = zip(runs[0], runs[1]).map { $1.metersPerSecond / $0.metersPerSecond }
        #expect(factors.count == 2 && agree(factors[0], factors[1]) && agree(factors[0], 1020.0 / 960))
        #expect(paced.written[1] == plan.written[1])
        // Runs without a pace get one.
        let draft = try #require(Plan.read(Array("6x(run 400m, rest 1:30)".utf8), isDraft: true).plan)
        #expect(agree(try #require(draft.paced(forTime: .seconds(1500)).paces[.run]).value(in: .perKilometer), 400))
        #expect(
            message { try RunningTests.plan("run 1:00, walk 0:30").paced(forTime: .seconds(60)) }
                == "no run is over a distance, so no pace changes how long the plan takes, which is 1:30")
        #expect(
            message { try plan.paced(forTime: .seconds(540)) }
                == "everything else alone takes 9:00, which is not less than 9:00")
        #expect(
            message { try plan.paced(forTime: .milliseconds(540_001)) } == "no pace can be that fast or slow")
        #expect(throws: PlanError.endless) {
            try RunningTests.plan("run 1k @ 5:00/km, forever").paced(forTime: .seconds(60))
        }
    }

    @Test("a plan at the pace that was solved for a target meets the target")
    func solved() throws {
        var way = try plan("warm-up: 8:00/km\nwalk: 10:00/km\nwarm-up 1k, 5x(run 1k, walk 2:00)")
        way.paces[.run] = try way.runPace(forTime: .seconds(3000))
        #expect(agree(try #require(way.extent(way.parts).time).inSeconds, 3000))
        var timed = try plan("walk: 16:00/mi\nrun 1:00, walk 0:30")
        timed = try timed.fitted(to: Distance(10, .miles), in: .seconds(8210), fills: .distance)
        #expect(timed.length == .distance(Distance(10, .miles)))
        #expect(agree(try #require(PlanTable(timed).total.time).inSeconds, 8210))
        #expect(
            message { try plan("walk 10:00").runPace(forTime: .seconds(60)) }
                == "no run over a distance lacks a pace, so a running pace does not change the time")
        #expect(
            message { try plan("walk 10:00, run 1k").runPace(forTime: .seconds(600)) }
                == "everything else alone takes 10:00, which is not less than 10:00")
        #expect(
            message { try plan("walk 10:00, run 1k").runPace(forTime: .seconds(60)) }
                == "everything else alone takes 10:00, which is not less than 1:00")
    }

    @Test("the average speed of run and walk is v = (tr vr + tw vw) / (tr + tw)")
    func blended() throws {
        let ratio = RunWalkRatio(run: 60, walk: 30)
        let pace = ratio.blended(run: Pace(.seconds(600), per: .miles), walk: Pace(.seconds(900), per: .miles))
        #expect(agree(pace.value(in: .perMile), 675))
        let plan = try plan("run: 10:00/mi\nwalk: 15:00/mi\nrun 1:00, walk 0:30")
        #expect(agree(try #require(plan.extent(plan.parts).pace).metersPerSecond, pace.metersPerSecond))
    }

    @Test("a group without intervals has no rounds, however often it is repeated")
    func empty() throws {
        for parts in [[Plan.Part.group(.max, [])], [.group(.max, [.group(.max, []), .group(0, [])])]] {
            #expect(try PlanTable(Plan(parts)).rows.isEmpty)
            let run = Plan.Part.interval(Interval(.run, .time(.seconds(1))))
            #expect(try PlanTable(Plan(parts + [run])).rows.count == 1)
        }
    }

    @Test("a plan that is too large is refused before it is laid out")
    func limits() throws {
        var parts: [Plan.Part] = [.interval(Interval(.run, .time(.seconds(1))))]
        for _ in 0..<16 { parts = [.group(10_000, parts)] }
        #expect(message { try PlanTable(Plan(parts)) } == "a plan has at most 100 000 intervals with its repeats")
        #expect(message { try PlanTable(Plan()) }.hasPrefix("the plan has no interval"))
        #expect(faults("run 0:01, for 10000:00:00").contains("at most 100 000 intervals"))
        #expect(faults("rest 1:00, for 5k").contains("there is nothing to repeat"))
        #expect(faults("warm-up 10:00, run 1:00, for 5:00").contains("warm-up and cool-down alone"))
    }
}
