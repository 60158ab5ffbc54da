import Formats
import Foundation
import SampleScores
import Scores
import Testing

/// The examples of docs/score-format.md.
struct ScoreFormatPageTests {
    private struct Block {
        var kind: String
        var text: String
    }

    private func blocks() throws -> [Block] {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../docs/score-format.md")
        let parts = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```")
        return parts.indices.filter { !$0.isMultiple(of: 2) }.map { index in
            let lines = parts[index].split(separator: "\n", maxSplits: 1)
            return Block(kind: String(lines[0]), text: String(lines[1]))
        }
    }

    @Test("every example on the page is a score without a warning")
    func examples() throws {
        let blocks = try blocks().filter { Format(rawValue: $0.kind) != nil }
        #expect(Set(blocks.map(\.kind)) == ["yaml", "csv"])
        for block in blocks { _ = try score(block.text, file: "x." + block.kind) }
    }

    @Test("the example of an invalid score gives the errors shown on the page")
    func errors() throws {
        let blocks = try blocks()
        let wrong = try #require(blocks.first { $0.kind == "yaml wrong" })
        let shown = try #require(blocks.first { $0.kind == "text" })
        #expect(rendered(wrong.text, file: "etude.yaml") + "\n" == shown.text)
    }

    @Test("formats.md names every format and every extension of score files")
    func endings() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../docs/formats.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        for ending in Format.ofScores.flatMap(\.extensions) { #expect(text.contains("`.\(ending)`"), "\(ending)") }
        for format in Format.ofScores { #expect(text.contains("`\(format.rawValue)`"), "\(format)") }
    }
}
