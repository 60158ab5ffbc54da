import Application
import Formats
import Running
import Shared
import Testing

/// Plans that are written to files, or stored under a name.
@Suite struct PlanFileTests {
    static let twoHours = "4 × (0:30 run, 0:30 walk), 1:00 walk, for 2 hours"

    @Test("a plan survives writing and reading in every format") func formats() async throws {
        let home = Home()
        let losses = [
            "plan": "", "csv": "groups are written out", "fit": "groups within groups are written out",
            "txt": "groups within groups are written out",
            "zwo": "a group that IntervalsT cannot hold is written out (in 24 intervals, the first is 'walk 1:00')",
        ]
        for (format, loss) in losses {
            let written = try await home.plan(Self.twoHours) { $0.output = home.folder("x.\(format)") }
            #expect(written.code == 0 && written.text == "")
            #expect(written.errors == (loss.isEmpty ? "" : "barline: warning: x.\(format): \(loss)\n"))
            #expect(try await home.plan("x.\(format)").text.hasSuffix("216 intervals, 2:00:00\n"))
            #expect(try await home.timeline("x.\(format)").hasSuffix("216 bars, 2:00:00.000\n"))
        }
        // A table for programs can be read as a plan.
        try home.folder.write("again.csv", try await home.plan("x.fit") { $0.style = .csv }.text)
        #expect(try await home.timeline("again.csv").hasSuffix("216 bars, 2:00:00.000\n"))
    }

    @Test("an MP3 of more than 255 intervals has chapters for the groups of its plan") func chapters() async throws {
        let home = Home()
        let code = try await home.render("100x(run 0:01, walk 0:01, rest 0:01)", to: "x.mp3") {
            $0.performance.cues.noCues = true
        }
        #expect(code == 0)
        #expect(
            home.errors.contains("MP3 files have at most 255 markers; this one has one for each group or line"))
        // Chapters are ID3v2 frames.
        let bytes = home.folder.bytes("x.mp3")
        let frames = bytes.indices.dropLast(3).count { Array(bytes[$0..<($0 + 4)]) == Array("CHAP".utf8) }
        #expect(frames == 100)
    }

    @Test("a saved plan can be used by its name like any score") func saved() async throws {
        let home = Home()
        let path = "data/barline/scores/tuesday.plan"
        let saved = try await home.plan("title: Tuesday\n2x(run 0:30 @ 5:00/km, walk 0:20)") { $0.save = "tuesday" }
        #expect(saved.text == path + "\n" && saved.code == 0)
        #expect(try await home.timeline("tuesday").hasSuffix("4 bars, 1:40.000\n"))
        #expect(try await home.plan("tuesday").text.contains("4 intervals, 1:40"))
        #expect(try await home.scores().text.contains("tuesday            Tuesday  (\(path))\n"))
        // The comments of the old file are lost.
        try home.folder.write(path, "title: Tuesday\n2x(run 0:30, walk 0:20) # drink\n")
        let commented = try await home.plan("tuesday") { ($0.save, $0.replaces) = ("tuesday", true) }
        #expect(
            commented.errors == "barline: warning: \(path): the comments in the old file are lost\n", "\(commented)")
        #expect(!home.folder.text(path).contains("drink"))
        // A plan of that name, or a bundled score, is replaced or hidden only if told so; a score of one's own never.
        func save(_ name: String, replaces: Bool = false) async throws -> Told {
            try await home.plan("run 1:00") { ($0.save, $0.replaces) = (name, replaces) }
        }
        let again = try await save("tuesday")
        #expect(again.code == 73 && again.errors.contains("there is already a plan 'tuesday'"), "\(again.errors)")
        // Of many who save at the same time, one does.
        let codes = try await withThrowingTaskGroup(of: Int32.self) { group in
            for seconds in 1...8 {
                group.addTask { try await Home(of: home).plan("run 0:0\(seconds)") { $0.save = "race" }.code }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.sorted() == [0] + Array(repeating: 73, count: 7))
        let hiding = try await save("metronome")
        #expect(hiding.code == 73 && hiding.errors.contains("'metronome' is a bundled score"), "\(hiding.errors)")
        #expect(try await home.scores(copy: "metronome").code == 0)
        let hidden = try await save("metronome", replaces: true)
        #expect(hidden.code == 73 && hidden.errors.contains("would hide a plan 'metronome'"), "\(hidden.errors)")
        #expect(try await home.timeline("tuesday").hasSuffix("4 bars, 1:40.000\n"))
        #expect(try await save("tuesday", replaces: true).isFine)
        #expect(try await home.timeline("tuesday").hasSuffix("1 bar, 1:00.000\n"))
    }

    @Test("a file name that no plan has, and a threshold without effect, are refused") func refused() async throws {
        let home = Home()
        let doc = try await home.plan("run 1:00") { $0.output = home.folder("x.doc") }
        #expect(doc.code == 64 && doc.errors.contains("'x.doc' has no known extension"), "\(doc.errors)")
        let threshold = try await home.plan("run 1:00") { $0.gaps.threshold = Pace(.seconds(300), per: .kilometers) }
        #expect(threshold.errors.contains("--threshold is for a plan with shares of a threshold"))
        #expect(threshold.code == 64 && home.folder.contents == [])
    }
}
