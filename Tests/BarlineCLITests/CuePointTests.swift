internal import Foundation
internal import Shared
internal import Testing

/// The markers of a WAV file, read by a program that shares no code with Barline.
@Suite struct CuePointTests {
    private struct Cue: Decodable, Equatable {
        var frame: Int
        var label: String
    }

    /// The cue points that wavinfo (PyPI) finds in a file.
    private func cues(_ path: String) throws -> [Cue] {
        let script = """
            import json, sys, wavinfo
            cues = wavinfo.WavInfoReader(sys.argv[1], info_encoding="utf-8").cues
            print(json.dumps([{"frame": at, "label": cues.label_and_note(n)[0]} for n, at in cues.each_cue()]))
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try Python.path())
        process.arguments = ["-c", script, path]
        let output = Foundation.Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return try JSONDecoder().decode([Cue].self, from: data)
    }

    /// The boundaries of a score according to `timeline`, in frames.
    private func frames(_ score: String, in scratch: Scratch) async throws -> [Double] {
        struct Row: Decodable { var start_s: Double }
        let table = try await Program.run(["timeline", score, "--json", "--speed", "73%"], in: scratch)
        return try JSONDecoder().decode([Row].self, from: Data(table.output)).map { $0.start_s * 48_000 }
    }

    @Test("cue points lie within half a frame of their boundaries, in order and with their labels")
    func cuePointsLieWithinHalfAFrameOfTheirBoundariesWithTheirLabelsInOrder() async throws {
        let scratch = try Scratch()
        try scratch.write(
            "piece.yaml",
            "lines: [{repeat: 3, bars: [0.31, 0.277, 0.123]}, [0.5, {duration: 0.4, label: Höhe}, 0.2]]\n")
        let starts = try await frames("piece.yaml", in: scratch)
        var all: [String] = []
        for line in 1...4 { for bar in 1...3 { all.append("\(line).\(bar)") } }
        // The page counts the bars of the repeated line once.
        all[9...] = ["4.1 no. 4", "4.2 no. 5 Höhe", "4.3 no. 6"]
        for (choice, names) in [("lines", ["1.1", "2.1", "3.1", "4.1 no. 4", "4.2 no. 5 Höhe"]), ("bars", all)] {
            let written = try await Program.run(
                ["render", "piece.yaml", "-o", "piece.wav", "--speed", "73%", "--markers", choice], in: scratch)
            #expect(written.errors == "" && written.code == 0)
            let cues = try cues(scratch.folder + "/piece.wav")
            #expect(cues.map(\.label) == names)
            let wanted = names.compactMap { name in all.firstIndex(of: name).map { starts[$0] } }
            for (cue, frame) in zip(cues, wanted) { #expect(abs(Double(cue.frame) - frame) <= 0.5001) }
        }
    }

    @Test("a file without markers has no cue points") func aFileWithoutMarkersHasNoCuePoints() async throws {
        let scratch = try Scratch()
        _ = try await Program.run(["render", "metronome", "-o", "m.wav", "--to", "3", "--markers", "off"], in: scratch)
        let bytes = try scratch.read("m.wav")
        #expect(try WaveFile(bytes).chunks.contains("cue ") == false)
    }
}
