internal import Foundation
internal import SimulatedCardSupport
internal import Testing

/// `tune`, with a microphone that hears the drone and a player.
@Suite struct TuneTests {
    /// A card, and a microphone of another crystal that hears it louder than a player, who begins after 2 s to play a pure
    /// fifth over B4, 20 cents sharp, and after half a minute begins again: a busy machine may have missed it.
    private func devices(
        _ scratch: Scratch, card settings: [String: SimulatedCard.Value] = [:]
    ) throws -> (card: String, input: String) {
        let hertz = 493.883 * 1.5 * exp2(20.0 / 1200)
        let samples = (0..<48_000 * 30).map { n -> Float in
            guard n > 96_000 else { return 0 }
            let phase = 2 * Double.pi * hertz * Double(n) / 48_000
            return Float(0.02 * (sin(phase) + sin(2 * phase) / 2 + sin(3 * phase) / 3))
        }
        let path = scratch.folder + "/player.f32"
        try samples.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: path))
        let card = try SimulatedCard(in: scratch.folder, settings)
        let input = try card.microphone(
            in: scratch.folder,
            ["skew_ppm": 0, "noise_db": -80, "path_db": 0, "plays": .text(path), "plays_again": true])
        return (card.device, input)
    }

    @Test(
        "a player is told how far the note is, while the drone sounds louder; a microphone may be never empty, but not missing"
    )
    func lines() async throws {
        let scratch = try Scratch(devices: SimulatedCard.configuration)
        let (card, input) = try devices(scratch)
        let outcome = try await Program.run(
            ["tune", "B4", "--waveform", "reed-organ", "--device", card, "--input", input, "--every", "1"], in: scratch,
            environment: ["LD_PRELOAD": SimulatedCard.preload]
        ) { running in
            if running.text.contains("sharp") { running.sendOnce(SIGINT) }
        }
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
        let lines = outcome.text.split(separator: "\n").map(String.init)
        #expect(lines.first?.hasPrefix("drone B4 493.88 Hz reed-organ") == true, "\(outcome.text)")
        // A pure fifth is 2 cents wider than that of equal temperament. Nothing is told of the drone itself; a dropout is, and
        // a busy machine may have one.
        #expect(lines.dropFirst().first { !$0.contains("dropout") } == "F#5, 22 cents sharp", "\(outcome.text)")
        let endless = try await Program.run(["tune", "--input", "null"], in: scratch) { running in
            if running.text.contains("\n") { running.sendOnce(SIGINT) }
        }
        #expect(endless.code == 0 && endless.text == "no drone, until Ctrl-C\n", "\(endless.errors)")
        let none = try await Program.run(["tune", "--input", "none"], in: scratch)
        #expect(none.code == 69 && none.errors.contains("there is no microphone 'none'"), "\(none.errors)")
    }

    @Test(
        "at a terminal there are a needle, a strobe against the note, and one against the pure interval, also after dropouts, after which the drone comes otherwise than it was learned"
    )
    func picture() async throws {
        let scratch = try Scratch(devices: SimulatedCard.configuration)
        // The player begins after two seconds: the path of the drone is known by then.
        let (card, input) = try devices(scratch, card: ["xrun_at": [3000, 3700, 4400]])
        try await TerminalSession.run(
            ["tune", "B4", "--device", card, "--input", input], in: scratch,
            environment: ["LD_PRELOAD": SimulatedCard.preload]
        ) { session in
            try session.wait(for: "play a note")
            try session.wait(for: "3 dropouts")
            try session.wait(for: "F#5, 22 cents sharp")
            try session.wait(for: "3:2 over B4, +20")
            try session.wait(for: "the needle and the strobes") {
                let rows = session.picture.rows
                return rows.contains { $0.contains("▼") } && rows.count { $0.contains("███") } == 6
            }
            session.type("q")
            try session.expectEnd(0)
            #expect(session.isAsBefore)
        }
    }
}
