internal import Foundation
internal import Testing

/// `barline plan --ran`.
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
        let scratch = try Scratch()
        try scratch.write("run.tcx", Self.activity)
        try scratch.write("tue.plan", "3x(run 400m @ 4:00/km, walk 1:00 @ 9:00/km)\n")
        let table = try await Program.run(["plan", "tue.plan", "--ran", "run.tcx"], in: scratch)
        let lines = table.text.split(separator: "\n")
        #expect(lines.count == 9 && lines[1].hasPrefix("  +") && lines[1].contains("not planned"), "\(table.text)")
        #expect(lines[2].hasPrefix("  1  run      1:36    0.4 km  4:00 /km    1:36    0.4 km  4:00 /km  done"))
        #expect(lines.last?.hasPrefix("3 of 6 intervals done, 1 cut short, 2 missing, 1 not planned, ") == true)
        let json = try await Program.run(["plan", "tue.plan", "--ran", "run.tcx", "--json"], in: scratch)
        let rows = try #require(try JSONSerialization.jsonObject(with: Data(json.text.utf8)) as? [[String: Any]])
        #expect(
            rows.map { $0["state"] as? String } == ["extra", "done", "done", "short", "done", "missing", "missing"])
        let picture = try await Program.run(["plan", "tue.plan", "--ran", "run.tcx", "-o", "ran.svg"], in: scratch)
        let svg = String(decoding: try scratch.read("ran.svg"), as: UTF8.self)
        #expect(picture.code == 0 && svg.hasPrefix("<svg"))
        let cases: [([String], String, Int32)] = [
            (["plan", "tue.plan", "--ran", "none.fit"], "'none.fit' cannot be read", 66),
            (["plan", "tue.plan", "--ran", "tue.plan"], "an activity is .fit, .tcx or .gpx", 64),
            (["plan", "tue.plan", "--ran", "run.tcx", "-o", "x.pdf"], "a picture of --ran is .svg", 64),
            (["plan", "tue.plan", "--ran", "run.tcx", "--fill", "5k"], "--ran cannot be used with --fill", 64),
            (["plan", "week 1: {tue: run 5k}", "--ran", "run.tcx"], "choose a workout", 64),
            (["plan", "run 1:00, forever", "--ran", "run.tcx"], "the plan goes on forever", 65),
        ]
        for (arguments, message, code) in cases {
            let outcome = try await Program.run(arguments, in: scratch)
            #expect(outcome.errors.contains(message) && outcome.code == code, "\(arguments): \(outcome.errors)")
        }
    }
}
