internal import Glibc
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
        #expect(try await read("2x(run 0:30, walk 0:20)\n", "check", "-").contains(": 4 intervals"))
        #expect(
            try await read("a: 1 4/4 120\n", "convert", "-", "-", "--to", "csv") == "line,bar,label,duration\n1,1,a,2\n"
        )
        #expect(try await read("1\n2\n3\n", "tap", "--beats", "2", "--seconds", "-") == "bars: [2]\n")
        try scratch.write("just.scl", "five\n5\n9/8\n5/4\n3/2\n5/3\n2/1\n")
        try #require(mkdir(scratch.folder + "/there", 0o755) == 0)
        _ = try await read("tuning: just.scl\nbars: [1]\n", "convert", "-", "there/tuned.yaml")
        #expect(try await read("", "check", "there/tuned.yaml").hasPrefix("there/tuned.yaml: 1 line, 1 bar"))
        for arguments in [["check", "-", "-"], ["play", "-", "--then", "a", "--then", "-"], ["report", "-", "-"]] {
            let twice = try await Program.run(arguments, in: scratch, input: Array("1\n".utf8))
            #expect(
                twice.code == 64 && twice.errors.contains("standard input can be read only once"), "\(twice.errors)")
        }
        let log = "index,label,nominal_s,heard_s,error_us,frame,rate_ppm,uncertainty_us,flags\n1,,0,0,0,0,0,0,\n"
        #expect(try await read(log, "report", "-").hasPrefix("bars   1, heard 1, lost 0, late 0\n"))
    }
}
