internal import Foundation
internal import Testing

/// The page for runners in a real browser.
@Suite struct RunningPageTests {
    @Test("the page computes runs, edits and plays a plan, and opens again without a network")
    func page() async throws {
        let scratch = try Scratch()
        let plan = "run 2:00 @ 5:00/km, 4x(walk 1:00 @ 10:00/km), count-in: 0.2"
        let facts = try await BrowserFacts("runner.py", plan, in: scratch)

        #expect(facts["first"] == ["42.195 4:00:00 5:41"])
        // What `barline pace 10km 4:30/km` and so on print.
        #expect(facts["locked"] == ["time 10 45:00 4:30", "pace 21.098 1:30:00 4:16", "distance 10 50:00 12"])
        #expect(facts["refused"].first?.contains("not 'soon'") == true)
        #expect(facts["refused"].first?.hasSuffix("| soon true") == true)
        #expect(facts["wrong"].first?.contains("not 'never'") == true)
        #expect(facts["totals"] == ["0.8 6:00 7:30"])

        // The totals of the page are those of the saved plan on the command line.
        let saved = try JSONDecoder().decode(String.self, from: Data(try #require(facts["saved"].first).utf8))
        #expect(saved.contains("run \"First\" 2:00 @ 4:30/km\n6x(run \"Hill\" 1:00 @ 10:00/km, walk 1:00 @ 10:00/km)"))
        try scratch.write("saved.plan", saved)
        let shown = try await Program.run(["plan", "show", "saved.plan", "--json"], in: scratch)
        let rows = try JSONDecoder().decode([Row].self, from: Data(shown.text.utf8))
        let last = try #require(rows.last)
        let totals = try #require(facts["edited"].first).split(separator: " ")
        let clock = totals[1].split(separator: ":").compactMap { Int($0) }
        #expect(rows.count == 13 && clock.reduce(0) { $0 * 60 + $1 } == Int(last.total_time_s.rounded()))
        #expect(abs((Double(totals[0]) ?? 0) * 1000 - last.total_distance_m) <= 0.5)

        #expect(facts["started"] == ["yes"] && facts["pulses"] == ["[200, 80, 200]"])
        #expect(facts["remembered"] == facts["reloaded"] && facts["remembered"].first?.hasSuffix(" 15") == true)
        let offline = try #require(facts["offline"].first)
        let reloaded = try #require(facts["reloaded"].first)
        #expect(offline.hasPrefix("no network | \(reloaded) | as it was at"))
        #expect(facts["waits"].first?.hasSuffix("| 1:00:00") == true)
        #expect(facts["complaint"].isEmpty, "the browser complains: \(facts["complaint"])")
    }

    private struct Row: Decodable {
        var total_time_s: Double
        var total_distance_m: Double
    }
}

/// What a script of a browser has seen of a page that the program serves.
struct BrowserFacts {
    private let lines: [(name: String, text: String)]

    /// Serves a score or plan to the browser of a script in `Support`, and takes the facts that it prints.
    init(
        _ script: String, _ score: String, options: [String] = [], device: String? = "null", in scratch: Scratch
    ) async throws {
        let arguments = ["serve", score, "--port", "0"] + (device.map { ["--device", $0] } ?? []) + options
        try await self.init(script, running: arguments, in: scratch)
    }

    /// Takes the facts that a script in `Support` prints, which runs the program with these arguments.
    init(
        _ script: String, running arguments: [String], in scratch: Scratch, environment: [String: String] = [:]
    ) async throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Scripts/\(script)").path
        let outcome = try await Program.run(
            arguments, in: scratch, environment: environment, wrapper: [try Python.path(), path])
        try #require(outcome.code == 0, "\(outcome.text)\(outcome.errors)")
        lines = outcome.text.split(separator: "\n").map { line in
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            return (words.first ?? "", words.count == 2 ? words[1] : "")
        }
    }

    /// The facts of a name.
    subscript(name: String) -> [String] { lines.filter { $0.name == name }.map(\.text) }
}
