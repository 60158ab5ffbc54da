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
            import { clipsOf } from "./spoken.js";
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
            import { Conductor } from "./conductor.js";
            import { Signals } from "./signals.js";
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

    /// The texts that the page says, each with its time in seconds after the count-in, while a script plays it.
    private static func said(_ plan: String, _ settings: (inout SpeechSettings) -> Void, _ script: String) throws
        -> [String]
    {
        let score = try Plan(runText: plan).score(waits: true)
        var performance = Performance(of: score, passage: Passage(Timeline(score)))
        var speech = SpeechSettings()
        settings(&speech)
        let voice = Voice(samples: [Float](repeating: 0, count: SentPage.wordRate))
        (performance.cues.speech, performance.speaker) = (speech, voice)
        (performance.cues.halfTime, performance.cues.minuteLeft, performance.waits) = (true, true, true)
        return try PageScript.run(
            """
            import { Conductor } from "./conductor.js";
            import { press } from "./keys.js";
            import { Signals } from "./signals.js";
            import { answer } from "./typed.js";
            const conductor = new Conductor(input, 0);
            const { zero } = conductor;
            const slow = () => conductor.setSpeed(500_000, 0);
            const say = (from, to) => {
              const words = new Signals(conductor).between(zero + from, zero + to).filter(({ sound }) => sound.startsWith("word"));
              for (const { at, sound } of words.sort((one, other) => one.at - other.at)) {
                console.log(`${(at - zero).toFixed(1)} ${input.speech.texts[Number(sound.slice(5))]}`);
              }
            };
            \(script)
            """, input: try SentMusic.json(performance, ScoreWords()).line
        ).map { $0.joined(separator: " ") }
    }

    @Test(
        "at another speed, a voice says what is still true, texts and half time at their places, and the last minute a minute before the end"
    )
    func speeds() throws {
        let plan = "run 0:40 @ 5:00/km, walk 0:30, run 0:10, at 0:30: \"Drink water\""
        let slow = [
            "-1.0 Run.", "60.2 Drink water", "79.0 Walk.", "80.2 half time", "100.2 one minute left", "139.0 Run.",
        ]
        func said(_ script: String) throws -> [String] { try Self.said(plan, { $0.cues = true }, script) }
        let written = try said("say(-10, 200);")
        #expect(written.contains { $0.hasSuffix("Walk, 30 seconds. Interval 2 of 3.") }, "\(written)")
        let found = try said("slow(); say(-10, 200);")
        #expect(found.count == slow.count)
        for (own, wanted) in zip(found, slow) where own != wanted {
            // A text may begin at its moment.
            #expect(own == wanted.replacing("60.2", with: "60.0"), "\(found)")
        }
        // The steps of a ladder have speeds of their own.
        let steps = try said("answer(conductor, \"program\", \"ladder 50% 50%\", zero + 1); say(2, 150);")
        #expect(steps.contains { $0.hasSuffix(" Walk.") } && !steps.contains { $0.contains("30 seconds") }, "\(steps)")
        #expect(!steps.contains { $0.hasSuffix("left") || $0.hasSuffix("time") }, "\(steps)")
    }

    @Test("labels and cues are said at another speed, too, without the durations")
    func durations() throws {
        var bars = (0..<4).map { _ in Score.Bar(.seconds(5)) }
        bars[2].label = "Coda"
        let score = Score(lines: [Score.Line(bars: bars)])
        var performance = Performance(of: score, passage: Passage(Timeline(score)))
        var speech = SpeechSettings()
        (speech.labels, speech.durations) = (true, true)
        let voice = Voice(samples: [Float](repeating: 0, count: SentPage.wordRate))
        (performance.cues.speech, performance.speaker) = (speech, voice)
        let found = try PageScript.run(
            """
            import { Conductor } from "./conductor.js";
            import { Signals } from "./signals.js";
            const conductor = new Conductor(input, 0);
            conductor.setSpeed(950_000, 0);
            for (const { sound } of new Signals(conductor).between(-10, 60).filter(({ sound }) => sound.startsWith("word"))) {
              console.log(input.speech.texts[Number(sound.slice(5))]);
            }
            """, input: try SentMusic.json(performance, ScoreWords()).line)
        #expect(found == [["Coda"]])
    }

    @Test(
        "the beats of a count-in and of a warning are counted at their clicks, at every speed, and no loop is counted in"
    )
    func counts() throws {
        let page = "tempo: 60\nbars: [4/4, {meter: 4/4, click: off}, {meter: 4/4, warning: 3 beats}]\n"
        let score = try #require(Score.read(Array(page.utf8), file: "x.yaml").score)
        var performance = Performance(of: score, passage: Passage(Timeline(score)))
        var speech = SpeechSettings()
        speech.counts = true
        let voice = Voice(samples: [Float](repeating: 0, count: SentPage.wordRate / 4))
        (performance.cues.speech, performance.speaker, performance.countIn) = (speech, voice, .beats(2))
        performance.speed = try #require(Speed(millionths: 800_000))
        let found = try PageScript.run(
            """
            import { Conductor } from "./conductor.js";
            import { Signals } from "./signals.js";
            for (const speed of [800_000, 500_000, 2_000_000]) {
              const conductor = new Conductor(input, 0);
              conductor.setSpeed(speed, 0);
              const words = new Signals(conductor).between(-10, 60).filter(({ sound }) => sound.startsWith("word"));
              const beat = ({ at }) => ((at - conductor.timeOf(0)) * speed / 1e6).toFixed(2);
              console.log(...words.map((word) => `${input.speech.texts[Number(word.sound.slice(5))]}:${beat(word)}`));
            }
            const conductor = new Conductor(input, 0);
            conductor.toggleLoop(0, 1, conductor.timeOf(1));
            console.log(new Signals(conductor).between(conductor.timeOf(1), 60).filter(({ sound }) => sound.startsWith("word")).length);
            """, input: try SentMusic.json(performance, ScoreWords()).line)
        let beats = ["3:-2.00", "4:-1.00", "2:5.00", "3:6.00", "4:7.00"]
        #expect(found.map { $0.map(String.init) } == [beats, beats, beats, ["0"]])
    }

    @Test("after the lap button, the next interval is announced; of music that waits for it, nobody knows the half")
    func lap() throws {
        let plan = "run 0:12 @ 5:00/km, rest until lap about 0:20, run 0:20 @ 5:00/km"
        let found = try Self.said(
            plan, { $0.cues = true }, "say(-10, 20); press(conductor, \"Space\", zero + 20); say(20, 60);")
        #expect(
            found == [
                "-1.0 Run, 12 seconds. Interval 1 of 3.", "11.0 Rest, until the lap button. Interval 2 of 3.",
                "20.2 Run, 20 seconds. Interval 3 of 3.",
            ], "\(found)")
    }

    @Test("in a loop, nobody says that half of the music is over, or that a minute is left")
    func loops() throws {
        let found = try Self.said(
            "run 1:20, walk 0:30", { $0.cues = true }, "press(conductor, \"l\", zero + 1); say(2, 400);")
        #expect(found.count == 5 && found.allSatisfy { $0.contains(" Run, 1 minute 20 seconds.") }, "\(found)")
    }
}
