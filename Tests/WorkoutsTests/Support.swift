import Foundation
import Running
import Scores
import Shared
import Testing
import Formats

typealias Seeded = Shared.Seeded

/// A random plan in whole seconds and meters, which all workout formats can express.
func randomPlan(_ numbers: inout Seeded) -> Plan {
    var plan = Plan(title: "Hügel & <Täler> '7'", randomParts(&numbers, depth: 0))
    for kind in Interval.Kind.allCases {
        plan.paces[kind] = Pace(.seconds(Int.random(in: 200...900, using: &numbers)), per: .kilometers)
    }
    if Bool.random(using: &numbers) {
        plan.length = .time(.seconds(Int.random(in: 3600...7200, using: &numbers)))
        if (try? PlanTable(plan)) == nil { plan.length = .once }
    }
    return plan
}

private func randomParts(_ numbers: inout Seeded, depth: Int) -> [Plan.Part] {
    (0..<Int.random(in: 1...4, using: &numbers)).map { _ in
        if depth < 2, Int.random(in: 0..<3, using: &numbers) == 0 {
            return .group(Int.random(in: 1...5, using: &numbers), randomParts(&numbers, depth: depth + 1))
        }
        let kind = Interval.Kind.allCases.randomElement(using: &numbers) ?? .run
        let label = Bool.random(using: &numbers) ? "" : "Übung & so"
        let measure: Interval.Measure =
            Bool.random(using: &numbers)
            ? .time(.seconds(Int.random(in: 10...900, using: &numbers)))
            : .distance(Distance(meters: Double(Int.random(in: 50...3000, using: &numbers))))
        return .interval(Interval(kind, measure, label: label))
    }
}

/// Reads a workout, and expects it to be valid, with a warning only if it `warns`.
func workout(
    _ bytes: [UInt8], _ format: Format, warns: Bool = false, _ location: SourceLocation = #_sourceLocation
) throws -> Plan {
    let reading = format.plan(bytes, file: "x")
    let said = reading.diagnostics.filter { !warns || $0.severity == .error }
    #expect(said.map { $0.rendered() } == [], sourceLocation: location)
    return try #require(reading.plan, sourceLocation: location)
}

/// A step of a workout as readers agree about it: after how many seconds or meters it ends; `until lap` without.
func endings(_ plan: Plan) throws -> [String] {
    func text(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
    return try PlanTable(plan).rows.map { row in
        switch row.interval.measure {
        case .open: "until lap"
        case .time(let time): "\(text(time.inSeconds)) s"
        case .distance(let distance): "\(text(distance.meters)) m"
        case .run(let run):
            run.result == .distance ? "\(text(run.time.inSeconds)) s" : "\(text(run.distance.meters)) m"
        }
    }
}

/// The diagnostics of reading a workout.
func said(_ bytes: [UInt8], _ format: Format) -> String {
    format.plan(bytes, file: "x").diagnostics.map { $0.rendered() }.joined(separator: "\n")
}
