internal import Foundation
internal import Testing

/// What `config` has to do with terminals, other programs and the options.
@Suite struct ConfigTests {
    @Test(
        "settings without effect are dimmed at a terminal, and marked in words without color",
        arguments: [[:], ["NO_COLOR": "1"]])
    func settingsWithoutEffectAreDimmedAtATerminalAndMarkedInWordsWithoutColor(environment: [String: String])
        async throws
    {
        let hasColor = environment.isEmpty
        try await TerminalSession.run(["config"], in: try Scratch(), environment: environment) { session in
            try session.expectEnd(0)
            let lines = session.text.split(whereSeparator: \.isNewline)
            let idle = try #require(lines.first { $0.contains("flash-color") })
            let other = try #require(lines.first { $0.contains("click-level") })
            #expect(idle.contains("\u{1B}[2m") == hasColor && idle.contains("(flash is off)") == !hasColor)
            #expect(!other.contains("\u{1B}"))
        }
    }

    @Test("two programs that change settings at the same time lose nothing")
    func twoProgramsThatChangeSettingsAtTheSameTimeLoseNothing() async throws {
        let scratch = try Scratch()
        let folder = (scratch.environment["HOME"] ?? "") + "/.config/barline"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "# mine\n".write(toFile: folder + "/config.yaml", atomically: false, encoding: .utf8)
        let program = Program.path
        let loop = { (key: String) in "for n in $(seq 100); do '\(program)' config \(key) $((380 + n)) || exit 1; done"
        }
        let script = "(\(loop("a4"))) & (\(loop("latency"))); wait"
        let outcome = try await Program.run([], in: scratch, wrapper: ["/bin/sh", "-c", script])
        #expect(outcome.errors == "")
        let text = String(decoding: try Scratch.read(folder + "/config.yaml"), as: UTF8.self)
        let lines = Set(text.split(separator: "\n").map(String.init))
        #expect(lines == ["# mine", "a4: 480", "latency: 480"])
    }

    @Test("every option that a setting names is an option of play or of a calculator")
    func everyOptionThatASettingNamesIsAnOption()
        async throws
    {
        let scratch = try Scratch()
        let play = try await Program.run(["play", "--help"], in: scratch).text
        let help = try await play + Program.run(["pace", "--help"], in: scratch).text
        let json = try await Program.run(["config", "--json"], in: scratch)
        let all = try JSONSerialization.jsonObject(with: Data(json.output)) as? [[String: Any]] ?? []
        #expect(all.count > 30)
        for option in all.compactMap({ $0["option"] as? String }) {
            #expect(help.contains(" \(option) ") || help.contains("\(option)/--no-"), "\(option)")
        }
    }
}
