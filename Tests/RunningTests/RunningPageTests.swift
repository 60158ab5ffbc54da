import Foundation
import Testing

@testable import Running

struct RunningPageTests {
    private static let page: String = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return (try? String(contentsOf: root.appendingPathComponent("docs/running.md"), encoding: .utf8)) ?? ""
    }()

    @Test("the example in running.md is a valid plan")
    func example() throws {
        let blocks = Self.page.components(separatedBy: "```text\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        let block = try #require(blocks.first)
        let plan = try plan(block)
        #expect(plan.title == "Tuesday" && plan.cadence == 170)
        #expect(try PlanTable(plan).rows.count == 1 + 12 + 14 + 1)
        _ = try plan.score()
        let weeks = try trainingPlan(try #require(blocks.dropFirst().first))
        #expect(weeks.slots.count == 4 && weeks.start != nil)
        for slot in weeks.slots { #expect(weeks.plan(slot) != nil && !weeks.lines(slot).isEmpty) }
    }

    @Test("every quantity in running.md is read as the kind that its row says")
    func quantities() throws {
        var counts: [String: Int] = [:]
        for row in Self.page.split(separator: "\n") {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 2, ["distance", "time", "pace, speed"].contains(cells[0]) else { continue }
            for text in cells[1].components(separatedBy: ", ").map({ $0.trimmingCharacters(in: ["`"]) }) {
                switch cells[0] {
                case "distance": _ = try Distance(runText: text)
                case "time": _ = try Duration(runText: text)
                default: _ = try Pace(runText: text)
                }
                counts[cells[0], default: 0] += 1
            }
        }
        #expect(counts == ["distance": 8, "time": 5, "pace, speed": 6])
    }
}
