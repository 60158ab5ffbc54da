internal import Formats
internal import SampleScores
internal import Shared
internal import Testing

internal import Scores
internal import Serving
internal import Timing

/// The page that plays by itself, as a file.
@Suite struct SentPageTests {
    private static func page(_ score: Score, passes: Int? = 1) throws -> String {
        let performance = Performance(of: score, passage: Passage(Timeline(score), passes: passes))
        return String(decoding: try SentPage.bytes(performance, nil), as: UTF8.self)
    }

    @Test("the stand of Sequenza VII has at most 200 kB, and imports and fetches nothing")
    func size() throws {
        let bundled = try #require(BundledScore.all.first { $0.name == "sequenza-vii" })
        let score = try #require(bundled.reading.score)
        let page = try Self.page(score)
        #expect(page.utf8.count <= 200_000, "\(page.utf8.count)")
        for word in [" src=", "fetch(", "WebSocket", "http-equiv=\"refresh\""] { #expect(!page.contains(word)) }
        #expect(!page.split(separator: "\n").contains { $0.hasPrefix("import ") || $0.hasPrefix("export ") })
        #expect(page.contains("default-src 'none'"))
    }

    @Test("texts that look like the ends of scripts stay texts")
    func texts() throws {
        let hostile = "</script><script>alert(1)</script><!--"
        var bar = Score.Bar(.seconds(1))
        (bar.label, bar.details.cue) = (hostile, hostile)
        let score = Score(title: hostile, composer: hostile, lines: [Score.Line(label: hostile, bars: [bar])])
        let page = try Self.page(score)
        #expect(page.split(separator: "</script>", omittingEmptySubsequences: false).count == 3)
        #expect(!page.contains("alert(1)</") && !page.contains("<script>alert"))
    }

    @Test("music without an end, and a piece of more than 100 000 bars, are refused")
    func limits() throws {
        let short = Score(lines: [Score.Line(bars: [Score.Bar(.seconds(1))])])
        #expect(throws: TextError.self) { try Self.page(short, passes: nil) }
        let long = Score(lines: [Score.Line(passes: 100_001, bars: [Score.Bar(.seconds(1))])])
        let error = try #require(throws: TextError.self) { try Self.page(long) }
        #expect("\(error)".contains("100001 bars as it is played; a page that plays by itself takes at most 100 000"))
    }
}
