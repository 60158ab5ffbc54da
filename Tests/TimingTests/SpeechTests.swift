import Scores
import Testing
import Timing

@Suite("Spoken texts")
struct SpeechTests {
    private func texts(_ yaml: String, _ change: (inout SpeechSettings) -> Void) throws -> [String] {
        let score = try #require(Score.read(Array(yaml.utf8), file: "x.yaml").score)
        let passage = Passage(Timeline(score))
        var speech = SpeechSettings()
        change(&speech)
        return (0..<(passage.count ?? 0)).map { speech.text(forBoundary: $0, in: passage) }
    }

    @Test("by default, nothing is spoken")
    func nothing() throws {
        let yaml = "sections: [{label: A, bars: [{duration: 1, label: x, cue: go, say: word}, 1]}]"
        #expect(try texts(yaml) { _ in } == ["", ""])
    }

    @Test("every nth line and every nth bar of a line are spoken: with 4, those numbered 4, 8, 12")
    func counted() throws {
        let yaml = "lines: [{repeat: 5, bars: [1, 1, 1, 1]}]"
        let lines = try texts(yaml) { $0.lines = 2 }
        #expect(lines.enumerated().filter { !$0.element.isEmpty }.map(\.offset) == [4, 12])
        #expect(lines.filter { !$0.isEmpty } == ["line 2", "line 4"])
        let bars = try texts(yaml) { $0.bars = 3 }
        #expect(bars == Array(repeating: ["", "", "bar 3", ""], count: 5).flatMap(\.self))
        // If lines are announced, the first bar of a line never has a bar number, even if this line is not announced.
        let both = try texts(yaml) { ($0.lines, $0.bars) = (2, 1) }
        #expect(both.prefix(6) == ["", "bar 2", "bar 3", "bar 4", "line 2", "bar 2"])
    }

    @Test("labels of sections and bars are spoken, and a label that both have is spoken once")
    func labels() throws {
        let yaml = """
            sections:
              - {label: A, bars: [{duration: 1, label: x}, 1]}
              - {label: B, bars: [{duration: 1, label: B}, {duration: 1, label: B}, {duration: 1, label: y}]}
            """
        #expect(try texts(yaml) { $0.labels = true } == ["A, x", "", "B", "", "y"])
    }

    @Test("a bar's own text replaces its cue, and the last of several intervals is announced as the last one")
    func cues() throws {
        let yaml = "bars: [{duration: 1, cue: go, say: word}, {duration: 1, cue: go}, {duration: 1, say: word}, 1]"
        #expect(try texts(yaml) { $0.cues = true } == ["word", "go", "word", ""])
        #expect(try texts("bars: [1]") { $0.intervals = true } == ["interval 1 of 1"])
        #expect(try texts("bars: [1, 1]") { $0.intervals = true } == ["interval 1 of 2", "last one"])
    }

    @Test("a word stores its samples in 16 bits, clipped, and lasts as long as they do")
    func word() {
        let word = SpokenWord("a", samples: [0, 0.5, -0.5, 1, -1, 2, -2], rate: 1000)
        #expect(word.samples.map { ($0 * 100).rounded() } == [0, 50, -50, 100, -100, 100, -100])
        #expect(word.frameCount == 7 && word.duration == .milliseconds(7))
        #expect(word == SpokenWord("a", samples: [0], rate: 1000))
        #expect(word != SpokenWord("a", samples: [0], rate: 1001) && word != SpokenWord("b", samples: [0], rate: 1000))
    }
}
