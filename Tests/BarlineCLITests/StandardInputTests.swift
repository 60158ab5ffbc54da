internal import Testing

/// Scores and logs on standard input.
@Suite struct StandardInputTests {
    @Test("what stands on standard input is recognized by its content")
    func recognized() async throws {
        let scratch = try Scratch()
        func read(_ text: String, _ command: String...) async throws -> String {
            let outcome = try await Program.run(command, in: scratch, input: Array(text.utf8))
            #expect(outcome.code == 0, "\(outcome.errors)")
            return outcome.text
        }
        #expect(try await read("2 4/4 120\n1 3/4 90\n", "check", "-") == "standard input: 1 line, 3 bars, 0:06\n")
        #expect(try await read("2x(run 0:30, walk 0:20)\n", "check", "-").contains(" 4 bars"))
        #expect(
            try await read("a: 1 4/4 120\n", "convert", "-", "-", "--to", "csv") == "line,bar,label,duration\n1,1,a,2\n"
        )
        #expect(try await read("1\n2\n3\n", "tap", "--beats", "2", "--seconds", "-") == "bars: [2]\n")
        let log = "index,label,nominal_s,heard_s,error_us,frame,rate_ppm,uncertainty_us,flags\n1,,0,0,0,0,0,0,\n"
        #expect(try await read(log, "report", "-").hasPrefix("bars   1, heard 1, lost 0, late 0\n"))
    }
}
