import Scores
import Synchronization
import Testing

@testable import Timing

@Suite("Countdowns, signals and speech")
struct CueTests {
    /// Speaks every text in `length` seconds.
    struct Talker: Speaker {
        var length = 1.0 / 3

        func word(_ text: String) -> SpokenWord? {
            SpokenWord(text, samples: [Float](repeating: 0.1, count: Int(48_000 * length)), rate: 48_000)
        }
    }

    /// Has no words if it is silent, and otherwise all.
    final class SlowTalker: Speaker {
        let isSilent: Bool
        init(isSilent: Bool) { self.isSilent = isSilent }
        func word(_ text: String) -> SpokenWord? { isSilent ? nil : Talker().word(text) }
    }

    static let score = Score(
        lines: [
            Score.Line(label: "A", bars: [Score.Bar(.seconds(4)), Score.Bar(.seconds(3)), Score.Bar(.seconds(2))]),
            Score.Line(bars: [Score.Bar(.seconds(5)), Score.Bar(.milliseconds(2500))]),
        ])

    private func events(_ change: (inout Performance) -> Void) -> [Event] {
        var performance = Performance(of: Self.score, passage: Passage(Timeline(Self.score)))
        change(&performance)
        var scheduler = Scheduler(performance, rate: 48_000)
        var recorder = Recorder()
        var horizon: Int64 = 0
        // In several steps, as a player does.
        while horizon < 48_000 * 20 {
            horizon += 7919
            _ = scheduler.schedule(before: horizon, into: &recorder)
        }
        return recorder.events
    }

    private func clicks(_ events: [Event], _ sound: ClickSound) -> [Double] {
        events.compactMap { event in
            guard case .click(sound, _, _) = event.kind else { return nil }
            return (Double(event.position.frame) + event.position.fraction) / 48_000
        }
    }

    @Test("by default there are only clicks at the boundaries")
    func off() {
        let plain = events { _ in }
        #expect(plain.count == 5)
        #expect(events { $0.cues = CueSettings() } == plain)
    }

    @Test("a countdown ticks every second before each boundary of its kind, and moves no click")
    func countdown() {
        let plain = events { _ in }
        let lines = events { $0.cues.countdown = 3 }
        #expect(clicks(lines, .warning) == [6, 7, 8])
        #expect(clicks(events { $0.cues.countdown = 1 }, .warning) == [8])
        let bars = events {
            $0.cues.countdown = 3
            $0.cues.countdownTo = .bars
        }
        // Only as many ticks as the bar before has room for.
        #expect(clicks(bars, .warning) == [1, 2, 3, 5, 6, 8, 11, 12, 13])
        for some in [lines, bars] {
            let rest = some.filter { if case .click(.warning, _, _) = $0.kind { false } else { true } }
            #expect(rest == plain)
        }
    }

    /// The ticks in the first ten seconds, and the number of words, for lines of `milliseconds` with a countdown of 10
    /// s and a spoken label.
    private func countdowns(milliseconds: Int, passes: Int) throws -> (ticks: [Double], words: Int) {
        let score = Score(lines: [
            Score.Line(label: "A", passes: passes, bars: [Score.Bar(.milliseconds(milliseconds))])
        ])
        var performance = Performance(of: score, passage: Passage(Timeline(score)))
        performance.cues.countdown = 10
        performance.cues.speech = SpeechSettings()
        performance.cues.speech?.labels = true
        performance.speaker = Talker(length: 0.2)
        var scheduler = Scheduler(performance, rate: 48_000)
        var recorder = Recorder()
        _ = scheduler.schedule(before: 480_000, into: &recorder)
        return (clicks(recorder.events, .warning), spoken(recorder.events).count)
    }

    @Test("a countdown begins after the boundary of the previous one, so that no two overlap")
    func shortLines() throws {
        #expect(try countdowns(milliseconds: 2500, passes: 4).ticks == [0.5, 1.5, 3, 4, 5.5, 6.5])
        // However many lines there are, few cues are planned.
        let short = try countdowns(milliseconds: 1, passes: 20_000)
        #expect(short.ticks == [] && (1...50).contains(short.words))
    }

    @Test("events stay in order with all cues on")
    func order() {
        let all = events {
            $0.cues.countdown = 10
            $0.cues.countdownTo = .bars
            $0.cues.lastBar = true
            $0.cues.halfTime = true
            $0.cues.minuteLeft = true
            $0.cues.end = true
            $0.cues.speech = SpeechSettings()
            $0.cues.speech?.bars = 1
            $0.cues.speech?.labels = true
            $0.speaker = Talker()
            $0.drone = Score.Drone()
        }
        for (a, b) in zip(all, all.dropFirst()) { #expect(a.position <= b.position) }
    }

    @Test("the last bar of a line, half time, the last minute and the end have their signals at the right times")
    func signals() {
        #expect(clicks(events { $0.cues.lastBar = true }, .warning) == [7, 14])
        #expect(clicks(events { $0.cues.halfTime = true }, .section) == [8.25])
        let ended = events { $0.cues.end = true }
        #expect(clicks(ended, .end) == [16.5])
        #expect(clicks(events { $0.cues.minuteLeft = true }, .section) == [])
        let slow = events {
            $0.cues.minuteLeft = true
            $0.speed = .asWritten.adding(percentagePoints: -80)
        }
        // The piece lasts 82.5 s.
        #expect(clicks(slow, .section) == [] && slow.count == 2)
        let inReach = events {
            $0.cues.minuteLeft = true
            $0.speed = .asWritten.adding(percentagePoints: -75)
        }
        // The piece lasts 66 s.
        #expect(clicks(inReach, .section) == [6])
    }

    @Test(
        "a piece has the signal of its last minute only if it is longer than a minute",
        arguments: [(60_000, 0), (60_001, 1)])
    func aMinute(milliseconds: Int, signals: Int) {
        let score = Score(milliseconds: [[milliseconds]])
        var performance = Performance(of: score, passage: Passage(Timeline(score)))
        performance.cues.minuteLeft = true
        let clicks = TimingTests.events(performance, rate: 48_000).clicks
        #expect(clicks.count { $0.sound == .section } == signals)
    }

    @Test("a line of a single bar gives no warning of its last bar")
    func singleBars() {
        let score = Score(milliseconds: [[1000], [1000, 1000], [1000]])
        var performance = Performance(of: score, passage: Passage(Timeline(score)))
        performance.cues.lastBar = true
        let sounds = TimingTests.events(performance, rate: 48_000).clicks.map(\.sound)
        #expect(sounds == [.line, .line, .warning, .line])
    }

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

    private func spoken(_ events: [Event]) -> [(begin: Double, end: Double, text: String)] {
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

    @Test("a countdown that has made room for a word makes no more room: the next word of that moment is right before")
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

    @Test("a speaker without words delays nothing and adds no event")
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

    @Test("after a jump, the countdown belongs to the new position")
    func jump() throws {
        var performance = Performance(of: Self.score, passage: Passage(Timeline(Self.score)))
        performance.cues.countdown = 3
        var scheduler = Scheduler(performance, rate: 48_000)
        var recorder = Recorder()
        _ = scheduler.schedule(before: 48_000, into: &recorder)
        scheduler.jump(to: 2, at: 96_000)
        _ = scheduler.schedule(before: 48_000 * 20, into: &recorder)
        // Bar 3 begins at 2 s and lasts 2 s: one tick has room, and another coincides with its beginning.
        #expect(clicks(recorder.events, .warning) == [2, 3])
        #expect(clicks(recorder.events, .line) == [0, 4])
    }

    @Test("lines, bars, labels, intervals and the last one are announced in every language")
    func texts() {
        let passage = Passage(Timeline(Self.score))
        var speech = SpeechSettings()
        (speech.lines, speech.bars, speech.labels, speech.intervals) = (1, 2, true, true)
        let said = (0..<5).map { speech.text(forBoundary: $0, in: passage) }
        #expect(
            said == [
                "line 1, A, interval 1 of 5", "interval 2 of 5", "bar 3, interval 3 of 5", "line 2, interval 4 of 5",
                "last one",
            ])
        (speech.lines, speech.bars, speech.labels, speech.intervals, speech.durations) = (0, 0, true, false, true)
        #expect(speech.text(forBoundary: 0, in: passage) == "A, 4 seconds")
        #expect(
            speech.text(forBoundary: 4, in: passage, speed: .asWritten.adding(percentagePoints: -96)) == "50 seconds")
        (speech.lines, speech.labels, speech.intervals, speech.durations) = (1, false, true, false)
        speech.language = .de
        #expect(speech.text(forBoundary: 3, in: passage) == "Zeile 2, Intervall 4 von 5")
        for language in SpokenLanguage.allCases {
            speech.language = language
            speech.durations = true
            #expect(speech.text(forBoundary: 1, in: passage).contains("2"))
        }
    }
}
