import Running
import Scores
import Shared
import Testing

struct HostileWeeksTests {
    private static let pieces = [
        "week 1: {", "week 2:{", "week 3 {", "week", "week 999999999999999999999: {", "}", "{", "tue: ",
        "sun at 07:00: ",
        "mon \"A, }\": ", "teu: ", "run 5k", "3x(run 400m @ 4:30/km, walk 1:30)", "long 10mi", "rest", "for 1:00:00",
        "forever", "start: 2026-11-23", "start: 9999-99-99", "time: 7:00", "time: :", "title: x } week 4", "title: ",
        "run: 5:00/km", "\n", "\r\n", ",", ";", "#", "\"", "(", ")", ":", "at", "\u{0}", "日本", "\u{FEFF}", " ",
    ]

    private func randomWeeks(_ numbers: inout Seeded) -> TrainingPlan {
        var plan = TrainingPlan(title: Bool.random(using: &numbers) ? "" : "Frühling \"26\"; {a, b}")
        if Bool.random(using: &numbers) {
            plan.start = CalendarWeek(of: LocalDay(number: .random(in: 0...40_000, using: &numbers)))
        }
        let times = [nil, TimeOfDay(text: "07:00"), TimeOfDay(text: "19:45")]
        plan.time = times.randomElement(using: &numbers) ?? nil
        for _ in 0...Int.random(in: 0...3, using: &numbers) {
            let week = Int.random(in: TrainingPlan.weekRange, using: &numbers)
            for day in Weekday.allCases where Bool.random(using: &numbers) {
                var workout = randomPlan(&numbers)
                workout.title = ["", "Track", "a \"b\" }", "# tue: run 5k"].randomElement(using: &numbers) ?? ""
                if workout.title.hasPrefix("#") { workout.countIn = .seconds(9) }
                if Bool.random(using: &numbers) { workout.paces[.walk] = nil }
                if Bool.random(using: &numbers) { workout.cadence = 170 }
                plan.weeks[week, default: [:]][day] = .init(workout, time: times.randomElement(using: &numbers) ?? nil)
            }
        }
        if plan.slots.isEmpty { plan.weeks[1] = [.monday: .init(randomPlan(&numbers))] }
        return plan
    }

    @Test("the text of each of 500 random training plans reads back the same")
    func roundTrip() {
        var numbers = Seeded(state: 41)
        for _ in 0..<500 {
            let plan = randomWeeks(&numbers)
            let reading = TrainingPlan.read(Array(plan.text.utf8))
            #expect(reading.weeks == plan, "\(plan.text)\n\(reading.faults)")
        }
    }

    @Test(
        "each of two thousand hostile texts gives faults within the text, or a training plan that reads back the same")
    func hostile() {
        var numbers = Seeded(state: 42)
        var valid = 0
        for number in 0..<2000 {
            var bytes: [UInt8]
            if number % 3 == 0 {
                bytes = Array(randomWeeks(&numbers).text.utf8)
                for _ in 0...Int.random(in: 0...2, using: &numbers) {
                    let place = Int.random(in: 0..<bytes.count, using: &numbers)
                    if Bool.random(using: &numbers) {
                        bytes.remove(at: place)
                    } else {
                        bytes[place] = .random(in: 0...255, using: &numbers)
                    }
                }
            } else {
                let count = Int.random(in: 0...16, using: &numbers)
                let start = Bool.random(using: &numbers) ? "week 1: {tue: " : ""
                bytes = Array(
                    (start + (0..<count).map { _ in Self.pieces.randomElement(using: &numbers) ?? "" }.joined()).utf8)
            }
            _ = TrainingPlan.isLikely(bytes)
            let reading = TrainingPlan.read(bytes)
            #expect((reading.weeks == nil) == !reading.faults.isEmpty)
            for fault in reading.faults + reading.notes {
                #expect(fault.range.lowerBound >= 0 && fault.range.upperBound <= bytes.count)
                let diagnostic = fault.diagnostic(in: bytes, file: "plan")
                #expect(diagnostic.line >= 1 && diagnostic.column >= 1 && !diagnostic.message.isEmpty)
            }
            guard let plan = reading.weeks else { continue }
            valid += 1
            for slot in plan.slots {
                #expect(reading.placesOfDays[slot]?.count == plan[slot]?.plan.written.count)
                #expect((try? PlanTable(plan.plan(slot) ?? Plan())) != nil)
            }
            // A pace of many digits may change in its last bit.
            let again = TrainingPlan.read(Array(plan.text.utf8)).weeks
            #expect(again?.slots == plan.slots && again?.text == plan.text, "\(plan.text)")
        }
        #expect(valid > 60, "only \(valid) of them were valid: the law was hardly tried")
    }
}
