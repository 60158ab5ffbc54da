internal import Foundation
internal import Playback
internal import Scores
internal import Screens
internal import Shared
internal import Testing

internal import Serving
internal import Timing

/// A page that sounds, with a browser's sound that only takes notes.
@Suite struct PageSoundTests {
    /// Runs a script with a page's `sound`, 100 s after the player's zero, on a sound card that is 50 ms late. `put` lists
    /// what it has not taken back, `pass` lets time pass, and `state` tells the page of a change.
    private static func run(_ script: String, score: Score? = nil, waits: Bool = false) throws -> [String] {
        var status = ServedMusic.status(bars: 40)
        if let score {
            status.performance = Performance(of: score, passage: Passage(Timeline(score)))
            status.performance.waits = waits
        }
        let window = PageMessage.window(around: 0, status.performance.passage)
        let input = """
            {"timeline": \(PageMessage.timeline(window, status, ScoreWords())), "state": \(PageMessage.state(status, ScoreWords(), at: 0)), \
            "sounds": \(PageSounds.message(window, status.performance).text)}
            """
        let stage = """
            let time = 0;
            const late = 0.05;
            const starts = [];
            class Value {
              constructor(value) { this.value = value; }
              setTargetAtTime() {}
              setValueCurveAtTime(curve, when) { this.begins = when; }
              cancelScheduledValues() {}
            }
            class Node {
              constructor(context, options = {}) {
                Object.assign(this, options, { gain: new Value(options.gain), frequency: new Value(options.frequency) });
              }
              connect(other) { return other; }
              disconnect() {}
              start(when) { Object.assign(this, { when, isTakenBack: false }); starts.push(this); }
              stop(when) { this.ends = when; if (when === undefined) this.isTakenBack = true; }
            }
            class Context {
              state = "running";
              sampleRate = 48000;
              get currentTime() { return time / 1000; }
              getOutputTimestamp() { return { contextTime: time / 1000 - late, performanceTime: time }; }
              async resume() {}
              async close() {}
            }
            class Sample { constructor(options) { Object.assign(this, options); } copyToChannel() {} }
            Object.assign(globalThis, {
              AudioContext: Context, GainNode: Node, AudioBufferSourceNode: Node, OscillatorNode: Node,
              ChannelMergerNode: Node, PeriodicWave: class {}, AudioBuffer: Sample,
              localStorage: { getItem: () => null, setItem() {} }, setInterval: () => 0, clearInterval() {},
            });
            Object.defineProperty(globalThis, "performance", { value: { now: () => time } });
            const { Sound } = await import("./sound.js");
            const { Sounds } = await import("./clickplan.js");
            const { Music } = await import("./music.js");
            const { PlayerClock } = await import("./clock.js");
            const player = new PlayerClock();
            for (let n = 0; n < 40; n += 1) {
              time += 500;
              player.take(time, time, 100 + (time - 20000) / 1000);
            }
            // From here on, the player's time is 80 s more than the context's.
            const sound = new Sound(player);
            let present = input.state.state;
            const state = (change = {}) => {
              present = { ...present, ...change };
              sound.follow(new Music(input.timeline.timeline, input.timeline.bars, present, []), new Sounds(input.sounds));
            };
            const pass = (seconds) => {
              for (let n = 0; n < seconds * 10 - 1e-9; n += 1) {
                time += 100;
                sound.step();
              }
            };
            // The player's times at which clicks are heard, to the millisecond.
            const put = () => starts.filter((node) => node.buffer && !node.isTakenBack).map((node) => (node.when + late + 80).toFixed(3));
            const say = (...words) => console.log(words.length > 0 ? words.join(" ") : "nothing");
            time -= 2000;
            state();
            await sound.begin();
            pass(2);

            """
        return try PageScript.run(stage + script, input: input).map { $0.joined(separator: " ") }
    }

    @Test("a page knows the message about sounds by its first key")
    func kind() {
        let window = PageMessage.window(around: 0, ServedMusic.status(bars: 40).performance.passage)
        #expect(PageSounds.message(window, ServedMusic.status(bars: 40).performance).text.hasPrefix(#"{"sounds":"#))
    }

    @Test("clicks are scheduled once, and early enough for a late device")
    func ahead() throws {
        let lines = try Self.run("say(...put()); pass(1.9); say(...put());")
        #expect(lines == ["100.000 101.000 102.000", "100.000 101.000 102.000 103.000 104.000"])
    }

    @Test("a pause removes the clicks after it, and resuming repeats none")
    func pause() throws {
        let lines = try Self.run(
            """
            pass(0.9);
            // It is heard at 101.2 s, and told of at 100.9 s.
            state({ paused: 1.2, pausedAt: 1.2 });
            say(...put());
            pass(5);
            say(...put());
            // At 106 s: bars are 4.8 s later. The click of 1 s would be due at 105.8 s.
            state({ paused: null, pausedAt: null, time: 4.8 });
            pass(2.1);
            say(...put());
            """)
        #expect(
            lines == ["100.000 101.000", "100.000 101.000", "100.000 101.000 106.800 107.800 108.800 109.800"])
    }

    @Test(
        "while the music waits at a hold at the beginning of a bar, another speed does not repeat the click of that bar"
    )
    func speedAtHold() throws {
        var bars = (0..<8).map { _ in Score.Bar(.seconds(1)) }
        bars[2].details.holds = [Hold(.zero, at: .offset(.zero), waits: true)]
        let lines = try Self.run(
            """
            state({ held: 2, heldBar: 2 });
            pass(4);
            say(...put());
            state({ time: 4, position: 2, speed: 0.5 });
            pass(1);
            say(...put());
            // The player goes on at 105 s.
            state({ time: 5, held: null, heldBar: null });
            pass(2.1);
            say(...put());
            """, score: Score(lines: [Score.Line(bars: bars)]), waits: true)
        let heard = "100.000 101.000 102.000"
        #expect(lines == [heard, heard, heard + " 107.000 109.000"])
    }

    @Test("a jump removes the clicks that no longer apply, and does not lose the first click after it")
    func jump() throws {
        let lines = try Self.run(
            """
            pass(0.5);
            state({ time: 0.51, position: 16 });
            pass(1);
            // What is heard after 0.55 s was still to come.
            say(...put());
            """)
        // The device takes 50 ms: a click that is due in 10 ms begins 40 ms late, and the others are in time.
        #expect(lines == ["100.000 100.550 101.510 102.510 103.510"])
    }

    @Test("a change of speed moves clicks; muting and the end remove them")
    func others() throws {
        let lines = try Self.run(
            """
            pass(0.5);
            state({ time: 0.6, position: 0.6, speed: 2 });
            say(...put());
            sound.choose({ part: "lines" });
            say(...put());
            sound.choose({ part: "player" });
            state({ ended: 1 });
            say(...put());
            """)
        #expect(lines == ["100.000 100.800 101.300 101.800 102.300 102.800", "100.000", "100.000"])
    }

    @Test("the drone begins with the music, changes at its bar, and ends with a pause")
    func drone() throws {
        var bars = (0..<8).map { _ in Score.Bar(.seconds(1)) }
        bars[2].details.drone = DroneChange(notes: [.init(try Pitch(scoreText: "A4"))])
        let score = Score(drone: Score.Drone(pitch: .b4), lines: [Score.Line(bars: bars)])
        let lines = try Self.run(
            """
            const tones = () => starts.filter((node) => !node.buffer && !node.isTakenBack)
              .map((node) => `${node.frequency.value.toFixed(0)} ${(node.when + late + 80).toFixed(2)} ${node.ends ? "ends" : "sounds"}`);
            for (const tone of tones()) say(tone);
            pass(2.2);
            state({ paused: 2.3, pausedAt: 2.3 });
            pass(0.5);
            for (const tone of tones()) say(tone);
            """, score: score)
        #expect(lines == ["494 98.07 ends", "440 102.00 sounds", "494 98.07 ends", "440 102.00 ends"])
    }

    @Test(
        "a page counts the clicks for which it woke too late, each once, and none that it removed or that a pause left out"
    )
    func lost() throws {
        let lines = try Self.run(
            """
            say(sound.lost);
            pass(3);
            say(sound.lost);
            // Asleep for six seconds: the clicks of two and a half were put ahead.
            time += 6000;
            sound.step();
            say(sound.lost);
            pass(1);
            say(sound.lost);
            state({ paused: 9.5, pausedAt: 9.5 });
            time += 20000;
            pass(1);
            say(sound.lost);
            """)
        let counts = lines.compactMap(Int.init)
        try #require(counts.count == 5)
        #expect(counts[0] == 0 && counts[1] == 0)
        #expect((3...4).contains(counts[2]) && counts[3] == counts[2] && counts[4] == counts[2], "\(lines)")
    }
}
