import Application
import Foundation
import Shared
import SimulatedCardSupport
import Testing
import UserSettings

extension LiveTests {
    /// Listening to a player while music plays.
    @Suite struct ListenLiveTests {
        @Test("in a pipe a line tells of each bar that was heard") func lines() async throws {
            let home = Home()
            let card = try home.card()
            // A player who begins a note every 0.83 s, whatever the bar.
            let samples = (0..<39_840 * 40).map { n -> Float in
                let t = Double(n % 39_840) / 48_000
                let phase = 2 * Double.pi * [440.0, 493.883, 523.251, 587.33][n / 39_840 % 4] * t
                return Float(0.1 * (sin(phase) + sin(2 * phase) / 2) * exp(-t * 3) * (1 - t / 0.83))
            }
            try home.folder.write("player.f32", bytes: samples.withUnsafeBytes { Array($0) })
            let bars = Array(repeating: "0.8", count: 60).joined(separator: ", ")
            var request = PlayRequest(try home.write("steady.yaml", "title: Steady\nbars: [\(bars)]\n"))
            request.device[Setting.device] = card.device
            (request.record.listen, request.record.record) = (true, home.folder("take.flac"))
            request.record[Setting.input] = try card.microphone(
                in: home.folder.path,
                [
                    "skew_ppm": 0, "noise_db": -80, "path_db": -120, "plays": .text(home.folder("player.f32")),
                    "plays_again": true,
                ])
            let wanted = request
            async let code = home.run { try await wanted.play() }
            try await home.wait(for: "a bar that was heard") {
                home.text.contains("  heard 1.") && (home.text.contains(" ms late") || home.text.contains(" ms early"))
            }
            #expect(try await home.ask(.stop) == "stopped")
            #expect(try await code == 0, "\(home.errors)")
            #expect(home.folder.bytes("take.flac").starts(with: Array("fLaC".utf8)))
        }
    }
}
