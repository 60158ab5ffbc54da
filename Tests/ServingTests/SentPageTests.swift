internal import Formats
internal import SampleScores
internal import Screens
internal import Shared
internal import Testing

internal import Playback
internal import Scores
internal import Serving
internal import Timing

/// The page that plays by itself, as a file.
@Suite struct SentPageTests {
    private static func page(_ score: Score, passes: Int? = 1) throws -> String {
        let performance = Performance(of: score, passage: Passage(Timeline(score), passes: passes))
        return String(decoding: try SentPage.bytes(performance, ScoreWords()), as: UTF8.self)
    }

    @Test("the stand of Sequenza VII has at most 210 kB, and imports and fetches nothing")
    func size() throws {
        let bundled = try #require(BundledScore.all.first { $0.name == "sequenza-vii" })
        let score = try #require(bundled.reading.score)
        let page = try Self.page(score)
        #expect(page.utf8.count <= 210_000, "\(page.utf8.count)")
        for word in [" src=", "fetch(", "WebSocket", "http-equiv=\"refresh\""] { #expect(!page.contains(word)) }
        #expect(!page.split(separator: "\n").contains { $0.hasPrefix("import ") || $0.hasPrefix("export ") })
        #expect(page.contains("default-src 'none'"))
        // It has no words that only a page with a server shows.
        for name in PageWords.served { #expect(!page.contains("say(\"\(name)\""), "\(name)") }
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

    @Test("a page names the drone that sounds at each place, as the program does")
    func drones() throws {
        let text = """
            drone: A4
            bars: [2, {duration: 2, drone: [A3, E4]}, 2, {duration: 2, drone: off}, {duration: 2, drone: {level: -30 dB}}]
            """
        let score = try #require(Score.read(Array(text.utf8), file: "x.yaml").score)
        let performance = Performance(of: score, passage: Passage(Timeline(score)))
        let file = try SentMusic.json(performance, ScoreWords()).line
        let status = Status(
            performance: performance, anchor: Anchor(speed: .asWritten), countsTo: nil, pause: nil, zeroHeard: 0,
            sound: .device("x"))
        let found = try PageScript.run(
            """
            import { Conductor } from "./conductor.js";
            import { Told } from "./told.js";
            const told = new Told(new Conductor(input, 0));
            for (let n = 0; n < 5; n += 1) console.log(`${told.settings(n)}|${told.values(n).drone}|${told.values(n).droneLevel}`);
            """, input: file)
        let wanted = (0..<5).map { n in
            let values = BarTexts.values(status, at: n).filter { ["drone", "droneLevel"].contains($0.name) }
            return ([ScoreWords().settings(status, at: n)] + values.map(\.text)).joined(separator: "|")
        }
        #expect(found.map { $0.joined(separator: " ") } == wanted.map { $0.replacing("   ", with: " ") })
        #expect(Set(wanted).count == 4 && wanted[3].contains("no drone"))
    }

    @Test("a page knows where the hits are, also in a practice program at several speeds and in a loop")
    func hits() throws {
        let text = "tempo: 60\nbars: [4/4 x 2, {meter: 4/4, hit: 0:10 at beat 3}, 4/4]\n"
        let score = try #require(Score.read(Array(text.utf8), file: "x.yaml").score)
        let file = try SentMusic.json(Performance(of: score, passage: Passage(Timeline(score))), ScoreWords()).line
        let found = try PageScript.run(
            """
            import { Conductor } from "./conductor.js";
            import { press } from "./keys.js";
            import { Told } from "./told.js";
            import { answer } from "./typed.js";
            const conductor = new Conductor(input, 0);
            const told = new Told(conductor);
            const show = () => console.log(...told.messages(0)[0].hits.slice(0, 3).map((hit) => hit.toFixed(3)));
            show();
            answer(conductor, "program", "ladder 50% 50%", 0);
            show();
            answer(conductor, "place", "1.3", 0);
            press(conductor, "o", 0);
            press(conductor, "l", 0);
            show();
            """, input: file)
        // 16 s at half speed take 32 s; the looped third bar lasts 4 s, and has the hit at its third beat.
        #expect(found == [["10.000"], ["20.000", "42.000", "68.000"], ["2.000", "6.000", "10.000"]], "\(found)")
    }
}
