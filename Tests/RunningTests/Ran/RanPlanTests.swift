import Running
import Shared
import Testing

struct RanPlanTests {
    @Test("laps without a distance are compared with the planned time")
    func timesAlone() throws {
        let plan = try Plan(runText: "run 400m @ 4:10/km, walk 1:00 @ 8:20/km, run 200m @ 4:00/km")
        let laps = [20.0, 60, 48].map { Activity.Lap(seconds: $0, meters: nil) }
        let ran = try RanPlan(PlanTable(plan), Activity(laps: laps))
        #expect(ran.rows.map(\.state) == [.short, .done, .done])
    }

    /// A made activity, and for each interval of its plan when it was run; nil if it was not.
    private struct Made {
        var activity: Activity
        var truth: [Range<Double>?]
    }

    private static let plans = [
        "warm-up 10:00 @ 6:30/km, 8x(run 400m @ 4:00/km, walk 1:30 @ 10:00/km), cool-down 10:00 @ 6:30/km",
        "warm-up 8:00, 6x(run 3:00 @ 4:30/km, rest 2:00), cool-down 8:00",
        "10x(run 1:00, walk 1:00), run 5:00", "5x(run 1km @ 4:20/km, walk 200m @ 9:00/km), run 2km @ 5:30/km",
        "run 1:00 @ 4:00/km, walk 1:00, run 2:00 @ 4:10/km, walk 1:00, run 3:00 @ 4:20/km, walk 1:30, run 2:00 @ 4:10/km, "
            + "walk 1:00, run 1:00 @ 4:00/km",
        "run 15:00 @ 5:30/km, 4x(run 0:30 @ 3:45/km, walk 1:00 @ 10:00/km), run 10:00 @ 5:30/km",
    ]

    /// How often each thing happens to an interval.
    private struct Mishaps {
        var dropped = 0.03
        var shortened = 0.04
        var added = 0.03
        var split = 0.03
        var paused = 0.05
    }

    private static func made(_ table: PlanTable, _ mishaps: Mishaps, _ numbers: inout Seeded) -> Made {
        func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &numbers) < share }
        var speeds: [(seconds: Double, speed: Double)] = []
        var pauses: [Double] = []
        var (laps, truth, clock, way) = ([Activity.Lap](), [Range<Double>?](), 0.0, 0.0)
        let autoLap = chance(0.3)
        /// Records a piece in one or more laps.
        func record(_ seconds: Double, _ speed: Double) {
            speeds.append((seconds, speed))
            var left = seconds
            while left > 0 {
                // A watch that laps each kilometer by itself.
                let toLap =
                    autoLap && speed > 0 ? (1000 - way.truncatingRemainder(dividingBy: 1000)) / speed : .infinity
                let piece = min(left, toLap)
                laps.append(Activity.Lap(seconds: piece, meters: piece * speed, isAutomatic: toLap < left))
                (clock, way, left) = (clock + piece, way + piece * speed, left - piece)
                if left < 1e-6 { left = 0 }
            }
        }
        for row in table.rows {
            if chance(mishaps.dropped) {
                truth.append(nil)
                continue
            }
            let usual: Double = [.walk: 1.5, .rest: 0.4, .run: 3.2][row.interval.kind] ?? 2.6
            let speed =
                (row.extent.pace?.metersPerSecond ?? usual) * Double.random(in: 0.94...1.06, using: &numbers)
            let isByDistance: Bool =
                switch row.interval.measure {
                case .distance: true
                case .run(let run): run.result != .distance
                default: false
                }
            var seconds =
                isByDistance ? (row.extent.distance?.meters ?? 0) / speed : row.extent.time?.inSeconds ?? 60
            seconds *= Double.random(in: 0.99...1.01, using: &numbers)
            if chance(mishaps.shortened) { seconds *= Double.random(in: 0.3...0.8, using: &numbers) }
            let start = clock
            if chance(mishaps.split) {
                let share = Double.random(in: 0.2...0.8, using: &numbers)
                record(seconds * share, speed)
                record(seconds * (1 - share), speed)
            } else {
                record(seconds, speed)
            }
            truth.append(start..<clock)
            // A pause is no time, but the watch loses its place.
            if chance(mishaps.paused) { pauses.append(.random(in: start..<clock, using: &numbers)) }
            if chance(mishaps.added) {
                record(.random(in: 15...90, using: &numbers), .random(in: 0.5...4, using: &numbers))
            }
        }
        // Positions that err slowly, by some meters.
        var (track, time, there, error, index, left) = (
            [Activity.Point](), 0.0, 0.0, 0.0, 0, speeds.first?.seconds ?? 0
        )
        while index < speeds.count {
            track.append(Activity.Point(seconds: time, meters: max(there + error, track.last?.meters ?? 0)))
            error = error * 0.95 + Double.random(in: -1...1, using: &numbers)
            if let pause = pauses.first, pause <= time {
                pauses.removeFirst()
                error += Double.random(in: -10...10, using: &numbers)
            }
            let step = min(1, left)
            (time, there, left) = (time + step, there + step * speeds[index].speed, left - step)
            if left <= 0 {
                index += 1
                left = index < speeds.count ? speeds[index].seconds : 0
            }
        }
        return Made(activity: Activity(laps: laps, track: track), truth: truth)
    }

    /// Whether a piece is the one that was run, or both are missing.
    private static func isRight(_ ran: Range<Double>?, _ truth: Range<Double>?) -> Bool {
        guard let ran, let truth else { return ran == nil && truth == nil }
        let common = min(ran.upperBound, truth.upperBound) - max(ran.lowerBound, truth.lowerBound)
        let all = max(ran.upperBound, truth.upperBound) - min(ran.lowerBound, truth.lowerBound)
        return common >= 0.6 * all
    }

    @Test(
        "of 40 made activities, nearly all intervals are paired right, and hardly any pair called sure is wrong",
        arguments: [35] as [UInt64])
    func law(seed: UInt64) throws {
        var numbers = Seeded(state: seed)
        for (hasLaps, right, unsure, count) in [(true, 0.99, 0.1, 30), (false, 0.9, 0.3, 10)] {
            var (all, good, open, wrong) = (0, 0, 0, 0)
            for n in 0..<count {
                let table = try PlanTable(plan(Self.plans[n % Self.plans.count]))
                let mishaps = n % 2 == 0 ? Mishaps() : Mishaps(dropped: 0, shortened: 0.02, added: 0.02, split: 0.02)
                var made = Self.made(table, mishaps, &numbers)
                if !hasLaps { made.activity.laps = [] }
                let ran = try RanPlan(table, made.activity)
                #expect(ran.hasLaps == hasLaps && ran.rows.count == made.truth.count)
                for (row, truth) in zip(ran.rows, made.truth) {
                    let isRight = Self.isRight(row.ran?.seconds, truth)
                    all += 1
                    good += isRight ? 1 : 0
                    open += row.isSure ? 0 : 1
                    wrong += row.isSure && !isRight ? 1 : 0
                }
            }
            let said: Comment =
                "\(hasLaps ? "laps" : "speed"): \(all) intervals, \(good) right, \(open) unsure, \(wrong) wrong"
            #expect(Double(good) >= right * Double(all), said)
            #expect(Double(open) <= unsure * Double(all), said)
            #expect(Double(wrong) <= 0.005 * Double(all - open), said)
        }
    }

    @Test("a run as planned is done, and what is missing, cut short, longer or besides is told")
    func states() throws {
        let table = try PlanTable(
            plan(
                "run 400m @ 4:00/km, walk 1:30 @ 10:00/km, run 400m @ 4:00/km, walk 1:30 @ 10:00/km, run 1km @ 5:00/km")
        )
        func lap(_ seconds: Double, _ meters: Double) -> Activity.Lap { Activity.Lap(seconds: seconds, meters: meters) }
        let all = [lap(96, 400), lap(90, 150), lap(97, 400), lap(90, 150), lap(300, 1000)]
        let done = try RanPlan(table, Activity(laps: all))
        #expect(done.rows.allSatisfy { $0.state == .done && $0.isSure } && done.extras.isEmpty)
        let short = try RanPlan(table, Activity(laps: [all[0], all[1], lap(50, 205), all[3], lap(390, 1300)]))
        #expect(short.rows.map(\.state) == [.done, .done, .short, .done, .long])
        let missing = try RanPlan(table, Activity(laps: [all[0], all[1], all[2], all[4]]))
        #expect(missing.rows.map(\.state) == [.done, .done, .done, .missing, .done])
        let extra = try RanPlan(table, Activity(laps: [lap(400, 900)] + all))
        #expect(extra.rows.allSatisfy { $0.state == .done } && extra.extras.map(\.after) == [0])
        #expect(extra.rows[0].ran?.seconds == 400..<496 && extra.rows[0].ran?.meters == 400)
        let split = try RanPlan(table, Activity(laps: Array(all[..<4]) + [lap(150, 500), lap(150, 500)]))
        #expect(split.rows[4].ran?.seconds == 373..<673 && split.rows[4].ran?.meters == 1000 && split.extras.isEmpty)
        #expect(throws: PlanError.endless.textError) {
            try RanPlan(PlanTable(plan("run 1:00, forever")), Activity(laps: all))
        }
        #expect(message { try RanPlan(table, Activity()) } == "the activity has neither laps nor a track with times")
    }
}
