internal import Foundation
internal import Testing

@Suite struct ConvertTests {
    private static let piece = """
        title: Study
        drone: B4
        lines:
          - label: A
            bars: [3, 2.7, {duration: 2, label: Hold, cue: wait}]
          - bars: [{meter: 4/4, tempo: 1/4 = 72}, {meter: 3/4}, 1.5]
        """

    private func scratch() throws -> Scratch {
        let scratch = try Scratch()
        try scratch.write("piece.yaml", bytes: Array(Self.piece.utf8))
        return scratch
    }

    private func convert(_ arguments: [String], in scratch: Scratch, input: [UInt8] = []) async throws -> Outcome {
        try await Program.run(["convert"] + arguments, in: scratch, input: input)
    }

    /// The start times of a score's bars, from `timeline`.
    private func starts(_ file: String, in scratch: Scratch) async throws -> [Double] {
        let outcome = try await Program.run(["timeline", file, "--csv"], in: scratch)
        try #require(outcome.code == 0, "\(outcome.errors)")
        return outcome.text.split(separator: "\n").dropFirst().compactMap { row in
            let fields = row.split(separator: ",", omittingEmptySubsequences: false)
            return Double(fields[fields.count - 2])
        }
    }

    @Test("a converted score has the same timeline", arguments: ["x.csv", "x.mid"])
    func aConvertedScoreHasTheSameTimeline(file: String) async throws {
        let scratch = try scratch()
        let outcome = try await convert(["piece.yaml", file], in: scratch)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.text.isEmpty)
        let (one, two) = (try await starts("piece.yaml", in: scratch), try await starts(file, in: scratch))
        #expect(one.count == two.count)
        #expect(zip(one, two).allSatisfy { abs($0 - $1) <= (file == "x.mid" ? 2e-5 : 1e-6) })
    }

    @Test("features that a format does not carry are reported, on standard error only")
    func featuresThatAFormatDoesNotCarryAreReportedOnStandardErrorOnly() async throws {
        let outcome = try await convert(["piece.yaml", "-", "--to", "csv"], in: try scratch())
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(
            outcome.errors == """
                barline: warning: a CSV table: the title is left out
                barline: warning: a CSV table: the drone is left out
                barline: warning: a CSV table: meters and tempi are written as seconds (in 2 bars, the first is 2.1)

                """)
        #expect(
            outcome.text == """
                line,bar,label,cue,duration
                1,1,A,,3
                1,2,,,2.7
                1,3,Hold,wait,2
                2,1,,,3.333333333333333333
                2,2,,,2.5
                2,3,,,1.5

                """)
    }

    @Test("an excerpt at another speed begins at zero") func anExcerptAtAnotherSpeedBeginsAtZero() async throws {
        let outcome = try await convert(
            ["piece.yaml", "-", "--to", "audacity", "--first", "1.2", "--last", "Hold", "--speed", "50%"],
            in: try scratch())
        #expect(
            outcome.text == """
                0.000000000\t5.400000000\t1.2
                5.400000000\t9.400000000\t1.3 Hold

                """)
    }

    @Test(
        "a text file, like standard input, is recognized by its content",
        arguments: [
            ("t 60\n4/4 x 2\n", "2 bars"), ("2 4/4 120\n1 3/4 90\n", "3 bars"),
            ("0.000000\t1.500000\tone\n1.500000\t2.250000\ttwo\n", "2 bars"),
            ("run 0:30, walk 0:20\n", "2 bars"), ("2x(run 0:30, walk 0:20)\n", "4 bars"),
        ])
    func aTextFileLikeStandardInputIsRecognizedByItsContent(text: String, bars: String) async throws {
        let scratch = try Scratch()
        try scratch.write("clicks.txt", text)
        let named = try await Program.run(["check", "clicks.txt"], in: scratch)
        #expect(named.text.contains(bars) && named.code == 0)
        let piped = try await Program.run(["check", "-"], in: scratch, input: Array(text.utf8))
        #expect(piped.text.contains(bars) && piped.code == 0)
    }

    @Test("convert recognizes the format of standard input by its content")
    func convertRecognizesTheFormatOfStandardInputByItsContent() async throws {
        let outcome = try await convert(
            ["-", "-", "--to", "csv"], in: try Scratch(), input: Array("a: 1 4/4 120\n".utf8))
        #expect(outcome.text == "line,bar,label,duration\n1,1,a,2\n")
    }

    @Test("an independent library can read a MIDI file") func anIndependentLibraryCanReadAMIDIFile() async throws {
        let scratch = try scratch()
        #expect(try await convert(["piece.yaml", "x.mid"], in: scratch).code == 0)
        let script = """
            import mido
            file = mido.MidiFile("x.mid")
            print(file.type, file.ticks_per_beat, len(file.tracks))
            now, last, tick = 0, 500000, 0
            for event in file.tracks[0]:
                now += mido.tick2second(event.time, file.ticks_per_beat, last)
                if event.type == "set_tempo": last = event.tempo
                if event.type in ("marker", "cue_marker"): print(f"{now:.6f} {event.text}")
                if event.type == "time_signature": print(f"{now:.6f} {event.numerator}/{event.denominator}")
            print(f"{now:.6f}", sum(e.type == "note_on" for e in file.tracks[1]))
            """
        let child = Process()
        let pipe = Foundation.Pipe()
        child.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        child.arguments = ["-c", script]
        child.currentDirectoryURL = URL(fileURLWithPath: scratch.folder)
        child.standardOutput = pipe
        try child.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        child.waitUntilExit()
        #expect(child.terminationStatus == 0)
        #expect(
            text == """
                1 30240 2
                0.000000 3/4
                0.000000 1.1 A
                5.700000 2/4
                5.700000 1.3 Hold
                5.700000 wait
                7.700000 4/4
                7.700000 2.1
                11.033332 3/4
                13.533331 2/4
                15.033331 6

                """)
    }

    @Test("pictures are written without a warning") func picturesAreWrittenWithoutAWarning() async throws {
        let scratch = try scratch()
        for file in ["x.svg", "x.pdf"] {
            let outcome = try await convert(["piece.yaml", file], in: scratch)
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(outcome.errors.isEmpty)
        }
        let names = try scratch.names
        #expect(names == ["piece.yaml", "x.pdf", "x.svg"])
    }

    @Test(
        "an impossible conversion says why, and writes nothing",
        arguments: [
            (["x.txt"], 64, "'x.txt' may be in one of several formats: add --to klick or --to audacity"),
            (
                ["x.wav"], 64,
                "'x.wav' has no known extension: use one of .csv, .htm, .html, .klick, .labels, .mid, .midi, .pdf, "
            ),
            (
                ["x", "--to", "click-tracker"], 64,
                "a Click Tracker score can be read, but not written; --to takes yaml, "
            ),
            (
                ["x.yaml", "--speed", "50%"], 64,
                "a Barline score always has the whole score: --first, --last and --speed "
            ),
            (
                ["x.csv", "--last", "1.1", "--first", "2.1"], 64,
                "--first 2.1 comes after --last 1.1: there is nothing to play"
            ),
            (["x.html", "--each-voice"], 64, "--each-voice: a page that plays by itself has all voices"),
            (["./piece.yaml", "--to", "csv"], 73, "'./piece.yaml' is the score: give the new file another name"),
            (["nowhere/x.csv"], 73, "'nowhere/x.csv' "),
        ])
    func anImpossibleConversionSaysWhyAndWritesNothing(arguments: [String], code: Int32, why: String) async throws {
        let scratch = try scratch()
        let outcome = try await convert(["piece.yaml"] + arguments, in: scratch)
        #expect(outcome.code == code)
        #expect(outcome.errors.contains("barline: error: \(why)"), "\(outcome.errors)")
        #expect(try scratch.names == ["piece.yaml"])
    }

    @Test("a mistyped format gets a suggestion") func aMistypedFormatGetsASuggestion() async throws {
        let outcome = try await convert(["piece.yaml", "x.mid", "--to", "mdi"], in: try scratch())
        #expect(outcome.code == 64, "\(outcome.errors)")
        #expect(
            outcome.errors.contains("'mdi' is not a format; write ") && outcome.errors.contains("did you mean 'midi'?"))
    }

    @Test("every command that reads a score takes a format") func everyCommandThatReadsAScoreTakesAFormat() async throws
    {
        let scratch = try Scratch()
        try scratch.write("clicks", bytes: Array("2 4/4 120\n".utf8))
        for command in [["check", "clicks"], ["timeline", "clicks"], ["render", "clicks", "-o", "x.wav"]] {
            let outcome = try await Program.run(command + ["--format", "klick"], in: scratch)
            #expect(outcome.code == 0, "\(command) \(outcome.errors)")
        }
        let wrong = try await Program.run(["check", "clicks", "--format", "csv"], in: scratch)
        #expect(wrong.code == 65, "\(wrong.errors)")
    }
}
