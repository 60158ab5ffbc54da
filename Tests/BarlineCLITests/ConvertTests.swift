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

    @Test("the options for the format and the excerpt reach the file") func options() async throws {
        let scratch = try scratch()
        let labels = try await convert(
            ["piece.yaml", "-", "--to", "audacity", "--first", "1.2", "--last", "Hold", "--speed", "50%"], in: scratch)
        #expect(labels.text == "0.000000000\t5.400000000\t1.2\n5.400000000\t9.400000000\t1.3 Hold\n")
        let picture = try await convert(["piece.yaml", "x.svg"], in: scratch)
        #expect(picture.code == 0 && picture.errors.isEmpty, "\(picture.errors)")
        let same = try await convert(["piece.yaml", "./piece.yaml", "--to", "csv"], in: scratch)
        #expect(same.code == 73 && same.errors.contains("'./piece.yaml' is the score"), "\(same.errors)")
        #expect(try scratch.names == ["piece.yaml", "x.svg"])
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
