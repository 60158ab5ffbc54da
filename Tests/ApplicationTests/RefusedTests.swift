import Application
import Formats
import Playback
import Scores
import Shared
import Testing
import Timing

/// Requests that cannot be carried out: each ends with one message and code 64; nothing is written.
@Suite struct RefusedTests {
    /// The file names of the home, without their folder, in what was said.
    private func errors(_ home: Home) -> String { home.errors.replacing(home.folder.path + "/", with: "") }

    /// Places that the piece does not have.
    @Test(
        "the error about a place outside the piece says which places it has",
        arguments: [
            ("9", nil, "--from: there is no bar 9: the piece has bars 1 to 4"),
            ("0", nil, "--from: there is no bar 0: the piece has bars 1 to 4"),
            (nil, "3.1", "--to: there is no line 3: the piece has lines 1 to 2"),
            (nil, "1.5", "--to: there is no bar 5 in line 1: it has bars 1 to 2"),
            ("B", nil, "--from: there is no label 'B' in the piece"),
            ("2.1", "1.2", "--from 2.1 comes after --to 1.2: there is nothing to play"),
        ] as [(String?, String?, String)])
    func theErrorAboutAPlaceOutsideThePieceSaysWhichPlacesItHas(from: String?, to: String?, why: String) async throws {
        let home = Home()
        let score = try home.write("small.yaml", SampleTexts.small)
        var (timeline, play) = (TimelineRequest(score), PlayRequest(score))
        (timeline.passage.from, timeline.passage.to) = (from, to)
        (play.performance.passage.from, play.performance.passage.to) = (from, to)
        let (printed, played) = (timeline, play)
        func expect(_ code: Int32) {
            #expect(code == 64 && home.text == "" && home.errors == "barline: error: \(why)\n", "\(home.errors)")
        }
        expect(try await home.run { try printed.print() })
        expect(try await home.run { try await played.play() })
        expect(
            try await home.render { ($0.performance.passage.from, $0.performance.passage.to) = (from, to) })
        #expect(home.files == ["small.yaml"])
    }

    @Test("a file name with an unknown extension is refused with a list of the known ones")
    func anUnknownExtensionIsRefused() async throws {
        let home = Home()
        let score = try home.write("small.yaml", SampleTexts.small)
        func expect(_ code: Int32, _ known: String) {
            #expect(errors(home).hasPrefix("barline: error: 'x."), "\(home.errors)")
            #expect(home.errors.contains("' has no known extension: ") && home.errors.contains(known))
            #expect(code == 64 && home.text == "" && home.folder.contents == ["small.yaml"])
        }
        expect(
            try await home.render(to: "x.m4a"), "use .wav, .rf64, .flac, .ogg, .oga, .opus, .mp3, .aiff or .aif")
        expect(try await home.render(to: "x.wav.xyz") { $0.stems = true }, "or add --type")
        let doc = home.folder("x.doc")
        expect(
            try await home.run { try ConvertRequest(score, to: doc).convert() },
            "use one of .csv, .htm, .html, .klick, .labels, .mid, .midi, .pdf, ")
        expect(try await home.log { $0.svg = home.folder("x.png") }, "a picture of --svg is .svg")
    }

    @Test("a file needs no known extension if its type is given, or if its name has no extension")
    func aGivenTypeNeedsNoExtension() async throws {
        let home = Home()
        try home.folder.write("small.yaml", SampleTexts.small)
        let files: [(String, FileType?, String)] = [
            ("x.xyz", .flac, "fLaC"), ("x", nil, "RIFF"), ("x.aif", nil, "FORM"),
        ]
        for (name, type, tag) in files {
            #expect(try await home.render(to: name) { $0.type = type } == 0, "\(home.errors)")
            #expect(home.folder.bytes(name).starts(with: tag.utf8))
        }
    }

    @Test("a sound that cannot be written is an error") func unwritten() async throws {
        let home = Home()
        let score = try home.write("small.yaml", SampleTexts.small)
        for (path, why) in [("/dev/full", "No space left on device"), ("", "No such file or directory")] {
            #expect(try await home.run { try RenderRequest(score, to: path).render() } == 73 && home.text == "")
            #expect(home.errors == "barline: error: '\(path)' cannot be written: \(why)\n")
        }
        #expect(home.folder.contents == ["small.yaml"] && home.folder.text("small.yaml") == SampleTexts.small)
    }

    @Test("a drone level without a drone, and a bar that no line has, are errors") func nothingToDo() async throws {
        let home = Home()
        let score = try home.write("piece.yaml", "lines: [[0.1, 0.2]]\n")
        #expect(try await home.render("piece.yaml") { $0.performance.droneSound.add { $0.level = .off } } == 64)
        #expect(home.errors == "barline: error: the score has no drone; add one with --drone B4\n")
        var request = PlayRequest(score)
        request.practice.program = try PracticeProgram(scoreText: "column 9")
        #expect(try await home.run(request) { try await $0.play() } == 64)
        #expect(home.errors.contains("--program: no line has a bar 9"), "\(home.errors)")
        #expect(home.text == "" && home.files == ["piece.yaml"])
    }

    @Test("a program begins where `--from` says if it plays that bar, also if it has fewer bars than the piece")
    func programFrom() async throws {
        let home = Home()
        try home.folder.write("piece.yaml", "lines: [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]\n")
        func render(from: String) async throws -> Int32 {
            try await home.render("piece.yaml") {
                ($0.performance.passage.from, $0.performance.countIn) = (from, .off)
                $0.practice.program = try PracticeProgram(scoreText: "column 2")
                ($0.format.rate, $0.format.channels, $0.format.samples) = (8000, 1, .float32)
            }
        }
        for (from, frames) in [("1.2", 9600), ("2.2", 8000), ("3.2", 4800)] {
            #expect(try await render(from: from) == 0, "\(home.errors)")
            #expect(try WaveFile(home.folder.bytes("x.wav")).floats.count == frames)
        }
        #expect(try await render(from: "3.1") == 64)
        #expect(home.errors == "barline: error: --program: the program does not play bar 1 of line 3\n")
    }
}
