import Application
import Foundation
import Running
import Shared
import Testing

/// Plans beside what was run of them.
@Suite struct RanTests {
    private static let activity: String = {
        func lap(_ seconds: Int, _ meters: Int) -> String {
            "<Lap><TotalTimeSeconds>\(seconds)</TotalTimeSeconds><DistanceMeters>\(meters)</DistanceMeters></Lap>"
        }
        let laps = [lap(300, 1000), lap(96, 400), lap(60, 110), lap(40, 165), lap(61, 112)]
        return "<TrainingCenterDatabase><Activities>\(laps.joined())</Activities></TrainingCenterDatabase>"
    }()

    @Test("a plan is shown beside what was run of it, as a table, for programs and as a picture")
    func compared() async throws {
        let home = Home()
        try home.folder.write("run.tcx", Self.activity)
        try home.folder.write("tue.plan", "3x(run 400m @ 4:00/km, walk 1:00 @ 9:00/km)\n")
        func ran(
            _ plan: String = "tue.plan", _ activity: String = "run.tcx",
            _ change: (inout PlanRequest) -> Void = { _ in }
        ) async throws -> Told {
            try await home.plan(plan) {
                $0.ran = home.folder(activity)
                change(&$0)
            }
        }
        let table = try await ran()
        let lines = table.text.split(separator: "\n")
        #expect(lines.count == 9 && lines[1].hasPrefix("  +") && lines[1].contains("not planned"), "\(table.text)")
        #expect(lines[2].hasPrefix("  1  run      1:36    0.4 km  4:00 /km    1:36    0.4 km  4:00 /km  done"))
        #expect(lines.last?.hasPrefix("3 of 6 intervals done, 1 cut short, 2 missing, 1 not planned, ") == true)
        let json = try await ran { $0.style = .json }
        let rows = try #require(try JSONSerialization.jsonObject(with: Data(json.text.utf8)) as? [[String: Any]])
        #expect(
            rows.map { $0["state"] as? String } == ["extra", "done", "done", "short", "done", "missing", "missing"])
        try home.folder.write("short.plan", "run 5:00 @ 5:00/km\n")
        try home.folder.write(
            "short.tcx", Self.activity.replacing("<DistanceMeters>1000<", with: "<DistanceMeters>999.6<"))
        let exact = try await ran("short.plan", "short.tcx") { $0.style = .csv }
        #expect(exact.text.contains(",557.000,1786.600,311.765,"), "\(exact.text)")
        #expect(try await ran { $0.output = home.folder("ran.svg") }.code == 0)
        #expect(home.folder.text("ran.svg").hasPrefix("<svg"))
        let cases = [
            (try await ran("tue.plan", "none.fit"), "there is no file 'none.fit'", Int32(66)),
            (try await ran("tue.plan", "tue.plan"), "an activity is .fit, .tcx or .gpx", 64),
            (try await ran { $0.output = home.folder("x.pdf") }, "a picture of --ran is .svg", 64),
            (try await ran { $0.output = home.folder("run.tcx") }, "'run.tcx' is the activity", 73),
            (try await ran("week 1: {tue: run 5k}"), "choose a workout", 64),
            (try await ran("run 1:00, forever"), "the plan goes on forever", 65),
        ]
        for (told, why, code) in cases { #expect(told.errors.contains(why) && told.code == code, "\(told)") }
    }
}
