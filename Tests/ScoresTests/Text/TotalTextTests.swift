import SampleScores
import Scores
import Shared
import Testing

@Suite("Totals")
struct TotalTextTests {
    @Test(
        "a total is exact, about a duration, or within a tolerance",
        arguments: [
            ("6:30", Score.Total(.seconds(390)), "6:30"), ("about 6:30", .init(.seconds(390), .about), "about 6:30"),
            ("About  390", .init(.seconds(390), .about), "about 6:30"),
            ("6:30 ± 0:10", .init(.seconds(390), .within(.seconds(10))), "6:30 ± 0:10"),
            ("about 6:30 +- 10 s", .init(.seconds(390), .within(.seconds(10))), "6:30 ± 0:10"),
            ("6:30+/-500ms", .init(.seconds(390), .within(.milliseconds(500))), "6:30 ± 0:00.5"),
        ])
    func parses(text: String, expected: Score.Total, written: String) throws {
        let total = try Score.Total(scoreText: text)
        #expect(total == expected && total.text == written)
        #expect(try Score.Total(scoreText: written) == total)
        #expect(try score("total: \(text)\nbars: [390]").total == total)
    }

    @Test(
        "a text that is not a total is refused with a reason",
        arguments: [
            ("ca. 6:30", "'ca. 6:30' is not a total, for example 6:30, about 6:30 or 6:30 ± 0:10"),
            ("about", "'about' is not a total, for example 6:30, about 6:30 or 6:30 ± 0:10"),
        ])
    func refuses(text: String, expected: String) {
        #expect(message { try Score.Total(scoreText: text) } == expected)
    }

    @Test(
        "a score within the tolerance of its total gives no warning, another one says how far off it is",
        arguments: [
            ("about 1:40", "95", nil), ("about 1:40", "105", nil), ("1:40 ± 0:02", "102", nil), ("1:40", "100", nil),
            (
                "about 1:40", "94.9",
                "the score lasts 1:34.9, which is 0:05.1 (5.1 %) shorter than its total of about 1:40"
            ),
            (
                "1:40 ± 0:02", "102.5",
                "the score lasts 1:42.5, which is 0:02.5 (2.5 %) longer than its total of 1:40 ± 0:02"
            ), ("1:40", "99", "the score lasts 1:39, which is 0:01 shorter than its total of 1:40"),
        ])
    func tolerance(total: String, bar: String, expected: String?) {
        let said = rendered("total: \(total)\nbars: [\(bar)]")
        let first = said.split(separator: "\n").first.map(String.init)
        #expect(first == expected.map { "x.yaml:1:8: warning: \($0)" })
    }
}
