import Barline
internal import Shared
internal import Testing

@Suite struct ScoreReadingTests {
    @Test("a score can be read from a file, from a text, and by the name of a bundled score")
    func read() throws {
        let folder = TemporaryFolder()
        let text = "title: Study\nlines:\n  - bars: [3, 2.7, 2]\n"
        try folder.write("study.yaml", text)
        let score = try Score(contentsOf: folder("study.yaml"))
        #expect(score.title == "Study")
        #expect(try Score(text) == score)
        #expect(Timeline(try Score(named: "sequenza-vii")).barCount == 169)
    }

    @Test("an invalid score throws all its errors, with file, line and column")
    func invalid() throws {
        do throws(ScoreError) {
            _ = try Score("title: Study\ndrone: H4\nlines:\n  - bars: [3, -2]\n", file: "study.yaml")
            Issue.record("it has been read")
        } catch {
            #expect(error.diagnostics.map(\.line) == [2, 4])
            #expect("\(error)".hasPrefix("study.yaml:2:8: error: 'H4' is not a pitch"))
            #expect("\(error)".contains("\ndrone: H4\n       ^~\nstudy.yaml:4:"))
        }
    }

    @Test("a missing file and an unknown name of a bundled score are errors that say so")
    func missing() {
        #expect { _ = try Score(contentsOf: "/nowhere/a.yaml") } throws: {
            "\($0)" == "'/nowhere/a.yaml' cannot be read: No such file or directory"
        }
        #expect(throws: ScoreError.self) { _ = try Score(named: "sequenza") }
    }

    @Test("a score with warnings is read, and the warnings are passed on")
    func warnings() throws {
        var warnings: [Diagnostic] = []
        _ = try Score("total: 6:30\nlines:\n  - bars: [3, 2.7]\n") { warnings.append($0) }
        #expect(warnings.map(\.severity) == [.warning])
    }
}
