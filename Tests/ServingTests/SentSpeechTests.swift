internal import Foundation
internal import Screens
internal import Shared
internal import Testing

internal import Playback
internal import Running
internal import Scores
internal import Serving
internal import Timing

/// The words of the voice in a page that plays by itself.
@Suite struct SentSpeechTests {
    /// Says everything with one sound, of a number of samples.
    private struct Voice: Speaker {
        var samples: [Float]
        func word(_ text: String) -> SpokenWord? { SpokenWord(text, samples: samples, rate: SentPage.wordRate) }
    }

    private static func performance(_ samples: [Float]) throws -> Performance {
        let score = try Plan(runText: "2x(run 0:40, walk 0:20)").score()
        var performance = Performance(of: score, passage: Passage(Timeline(score)))
        var speech = SpeechSettings()
        speech.cues = true
        (performance.cues.speech, performance.speaker) = (speech, Voice(samples: samples))
        return performance
    }

    @Test("a page decodes the sound of the words as they were said, but for a noise 30 dB below")
    func sound() throws {
        // As a voice: harmonics of 120 Hz that swell and fade four times a second.
        let samples = (0..<24_000).map { n in
            let t = Double(n) / Double(SentPage.wordRate)
            let turn: Double = 2 * .pi * 120 * t
            let tone = (1...12).map(Double.init).reduce(0.0) { $0 + sin(turn * $1) / $1 }
            return Float(0.4 * tone * sin(.pi * 4 * t) * sin(.pi * 4 * t))
        }
        let file = try SentMusic.json(Self.performance(samples), ScoreWords()).line
        let found = try PageScript.run(
            """
            import { clipsOf } from "./spoken.mjs";
            const [{ samples, rate }] = clipsOf(input.speech);
            console.log(rate);
            for (const sample of samples) console.log(sample);
            """, input: file)
        #expect(found[0] == ["\(SentPage.wordRate)"])
        let page = try found.dropFirst().map { try #require(Double($0[0])) }
        try #require(page.count == samples.count)
        let noise = zip(page, samples).reduce(0) { $0 + ($1.0 - Double($1.1)) * ($1.0 - Double($1.1)) }
        let power = samples.reduce(0) { $0 + Double($1) * Double($1) }
        #expect(noise < power / 1000, "\(noise / power)")
    }

    @Test(
        "words of more than 15 minutes are too long for a page, and a word that is said often is in the file once"
    )
    func limits() throws {
        func performance(_ label: (Int) -> String) -> Performance {
            let bars = (0..<60).map { n in
                var bar = Score.Bar(.seconds(30))
                bar.label = label(n)
                return bar
            }
            let score = Score(lines: [Score.Line(bars: bars)])
            var performance = Performance(of: score, passage: Passage(Timeline(score)))
            var speech = SpeechSettings()
            speech.labels = true
            let voice = Voice(samples: [Float](repeating: 0, count: 20 * SentPage.wordRate))
            (performance.cues.speech, performance.speaker) = (speech, voice)
            return performance
        }
        let error = try #require(throws: TextError.self) {
            _ = try SentMusic.json(performance { "\($0)" }, ScoreWords())
        }
        #expect("\(error)".contains("15 minutes"))
        let clips = try PageScript.run(
            "console.log(input.speech.clips.length, Object.keys(input.speech.said).length > 50);",
            input: try SentMusic.json(performance { _ in "again" }, ScoreWords()).line)
        #expect(clips == [["1", "true"]])
    }

    @Test(
        "at another speed a word still ends at its bar, and after a jump without a count-in the word before that bar is not said"
    )
    func changes() throws {
        let file = try SentMusic.json(Self.performance([Float](repeating: 0, count: 16_000)), ScoreWords()).line
        let found = try PageScript.run(
            """
            import { Conductor } from "./conductor.mjs";
            import { Signals } from "./signals.mjs";
            const words = (conductor, from, to) => new Signals(conductor).between(from, to)
              .filter(({ sound }) => sound.startsWith("word")).map(({ at }) => Number(at.toFixed(3)));
            const conductor = new Conductor(input, 0);
            const due = (n) => conductor.timeOf(conductor.passage.position(n));
            const leads = (list) => list.map((at) => [1, 2, 3].map((n) => due(n) - at).find((lead) => lead > 0 && lead < 6)?.toFixed(2));
            console.log(...leads(words(conductor, 10, 200)));
            conductor.setSpeed(2000000, 1);
            console.log(...leads(words(conductor, 10, 200)));
            conductor.jump(1, 20);
            console.log(words(conductor, 19, 20.5).length);
            """, input: file)
        #expect(found.count == 3)
        #expect(found[0].count >= 3 && found[0] == found[1], "\(found)")
        #expect(found[2] == ["0"])
    }
}
