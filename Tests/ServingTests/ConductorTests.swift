internal import Formats
internal import SampleScores
internal import Shared
internal import Testing

internal import Playback
internal import Running
internal import Scores
internal import Screens
internal import Serving
internal import Timing

/// The conductor of a page that plays by itself does what the program does.
@Suite struct ConductorTests {
    /// What the program does with random commands: their times, texts and the states after them, and all clicks.
    private struct Played {
        var input: String
        var commands = 0
        var clicks = 0
    }

    /// Takes clicks and words, as seconds after time zero.
    private struct Clicks: EventSink {
        let zero: Int64
        var clicks: [JSON] = []
        var hasRoom: Bool { true }

        mutating func push(_ event: Event) -> Bool {
            let at = (Double(event.position.frame - zero) + event.position.fraction) / 48_000
            let (name, amplitude): (String, Double)
            switch event.kind {
            case .click(let sound, let loud, _): (name, amplitude) = (sound.rawValue, loud)
            case .speech(let word, let loud): (name, amplitude) = ("word \(word.text)", loud)
            default: return true
            }
            clicks.append(.list([.number("\(at)"), .text(name), .number("\(amplitude)")]))
            return true
        }
    }

    /// The keys; without those that shift the music, after which a click that has just sounded can be due again.
    private static let keys = StandControls.all.map(\.name).filter { !["q", ".", ","].contains($0) }

    private static func typed(
        _ generator: inout Seeded, _ timeline: Timeline, onlyPrograms: Bool
    ) -> (StandControls.Question, String) {
        let bar = timeline[generator.int(0...timeline.barCount - 1)]
        if onlyPrograms { return (.program, program(&generator)) }
        switch generator.int(0...9) {
        case 0: return (.place, "\(bar.line).\(bar.bar)")
        // A bar is not asked for at its very beginning, where rounding decides.
        case 1: return (.place, (bar.start + .milliseconds(1)).clock(decimals: 3))
        case 2: return (.program, "each \(generator.int(1...3))")
        case 3: return (.program, "column \(generator.int(1...3))")
        case 4: return (.program, "random \(generator.int(1...9999))")
        case 5: return (.program, "ladder \(generator.int(40...99))% \(generator.int(1...40))%")
        case 6: return (.program, ["off", "silent off", "silent 1 of 3"][generator.int(0...2)])
        case 7: return (.pitch, ["B4", "Bb3+14c, F#4 -6dB L50", "3/2 of E4", "442.5 Hz", "off"][generator.int(0...4)])
        case 8: return (.waveform, ["sine", "Oboe", "strings"][generator.int(0...2)])
        default: return (.place, bar.label.isEmpty ? "\(bar.line).1" : bar.label)
        }
    }

    /// A practice program or silent bars, of every kind.
    private static func program(_ generator: inout Seeded) -> String {
        switch generator.int(0...6) {
        case 0: return "ladder \(generator.int(40...99))% \(generator.int(1...40))% down"
        case 1: return "ladder \(generator.int(40...99)) \(generator.int(1...40)) \(generator.int(100...150))%"
        case 2: return "silent random \(generator.int(1...99))% \(generator.int(0...9999))"
        case 3: return ["off", "silent off", "silent 1 of 3"][generator.int(0...2)]
        case 4: return "each \(generator.int(1...3))"
        default:
            let (every, step, last) = (generator.int(1...3), generator.int(1...40), generator.int(50...400))
            return "faster \(step)%"
                + [
                    "", " every \(every)", " to \(last)%", " every \(every) to \(last)%",
                    " to \(last)% every \(every)",
                ][generator.int(0...4)]
        }
    }

    private static func status(_ music: Music) -> Status {
        let scheduler = music.scheduler
        var status = Status(
            performance: scheduler.performance, anchor: scheduler.anchor, countsTo: scheduler.countsTo?.end,
            pause: scheduler.timePaused.map { Status.Pause($0) }, zeroHeard: 0, sound: .device("test"))
        status.resumed = scheduler.resumed
        status.countInBeats = scheduler.countInBeats
        status.countInClicks = scheduler.countInClicks
        status.home = music.home
        status.held = scheduler.held
        status.isHome = music.leftHome == nil
        return status
    }

    /// Plays a performance with random commands; the `whole` of it, or a few seconds after the last command.
    private static func play(
        _ performance: Performance, _ count: Int, _ generator: inout Seeded, whole: Bool = false,
        onlyPrograms: Bool = false
    ) throws -> Played {
        let zero = performance.zeroFrame(rate: 48_000)
        var music = Music(scheduler: Scheduler(performance, rate: 48_000), start: performance)
        var sink = Clicks(zero: zero)
        var (frame, commands): (Int64, [JSON]) = (0, [])
        let stand = Stand()
        for _ in 0..<count {
            // Never at a boundary, where rounding decides.
            frame += 48 * Int64(generator.chance(6) ? generator.int(1...20) : generator.int(20...4000)) + 7
            _ = music.scheduler.schedule(before: frame, into: &sink)
            music.scheduler.settle(before: frame)
            let before = status(music)
            let now = (frame - zero) * 1_000_000_000 / 48_000
            if case .end = before.moment(at: now) { break }
            let text: String
            let wanted: [Command]
            if generator.chance(4) {
                let (question, answer) = typed(&generator, performance.passage.timeline, onlyPrograms: onlyPrograms)
                text = "\(question.rawValue) \(answer)"
                wanted = (try? StandControls.answer(question, answer, before)) ?? []
            } else {
                let common = ["Space", "Enter", "→"]
                let keys = generator.chance(3) ? common : Self.keys
                let key = keys[generator.int(0...keys.count - 1)]
                text = "key \(key)"
                wanted = StandControls.press(key, on: stand, before, at: now)
            }
            for command in wanted { music.carryOut(command, at: frame) }
            let after = status(music)
            commands.append(
                .list([
                    .number("\(Double(frame - zero) / 48_000)"), .text(text),
                    .number(PageMessage.state(after, ScoreWords(), at: after.boundary(at: now))),
                ]))
        }
        let last = whole ? (music.scheduler.endFrame ?? 0) + 48_000 : frame + 48_000 * 5
        // As far ahead as in live music: where words have room depends on it.
        for horizon in stride(from: min(frame, last), to: last, by: 4 * 48_000) {
            _ = music.scheduler.schedule(before: horizon, into: &sink)
        }
        _ = music.scheduler.schedule(before: last, into: &sink)
        let file = try SentMusic.json(performance, ScoreWords()).line
        let input = """
            {"file": \(file), "earliest": \((.zero - performance.countInLength).seconds(decimals: 9)), "commands": \(JSON.list(commands).line), \
            "end": \(Double(last - zero) / 48_000), "clicks": \(JSON.list(sink.clicks).line)}
            """
        return Played(input: input, commands: commands.count, clicks: sink.clicks.count)
    }

    /// Plays the same in node; prints what differs.
    private static let script = """
        import { ClickPlan, Sounds } from "./clickplan.js";
        import { Conductor } from "./conductor.js";
        import { press } from "./keys.js";
        import { Music } from "./music.js";
        import { Signals } from "./signals.js";
        import { Told } from "./told.js";
        import { answer, Mistake } from "./typed.js";

        const close = (one, other) => one === other || (typeof one === "number" && typeof other === "number" && Math.abs(one - other) < 2e-6);
        let count = 0;
        input.forEach(({ file, earliest, commands, end, clicks }, index) => {
          const conductor = new Conductor(file, earliest);
          const told = new Told(conductor);
          let [timeline, sounds, music, signals] = [];
          const show = (now) => {
            let state = null;
            for (const message of told.messages(now)) {
              if (message.timeline) timeline = message;
              else if (message.sounds) sounds = new Sounds(message);
              else state = message;
            }
            music = new Music(timeline.timeline, timeline.bars, state.state, state.beats, state);
            signals = new Signals(conductor);
            return state;
          };
          const heard = [];
          const listen = (from, to) => {
            const plan = new ClickPlan(music, sounds, { part: "player", voice: 0 });
            // What begins with a command is heard, wherever rounding puts it.
            const extra = signals.between(from - 1e-6, to).map(({ at, sound, level }) => ({ at, sound, amplitude: 10 ** (level / 20) }));
            const found = [...plan.between(from - 1e-6, to), ...extra].filter(({ at }) => at >= from - 1e-7 && at < to - 1e-7);
            const name = (sound) => sound.replace(/^word (\\d+)$/, (_, n) => `word ${file.speech.texts[n]}`);
            heard.push(...found.map(({ at, sound, amplitude }) => [at, name(sound), amplitude]));
          };
          let from = earliest - 1;
          show(earliest);
          for (const [at, text, wanted] of commands) {
            listen(from, at);
            const [kind] = text.split(" ", 1);
            const rest = text.slice(kind.length + 1);
            try {
              if (kind === "key") press(conductor, rest, at);
              else answer(conductor, kind, rest, at);
            } catch (error) {
              if (!(error instanceof Mistake)) throw error;
            }
            const state = show(at);
            for (const [name, value] of Object.entries(wanted.state)) {
              if (["zero", "trouble", "ended"].includes(name)) continue;
              // The program knows a hold once it has handed it out.
              if (["held", "heldBar"].includes(name) && value === null) continue;
              const own = state.state[name];
              const isSame = name === "values" ? JSON.stringify(own) === JSON.stringify(value) : close(own, value);
              if (!isSame) console.log(`state ${index} at ${at} after ${text}: ${name} ${JSON.stringify(own)} is not ${JSON.stringify(value)}`);
            }
            if (state.beats.length !== wanted.beats.length || state.beats.some((beat, n) => Math.abs(beat - wanted.beats[n]) > 2e-6)) console.log(`beats ${index} at ${at} after ${text}`);
            from = at;
            count += 1;
          }
          listen(from, end);
          // Clicks at one place have no order. Words begin on a frame of theirs, of which the file has fewer.
          const off = (name) => (name.startsWith("word ") ? 1e-4 : 3e-5);
          const isSame = (one, other) => one[1] === other[1] && Math.abs(one[0] - other[0]) < off(one[1]) && Math.abs(one[2] - other[2]) < 1e-6;
          const own = heard.filter((click) => click[2] > 0).sort(([one], [other]) => one - other);
          const wanted = clicks.filter((click) => click[2] > 0);
          const first = wanted.findIndex((click, n) => {
            const found = own.slice(n, n + 64).findIndex((each) => isSame(each, click));
            if (found < 0) return true;
            own.splice(n, 0, ...own.splice(n + found, 1));
            return false;
          });
          if (first >= 0 || own.length !== wanted.length) {
            const n = first < 0 ? wanted.length : first;
            const before = commands.filter(([at]) => at <= (wanted[n] ?? own[n])[0]).slice(-3).map(([at, text]) => `${at} ${text}`);
            console.log(`clicks ${index} number ${n}: ${JSON.stringify(own.slice(n, n + 3))} is not ${JSON.stringify(wanted.slice(n, n + 3))} after ${before}`);
          }
        });
        console.log(`commands ${count}`);
        """

    /// Says each letter in 25 ms.
    private struct Voice: Speaker {
        func word(_ text: String) -> SpokenWord? {
            SpokenWord(text, samples: Array(repeating: 0.1, count: 400 * text.utf8.count), rate: SentPage.wordRate)
        }
    }

    @Test(
        "every click and word of a whole piece is the program's at 50, 100 and 133 %: with holds, ramps, voices and a plan's signals"
    )
    func pieces() throws {
        var bars = (0..<8).map { Score.Bar(.milliseconds(1500 + 125 * $0)) }
        bars[2].details.holds = [Hold(.seconds(4))]
        bars[5].details.beats = [Beat(.accent), Beat(.beat), Beat(.beat)]
        let duo = """
            voices:
              flute:
                tempo: 60
                lines: [{bars: [{meter: 4/4, ramp: {to: 120, over: 4 bars}}, {meter: 4/4, times: 7}], repeat: 3}]
              oboe: {lines: [{bars: [1.7, 2.3], repeat: 20}]}
            """
        let quartet = """
            beats: on
            warning: 2 beats
            voices:
              flute: {tempo: 90, click: -3 dB, bars: [4/4, {meter: 2/4, hold: 4}, {meter: 4/4, click: off}, 4/4 x 8]}
              oboe:
                tempo: 75
                click: -6 dB
                lines: [[{meter: 2/4, hold: 4 at beat 2}, 2/4, {meter: 4/4, click: off}, {meter: 3/4, hold: 5}, 2/4]]
              harp: {tempo: 60, click: off, bars: [{meter: 4/4, hold: 5}, {meter: 4/4, click: off}, 4/4]}
              horn: {tempo: 60, bars: [{meter: 4/4, hold: 4 at beat 3}, {meter: 4/4, click: off}, 4/4, 4/4]}
            """
        let plan = try Plan(runText: "warm-up 0:20, 3x(run 0:40 @ 5:00/km, walk 0:15), cool-down 0:10")
        let scores = [
            try #require(BundledScore.named("sequenza-vii")?.reading.score),
            Score(lines: [Score.Line(passes: 3, bars: bars)]),
            try #require(Score.read(Array(duo.utf8), file: "duo.yaml").score),
            try #require(Score.read(Array(quartet.utf8), file: "quartet.yaml").score), try plan.score(),
            try plan.score(),
            try Plan(runText: "run 0:09, 4x(run 0:05, walk 0:04), rest 0:06, at 0:20: \"half way there\"").score(),
        ]
        var (inputs, clicks): ([String], Int) = ([], 0)
        for (n, score) in scores.enumerated() {
            for percent in [50, 100, 133] {
                var performance = Performance(of: score, passage: Passage(Timeline(score)))
                performance.speed = try #require(Speed(millionths: Int64(percent) * 10_000))
                if n > 4 {
                    var speech = SpeechSettings()
                    (speech.cues, speech.finish, speech.intervals) = (true, true, true)
                    (performance.cues.speech, performance.speaker) = (speech, Voice())
                }
                if n >= 4 {
                    (performance.cues.countdown, performance.cues.countdownTo) = (3, .bars)
                    (performance.cues.halfTime, performance.cues.minuteLeft, performance.cues.end) = (true, true, true)
                }
                var generator = Seeded(state: 1)
                let played = try Self.play(performance, 0, &generator, whole: true)
                inputs.append(played.input)
                clicks += played.clicks
            }
        }
        let found = try PageScript.run(Self.script, input: "[\(inputs.joined(separator: ",\n"))]")
        #expect(found.map { $0.joined(separator: " ") } == ["commands 0"])
        #expect(clicks > 900, "\(clicks)")
    }

    @Test("a page that plays by itself does with random commands what the program does: 1800 of them")
    func commands() throws { try play(1800, seed: 48, onlyPrograms: false) }

    @Test("practice programs of every kind and bars that are silent at random are the program's: 1000 commands")
    func programs() throws { try play(1000, seed: 39, onlyPrograms: true) }

    private func play(_ least: Int, seed: UInt64, onlyPrograms: Bool) throws {
        var generator = Seeded(state: seed)
        var (inputs, commands, clicks): ([String], Int, Int) = ([], 0, 0)
        while commands < least {
            let score = Score.randomPage(&generator)
            let timeline = Timeline(score)
            guard timeline.barCount <= 1500, timeline.total > .seconds(20) else { continue }
            var performance = Performance(of: score, passage: Passage(timeline))
            performance.speed = try #require(Speed(millionths: Int64(generator.int(200_000...3_000_000))))
            performance.waits = !generator.chance(4)
            performance.countsInJumps = generator.chance(2)
            performance.cues.countdown = generator.chance(2) ? generator.int(1...4) : 0
            performance.cues.countdownTo = [.sections, .lines, .bars][generator.int(0...2)]
            performance.cues.holdEnd = [.off, .click, .countdown(3)][generator.int(0...2)]
            performance.cues.halfTime = generator.chance(2)
            performance.cues.minuteLeft = generator.chance(2)
            performance.cues.end = generator.chance(2)
            performance.cues.lastBar = generator.chance(4)
            let played = try Self.play(performance, 60, &generator, onlyPrograms: onlyPrograms)
            inputs.append(played.input)
            commands += played.commands
            clicks += played.clicks
        }
        let input = "[\(inputs.joined(separator: ",\n"))]"
        let found = try PageScript.run(Self.script, input: input).map { $0.joined(separator: " ") }
        #expect(found.last == "commands \(commands)")
        #expect(found.count == 1, "\(found.count) differences: \(found.prefix(12).joined(separator: "\n"))")
        #expect(clicks > least)
    }
}
