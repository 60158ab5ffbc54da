internal import Glibc
internal import Testing

/// `barline follow` beside `barline serve` on the same machine. What a follower plays is tested without processes.
@Suite struct FollowTests {
    @Test("a follower plays its own part from the address that its leader prints, and logs it")
    func follows() async throws {
        let (leader, follower) = (try Scratch(), try Scratch())
        try leader.write(
            "duo.yaml",
            "voices:\n  harp: {bars: [0.5, 0.4], repeat: 2000}\n  flute: {bars: [0.25], repeat: 12000}\n")
        let (addresses, found) = AsyncStream<String>.makeStream()
        async let serving = {
            defer { found.finish() }
            return try await Program.run(["serve", "duo.yaml", "--port", "0", "--device", "null"], in: leader) {
                running in
                let line = running.text.split(separator: "\n").last { $0.hasPrefix("only watch: ") }
                guard let line, running.text.contains(" 1.1 ") else { return }
                found.yield(String(line.dropFirst("only watch: ".count)))
                found.finish()
            }
        }()
        for await address in addresses {
            let part = ["--part", "flute", "--timing-log", "log.csv"]
            let followed = try await Program.run(
                ["follow", address, "--device", "null"] + part, in: follower, isAwaited: true
            ) { running in
                if running.text.split(separator: "\n").count(where: { $0.hasSuffix("    0.250 s") }) >= 8 {
                    running.sendOnce(SIGINT)
                }
            }
            #expect(followed.code == 0 && followed.errors.hasPrefix("following 127.0.0.1:"), "\(followed.errors)")
            #expect(try String(decoding: follower.read("log.csv"), as: UTF8.self).contains(",muted,"))
            #expect(try await Program.run(["stop"], in: leader, isAwaited: true).text == "stopped\n")
        }
        #expect(try await serving.code == 0)
    }
}
