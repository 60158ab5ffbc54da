internal import Foundation
internal import Glibc
internal import Testing

/// `barline follow`, beside a leader on the same machine.
@Suite struct FollowTests {
    /// Serves a score; once this number of bars has been printed, `body` gets the address for watching. Ends the music
    /// afterwards.
    private func whileServing(
        _ score: String, then next: [String] = [], bars: Int, in scratch: Scratch,
        _ body: @escaping @Sendable (String) async throws -> Void
    ) async throws -> Outcome {
        let (addresses, found) = AsyncStream<String>.makeStream()
        // All other programs may run before this one gets a slot.
        async let serving = {
            defer { found.finish() }
            let pieces = [score] + next.flatMap { ["--then", $0] }
            let arguments = ["serve"] + pieces + ["--port", "0", "--device", "null"]
            return try await Program.run(arguments, in: scratch) { running in
                let lines = running.text.split(separator: "\n")
                guard lines.count(where: { $0.hasSuffix(" s") }) >= bars,
                    let line = lines.last(where: { $0.hasPrefix("only watch: ") })
                else { return }
                found.yield(String(line.dropFirst("only watch: ".count)))
                found.finish()
            }
        }()
        for await address in addresses {
            try await body(address)
            #expect(try await Program.run(["stop"], in: scratch, isAwaited: true).text == "stopped\n")
        }
        return try await serving
    }

    @Test("a late follower plays its own part from there on, bar by bar as its leader, and logs it")
    func bars() async throws {
        let (leader, follower) = (try Scratch(), try Scratch())
        try leader.write(
            "duo.yaml",
            """
            title: Duo
            voices:
              harp: {bars: [0.5, 0.4, 0.6], repeat: 2000}
              flute: {bars: [0.25], repeat: 12000}

            """)
        let led = try await whileServing("duo.yaml", bars: 5, in: leader) { address in
            let refused = try await Program.run(
                ["follow", address, "--device", "null", "--part", "tuba"], in: follower, isAwaited: true)
            #expect(refused.code == 64 && refused.errors.contains("there is no voice 'tuba'"), "\(refused.errors)")
            let followed = try await Program.run(
                ["follow", address, "--device", "null", "--part", "flute", "--timing-log", "log.csv"], in: follower,
                isAwaited: true
            ) { running in
                if running.text.split(separator: "\n").count >= 24 { running.sendOnce(SIGINT) }
            }
            #expect(followed.code == 0, "\(followed.text)\(followed.errors)")
            #expect(followed.errors.hasPrefix("following 127.0.0.1:"))
            let places = followed.text.split(separator: "\n").filter { $0.hasSuffix(" s") }.map {
                $0.split(separator: " ")[0].split(separator: ".").compactMap { Int($0) }
            }
            // The flute's bars, each a line of its own.
            let bars = places.map { $0[0] }
            #expect(bars.count >= 20 && bars[0] >= 5 && bars == Array(bars[0]..<bars[0] + bars.count), "\(bars)")
            // The harp is not heard here, which the log says. The bar in which the follower came had begun before.
            let rows = String(decoding: try follower.read("log.csv"), as: UTF8.self).split(separator: "\n").dropFirst()
            let logged = rows.compactMap { Double($0.split(separator: ",", omittingEmptySubsequences: false)[2]) }
            let span = Double(bars[0] - 1) * 0.25...Double(bars[0] + bars.count) * 0.25
            #expect(logged.count >= 3 && logged.allSatisfy(span.contains), "\(logged), not in \(span)")
            let flags = rows.map { $0.split(separator: ",", omittingEmptySubsequences: false)[8] }
            #expect(flags.allSatisfy { $0.hasSuffix("muted") }, "\(rows)")
        }
        #expect(led.code == 0, "\(led.errors)")
    }

    @Test("a follower that joins at a later piece of the leader logs it")
    func laterPiece() async throws {
        let (leader, follower) = (try Scratch(), try Scratch())
        try leader.write("first.yaml", "bars: [0.1]\n")
        try leader.write("second.yaml", "bars: [0.25]\nrepeat: 12000\n")
        let led = try await whileServing("first.yaml", then: ["second.yaml"], bars: 3, in: leader) { address in
            let followed = try await Program.run(
                ["follow", address, "--device", "null", "--timing-log", "log.csv", "--ltc-channel", "3"], in: follower,
                isAwaited: true
            ) { running in
                if running.text.split(separator: "\n").count >= 8 { running.sendOnce(SIGINT) }
            }
            #expect(followed.code == 0, "\(followed.text)\(followed.errors)")
            #expect(followed.errors.contains("note: the score has no timecode: add one with --ltc-start"))
            let nowhere = try await Program.run(
                ["follow", address, "--device", "null", "--ltc-start", "01:00:00:00 @ 25"], in: follower,
                isAwaited: true)
            #expect(nowhere.code == 64 && nowhere.errors.contains("the timecode goes nowhere"), "\(nowhere.errors)")
            let rows = String(decoding: try follower.read("log.csv"), as: UTF8.self).split(separator: "\n").dropFirst()
            #expect(rows.count >= 3, "\(rows)")
        }
        #expect(led.code == 0, "\(led.errors)")
    }

    @Test("a follower that finds no leader leaves an old log as it is")
    func oldLog() async throws {
        let follower = try Scratch()
        try follower.write("log.csv", "old\n")
        let secret = String(repeating: "0", count: 32)
        let nobody = try await Program.run(
            ["follow", "127.0.0.1:1/#\(secret)", "--device", "null", "--timing-log", "log.csv"], in: follower)
        #expect(nobody.code == 69, "\(nobody.errors)")
        #expect(String(decoding: try follower.read("log.csv"), as: UTF8.self) == "old\n")
    }

    @Test("an address that leads nowhere, and a secret that is not the leader's, are told")
    func wrongAddress() async throws {
        let (leader, follower) = (try Scratch(), try Scratch())
        let bad = try await Program.run(["follow", "127.0.0.1:1"], in: follower)
        #expect(bad.code == 64 && bad.errors.contains("the address has no secret after #"), "\(bad.errors)")
        let secret = String(repeating: "0", count: 32)
        let nobody = try await Program.run(["follow", "127.0.0.1:1/#\(secret)", "--device", "null"], in: follower)
        #expect(nobody.code == 69 && nobody.errors.contains("nobody serves at 127.0.0.1:1"), "\(nobody.errors)")
        try leader.write("long.yaml", "bars: [3000]\n")
        let led = try await whileServing("long.yaml", bars: 0, in: leader) { address in
            let host = address.prefix { $0 != "#" }
            let refused = try await Program.run(
                ["follow", "\(host)#\(secret)", "--device", "null"], in: follower, isAwaited: true)
            #expect(refused.code == 69 && refused.errors.contains("the secret is not that of"), "\(refused.errors)")
        }
        #expect(led.code == 0, "\(led.errors)")
    }
}
