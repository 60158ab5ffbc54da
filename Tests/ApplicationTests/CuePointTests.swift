import Application
import Foundation
import Playback
import Scores
import Shared
import Testing

/// The markers of a WAV file, read by a program that shares no code with Barline.
@Suite struct CuePointTests {
    private struct Cue: Decodable {
        var frame: Int
        var label: String
    }

    /// Prints the cue points that wavinfo (PyPI) finds in a file.
    private static let script = """
        import json, sys, wavinfo
        cues = wavinfo.WavInfoReader(sys.argv[1], info_encoding="utf-8").cues
        print(json.dumps([{"frame": at, "label": cues.label_and_note(n)[0]} for n, at in cues.each_cue()]))
        """

    @Test("cue points lie within half a frame of their boundaries, in order and with their labels")
    func places() async throws {
        struct Row: Decodable { var start_s: Double }
        let (home, speed) = (Home(), try Speed(scoreText: "73%"))
        try home.folder.write(
            "piece.yaml",
            "lines: [{repeat: 3, bars: [0.31, 0.277, 0.123]}, [0.5, {duration: 0.4, label: Höhe}, 0.2]]\n")
        let table = try await home.timeline("piece.yaml") { ($0.style, $0.passage.speed) = (.json, speed) }
        let starts = try JSONDecoder().decode([Row].self, from: Data(table.utf8)).map { $0.start_s * 48_000 }
        var all: [String] = []
        for line in 1...4 { for bar in 1...3 { all.append("\(line).\(bar)") } }
        // The page counts the bars of the repeated line once.
        all[9...] = ["4.1 no. 4", "4.2 no. 5 Höhe", "4.3 no. 6"]
        let lines = ["1.1", "2.1", "3.1", "4.1 no. 4", "4.2 no. 5 Höhe"]
        for (choice, names) in [(Marker.Choice.lines, lines), (.bars, all)] {
            let code = try await home.render("piece.yaml") {
                ($0.performance.passage.speed, $0.markers) = (speed, choice)
            }
            #expect(code == 0 && home.errors == "")
            let cues: [Cue] = try Python.json(Self.script, file: home.folder.bytes("x.wav"))
            #expect(cues.map(\.label) == names)
            let wanted = names.compactMap { name in all.firstIndex(of: name).map { starts[$0] } }
            for (cue, frame) in zip(cues, wanted) { #expect(abs(Double(cue.frame) - frame) <= 0.5001) }
        }
    }

    @Test("a file without markers has no cue points") func none() async throws {
        let home = Home()
        let code = try await home.render("metronome") { ($0.performance.passage.to, $0.markers) = ("3", .off) }
        #expect(code == 0)
        #expect(try WaveFile(home.folder.bytes("x.wav")).chunks.contains("cue ") == false)
    }
}
