import Languages
import Scores
import Synchronization
import Testing
import Timing

// Words, and how they make room for countdowns and for each other.
extension CueTests {
    @Test("a word ends at its boundary, within a frame and never after it")
    func words() {
        let spoken = events {
            $0.cues.speech = SpeechSettings()
            $0.cues.speech?.lines = 1
            $0.speaker = Talker()
        }.compactMap { event -> (Int64, String)? in
            guard case .speech(let word, _) = event.kind else { return nil }
            return (event.position.frame + 16_000, word.text)
        }
        #expect(spoken.map(\.1) == ["line 2"])
        #expect(spoken.allSatisfy { (432_000 - 1...432_000).contains($0.0) })
    }

    func spoken(_ events: [Event]) -> [(begin: Double, end: Double, text: String)] {
        events.compactMap { event in
            guard case .speech(let word, _) = event.kind else { return nil }
            let begin = Double(event.position.frame) / 48_000
            return (begin, begin + Double(word.frameCount) / 48_000, word.text)
        }
    }

    private func said(length: Double, _ change: (inout CueSettings) -> Void) -> [Event] {
        events {
            $0.cues.countdown = 3
            $0.cues.speech = SpeechSettings()
            $0.cues.speech?.lines = 1
            $0.speaker = Talker(length: length)
            change(&$0.cues)
        }
    }

    @Test("a word ends before the first tick of a countdown")
    func beforeCountdown() throws {
        let events = said(length: 1.5) { _ in }
        let word = try #require(spoken(events).first)
        #expect(word.text == "line 2" && abs(word.end - 5.9) < 0.001)
        #expect(clicks(events, .warning) == [6, 7, 8])
    }

    @Test("without room for both, the word is spoken at its time, and the whole countdown is left out")
    func insteadOfCountdown() throws {
        let events = said(length: 1.5) {
            $0.countdownTo = .bars
            $0.speech?.bars = 1
        }
        // Bars of 4, 3, 2, 5 and 2.5 s: 3, 2, 1, 3 and 2 ticks.
        #expect(spoken(events).map(\.text) == ["bar 2", "bar 3", "line 2", "bar 2"])
        let ends = [4.0, 7, 9, 10.9]
        for (word, end) in zip(spoken(events), ends) { #expect(abs(word.end - end) < 0.001, "\(word)") }
        #expect(clicks(events, .warning) == [11, 12, 13])
    }

    @Test("a word that makes room for a countdown never begins before the previous bar")
    func noFurtherBack() throws {
        let score = Score(lines: [
            Score.Line(bars: [
                Score.Bar(.seconds(4)), Score.Bar(.milliseconds(900)), Score.Bar(.seconds(2)),
                Score.Bar(.seconds(2), label: "here"),
            ])
        ])
        var performance = Performance(of: score, passage: Passage(Timeline(score)))
        performance.cues.countdown = 3
        performance.cues.countdownTo = .bars
        performance.cues.speech = SpeechSettings()
        performance.cues.speech?.labels = true
        performance.speaker = Talker(length: 1.5)
        var scheduler = Scheduler(performance, rate: 48_000)
        var recorder = Recorder()
        _ = scheduler.schedule(before: 480_000, into: &recorder)
        // To end before the tick at 5.9 s, it would have to begin at 4.3 s, but the previous bar begins at 4.9 s.
        let word = try #require(spoken(recorder.events).first)
        #expect(abs(word.end - 6.9) < 0.001)
        #expect(clicks(recorder.events, .warning) == [1, 2, 3])
    }

    @Test("words never overlap: words for one moment follow each other, and a later moment that has no room is skipped")
    func oneAtATime() throws {
        // Half of 16.5 s is 8.25 s: after it there is no room for "line 2", which would have to begin at 7.5 s.
        let late = said(length: 1.5) {
            $0.countdown = 0
            $0.halfTime = true
        }
        #expect(spoken(late).map(\.text) == ["half time"])
        var performance = Performance(of: Self.score, passage: Passage(Timeline(Self.score), bars: 0..<4))
        performance.cues.speech = SpeechSettings()
        performance.cues.speech?.bars = 1
        performance.cues.halfTime = true
        performance.speaker = Talker(length: 1)
        performance.speed = .asWritten
        var scheduler = Scheduler(performance, rate: 48_000)
        var recorder = Recorder()
        _ = scheduler.schedule(before: 48_000 * 20, into: &recorder)
        // Half time, after 7 of 14 s, is where the third bar begins.
        let words = spoken(recorder.events)
        #expect(words.map(\.text) == ["bar 2", "half time", "bar 3", "bar 1"])
        for (a, b) in zip(words, words.dropFirst()) { #expect(a.end <= b.begin) }
    }

    @Test("a countdown makes room for one word only: the next word of that moment follows directly")
    func twoWordsInsteadOfACountdown() {
        var performance = Performance(of: Self.score, passage: Passage(Timeline(Self.score), bars: 0..<4))
        performance.cues.countdown = 3
        performance.cues.countdownTo = .bars
        performance.cues.halfTime = true
        performance.cues.speech = SpeechSettings()
        performance.cues.speech?.bars = 1
        performance.speaker = Talker(length: 1.2)
        var scheduler = Scheduler(performance, rate: 48_000)
        var recorder = Recorder()
        _ = scheduler.schedule(before: 48_000 * 20, into: &recorder)
        // Half of 14 s is where the third bar begins.
        let words = spoken(recorder.events)
        #expect(words.map(\.text) == ["bar 2", "half time", "bar 3", "bar 1"])
        for (word, begin) in zip(words, [2.8, 4.5, 5.8, 7.8]) { #expect(abs(word.begin - begin) < 0.001, "\(word)") }
    }

    @Test(
        "after a bar that only waits, the next is announced as it begins, and only then the last minute is known")
    func afterAWait() throws {
        var wait = Score.Bar(.milliseconds(1), label: "open")
        wait.details.holds = [Hold(.zero, waits: true)]
        let score = Score(lines: [
            Score.Line(bars: [Score.Bar(.seconds(20), label: "one"), wait, Score.Bar(.seconds(100), label: "two")])
        ])
        var performance = Performance(of: score, passage: Passage(Timeline(score)))
        performance.waits = true
        (performance.cues.countdown, performance.cues.countdownTo) = (3, .bars)
        (performance.cues.halfTime, performance.cues.minuteLeft) = (true, true)
        performance.cues.speech = SpeechSettings()
        performance.cues.speech?.labels = true
        performance.speaker = Talker(length: 1)
        var scheduler = Scheduler(performance, rate: 48_000)
        var recorder = Recorder()
        scheduler.scheduleAll(before: 48_000 * 50, into: &recorder)
        #expect(spoken(recorder.events).map(\.text) == ["open"])
        #expect(clicks(recorder.events, .warning) == [17, 18, 19])
        scheduler.proceed(at: 48_000 * 50)
        scheduler.scheduleAll(before: 48_000 * 300, into: &recorder)
        let words = spoken(recorder.events)
        // The last minute is known once nothing waits any more.
        #expect(words.map(\.text) == ["open", "two", "one minute left"])
        #expect(abs(words[1].begin - 50.2) < 0.001)
        #expect(clicks(recorder.events, .section) == [90])
    }

    @Test("after a jump with a count-in, nothing is announced that the jump has left out, in no voice")
    func leftOut() {
        func line(_ bars: [(Int, String)]) -> Score.Section {
            Score.Section(parts: [.line(Score.Line(bars: bars.map { Score.Bar(.milliseconds($0.0), cue: $0.1) }))])
        }
        var score = Score(sections: [line([(40_000, ""), (20_000, "target"), (58_000, "")])])
        let other = Score(sections: [line([(38_500, "past"), (1350, "left"), (78_150, "near")])])
        score.voice = Score.VoiceMark("a", channel: 1)
        score.companions = [Score.Companion(Score.VoiceMark("b", channel: 2), other)]
        var performance = Performance(of: score, passage: Passage(Timeline(score)))
        (performance.countIn, performance.countsInJumps) = (.time(.seconds(3)), true)
        (performance.cues.halfTime, performance.cues.minuteLeft) = (true, true)
        performance.cues.speech = SpeechSettings()
        performance.cues.speech?.cues = true
        performance.speaker = Talker(length: 0.1)
        var scheduler = Scheduler(performance, rate: 48_000)
        var recorder = Recorder()
        scheduler.scheduleAll(before: 48_000 * 10, into: &recorder)
        scheduler.settle(before: 48_000 * 10)
        recorder.cut(at: 48_000 * 10)
        scheduler.jump(to: 1, at: 48_000 * 10)
        scheduler.scheduleAll(before: 48_000 * 25, into: &recorder)
        #expect(spoken(recorder.events).map(\.text) == ["b, past", "target"])
        recorder.cut(at: 48_000 * 25)
        scheduler.settle(before: 48_000 * 25)
        // Half time is a second before the third bar, and the last minute begins two seconds before it.
        scheduler.jump(to: 2, at: 48_000 * 25)
        scheduler.scheduleAll(before: 48_000 * 40, into: &recorder)
        #expect(clicks(recorder.events, .section).isEmpty && spoken(recorder.events).count == 2)
    }

    @Test("with all cues on, events are in order and words do not overlap", arguments: [0.2, 0.9, 2.4, 6])
    func together(length: Double) {
        let all = said(length: length) {
            $0.countdownTo = .bars
            $0.halfTime = true
            $0.minuteLeft = true
            $0.speech?.bars = 1
            $0.speech?.intervals = true
            $0.speech?.durations = true
        }
        for (a, b) in zip(all, all.dropFirst()) { #expect(a.position <= b.position) }
        let words = spoken(all)
        for (a, b) in zip(words, words.dropFirst()) { #expect(a.end <= b.begin) }
        for tick in clicks(all, .warning) {
            #expect(!words.contains { $0.begin < tick && tick < $0.end })
        }
    }

    @Test("a voice without words delays nothing and adds no event")
    func wordless() {
        let plain = events { _ in }
        let mute = events {
            $0.cues.speech = SpeechSettings()
            $0.cues.speech?.bars = 1
            $0.speaker = SlowTalker(isSilent: true)
        }
        #expect(mute == plain)
    }

    /// Counts the requests for words, and never has one.
    final class CountingTalker: Speaker {
        private let asked = Mutex<[String: Int]>([:])

        func word(_ text: String) -> SpokenWord? {
            asked.withLock { $0[text, default: 0] += 1 }
            return nil
        }

        var texts: Int { asked.withLock { $0.count } }
        var questions: Int { asked.withLock { $0.values.reduce(0, +) } }
    }

    @Test(
        "however short bars are, at most five words a second are requested, each once per call",
        arguments: [1, 7, 100, 500])
    func work(milliseconds: Int) throws {
        let talker = CountingTalker()
        let score = Score(
            lines: [
                Score.Line(bars: Array(repeating: Score.Bar(.milliseconds(milliseconds)), count: 3000 / milliseconds))
            ])
        var performance = Performance(of: score, passage: Passage(Timeline(score), passes: nil))
        performance.cues.speech = SpeechSettings()
        performance.cues.speech?.bars = 1
        performance.cues.speech?.intervals = true
        performance.speaker = talker
        var scheduler = Scheduler(performance, rate: 48_000)
        var recorder = Recorder()
        let looks = 20
        for look in 1...looks { _ = scheduler.schedule(before: Int64(look) * 4800, into: &recorder) }
        // 2 s have been scheduled, and cues are planned for another 12 s.
        let words = 14 * 5 + 2
        #expect((1...words).contains(talker.texts), "\(talker.texts) words")
        #expect(talker.questions <= looks * words, "\(talker.questions) questions")
        #expect(recorder.clicks.count == 1999 / milliseconds + 1)
    }

    @Test("if moments are too close for two words, the first is spoken")
    func close() throws {
        let score = Score(
            lines: [
                Score.Line(bars: [
                    Score.Bar(.seconds(4)), Score.Bar(.milliseconds(100), label: "first"),
                    Score.Bar(.milliseconds(250), label: "second"), Score.Bar(.seconds(4), label: "third"),
                    Score.Bar(.seconds(1), label: "fourth"),
                ])
            ])
        var performance = Performance(of: score, passage: Passage(Timeline(score)))
        performance.cues.speech = SpeechSettings()
        performance.cues.speech?.labels = true
        performance.speaker = Talker(length: 0.2)
        var scheduler = Scheduler(performance, rate: 48_000)
        var recorder = Recorder()
        _ = scheduler.schedule(before: 48_000 * 10, into: &recorder)
        #expect(spoken(recorder.events).map(\.text) == ["first", "third", "fourth"])
    }

    @Test("lines, bars, labels, intervals and the last one are announced in every language")
    func texts() {
        let passage = Passage(Timeline(Self.score))
        var speech = SpeechSettings()
        (speech.lines, speech.bars, speech.labels, speech.intervals) = (1, 2, true, true)
        let said = (0..<5).map { speech.text(forBoundary: $0, in: passage) }
        #expect(
            said == [
                "line 1, A, interval 1 of 5", "bar 2, interval 2 of 5", "interval 3 of 5", "line 2, interval 4 of 5",
                "bar 2, last one",
            ])
        (speech.lines, speech.bars, speech.labels, speech.intervals, speech.durations) = (0, 0, true, false, true)
        #expect(speech.text(forBoundary: 0, in: passage) == "A, 4 seconds")
        #expect(
            speech.text(forBoundary: 4, in: passage, speed: .asWritten.adding(percentagePoints: -96)) == "50 seconds")
        (speech.lines, speech.labels, speech.intervals, speech.durations) = (1, false, true, false)
        speech.language = .de
        #expect(speech.text(forBoundary: 3, in: passage) == "Zeile 2, Intervall 4 von 5")
        for language in Language.allCases {
            speech.language = language
            speech.durations = true
            #expect(speech.text(forBoundary: 1, in: passage).contains("2"))
        }
    }
}
