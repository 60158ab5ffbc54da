internal import Foundation
internal import Scores
internal import Screens
internal import Testing
internal import Timing

internal import Playback
internal import Serving

/// What a page draws beside the bar: brackets, intervals until the lap button, and its words.
@Suite struct PagePictureTests {
    /// Music of two minutes with two brackets.
    private func status() -> Status {
        var score = Score(lines: [])
        score.brackets = [
            Bracket(label: "A", start: .seconds(30)...(.seconds(60)), end: .seconds(90)...(.seconds(120)), cue: "soft"),
            Bracket(start: .seconds(60)...(.seconds(60)), end: .seconds(120)...(.seconds(120))),
        ]
        return Status(
            performance: Performance(of: score, passage: Passage(Timeline(score))), anchor: Anchor(speed: .asWritten),
            countsTo: nil, pause: nil, zeroHeard: 0, sound: .device("test"))
    }

    @Test("a page shows the state of each bracket, and when that changes")
    func brackets() throws {
        let status = status()
        let timeline = PageMessage.timeline(
            PageMessage.window(around: 0, status.performance.passage), status, ScoreWords())
        let found = try PageScript.run(
            """
            import { Music, brackets } from "./music.js";
            const { timeline, state } = input;
            const music = new Music(timeline.timeline, timeline.bars, state.state, state.beats, timeline);
            for (const here of [0, 45, 75, 100, 119, 120]) {
              console.log(brackets(music, here, 180).map((each) => `${each.name}:${each.kind}:${each.left}:${each.cue}`).join(" "));
            }
            """, input: #"{"timeline": \#(timeline), "state": \#(PageMessage.state(status, ScoreWords(), at: 0))}"#)
        let wanted = [
            "A:opensIn:30:soft 2:opensIn:60:", "A:opening:15:soft 2:opensIn:15:", "A:open:15:soft 2:open:45:",
            "A:closing:20:soft 2:open:20:", "A:closing:1:soft 2:open:1:",
        ]
        #expect(found.map { $0.joined(separator: " ") } == wanted)
    }

    @Test("a streamer runs three seconds to a hit, else to the next bar; a hit is reached once, in each pass")
    func hits() throws {
        let reading = Score.read(
            Array(
                """
                tempo: 60
                bars:
                  - 4/4 x 2
                  - {meter: 4/4, hit: 0:10.5 at beat 3}
                  - 4/4
                """.utf8), file: "x.yaml")
        let score = try #require(reading.score)
        let status = Status(
            performance: Performance(of: score, passage: Passage(Timeline(score), passes: 2)),
            anchor: Anchor(speed: try #require(Speed(millionths: 500_000))), countsTo: nil, pause: nil, zeroHeard: 0,
            sound: .device("test"))
        #expect(
            status.performance.passage.timeline.hits.map { ($0.time / .seconds(1) * 1e6).rounded() } == [10_500_000])
        let timeline = PageMessage.timeline(
            PageMessage.window(around: 0, status.performance.passage), status, ScoreWords())
        let found = try PageScript.run(
            """
            import { Music, hitsUntil, streamer } from "./music.js";
            const { timeline, state } = input;
            const music = new Music(timeline.timeline, timeline.bars, state.state, state.beats, timeline);
            console.log(music.hits.length);
            const bar = { start: music.hits[0] - 4, duration: 8 };
            for (const before of [3, 1.4, 0.75, 0]) {
              const { share, isHit } = streamer(music, music.hits[0] - before, bar);
              console.log(share.toFixed(2), isHit, hitsUntil(music, music.hits[0] - before));
            }
            """, input: #"{"timeline": \#(timeline), "state": \#(PageMessage.state(status, ScoreWords(), at: 0))}"#)
        // At half speed, 1.5 s of the score are three seconds.
        #expect(
            found.map { $0.joined(separator: " ") } == [
                "2", "0.13 false 0", "0.07 true 0", "0.50 true 0", "0.50 false 1",
            ], "\(found)")
    }

    @Test("a page shows that an interval lasts until the lap button, and the time since it began")
    func untilLap() throws {
        let found = try PageScript.run(
            """
            import { Music, whole } from "./music.js";
            const bars = [{ start: 0, duration: 10, holds: [] }, { start: 10, duration: 0.001, isOpen: 1, holds: [] }];
            const state = { zero: 100, time: 0, position: 0, speed: 1, paused: null, pausedAt: null, held: 10, heldBar: 1, countsTo: null,
              begins: null, ended: "" };
            const music = new Music({ first: 0, count: 2, total: 10.001 }, bars, state);
            for (const now of [105, 175.5]) {
              const { kind, waited } = music.moment(now);
              console.log(kind, whole(waited));
            }
            music.state.pausedAt = 10;
            console.log(music.moment(180).kind);
            """, input: "{}")
        #expect(found == [["playing", "0:00"], ["untilLap", "1:05"], ["paused"]])
    }

    @Test(
        "in a timed hold the large digits are what is left of it, and at a hold until a cue how long the music has waited"
    )
    func holds() throws {
        let score = """
            bars: [{duration: 9, hold: 6 at 2}, {duration: 1, hold: until cue}, 1.62]
            """
        let piece = try #require(Score.read(Array(score.utf8), file: "x.yaml").score)
        var performance = Performance(of: piece, passage: Passage(Timeline(piece)))
        performance.waits = true
        var status = Status(
            performance: performance, anchor: Anchor(speed: .asWritten), countsTo: nil, pause: nil,
            zeroHeard: 0, sound: .device("test"))
        status.held = HeldMusic(boundary: 1, position: .seconds(16), length: .zero)
        let timeline = PageMessage.timeline(0..<3, status, ScoreWords())
        let found = try PageScript.run(
            """
            import { Music, digits } from "./music.js";
            const { timeline, state } = input;
            const music = new Music(timeline.timeline, timeline.bars, state.state, state.beats, timeline);
            for (const now of [1, 2, 5.96, 8, 15.5, 16, 28.9]) {
              const moment = music.moment(now);
              console.log(moment.kind, digits(moment, 1));
            }
            music.state.held = null;
            console.log("end", digits(music.moment(16), 1));
            """, input: #"{"timeline": \#(timeline), "state": \#(PageMessage.state(status, ScoreWords(), at: 0))}"#)
        #expect(
            found == [
                ["playing", "14.0"], ["holding", "6.0"], ["holding", "2.1"], ["playing", "7.0"], ["playing", "0.5"],
                ["holding", "0"], ["holding", "12"], ["end", "1.6"],
            ])
    }

    @Test("a page of one voice has the bars of that voice, their numbers and what is left of them")
    func ownVoice() throws {
        let score = """
            voices:
              flute: {bars: [2, {duration: 3, hold: 1 at 1}, 5]}
              oboe: {lines: [[1.5, 2.5], [4]]}
            """
        let piece = try #require(Score.read(Array(score.utf8), file: "x.yaml").score)
        let performance = Performance(of: piece, passage: Passage(Timeline(piece)))
        let status = Status(
            performance: performance, anchor: Anchor(speed: .asWritten), countsTo: nil, pause: nil,
            zeroHeard: 0, sound: .device("test"))
        let timeline = PageMessage.timeline(0..<3, status, ScoreWords())
        let found = try PageScript.run(
            """
            import { Music } from "./music.js";
            import { musicOf } from "./own.js";
            import { Sounds } from "./clickplan.js";
            const { timeline, state, sounds } = input;
            const music = new Music(timeline.timeline, timeline.bars, state.state, state.beats, timeline);
            const own = musicOf(2, music, new Sounds(sounds));
            for (const now of [0, 1.6, 3.5, 3.9, 4.5, 8.5]) {
              const moment = own.moment(music.moment(now));
              const { bar, left } = moment;
              const next = bar && own.next(bar);
              console.log(moment.kind, bar ? `${bar.line}.${bar.bar}/${bar.barsInLine} ${left.toFixed(1)} then ${next ? next.duration : "end"} of ${own.line(bar).length}` : "silent");
            }
            console.log(musicOf(1, music, new Sounds(sounds)).moment(music.moment(2.5)).bar.bar);
            """,
            input:
                #"{"timeline": \#(timeline), "state": \#(PageMessage.state(status, ScoreWords(), at: 0)), "sounds": \#(PageSounds.message(0..<3, performance).text)}"#
        )
        #expect(
            found.map { $0.joined(separator: " ") } == [
                "playing 1.1/2 1.5 then 2.5 of 2", "playing 1.2/2 2.4 then 4 of 2",
                // The flute holds.
                "playing 1.2/2 0.5 then 4 of 2", "playing 1.2/2 0.1 then 4 of 2", "playing 2.1/1 3.5 then end of 1",
                "playing silent", "2",
            ])
    }

    @Test("a page of one voice has the bar that is under way where a loop or a part begins, printed numbers and colors")
    func ownBarUnderWay() throws {
        let score = """
            voices:
              flute: {lines: [{repeat: 3, bars: [4, 4, 4]}]}
              oboe: {first-bar: 21, bars: [{duration: 10, label: long}, {duration: 3, flash: red, number: 30}, 3]}
            """
        let piece = try #require(Score.read(Array(score.utf8), file: "x.yaml").score)
        func shown(_ passage: Passage, at times: [Double]) throws -> [String] {
            let performance = Performance(of: piece, passage: passage)
            let status = Status(
                performance: performance, anchor: Anchor(speed: .asWritten), countsTo: nil, pause: nil,
                zeroHeard: 0, sound: .device("test"))
            let timeline = PageMessage.timeline(0..<3, status, ScoreWords())
            return try PageScript.run(
                """
                import { Music } from "./music.js";
                import { musicOf } from "./own.js";
                import { Sounds } from "./clickplan.js";
                const { timeline, state, sounds, times } = input;
                const music = new Music(timeline.timeline, timeline.bars, state.state, state.beats, timeline);
                const own = musicOf(2, music, new Sounds(sounds));
                for (const now of times) {
                  const { bar, left } = own.moment(music.moment(now));
                  console.log(bar?.label, left.toFixed(1), bar?.shown.number, bar?.color, bar && own.line(bar).map((each) => each.bar));
                }
                """,
                input: #"{"timeline": \#(timeline), "state": \#(PageMessage.state(status, ScoreWords(), at: 0)), "#
                    + #""sounds": \#(PageSounds.message(0..<3, performance).text), "times": \#(times)}"#
            ).map { $0.joined(separator: " ") }
        }
        let timeline = Timeline(piece)
        let loop = try shown(Passage(timeline, [Passage.Stretch(1..<2)], passes: nil), at: [0, 3.5, 4.5])
        #expect(loop == ["long 6.0 no. 21 null [ 1 ]", "long 2.5 no. 21 null [ 1 ]", "long 5.5 no. 21 null [ 1 ]"])
        let part = try shown(Passage(timeline, bars: 1..<4, passes: 1), at: [1, 6.5, 9.5])
        #expect(
            part == [
                "long 5.0 no. 21 null [ 1, 2, 3 ]", "2.5 no. 30 #ff0000 [ 1, 2, 3 ]", "2.5 no. 31 null [ 1, 2, 3 ]",
            ])
    }

    @Test("a page that plays by itself has the bar of a voice that is under way where a loop begins")
    func sentBarUnderWay() throws {
        let score = "voices: {flute: {bars: [4, 4, 4]}, oboe: {bars: [{duration: 10, label: long}, 2]}}\n"
        let piece = try #require(Score.read(Array(score.utf8), file: "x.yaml").score)
        let performance = Performance(of: piece, passage: Passage(Timeline(piece)))
        let found = try PageScript.run(
            """
            import { Conductor } from "./conductor.js";
            import { Music } from "./music.js";
            import { musicOf } from "./own.js";
            import { Sounds } from "./clickplan.js";
            import { Told } from "./told.js";
            const conductor = new Conductor(input, 0);
            const begin = conductor.timeOf(0);
            conductor.toggleLoop(1, 2, begin + 4.5);
            const [timeline, sounds, state] = new Told(conductor).messages(begin + 4.5);
            const music = new Music(timeline.timeline, timeline.bars, state.state, state.beats, state);
            for (const time of [4.5, 7, 8.5]) {
              const { bar, left } = musicOf(2, music, new Sounds(sounds)).moment(music.moment(begin + time));
              console.log(bar?.label, left.toFixed(1));
            }
            """, input: try SentMusic.json(performance, ScoreWords()).line
        ).map { $0.joined(separator: " ") }
        #expect(found == ["long 5.5", "long 3.0", "long 5.5"])
    }

    @Test("every module of the page is one that a browser accepts")
    func modules() throws {
        let found = try PageScript.run(
            """
            import { spawnSync } from "node:child_process";
            import { readdirSync } from "node:fs";
            import { fileURLToPath } from "node:url";
            const folder = fileURLToPath(new URL(".", import.meta.url));
            const modules = readdirSync(folder).filter((name) => name.endsWith(".js"));
            const reader = `
              const { readFileSync } = require("node:fs");
              const { SourceTextModule } = require("node:vm");
              for (const path of process.argv.slice(1)) {
                try { new SourceTextModule(readFileSync(path, "utf8")); } catch (error) { console.log(path, error.message); }
              }`;
            const options = ["--experimental-vm-modules", "--no-warnings", "-e", reader, "--"];
            const parsed = spawnSync(process.execPath, [...options, ...modules.map((name) => folder + name)], { encoding: "utf8" });
            console.log(modules.length > 20, parsed.status, parsed.stdout);
            """, input: "{}")
        #expect(found == [["true", "0"]], "\(found)")
    }

    @Test("every word that the page shows is in the table of words, and each of those is shown")
    func words() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/CWeb/page").standardized
        let files = try FileManager.default.contentsOfDirectory(at: page, includingPropertiesForKeys: nil)
            .filter { ["js", "html"].contains($0.pathExtension) }
        let texts = try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
        let asked = [/say\("(\w+)"/, /data-say="(\w+)"/, /data-label="(\w+)"/].flatMap { pattern in
            texts.matches(of: pattern).map { String($0.1) }
        }
        // The clicks of a page, each of which has a word: `lines` has `partLines`.
        let parts = texts.matches(of: /\n  (\w+): \{ has:/).map {
            "part" + $0.1.prefix(1).uppercased() + $0.1.dropFirst()
        }
        #expect(parts.count == 8)
        // The rows of the sheet, its groups, and the controls at the thumb.
        func named(_ prefix: String, _ names: some Sequence<Substring>) -> [String] {
            names.map { prefix + $0.prefix(1).uppercased() + $0.dropFirst() }
        }
        let rows = named("row", texts.matches(of: /data-say-row="(\w+)"/).map(\.1))
        let list = try #require(texts.firstMatch(of: /const groups = \[([^\]]+)\]/)?.1)
        let groups = named("group", list.matches(of: /"(\w+)"/).map(\.1))
        let thumb = texts.matches(of: /\["[^"]+", "\w+", "(\w+Word)"\]/).map { String($0.1) }
        #expect(rows.count == 8 && groups.count == 6 && thumb.count == 4)
        let known = Set(PageWords.music.map(\.name))
        let used = Set(asked + parts + rows + groups + thumb)
        #expect(used.subtracting(known).isEmpty)
        // These are chosen by how the music is.
        let chosen: Set = [
            "opensIn", "opening", "open", "closing", "locked", "lock", "holdToUnlock", "chooseFirst", "nothingYet",
            "resumeWord", "leaveWord",
        ]
        #expect(known.subtracting(used).subtracting(chosen).isEmpty)
    }

    @Test("the page announces the next bar in the words of the stand")
    func next() {
        let words = Dictionary(uniqueKeysWithValues: PageWords.music.map { ($0.name, $0.text) })
        #expect(words["bar"] == "bar {n}" && words["thenNext"] == "then {place}, {seconds} s")
        #expect(words["thenEnd"] == "then the end")
    }
}
