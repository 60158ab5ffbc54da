import Running
import Scores
import Testing

/// Random plans against a model of their own that computes in exact fractions.
struct ExactPlanTests {
    /// A fraction of 128-bit integers in lowest terms.
    private struct Ratio: Comparable {
        var numerator: Int128
        var denominator: Int128

        init(_ numerator: Int128, _ denominator: Int128 = 1) {
            var (a, b) = (numerator.magnitude, denominator.magnitude)
            while b != 0 { (a, b) = (b, a % b) }
            let divisor = Int128(max(a, 1))
            (self.numerator, self.denominator) = (numerator / divisor, denominator / divisor)
        }

        static func + (a: Ratio, b: Ratio) -> Ratio {
            Ratio(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator)
        }
        static func - (a: Ratio, b: Ratio) -> Ratio { a + Ratio(-b.numerator, b.denominator) }
        static func * (a: Ratio, b: Ratio) -> Ratio {
            // Crosswise in lowest terms first, so that nothing overflows.
            let (x, y) = (Ratio(a.numerator, b.denominator), Ratio(b.numerator, a.denominator))
            return Ratio(x.numerator * y.numerator, x.denominator * y.denominator)
        }
        static func < (a: Ratio, b: Ratio) -> Bool {
            a.numerator * b.denominator < b.numerator * a.denominator
        }
        var double: Double { Double(numerator) / Double(denominator) }
    }

    /// An interval of the model: its time and its distance in millimeters, and its kind.
    private struct Step {
        var seconds: Ratio
        var millimeters: Ratio
        var isRun: Bool
    }

    /// A plan as text, and as steps. Runs have the pace of the plan.
    private struct Model {
        var head: [Step] = []
        var body: [Step] = []
        var tail: [Step] = []
        var text = ""
        var run = ""

        /// The time and distance of the plan, once through.
        var once: (Ratio, Ratio) { sum(head + body + tail) }

        private func sum(_ steps: [Step]) -> (Ratio, Ratio) {
            steps.reduce((Ratio(0), Ratio(0))) { ($0.0 + $1.seconds, $0.1 + $1.millimeters) }
        }

        /// The time and distance of the plan, repeated up to a time or a distance.
        func filled(seconds: Ratio? = nil, millimeters: Ratio? = nil) -> (Ratio, Ratio)? {
            var (time, way) = sum(head + tail)
            if let seconds, time >= seconds { return nil }
            if let millimeters, way >= millimeters { return nil }
            guard body.contains(where: { $0.millimeters > Ratio(0) }) else { return nil }
            while true {
                for step in body {
                    if let seconds, time + step.seconds >= seconds {
                        let rest = seconds - time
                        let share = Ratio(step.seconds.denominator, step.seconds.numerator) * rest
                        return (seconds, way + share * step.millimeters)
                    }
                    if let millimeters, way + step.millimeters >= millimeters {
                        let rest = millimeters - way
                        let share = Ratio(step.millimeters.denominator, step.millimeters.numerator) * rest
                        return (time + share * step.seconds, millimeters)
                    }
                    (time, way) = (time + step.seconds, way + step.millimeters)
                }
            }
        }
    }

    /// A pace in whole seconds per kilometer or mile: its text, and its millimeters per second.
    private func pace(_ numbers: inout Seeded, _ seconds: ClosedRange<Int>) -> (String, Ratio) {
        let isMile = Bool.random(using: &numbers)
        let time = Int.random(in: seconds, using: &numbers) / 10 * 10
        let clock = Duration.seconds(time).runText()
        return (clock + (isMile ? "/mi" : "/km"), Ratio(isMile ? 1_609_344 : 1_000_000, Int128(time)))
    }

    private func model(_ numbers: inout Seeded, onlyTimes: Bool = false) -> Model {
        var model = Model()
        let run = pace(&numbers, 180...420)
        let walk = pace(&numbers, 500...900)
        model.run = run.0
        model.text = "walk: \(walk.0)\nwarm-up: 7:00/km\ncool-down: 8:00/km\n"
        func step(_ kind: String, _ speed: Ratio) -> (String, Step) {
            if onlyTimes || Bool.random(using: &numbers) {
                let time = Int.random(in: 1...9_000, using: &numbers) * 100
                let seconds = Ratio(Int128(time), 1000)
                let text = "\(kind) " + Duration.milliseconds(time).runText(decimals: 1)
                return (text, Step(seconds: seconds, millimeters: seconds * speed, isRun: kind == "run"))
            }
            let meters = Int.random(in: 1...40, using: &numbers) * 50
            let way = Ratio(Int128(meters) * 1000)
            let seconds = way * Ratio(speed.denominator, speed.numerator)
            return ("\(kind) \(meters)m", Step(seconds: seconds, millimeters: way, isRun: kind == "run"))
        }
        if Bool.random(using: &numbers) {
            let (text, warm) = step("warm-up", Ratio(1_000_000, 420))
            (model.text, model.head) = (model.text + text + "\n", [warm])
        }
        for _ in 0..<Int.random(in: 1...3, using: &numbers) {
            var texts: [String] = []
            var steps: [Step] = []
            for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                let (text, next) = Bool.random(using: &numbers) ? step("run", run.1) : step("walk", walk.1)
                texts.append(text)
                steps.append(next)
            }
            let count = Int.random(in: 1...4, using: &numbers)
            model.text += "\(count)x(" + texts.joined(separator: ", ") + ")\n"
            for _ in 0..<count { model.body += steps }
        }
        if Bool.random(using: &numbers) {
            let (text, cool) = step("cool-down", Ratio(1_000_000, 480))
            (model.text, model.tail) = (model.text + text + "\n", [cool])
        }
        return model
    }

    private func expect(_ table: PlanTable, _ seconds: Ratio, _ millimeters: Ratio, _ text: String) throws {
        let (time, way) = (try #require(table.total.time), try #require(table.total.distance))
        #expect((time.inSeconds - seconds.double).magnitude < 0.001, "\(text)")
        // In a millisecond, a runner goes some millimeters.
        #expect((way.meters * 1000 - millimeters.double).magnitude < 6, "\(text)")
        let sum = table.rows.reduce(Duration.zero) { $0 + ($1.extent.time ?? .zero) }
        #expect(sum == time && table.rows.last?.total == table.total, "\(text)")
        let ways = table.rows.reduce(0) { $0 + ($1.extent.distance?.meters ?? 0) }
        #expect(agree(ways, way.meters), "\(text)")
    }

    @Test("the totals of a thousand random plans are those of exact fractions, and the sums of their rows")
    func totals() throws {
        var numbers = Seeded(state: 170)
        for _ in 0..<1000 {
            let model = model(&numbers)
            let text = "run: \(model.run)\n" + model.text
            let (seconds, millimeters) = model.once
            try expect(PlanTable(try plan(text)), seconds, millimeters, text)
            // Filled up to a time, and up to a distance.
            let time = Int.random(in: 1...20_000, using: &numbers)
            if let filled = model.filled(seconds: Ratio(Int128(time))) {
                let text = text + "for \(Duration.seconds(time).runText())"
                try expect(PlanTable(try plan(text)), filled.0, filled.1, text)
            }
            let meters = Int.random(in: 1...40_000, using: &numbers)
            if let filled = model.filled(millimeters: Ratio(Int128(meters) * 1000)) {
                let text = text + "for \(meters)m"
                try expect(PlanTable(try plan(text)), filled.0, filled.1, text)
            }
        }
    }

    @Test("for a thousand random plans, the pace for a goal is the one that exact fractions have hidden in it")
    func targets() throws {
        var numbers = Seeded(state: 171)
        var count = 0
        while count < 1000 {
            let model = model(&numbers, onlyTimes: Bool.random(using: &numbers))
            let meters = Int.random(in: 500...40_000, using: &numbers)
            let time = Int.random(in: 100...20_000, using: &numbers)
            let isDistance = Bool.random(using: &numbers)
            let goal =
                isDistance
                ? model.filled(millimeters: Ratio(Int128(meters) * 1000)) : model.filled(seconds: Ratio(Int128(time)))
            guard let goal, model.body.contains(where: \.isRun) else { continue }
            count += 1
            let (way, span) = (Distance(meters: goal.1.double / 1000), Duration(inSeconds: goal.0.double))
            let draft = try #require(Plan.read(Array(model.text.utf8), isDraft: true).plan)
            let fitted: Plan
            do throws(PlanError) {
                fitted = try draft.fitted(to: way, in: span, fills: isDistance ? .distance : .time)
            } catch {
                // The plan ends before its first run.
                #expect("\(error)".contains("does not come to its first run"), "\(error): \(model.text)")
                continue
            }
            let table = try PlanTable(fitted)
            let (all, gone) = (try #require(table.total.time), try #require(table.total.distance))
            #expect((all.inSeconds - span.inSeconds).magnitude < 0.001, "\(model.text)")
            #expect((gone.meters - way.meters).magnitude < 0.006, "\(model.text)")
            // With very little running, rounding moves the pace; the totals are exact all the same.
            let ran = table.rows.filter { $0.interval.kind == .run }.reduce(0) {
                $0 + ($1.extent.time ?? .zero).inSeconds
            }
            guard ran > 30 else { continue }
            let hidden = try Pace(runText: model.run)
            let found = try #require(fitted.paces[.run])
            #expect(agree(found.metersPerSecond, hidden.metersPerSecond, within: 1e-6), "\(model.text)")
        }
    }
}
