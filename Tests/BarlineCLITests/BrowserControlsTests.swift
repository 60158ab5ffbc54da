internal import Foundation
internal import Testing

/// Every control of the page, in a real browser.
@Suite struct BrowserControlsTests {
    @Test("each control of the page works: it chooses and drops scores, and makes and downloads files")
    func controls() async throws {
        let scratch = try Scratch()
        // The hold is not reached: it is for the files.
        let lines = "lines: [{bars: [0.5, 0.4, 0.6, 0.5], repeat: 100}, {bars: [{duration: 1, hold: until cue}]}]"
        try scratch.write("dropped.yaml", "title: Dropped\n\(lines)\n")
        let temporary = scratch.folder + "/temporary"
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Scripts/controls.py").path
        let outcome = try await Program.run(
            ["serve", "--port", "0", "--device", "null", "--timing-log", "log.csv", "--count-in", "1s"], in: scratch,
            wrapper: [try Python.path(), script])
        try #require(outcome.code == 0, "\(outcome.text)\(outcome.errors)")
        let facts = outcome.text.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
        func all(_ name: String) -> [String] { facts.filter { $0.first == name }.compactMap { $0.dropFirst().first } }

        #expect(all("complaint").isEmpty, "the browser complains: \(outcome.text)")
        #expect(all("idle") == ["choose a score, or drop a file on this page"])
        #expect(
            all("chosen").first?.isEmpty == false && all("brackets").first?.contains("fixed opens in") == true,
            "\(outcome.text)")
        #expect(all("problems").first?.contains("bad.yaml:2:22: error: 'oops'") == true, "\(all("problems"))")
        // The device remembers its choices.
        #expect(all("kept") == all("put") && all("kept").first?.contains("beat=streamer") == true)
        #expect(all("raced") == ["yes"] && all("closed") == ["True"] && all("empty") == ["nothing.yaml is empty"])
        #expect(all("asked") == ["End the music for all?"])
        #expect(all("problems-after") == ["none"] && all("stands") == ["True"])
        // `q` ends it all, and `e` is there while a microphone listens.
        #expect(all("unused") == ["['e', 'q']"])
        #expect(all("locked") == ["playing Dropped"])
        #expect(all("counted") == ["no time"])
        let home = try #require(scratch.environment["HOME"])
        let practice = try String(contentsOfFile: home + "/.local/state/barline/practice.csv", encoding: .utf8)
        for note in ["too loud", String(repeating: "譜", count: 100)] { #expect(practice.contains(note), "\(practice)") }
        #expect(all("alone") == ["no network: this page plays on by itself"])
        #expect(all("ended") == ["0"])
        let magic = [
            "wav": "RIFF", "flac": "fLaC", "midi": "MThd", "pdf": "%PDF", "csv": "line", "reaper": "#,Na",
            "yaml": "titl",
        ]
        #expect(all("fetched").count == magic.count)
        for line in all("fetched") {
            let words = line.split(separator: " ").map(String.init)
            #expect(words.last == "b'\(magic[words[0]] ?? "")'", "\(line)")
        }
        // 100 lines of 2 s, and a bar whose hold until a cue has no length in files, in 16 bits and stereo.
        let wave = try #require(all("fetched").first).split(separator: " ")
        #expect(Int(wave[1]).map { $0 > 200 * 48000 * 4 } == true)
        #expect(all("nothing") == ["no music yet", "no music yet"])
        #expect(all("downloaded") == ["Dropped (reaper).csv is downloaded"])
        #expect(all("yaml").first?.hasPrefix("True ") == true, "\(all("yaml"))")
        #expect(all("lost").first?.hasPrefix("Dropped.csv: ") == true, "\(all("lost"))")
        let homeless = "'Dropped (reaper).csv' cannot be made: there is no temporary folder"
        #expect(all("homeless") == [homeless])
        let left = try FileManager.default.contentsOfDirectory(atPath: temporary).filter { $0.hasPrefix("barline-") }
        #expect(left.isEmpty, "temporary files are left: \(left)")
        for line in all("size") {
            let words = line.split(separator: " ").map(String.init)
            #expect(words[1] == "0", "wider than the screen: \(line)")
            #expect(Double(words[2]).map { $0 >= 0.1 } == true, "small digits: \(line)")
        }

        // The timing log tells of both scores, and of what the controls did.
        let log = String(decoding: try scratch.read("log.csv"), as: UTF8.self).split(separator: "\n").dropFirst()
        let rows = log.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        let flags = rows.map { $0[8] }
        #expect(flags.contains { $0.contains("jump") } && flags.contains { $0.contains("resumed") })
        #expect(flags.contains { $0.contains("muted") })
        let places = rows.compactMap { Int($0[0]) }
        #expect(places.contains { (25...28).contains($0) }, "no bar of line 7: \(places)")
        #expect(zip(places.dropFirst(), places).contains { $0 == $1 }, "no bar was looped or begun again: \(places)")
    }
}
