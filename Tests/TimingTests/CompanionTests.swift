import Scores
import Shared
import Testing
import Timing

@Suite("Several voices")
struct CompanionTests {
    /// A click as it should be: voice, and time in seconds as a fraction of whole numbers.
    private struct Due: Hashable, Comparable {
        var voice: Int
        var nanoseconds: Int64

        static func < (a: Due, b: Due) -> Bool { (a.nanoseconds, a.voice) < (b.nanoseconds, b.voice) }
    }

    /// A score of voices whose bars last whole milliseconds, each voice repeated by itself.
    private static func score(_ voices: [(bars: [Int], passes: Int)]) -> Score {
        func music(_ voice: (bars: [Int], passes: Int)) -> Score {
            Score(lines: [Score.Line(passes: voice.passes, bars: voice.bars.map { Score.Bar(.milliseconds($0)) })])
        }
        var score = music(voices[0])
        score.voice = Score.VoiceMark("voice 1", channel: 1)
        score.companions = voices.indices.dropFirst().map {
            Score.Companion(Score.VoiceMark("voice \($0 + 1)", channel: $0 + 1), music(voices[$0]))
        }
        return score
    }

    /// The clicks of all voices by adding up the bars of each by itself.
    private static func due(_ voices: [(bars: [Int], passes: Int)]) -> [Due] {
        voices.enumerated().flatMap { number, voice in
            var time = 0
            return (0..<voice.passes).flatMap { _ in
                voice.bars.map { bar in
                    defer { time += bar }
                    return Due(voice: number + 1, nanoseconds: Int64(time) * 1_000_000)
                }
            }
        }.sorted()
    }

    /// The clicks of a performance with their voices; a frame is a microsecond.
    private static func clicks(_ performance: Performance) -> [Due] {
        events(performance, rate: 384_000).events.compactMap { event in
            guard case .click(_, _, let voice) = event.kind else { return nil }
            let frames = Double(event.position.frame) + event.position.fraction
            return Due(voice: voice, nanoseconds: Int64((frames / 384_000 * 1e9).rounded()))
        }.sorted()
    }

    @Test("each voice has its own clicks at its own times, whichever of them is longest")
    func clicks() {
        var random = Seeded(state: 8)
        for _ in 0..<200 {
            let voices = (0..<random.int(2...5)).map { _ in
                (bars: (0..<random.int(1...9)).map { _ in random.int(40...900) }, passes: random.int(1...4))
            }
            let score = Self.score(voices)
            let performance = Performance(of: score, passage: Passage(Timeline(score)))
            let (played, due) = (Self.clicks(performance), Self.due(voices))
            #expect(played.map(\.voice) == due.map(\.voice), "\(voices)")
            for (one, other) in zip(played, due) { #expect(abs(one.nanoseconds - other.nanoseconds) <= 1) }
            let longest = voices.map { $0.bars.reduce(0, +) * $0.passes }.max() ?? 0
            #expect(performance.passage.total == .milliseconds(longest))
        }
    }

    @Test("a part of the leading voice, twice and at another speed, takes the other voices along")
    func part() {
        let voices = [(bars: [500, 300, 700, 400], passes: 1), (bars: [350, 450], passes: 3)]
        let score = Self.score(voices)
        // The leading voice's second and third bar: 500 to 1500 ms.
        let passage = Passage(Timeline(score), bars: 1..<3, passes: 2)
        var performance = Performance(of: score, passage: passage)
        performance.speed = Speed(millionths: 500_000) ?? .asWritten
        // The second voice begins bars at 0, 350, 800, 1150, 1600 and 1950 ms; two of them lie in the part.
        let once: [(voice: Int, milliseconds: Int64)] = [(1, 500), (2, 800), (1, 800), (2, 1150)]
        let due = (Int64(0)..<2).flatMap { pass -> [Due] in
            once.map { Due(voice: $0.voice, nanoseconds: ($0.milliseconds - 500 + pass * 1000) * 2_000_000) }
        }.sorted()
        #expect(Self.clicks(performance) == due)
    }

    @Test("beats of all voices are heard, louder or softer as the voice says, and silent voices are not")
    func beats() {
        var score = Score(lines: [Score.Line(bars: [Score.Bar(.seconds(3))])])
        score.voice = Score.VoiceMark("silent", click: BarClick(isSilent: true))
        let music = Score(
            tempo: Tempo(Fraction(1, 4), Fraction(120)),
            sections: [Score.Section(parts: [.line(Score.Line(bars: [Score.Bar(Meter(3, over: 4))]))])])
        score.companions = [Score.Companion(Score.VoiceMark("loud", click: BarClick(.accent, decibels: 3)), music)]
        var performance = Performance(of: score, passage: Passage(Timeline(score)))
        performance.inner.beats = true
        let level = Level(decibels: performance.clickLevel.decibels + 3).amplitude
        let clicks = events(performance, rate: 1000).events.filter { if case .click = $0.kind { true } else { false } }
        #expect(
            clicks == [
                Event(FramePosition(frame: 0), .click(.accent, amplitude: level, voice: 2)),
                Event(FramePosition(frame: 500), .click(.beat, amplitude: level, voice: 2)),
                Event(FramePosition(frame: 1000), .click(.beat, amplitude: level, voice: 2)),
            ])
    }

    @Test("a voice that ends early rests, wherever on the page its end is")
    func rest() {
        let score = Self.score([([1000, 2000], 1), ([90_000_000], 3)])
        var fine = score
        var last = Score.Bar(.seconds(1))
        last.details.jump = Jump(to: .end)
        fine.sections = [Score.Section(parts: [.line(Score.Line(bars: [last, Score.Bar(.seconds(9))]))])]
        for score in [score, fine] {
            let timeline = Timeline(score)
            #expect(timeline.total == .seconds(270_000))
            let sum = (0..<timeline.barCount).map { timeline[$0].duration }.reduce(.zero, +)
            #expect(sum == timeline.total)
            #expect(timeline[timeline.barCount - 1].written.details.click?.isSilent == true)
        }
    }

    @Test("some voices can be chosen, and the first of them leads")
    func choice() throws {
        let score = Self.score([([1000], 1), ([700, 600], 2), ([300], 5)])
        #expect(score.voiceNames == ["voice 1", "voice 2", "voice 3"])
        let two = try #require(score.with(voices: ["voice 3", "voice 1", "voice 3", "nobody"]))
        #expect(two.voiceNames == ["voice 3", "voice 1"])
        #expect(Timeline(two).total == .milliseconds(1500))
        #expect(two.with(voices: ["voice 1", "voice 3"])?.voiceNames == ["voice 1", "voice 3"])
        let one = try #require(score.with(voices: ["voice 2"]))
        #expect(one.voiceNames == [])
        #expect(one.voice == Score.VoiceMark("voice 2"))
        #expect(Timeline(one).total == .milliseconds(2600))
        #expect(score.with(voices: ["nobody"]) == nil)
    }

    /// The clicks of voices whose player goes on after `pause` at each hold, in ms after the beginning, with the times of
    /// the holds.
    private static func live(_ voices: [[Score.Bar]], pause: Int64 = 5000) -> (clicks: [Due], holds: [Int64]) {
        var score = Self.score(voices.map { _ in ([1000], 1) })
        func parts(_ bars: [Score.Bar]) -> [Score.Part] { [.line(Score.Line(bars: bars))] }
        score.sections[0].parts = parts(voices[0])
        for index in score.companions.indices {
            score.companions[index].music.sections[0].parts = parts(voices[index + 1])
        }
        var performance = Performance(of: score, passage: Passage(Timeline(score)))
        performance.waits = true
        var scheduler = Scheduler(performance, rate: 1000)
        var recorder = Recorder()
        var holds: [Int64] = []
        scheduler.scheduleAll(before: .max, into: &recorder)
        while let held = scheduler.held, holds.count < 100 {
            let frame = scheduler.position(at: held.position).frame
            holds.append(frame)
            scheduler.proceed(at: frame + pause)
            scheduler.scheduleAll(before: .max, into: &recorder)
        }
        let clicks = recorder.events.compactMap { event -> Due? in
            guard case .click(_, _, let voice) = event.kind else { return nil }
            return Due(voice: voice, nanoseconds: event.position.frame)
        }
        return (clicks.sorted(), holds)
    }

    private static func bar(_ milliseconds: Int, _ holds: Hold...) -> Score.Bar {
        var bar = Score.Bar(.milliseconds(milliseconds))
        if !holds.isEmpty { bar.details.holds = holds }
        return bar
    }

    @Test("at a hold until a cue in any voice, all voices wait together and go on together")
    func holds() {
        let (cue, inside) = (Hold(.zero, waits: true), Hold(.zero, at: .offset(.milliseconds(250)), waits: true))
        // In the leading voice: the other one's second bar begins after the hold.
        let first = Self.live([[Self.bar(1000, inside), Self.bar(1000)], [Self.bar(500), Self.bar(500)]])
        #expect(first.holds == [250])
        #expect(first.clicks.map { [Int64($0.voice), $0.nanoseconds] } == [[1, 0], [2, 0], [2, 5500], [1, 6000]])
        // In another voice, at the end of a bar: its next bar, and the leading one's, begin after the hold.
        let second = Self.live([
            [Self.bar(1000), Self.bar(1000)], [Self.bar(1000, cue), Self.bar(600), Self.bar(400)],
        ])
        #expect(second.holds == [1000])
        #expect(
            second.clicks.map { [Int64($0.voice), $0.nanoseconds] }
                == [[1, 0], [2, 0], [1, 6000], [2, 6000], [2, 6600]])
        // Inside a bar of the leading voice.
        let third = Self.live([[Self.bar(3000)], [Self.bar(400, cue), Self.bar(700, inside), Self.bar(1000)]])
        #expect(third.holds == [400, 5650])
        #expect(
            third.clicks.map { [Int64($0.voice), $0.nanoseconds] } == [[1, 0], [2, 0], [2, 5400], [2, 11_100]])
        // Several voices at one place wait once, also at the very end.
        let all = Self.live([[Self.bar(1000, cue), Self.bar(500, cue)], [Self.bar(1000, cue), Self.bar(500, cue)]])
        #expect(all.holds == [1000, 6500])
    }

    @Test("the last hold of all voices is known, so that the end is not announced before it")
    func lastWait() {
        var score = Self.score([([1000, 1000, 1000], 1), ([700, 700, 700], 1)])
        #expect(Passage(Timeline(score)).lastWait == nil)
        score.companions[0].music.sections[0].parts = [
            .line(Score.Line(bars: [Self.bar(700), Self.bar(700, Hold(.zero, waits: true)), Self.bar(700)]))
        ]
        // At 1400 ms, in the second bar of the leading voice.
        #expect(Passage(Timeline(score)).lastWait == 1)
        #expect(Passage(Timeline(score), bars: 2..<3).lastWait == nil)
        #expect(Passage(Timeline(score), bars: 1..<3, passes: 3).lastWait == 4)
    }

    @Test("cues of other voices are spoken after the names of the voices, in the order of time")
    func spoken() {
        var score = Self.score([([2000, 2000], 1), ([1500, 1500, 1000], 1)])
        var told = Score.Bar(.milliseconds(1500), cue: "softly")
        told.details.say = "now"
        score.companions[0].music.sections[0].parts = [
            .line(Score.Line(bars: [Score.Bar(.milliseconds(1500), cue: "first"), told, Score.Bar(.seconds(1))]))
        ]
        var speech = SpeechSettings()
        speech.cues = true
        let passage = Passage(Timeline(score))
        let words = (0..<2).flatMap { passage.companionBars(during: $0) }.map { speech.text(for: $0) }
        #expect(words == ["voice 2, first", "voice 2, now", ""])
        #expect(passage.companionBars(during: 1).map(\.span.lowerBound) == [.seconds(3)])
    }
}
