import Application
import Foundation
import Glibc
import Playback
import Scores
import Shared
import Testing
import UserSettings

/// A plan over one's own music.
@Suite struct OverTests {
    private static let plan = "2x(run 0:10, walk 0:05)"

    /// A home with three pieces of three seconds, named so that 10 comes after 2, and files that are no music.
    private func home() async throws -> Home {
        let home = Home()
        try home.folder.write("piece.yaml", "bars: [3]\n")
        for (name, drone) in [("2", "A3"), ("10", "C4"), ("1", "E4")] {
            let code = try await home.render("piece.yaml", to: "\(name).wav") {
                $0.performance.drone = try DroneChoice(text: drone)
                ($0.performance.clicks[Setting.clickLevel], $0.performance.countIn, $0.format.rate) = (.off, .off, 8000)
            }
            #expect(code == 0, "\(home.errors)")
        }
        return home
    }

    private func render(
        over music: [String], to output: String, in home: Home, _ change: (inout RenderRequest) -> Void = { _ in }
    ) async throws -> Int32 {
        try await home.render(OverTests.plan, to: output) {
            ($0.performance.cues.noCues, $0.performance.countIn) = (true, .seconds(5))
            $0.music.names = music.map { home.folder($0) }
            change(&$0)
        }
    }

    @Test("a plan over music has the sample rate of the music, and stems of the same length")
    func overMusic() async throws {
        let home = try await home()
        let code = try await render(over: ["2.wav", "10.wav"], to: "run.wav", in: home) { $0.stems = true }
        #expect(code == 0 && home.errors == "", "\(home.errors)")
        for name in ["run", "run-click", "run-drone", "run-speech", "run-music"] {
            let wave = try WaveFile(home.folder.bytes("\(name).wav"))
            #expect(wave.rate == 8000 && wave.frames == 35 * 8000)
            #expect(wave.data.contains { $0 != 0 } == ["run", "run-click", "run-music"].contains(name))
        }
        // Cues begin within a millisecond of the plan, as the stem has them: nothing sounds before them.
        let clicks = try WaveFile(home.folder.bytes("run-click.wav"))
        for boundary in [5, 15, 20, 30] {
            let frames = ((boundary - 1) * 8000 + 4000)..<(boundary * 8000 + 100)
            let heard = frames.first { frame in
                let (low, high) = (Int(clicks.data[4 * frame]), Int(clicks.data[4 * frame + 1]))
                return abs(Int(Int16(truncatingIfNeeded: high << 8 | low))) > 100
            }
            #expect(abs((heard ?? 0) - boundary * 8000) <= 8)
        }
        #expect(try await render(over: ["2.wav"], to: "other.wav", in: home) { $0.format.rate = 11_025 } == 0)
        #expect(try WaveFile(home.folder.bytes("other.wav")).rate == 11_025)
    }

    @Test("a folder stands for its sound files, ordered by number; a note names the other files")
    func folder() async throws {
        let home = try await home()
        try home.folder.write("music/cover.jpg", "no sound")
        try home.folder.write("music/.hidden", "no sound")
        // Nobody writes to it.
        try #require(mkfifo(home.folder("music/pipe"), 0o600) == 0)
        for (from, to) in [("1", "music/1"), ("2", "music/2"), ("10", "music/sub/10")] {
            try home.folder.write("\(to).wav", bytes: home.folder.bytes("\(from).wav"))
        }
        let folder = try await render(over: ["music"], to: "a.wav", in: home)
        #expect(folder == 0)
        #expect(
            home.errors == "barline: note: '\(home.folder("music"))' has files that are not played: cover.jpg, pipe\n")
        let files = try await render(over: ["1.wav", "2.wav", "10.wav"], to: "b.wav", in: home)
        #expect(files == 0 && home.errors == "")
        #expect(firstDifference(home.folder.bytes("a.wav"), home.folder.bytes("b.wav")) == nil)
    }

    @Test("music that cannot be played is an error, and no file appears") func errors() async throws {
        let home = try await home()
        try home.folder.write("text.mp3", "no sound")
        try home.folder.write("cut.wav", bytes: Array(home.folder.bytes("2.wav").prefix(20_000)))
        try home.folder.write("empty/readme.txt", "no sound")
        for (name, code, why) in [
            ("none.mp3", Int32(66), "--over: '\(home.folder("none.mp3"))' does not exist"),
            ("text.mp3", 65, "'\(home.folder("text.mp3"))' is no sound file: "),
            ("cut.wav", 65, "'\(home.folder("cut.wav"))' cannot be read: it ends in the middle"),
            ("empty", 65, "--over: '\(home.folder("empty"))' has no sound file that can be played"),
        ] {
            #expect(try await render(over: [name], to: "run.wav", in: home) == code)
            #expect(home.errors.contains("barline: error: \(why)"), "\(home.errors)")
        }
        #expect(try await render(over: ["2.wav"], to: "2.wav", in: home) == 73)
        #expect(home.errors.contains("2.wav' is the music"))
        #expect(!home.folder.contents.contains { $0.hasPrefix("run") })
    }
}
