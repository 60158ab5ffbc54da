internal import Foundation
internal import SimulatedCardSupport
internal import Testing

/// `play --listen`, with a microphone that hears a player.
@Suite struct ListenLiveTests {
    /// A piece of bars of 0.8 s, and a player who begins a note every 0.83 s, whatever the bar: each is later than the one before.
    private func devices(_ scratch: Scratch, bars count: Int = 60) throws -> (card: String, input: String) {
        let bars = Array(repeating: "0.8", count: count).joined(separator: ", ")
        try scratch.write("steady.yaml", "title: Steady\nbars: [\(bars)]\n")
        let samples = (0..<39_840 * 40).map { n -> Float in
            let (note, t) = (n / 39_840, Double(n % 39_840) / 48_000)
            let phase = 2 * Double.pi * [440.0, 493.883, 523.251, 587.33][note % 4] * t
            return Float(0.1 * (sin(phase) + sin(2 * phase) / 2 + sin(3 * phase) / 3) * exp(-t * 3) * (1 - t / 0.83))
        }
        let path = scratch.folder + "/player.f32"
        try samples.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: path))
        let card = try SimulatedCard(in: scratch.folder, [:])
        let input = try card.microphone(
            in: scratch.folder,
            ["skew_ppm": 0, "noise_db": -80, "path_db": -120, "plays": .text(path), "plays_again": true])
        return (card.device, input)
    }

    @Test(
        "at a terminal a needle names each bar and shows how late it was, a strobe the pitch; a key loops the bars farthest off"
    )
    func picture() async throws {
        let scratch = try Scratch(devices: SimulatedCard.configuration)
        let (card, input) = try devices(scratch)
        let text = try await TerminalSession.run(
            ["play", "steady.yaml", "--listen", "--device", card, "--input", input, "--drone", "A3"], in: scratch,
            environment: ["LD_PRELOAD": SimulatedCard.preload]
        ) { session in
            try session.wait(for: "early")
            try session.wait(for: "a bar with how late it was, and a strobe") {
                let rows = session.picture.rows
                return rows.contains { $0.contains(" ms") && $0.contains("1.") } && rows.contains { $0.contains("███") }
            }
            session.type("?")
            try session.wait(for: "loop the bars farthest off")
            #expect(!session.picture.rows.contains { $0.contains("tap: you begin a bar") })
            session.type("?")
            try session.wait(for: "early")
            // Once enough bars have been heard.
            for _ in 0..<100 where !session.picture.rows.contains(where: { $0.contains("1 of 4") }) {
                session.type("e")
                usleep(400_000)
            }
            try session.wait(for: " of 4")
            session.type("q")
            try session.expectEnd(0)
            #expect(session.isAsBefore)
            return session.text
        }
        #expect(text.contains("worth practicing, against your usual: 1."), "\(text.suffix(600))")
        let path = (scratch.environment["HOME"] ?? "") + "/.local/state/barline/practice.csv"
        let log = try String(contentsOfFile: path, encoding: .utf8)
        #expect(log.contains(" A4:") || log.contains(",A4:"), "\(log)")
    }

    @Test("after the last bar, the bars worth practicing are told, and a key plays them again and again")
    func atTheEnd() async throws {
        let scratch = try Scratch(devices: SimulatedCard.configuration)
        let (card, input) = try devices(scratch, bars: 30)
        try await TerminalSession.run(
            ["play", "steady.yaml", "--listen", "--device", card, "--input", input], in: scratch,
            environment: ["LD_PRELOAD": SimulatedCard.preload]
        ) { session in
            try session.wait(for: "e loops these bars; any other key ends")
            session.type("e")
            try session.wait(for: " of 4")
            session.type("q")
            try session.expectEnd(0)
            #expect(session.isAsBefore)
        }
    }

    @Test("the page shows how late each bar was, tells it to those who ask, and shows the last bar of all, too")
    func page() async throws {
        let scratch = try Scratch(devices: SimulatedCard.configuration)
        let (card, input) = try devices(scratch)
        let facts = try await BrowserFacts(
            "listening.py",
            running: [
                "play", "steady.yaml", "--listen", "--serve", "--port", "0", "--device", card, "--input", input,
            ], in: scratch, environment: ["LIBRARY": SimulatedCard.preload])
        #expect(facts["complaint"].isEmpty, "the browser complains: \(facts["complaint"])")
        #expect(facts["needle"] == ["visible"])
        #expect(facts["note"].first?.contains("¢") == true, "\(facts["note"])")
        #expect(facts["button"] == ["How was the last bar?"])
        let answer = facts["answer"].first ?? ""
        #expect(answer.contains(/^1\.[0-9]+: ([0-9]+ ms (late|early)|unsure)$/), "\(answer)")
        #expect(facts["asked"].first?.hasPrefix("\(facts["last"].first ?? "?"): ") == true, "\(facts["asked"])")
        #expect(facts["last"] == ["1.60"])
    }
}
