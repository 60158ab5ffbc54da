internal import Foundation
internal import Testing

/// The page in a real browser.
@Suite struct BrowserTests {
    @Test("a browser shows the bar that is heard, controls the music, locks, and plays on without the network")
    func page() async throws {
        let scratch = try Scratch()
        let lines = "lines: [{bars: [0.5, 0.4, 0.6, 0.5], repeat: 500}]"
        try scratch.write("long.yaml", "title: Long\ncount-in: 0.2\n\(lines)\n")
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Scripts/browser.py").path
        let outcome = try await Program.run(
            ["serve", "long.yaml", "--port", "0", "--device", "null", "--timing-log", "log.csv"], in: scratch,
            wrapper: [try Python.path(), script])
        try #require(outcome.code == 0, "\(outcome.text)\(outcome.errors)")
        let facts = outcome.text.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 2).map(String.init) }
        func all(_ name: String) -> [[String]] { facts.filter { $0.first == name }.map { Array($0.dropFirst()) } }

        #expect(all("title") == [["Long"]])
        #expect(all("complaint").isEmpty, "the browser complains: \(outcome.text)")
        #expect(all("drone").first?.joined(separator: " ") == "440 0.060 442 0.060 0 0.000")
        let pause = try #require(all("paused").first)
        #expect(pause[0] == pause[1] && all("next") == [["next", "key →"]])
        #expect(all("note").first?.joined(separator: " ").contains("nowhere") == true)
        #expect(all("settings").first?.joined(separator: " ").contains("clicks off") == true)
        #expect(all("locked") == [["playing"]])
        #expect(all("watching") == [["watching", "only []"]])
        // Locked is locked, also after a reload; an open connection that nobody answers is none.
        #expect(all("reloaded") == [["['lock']"]] && all("alone") == [["playing"]])
        #expect(all("rest") == [["w"]])
        #expect(all("refused").first?.joined(separator: " ") == "no network: this is not sent")

        // The bars follow each other on the page, and the timing log has them with the pause.
        let flashes = all("flash").compactMap { Int($0[0]) }
        #expect(flashes.count >= 10 && flashes == Array(flashes[0]..<flashes[0] + flashes.count))
        let log = String(decoding: try scratch.read("log.csv"), as: UTF8.self).split(separator: "\n")
        let heard = log.compactMap { line -> Double? in
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            return fields.count > 3 ? Double(fields[3]) : nil
        }
        #expect(zip(heard.dropFirst(), heard).contains { $0 - $1 > 1.4 }, "the log has no pause: \(heard)")
    }
}
