import Scores
import Testing
import Timing

/// Events that the sink refuses, or that a command takes back.
@Suite("Events that are refused or taken back")
struct RefusedEventTests {
    /// Refuses the event at one frame.
    private struct Poor: EventSink {
        var refused: Int64?
        var hasRoom: Bool { true }
        mutating func push(_ event: Event) -> Bool { event.position.frame != refused }
    }

    @Test("a click that the sink refuses is lost, its neighbors are not, and a command that takes it back retries it")
    func refused() {
        let score = Score(milliseconds: [[100, 100, 100, 100]])
        var scheduler = Scheduler(Performance(of: score, passage: Passage(Timeline(score))), rate: 1000)
        var sink = Poor(refused: 200)
        _ = scheduler.schedule(before: 350, into: &sink)
        var again = scheduler
        #expect(scheduler.settle(before: 350).map(\.isLost) == [false, false, true, false])
        sink.refused = nil
        again.change(at: 150) { _ in }
        _ = again.schedule(before: 350, into: &sink)
        #expect(again.settle(before: 350).map(\.isLost) == [false, false, false, false])
    }

    /// The words among events.
    private func words(_ events: [Event]) -> [FramePosition] {
        events.compactMap { if case .speech = $0.kind { $0.position } else { nil } }
    }

    @Test("a command that changes nothing cuts no word and doubles none, not even one in the frame of a signal")
    func words() throws {
        for microseconds in stride(from: 0, to: 60, by: 3) {
            // A signal warns of the second line half a second before it, just when its word begins.
            var second = Score.Bar(.seconds(1))
            second.details.warning = .time(.milliseconds(500))
            let score = Score(lines: [
                Score.Line(bars: [Score.Bar(.microseconds(2_000_000 + microseconds))]),
                Score.Line(label: "B", bars: [second]),
            ])
            var performance = Performance(of: score, passage: Passage(Timeline(score)))
            performance.cues.speech = SpeechSettings()
            performance.cues.speech?.labels = true
            performance.speaker = CueTests.Talker(length: 0.5)
            var scheduler = Scheduler(performance, rate: 48_000)
            var recorder = Recorder()
            _ = scheduler.schedule(before: 96_000, into: &recorder)
            let word = try #require(words(recorder.events).first)
            let signal = try #require(recorder.clicks.first { $0.sound == .warning }?.position)
            #expect(word.frame == signal.frame && recorder.disorders.isEmpty)
            for frame in (word.frame - 1)...(word.frame + 2) {
                var (scheduler, recorder) = (scheduler, recorder)
                recorder.cut(at: frame)
                scheduler.settle(before: frame)
                scheduler.change(at: frame) { _ in }
                _ = scheduler.schedule(before: 96_000, into: &recorder)
                #expect(words(recorder.events).count == 1, "\(microseconds) us, frame \(frame), word \(word)")
            }
        }
    }
}
