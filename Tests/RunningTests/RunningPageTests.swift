import Foundation
import Running
import Testing

struct RunningPageTests {
    private static let page: String = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return (try? String(contentsOf: root.appendingPathComponent("docs/running.md"), encoding: .utf8)) ?? ""
    }()

    @Test("the examples in running.md are valid plans")
    func example() throws {
        let blocks = Self.page.components(separatedBy: "```text\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        let plans = try blocks.filter { !$0.contains("week 1") }.map { try plan($0) }
        #expect(plans.contains { $0.remarks.count == 4 })
        let tuesday = try #require(plans.first { !$0.title.isEmpty })
        #expect(tuesday.title == "Tuesday" && tuesday.cadence == 170)
        #expect(try PlanTable(tuesday).rows.count == 1 + 12 + 14 + 1)
        for plan in plans { _ = try plan.score() }
        let weeks = try trainingPlan(try #require(blocks.first { $0.contains("week 1") }))
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
