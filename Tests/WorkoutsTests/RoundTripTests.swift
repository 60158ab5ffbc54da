import Running
import Scores
import Testing
import Formats

struct RoundTripTests {
    /// How much the total time may change by writing and reading, in seconds: formats round each interval or sum.
    private static let tolerance: [Format: Double] = [
        .plan: 1e-6, .zwift: 0.51, .fit: 0.3, .intervals: 1.5, .csv: 1e-6,
    ]

    @Test(
        "a plan that is written and read again has the same length and intervals",
        arguments: Format.writtenPlans)
    func same(format: Format) throws {
        var numbers = Seeded(state: 20)
        for _ in 0..<150 {
            let plan = randomPlan(&numbers)
            let again = try workout(try format.write(plan, now: 1_800_000_000).bytes, format)
            let (a, b) = (try PlanTable(plan), try PlanTable(again))
            let time = try #require(a.total.time).inSeconds
            // Intervals that a format writes as a distance with a pace in whole seconds get a little longer or shorter.
            let share = format == .intervals || format == .fit ? 0.003 * time : 0
            let known = a.rows.allSatisfy { $0.extent.time != nil }
            #expect(known)
            guard let again = b.total.time else { continue }
            #expect((again.inSeconds - time).magnitude <= (Self.tolerance[format] ?? 0) + share)
            // Zwift counts whole seconds: intervals shorter than half a second disappear.
            if format != .zwift {
                #expect(a.rows.map(\.interval.kind) == b.rows.map(\.interval.kind))
                #expect(a.rows.map(\.interval.label) == b.rows.map(\.interval.label))
            }
        }
    }

    @Test("a plan of two hours of run and walk is exactly two hours in every format", arguments: Format.writtenPlans)
    func twoHours(format: Format) throws {
        let plan = try Plan(runText: "4 × (0:30 run, 0:30 walk), 1:00 walk, for 2 hours")
        let again = try workout(try format.write(plan, now: 0).bytes, format)
        let (a, b) = (try PlanTable(plan), try PlanTable(again))
        #expect(b.total.time == .seconds(7200))
        #expect(a.rows.map(\.interval) == b.rows.map(\.interval))
    }

    @Test("an endless workout can only be written as a plan")
    func endless() throws {
        let plan = try Plan(runText: "run 0:30, walk 0:30, forever")
        for format in Format.writtenPlans where format != .plan {
            #expect(throws: TextError.self) { try format.write(plan, now: 0).bytes }
        }
        #expect(try workout(try Format.plan.write(plan, now: 0).bytes, .plan) == plan)
    }

    @Test("a format is recognized by its content, whatever the name")
    func recognized() throws {
        let plan = try Plan(runText: "4x(run 0:30, walk 0:30)")
        for format in Format.writtenPlans where format != .plan {
            #expect(Format.ofPlan(try format.write(plan, now: 0).bytes, file: "") == format)
        }
        #expect(Format.ofPlan(Array(plan.text.utf8), file: "") == .plan)
        #expect(Format.ofPlan(Array("label,duration\nA,2.7\n".utf8), file: "") == .plan)
        #expect(Format(planFileName: "Tuesday.ZWO") == .zwift)
    }

    @Test("hostile bytes give an error or a plan, and never crash", arguments: Format.ofPlans)
    func hostile(format: Format) throws {
        var numbers = Seeded(state: 21)
        for _ in 0..<1500 {
            var bytes = (try? format.write(randomPlan(&numbers), now: 0).bytes) ?? []
            for _ in 0..<Int.random(in: 1...6, using: &numbers) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &numbers)
                switch Int.random(in: 0..<4, using: &numbers) {
                case 0: bytes[place] = .random(in: 0...255, using: &numbers)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(.random(in: 0...255, using: &numbers), at: place)
                default: bytes.removeLast(min(bytes.count, Int.random(in: 0...40, using: &numbers)))
                }
            }
            let reading = format.plan(bytes, file: "x")
            #expect((reading.plan == nil) == reading.diagnostics.contains { $0.severity == .error })
            if let plan = reading.plan { #expect(try PlanTable(plan).total.time.map { $0 >= .zero } ?? true) }
        }
    }
}
