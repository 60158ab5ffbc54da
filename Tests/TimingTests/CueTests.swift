import Scores
import Testing
import Timing

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

    func events(_ change: (inout Performance) -> Void) -> [Event] {
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

    func clicks(_ events: [Event], _ sound: ClickSound) -> [Double] {
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

    @Test("half time is that of all passes of the piece, wherever in it the music begins")
    func halfOfPasses() {
        let found = events {
            $0.passage = Passage(Timeline(Self.score), passes: 3)
            ($0.first, $0.cues.halfTime) = (2, true)
        }
        // Three passes last 49.5 s, of which the first 7 s are not played.
        #expect(clicks(found, .section) == [17.75])
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
}
