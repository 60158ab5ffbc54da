internal import Glibc
internal import Shared
internal import Testing

/// Renderings that are interrupted, and endless ones.
@Suite struct RenderEndTests {
    /// Hours of sound: the signal comes while it is being written.
    private static let long = ["render", "metronome", "--times", "1000", "-o"]

    @Test("an interrupted rendering leaves no file", arguments: [SIGINT, SIGTERM, SIGHUP])
    func anInterruptedRenderingLeavesNoFile(signal: Int32) async throws {
        let scratch = try Scratch()
        let outcome = try await Program.run(RenderEndTests.long + ["x.wav"], in: scratch) { running in
            if try !scratch.names.isEmpty { running.sendOnce(signal) }
        }
        #expect(outcome.errors == "barline: error: rendering was stopped; nothing was written\n")
        #expect(outcome.code == 130, "\(outcome.errors)")
        #expect(outcome.text == "")
        #expect(try scratch.names == [])
    }

    @Test("an interrupted rendering keeps the existing file") func anInterruptedRenderingKeepsTheExistingFile()
        async throws
    {
        let scratch = try Scratch()
        try scratch.write("x.wav", "a good file\n")
        let outcome = try await Program.run(RenderEndTests.long + ["x.wav"], in: scratch) { running in
            if try scratch.names.count > 1 { running.sendOnce(SIGINT) }
        }
        #expect(outcome.code == 130, "\(outcome.errors)")
        #expect(try scratch.names == ["x.wav"])
        #expect(try scratch.read("x.wav") == Array("a good file\n".utf8))
    }

    @Test("an endless stream ends when its reader does") func anEndlessStreamEndsWhenItsReaderDoes() async throws {
        let scratch = try Scratch()
        try scratch.write("small.yaml", SampleTexts.small)
        let options = ["render", "small.yaml", "--count-in", "0", "--drone", "off", "--bits", "32f", "--channels", "1"]
        let once = try await Program.run(options + ["-o", "-"], in: scratch)
        let endless = try await Program.run(
            options + ["--loop", "-o", "-"], in: scratch, output: .closed(after: 3 * once.output.count))
        #expect(endless.code == 0, "\(endless.errors)")
        #expect(endless.errors == "")
        let expected = once.output + once.output + once.output
        #expect(firstDifference(Array(endless.output.prefix(expected.count)), expected) == nil)
    }

    @Test("a stream is not written to a terminal") func aStreamIsNotWrittenToATerminal() async throws {
        let scratch = try Scratch()
        let (code, text) = try await TerminalSession.run(["render", "metronome", "-o", "-"], in: scratch) { session in
            (try session.end(), session.text)
        }
        #expect(code == 64)
        #expect(
            text.hasPrefix(
                "barline: error: raw samples cannot be written to a terminal: redirect them to a program or a file\r\n")
        )
    }

    /// At a terminal, a long rendering shows its progress, and clears the line at the end.
    @Test("a long rendering shows its progress, and clears it at the end")
    func aLongRenderingShowsItsProgressAndClearsItAtTheEnd() async throws {
        let scratch = try Scratch()
        let (code, rows, text) = try await TerminalSession.run(
            RenderEndTests.long + ["a-sound-with-quite-a-long-name.wav"], in: scratch
        ) { session in
            try session.wait(for: " left")
            session.type("\u{03}")
            return (try session.end(), session.picture.rows, session.text)
        }
        #expect(code == 130)
        #expect(rows == ["barline: error: rendering was stopped; nothing was written", ""])
        #expect(text.contains("█") || text.contains("·"))
        #expect(text.contains(" %  a-sound-with-quite-a  "), "a name that would not fit is cut")
        #expect(try scratch.names == [])
    }
}
