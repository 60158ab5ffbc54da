internal import Foundation
internal import Glibc
internal import Testing

/// `barline follow`, beside a leader on the same machine.
@Suite struct FollowTests {
    /// Serves a score; once this number of bars has been printed, `body` gets the address for watching. Ends the music
    /// afterwards.
    private func whileServing(
        _ score: String, bars: Int, in scratch: Scratch,
        _ body: @escaping @Sendable (String) async throws -> Void
    ) async throws -> Outcome {
        let (addresses, found) = AsyncStream<String>.makeStream()
        // All other programs may run before this one gets a slot.
        async let serving = {
            defer { found.finish() }
            let arguments = ["serve", score, "--port", "0", "--device", "null"]
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
}
