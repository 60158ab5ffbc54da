import Running
import Scores
import Shared
import Testing

typealias Seeded = Shared.Seeded

extension Seeded {
    /// A random number in a range, uniform on a logarithmic scale.
    mutating func number(_ range: ClosedRange<Double>) -> Double {
        var value = range.lowerBound
        let steps = Double.random(in: 0...1, using: &self)
        let ratio = range.upperBound / range.lowerBound
        for bit in 1...40 where Int64(steps * 1_099_511_627_776) >> (40 - bit) & 1 == 1 {
            value *= root(ratio, bit)
        }
        return min(max(value, range.lowerBound), range.upperBound)
    }

    private func root(_ value: Double, _ times: Int) -> Double { (0..<times).reduce(value) { v, _ in v.squareRoot() } }
}

/// Whether two numbers agree within the relative tolerance `share`.
func agree(_ a: Double, _ b: Double, within share: Double = 1e-9) -> Bool {
    (a - b).magnitude <= share * max(a.magnitude, b.magnitude)
}

/// Checks that a plan is refused with this message at this place.
func expectFault(
    _ text: String, _ message: String, _ range: Range<Int>, _ location: SourceLocation = #_sourceLocation
) throws {
    let fault = try #require(Plan.read(Array(text.utf8)).faults.first, sourceLocation: location)
    #expect(fault.error.message == message && fault.range == range, "\(fault)", sourceLocation: location)
}

/// The errors in the text of a plan, as a terminal shows them.
func faults(_ text: String) -> String {
    let bytes = Array(text.utf8)
    return Plan.read(bytes).faults.map { $0.diagnostic(in: bytes, file: "plan").rendered() }.joined(separator: "\n")
}

/// Reads a plan, and expects it to be valid.
func plan(_ text: String, _ location: SourceLocation = #_sourceLocation) throws -> Plan {
    #expect(faults(text) == "", sourceLocation: location)
    return try Plan(runText: text)
}

/// Random plans whose numbers read back exactly.
func randomPlan(_ numbers: inout Seeded, depth: Int = 0) -> Plan {
    var plan = Plan(randomParts(&numbers, depth: depth))
    for kind in Interval.Kind.allCases {
        plan.paces[kind] = Pace(.seconds(Int.random(in: 200...1200, using: &numbers)), per: .kilometers)
    }
    return plan
}

func randomParts(_ numbers: inout Seeded, depth: Int = 0) -> [Plan.Part] {
    (0..<Int.random(in: 1...4, using: &numbers)).map { _ in
        if depth < 3, Int.random(in: 0..<3, using: &numbers) == 0 {
            return .group(Int.random(in: 1...5, using: &numbers), randomParts(&numbers, depth: depth + 1))
        }
        return .interval(randomInterval(&numbers))
    }
}

func randomInterval(_ numbers: inout Seeded) -> Interval {
    let kind = Interval.Kind.allCases.randomElement(using: &numbers) ?? .run
    let time = Duration.milliseconds(Int.random(in: 1...3_600_000, using: &numbers))
    let distance = Distance(meters: Double(Int.random(in: 1...20_000, using: &numbers)))
    let pace = Pace(.seconds(Int.random(in: 150...1500, using: &numbers)), per: .kilometers)
    let label = Bool.random(using: &numbers) ? "" : "Hügel \(Int.random(in: 1...9, using: &numbers))"
    let measure: Interval.Measure? =
        switch Int.random(in: 0..<5, using: &numbers) {
        case 0: .time(time)
        case 1: .distance(distance)
        case 2: (try? Run(distance, in: time)).map(Interval.Measure.run)
        case 3: (try? Run(distance, at: pace)).map(Interval.Measure.run)
        default: (try? Run(time, at: pace)).map(Interval.Measure.run)
        }
    return Interval(kind, measure ?? .time(time), label: label)
}
