internal import Foundation
internal import Testing

@Suite struct MemoryTests {
    /// Writes a map of a million entries, starts a program, and says at the end how many kilobytes it has used at most.
    private static let measured = """
        import os, sys
        entry, *program = sys.argv[1:]
        with open("map.klick", "w") as file:
            file.writelines(entry.replace("%d", str(n)) + "\\n" for n in range(1, 1_000_001))
        pid = os.fork()
        if pid == 0: os.execv(program[0], program)
        _, status, usage = os.wait4(pid, 0)
        print(f"kilobytes {usage.ru_maxrss}")
        sys.exit(os.waitstatus_to_exitcode(status))
        """

    @Test(
        "a klick map of a million entries takes at most 256 MB, valid or not",
        arguments: [
            ("1 4/4 120", 0), ("1 4/4 nonsense", 65), ("a%d: 1 4/4 120", 65), ("1 4/4 %d.5", 65),
            ("\n1 120 Xxx. 0.5", 65),
        ])
    func klick(entry: String, code: Int32) async throws {
        let scratch = try Scratch()
        let outcome = try await Program.run(
            ["check", "map.klick"], in: scratch, wrapper: ["/usr/bin/python3", "-c", Self.measured, entry])
        #expect(outcome.code == code, "\(outcome.errors.prefix(300))")
        let kilobytes = outcome.text.split(separator: "\n").compactMap { line -> Int? in
            line.hasPrefix("kilobytes ") ? Int(line.dropFirst(10)) : nil
        }
        #expect(try #require(kilobytes.first) <= 256 << 10, "\(entry)")
    }

    @Test(
        "what large scores from pages took is given back once another one plays, and the first Ctrl-C ends amid uploads"
    )
    func uploads() async throws {
        let scratch = try Scratch()
        try scratch.write("piece.yaml", "bars: [1, 1]\nrepeat: forever\n")
        let facts = try await BrowserFacts("uploads.py", "piece.yaml", in: scratch)
        let memory = ["begin", "large", "end"].map { facts[$0].compactMap(Int.init) }
        // The scores are large, so that it would be seen.
        #expect(memory[1].count == 4 && memory[1].allSatisfy { $0 > memory[0][0] + 32 }, "\(memory)")
        #expect(facts["ended"] == ["0"])
        #expect(memory[2].count == 1 && memory[2][0] <= memory[0][0] + 16, "\(memory)")
    }
}
