internal import Glibc
internal import Testing

/// Renderings that are interrupted, and what a terminal shows of them.
@Suite struct RenderEndTests {
    /// Hours of sound: the signal comes while it is being written.
    private static let long = ["render", "metronome", "--times", "100", "-o"]

    @Test("an interrupted rendering leaves no file, and keeps an existing one") func interrupted() async throws {
        let cases: [(signal: Int32, old: [String])] = [(SIGINT, []), (SIGTERM, []), (SIGHUP, ["x.wav"])]
        for (signal, old) in cases {
            let scratch = try Scratch()
            for name in old { try scratch.write(name, "a good file\n") }
            let outcome = try await Program.run(RenderEndTests.long + ["x.wav"], in: scratch) { running in
                if try scratch.names.count > old.count { running.sendOnce(signal) }
            }
            #expect(outcome.errors == "barline: error: rendering was stopped; nothing was written\n")
            #expect(outcome.code == 130 && outcome.text == "", "\(outcome.errors)")
            #expect(try scratch.names == old)
            for name in old { #expect(try scratch.read(name) == Array("a good file\n".utf8)) }
        }
    }

    @Test("at a terminal, a long rendering shows its progress, and clears it at the end; no stream is written there")
    func terminal() async throws {
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
        let (refused, why) = try await TerminalSession.run(["render", "metronome", "-o", "-"], in: scratch) { session in
            (try session.end(), session.text)
        }
        #expect(refused == 64)
        #expect(
            why.hasPrefix(
                "barline: error: raw samples cannot be written to a terminal: redirect them to a program or a file\r\n")
        )
    }
}
