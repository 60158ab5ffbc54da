import Application
import Charts
import Shared
import Testing
import UserSettings

/// Titles, labels, cues and names with bidirectional or control characters: output for people never contains them,
/// output for programs does.
@Suite struct PrintableTests {
    fileprivate static let score = """
        title: "T\u{202E}"
        lines:
          - {label: "L\u{202E}", bars: [0.05, {duration: 0.05, label: "B\u{202E}", cue: "C\u{202E}"}]}

        """

    private static func isSafe(_ text: String) -> Bool {
        !text.unicodeScalars.contains { scalar in
            scalar.properties.isBidiControl || scalar != "\n" && scalar.properties.generalCategory == .control
        }
    }

    fileprivate static func expectSafe(_ told: Told) {
        #expect(isSafe(told.text) && isSafe(told.errors), "\(told)")
        #expect(!(told.text + told.errors).isEmpty)
    }

    @Test("output for people contains no control characters") func people() async throws {
        let home = Home()
        let score = try home.write("s\u{202E}\u{7}.yaml", Self.score)
        Self.expectSafe(try await home.timelineTold(score))
        Self.expectSafe(try await home.timelineTold(score) { $0.passage.from = "\u{202E}" })
        Self.expectSafe(try await home.timelineTold("none-\u{202E}\u{1B}[2J"))
        Self.expectSafe(try await home.plan("run \"x\u{202E}\" 0:30"))
        Self.expectSafe(try await home.plan("run \"x\u{202E}\" 0:30") { $0.style = .markdown })
        Self.expectSafe(try await home.scores(copy: "\u{202E}"))
        try home.folder.write("data/barline/scores/t\u{202E}.yaml", Self.score)
        Self.expectSafe(try await home.scores())
        let converted = try await home.convert(score, to: "-") { $0.to = .score(.klick) }
        #expect(Self.isSafe(converted.errors) && !converted.errors.isEmpty, "\(converted)")
    }

    @Test("output for programs keeps the text unchanged") func programs() async throws {
        let home = Home()
        let score = try home.write("score.yaml", Self.score)
        for style in [TimelineTable.Style.csv, .json] {
            let text = try await home.timeline("score.yaml") { $0.style = style }
            #expect(text.contains("L\u{202E}") && text.contains("B\u{202E}"))
        }
        #expect(try await home.convert(score, to: "copy.yaml").code == 0)
        #expect(home.folder.text("copy.yaml").contains("C\u{202E}"))
    }
}

extension LiveTests {
    @Suite struct PrintableTests {
        @Test("the lines of a piece that is played contain no control characters") func played() async throws {
            let home = Home()
            let score = try home.write("s\u{202E}\u{7}.yaml", ApplicationTests.PrintableTests.score)
            let card = try home.card()
            let told = try await home.play(score) { $0.device = DeviceRequest(card) }
            #expect(told.code == 0 && told.text.contains("end"))
            ApplicationTests.PrintableTests.expectSafe(told)
            ApplicationTests.PrintableTests.expectSafe(
                try await home.play(score) { $0.device[Setting.device] = "\u{202E}" })
        }
    }
}
