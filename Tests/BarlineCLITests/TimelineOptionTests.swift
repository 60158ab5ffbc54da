internal import Shared
internal import Testing

/// The options of `timeline`: that each reaches the table. What is in the tables is tested without the command line.
@Suite struct TimelineOptionTests {
    @Test("the options for the passage and the style reach the table") func options() async throws {
        let scratch = try Scratch()
        try scratch.write("small.yaml", SampleTexts.small)
        func timeline(_ options: String...) async throws -> String {
            let outcome = try await Program.run(["timeline", "small.yaml"] + options, in: scratch)
            #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
            return outcome.text
        }
        let table = try await timeline("--from", "2.2", "--count-in", "2")
        #expect(table.hasSuffix("        2.000000        0.300000  日本  Go\n1 bar, 0:02.300\n"), "\(table)")
        let passage = ["--from", "3", "--to", "4", "--times", "2", "--speed", "50%"]
        let csv = try await Program.run(["timeline", "small.yaml", "--csv"] + passage, in: scratch)
        #expect(csv.text.hasSuffix("\n3,,2,1,,1.400000000,0.800000000,3\n4,,2,2,日本,2.200000000,0.600000000,4\n"))
        let beats = try await timeline("--beats", "--json", "--from", "2.2")
        #expect(beats.contains("\"beat\": 1, \"label\": \"日本\""), "\(beats)")
    }

    @Test("a reader that closes the pipe ends the program quietly") func aReaderThatClosesThePipeEndsTheProgramQuietly()
        async throws
    {
        let scratch = try Scratch()
        let outcome = try await Program.run(
            ["timeline", "metronome", "--times", "1000", "--csv"], in: scratch, output: .closed(after: 100))
        #expect(outcome.text.hasPrefix("index,section,line,bar,label,start_s,duration_s,number\n1,,1,1,,0.000000000,"))
        #expect(outcome.errors == "")
        #expect(outcome.code == 0 || outcome.code == 128 + 13, "ended by itself, or by SIGPIPE")
    }
}
