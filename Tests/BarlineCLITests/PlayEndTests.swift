internal import Glibc
internal import Shared
internal import Testing

/// How a performance whose output is a pipe ends by a signal. A stop from elsewhere takes the same way, and is tested without a
/// process for every state of the music.
@Suite struct PlayEndTests {
    @Test(
        "a signal ends a performance normally, and no escape sequence is written to a pipe",
        arguments: [SIGINT, SIGTERM, SIGHUP])
    func signals(signal: Int32) async throws {
        let scratch = try Scratch()
        try scratch.write("hold.yaml", "bars: [0.2, {duration: 0.2, hold: until cue at 0.1}, 0.2, 0.2]\n")
        let arguments = ["play", "hold.yaml", "--wait", "--flash", "screen", "--device", "null"]
        let outcome = try await Program.run(arguments, in: scratch) { running in
            if running.text.hasSuffix("holding\n") { running.sendOnce(signal) }
        }
        #expect(outcome.text.contains("    1.2 ") && !outcome.text.contains("    1.3 "))
        #expect(outcome.text.contains("holding\nstopped at line 1, bar 2, ") && !outcome.text.contains("\u{1B}"))
        #expect(outcome.errors == "" && outcome.code == 0)
        for command in [["check", "bad.yaml"], ["scores"], ["devices"], ["--help"]] {
            try scratch.write("bad.yaml", "bars: [x]\n")
            let outcome = try await Program.run(command, in: scratch)
            #expect(!(outcome.text + outcome.errors).contains("\u{1B}"), "\(command)")
            #expect(!(outcome.text + outcome.errors).isEmpty, "\(command)")
        }
    }
}
