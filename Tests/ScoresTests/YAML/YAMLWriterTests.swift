import Formats
import SampleScores
import Scores
import Shared
import Testing
import Timing

struct YAMLWriterTests {
    @Test("a written score reads back as the same score, without diagnostics")
    func roundTrip() throws {
        var random = Seeded(state: 7)
        var count = 0
        for _ in 0..<100 {
            let score = Score.randomPage(&random)
            // A chain of modulations may have made a bar too short to be played.
            guard Layout(score).problems.isEmpty else { continue }
            count += 1
            let text = score.yaml
            let reading = Score.read(Array(text.utf8), file: "x.yaml")
            guard reading.score != score else { continue }
            let said = reading.diagnostics.map { $0.rendered() }.joined(separator: "\n")
            Issue.record("\(said)\n\(text)\n---\n\(reading.score?.yaml ?? "")")
            return
        }
        #expect(count > 75)
    }

    @Test("a score is written as a person would write it")
    func look() throws {
        let text = """
            title: Study
            drone: B4
            tempo: 1/4. = 60
            sections:
              - label: A
                repeat: 13
                bars: [3, 2.7, 2, 2, 4/4 x 12, 3+2/8]
              - label: B
                lines:
                  - [1:02.5, 2]
                  - label: C
                    repeat: 2
                    lines:
                      - [1, 2]
                    endings:
                      - passes: 1
                        bars: [3]
                  - label: D
                    bars:
                      - {meter: 2/4 + 3/8, tempo: 1/8 = 120, hold: 5 at beat 2, cue: "wait: for me"}
                      - {duration: 3, go-to: A}

            """
        #expect(try score(text).yaml == text)
    }
}
