internal import Foundation
internal import Glibc
internal import Shared
internal import SimulatedCardSupport
internal import Testing

/// `doctor --latency --taps`: a microphone hears the hits of keys.
@Suite struct HeardKeyTests {
    @Test("doctor asks for keys at a terminal, and refuses to tell their delay if the microphone hears nothing")
    func keys() async throws {
        let scratch = try Scratch(devices: SimulatedCard.configuration)
        let input = try SimulatedCard(in: scratch.folder, [:]).microphone(in: scratch.folder, ["muted": true])
        let text = try await TerminalSession.run(
            ["doctor", "--latency", "--taps", "--input", input], in: scratch,
            environment: ["LD_PRELOAD": SimulatedCard.preload]
        ) { session in
            for count in 0..<5 {
                try session.wait(for: "Keys: \(count) of 10")
                // Keys that come sooner are those of a key that is held.
                usleep(350_000)
                session.type("j")
            }
            try session.wait(for: "Keys: 5 of 10")
            session.type("q")
            try session.expectEnd(65)
            #expect(session.isAsBefore)
            return session.text
        }
        #expect(text.contains("gives silence: is the microphone muted"), "\(text)")
    }

    /// What a microphone hears beside its card: hits, each at a time.
    private struct Hits {
        let path: String
        var count = 0

        /// Adds a hit at a time (CLOCK_MONOTONIC, ns), which the microphone must not have reached yet.
        mutating func add(at time: Int64) throws {
            let (frames, rate) = (960, 48_000.0)
            let samples = (0..<frames).map { (n: Int) -> Float in
                Float(sin(Double(n * n)) * 0.5 * exp(-Double(n) / 150))
            }
            let first = Int64(count * frames)
            // A `simulated_card_row`: its frames, their place, time and rate; then how they are stored.
            var row = Data()
            let places: [Int64] = [first, first * 4, 0, time, 0, Int64(bitPattern: rate.bitPattern)]
            let kinds: [UInt32] = [UInt32(frames), UInt32(count + 1), 1 | 4 << 16, 14]
            places.withUnsafeBytes { row += Data($0) }
            kinds.withUnsafeBytes { row += Data($0) }
            try append(samples.withUnsafeBytes { Data($0) }, to: path)
            try append(row, to: path + ".times")
            count += 1
        }

        private func append(_ data: Data, to path: String) throws {
            if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(fileURLWithPath: path)) }
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try file.seekToEnd()
            try file.write(contentsOf: data)
            try file.close()
        }
    }

    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    @Test("doctor tells how much later than its hit a key arrives: after it was typed, and before it was counted")
    func heard() async throws {
        let scratch = try Scratch(devices: SimulatedCard.configuration)
        let card = try SimulatedCard(in: scratch.folder, [:])
        let input = try card.microphone(
            in: scratch.folder, ["path_us": 0, "path_db": 0, "noise_db": -70, "skew_ppm": 100])
        let (text, code, typed, counted) = try await TerminalSession.run(
            ["doctor", "--latency", "--taps", "--input", input], in: scratch,
            environment: ["LD_PRELOAD": SimulatedCard.preload]
        ) { session in
            var hits = Hits(path: card.recordingPath)
            var (typed, counted): ([Double], [Double]) = ([], [])
            for count in 0..<10 {
                try session.wait(for: "Keys: \(count) of 10")
                usleep(350_000)
                let hit = HeardKeyTests.now() + 90_000_000
                try hits.add(at: hit)
                // The first keys come soon after their hits, the last ones late.
                usleep(UInt32(90_000 + count * 3000))
                typed.append(Double(HeardKeyTests.now() - hit) / 1e6)
                session.type("j")
                try session.wait(for: count < 9 ? "Keys: \(count + 1) of 10" : "thank you")
                counted.append(Double(HeardKeyTests.now() - hit) / 1e6)
            }
            let code = try session.end()
            return (session.text, code, typed, counted)
        }
        // A machine that is so busy that keys are counted long after their hits has none that belong to each other.
        guard counted.allSatisfy({ $0 < 180 }) else { return #expect([0, 65].contains(code), "\(text)") }
        // One that delays keys unequally is told so, and by no more than was seen here: the robust deviation of times within a
        // range is at most 1.4826 times half of the range.
        if code == 65, let said = text.firstMatch(of: /differ by (\d+) ms/).flatMap({ Double($0.1) }) {
            let range = (counted.max() ?? 0) - (typed.min() ?? 0)
            return #expect((21...0.7413 * range + 2).contains(said), "\(said) ms, of a range of \(range) ms")
        }
        #expect(code == 0, "\(text)")
        let words = text.split(whereSeparator: \.isNewline).first { $0.contains("a key arrives") }?.split(
            separator: " ")
        let delay = try #require(words.flatMap { Double($0[3]) }, "\(text)")
        #expect(text.contains("10 keys with a spread"), "\(text)")
        // A hit is known to 2 ms.
        let bounds = HeardKeyTests.median(typed) - 2...HeardKeyTests.median(counted) + 2
        #expect(bounds.contains(delay), "\(delay) is not in \(bounds)")
    }
}
