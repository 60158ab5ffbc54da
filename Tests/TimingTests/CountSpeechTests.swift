internal import SampleScores
internal import Scores
internal import Testing
internal import Timing

@Suite("Spoken counts")
struct CountSpeechTests {
    /// The texts of a performance with spoken counts, and when they begin in seconds.
    private func said(_ text: String, length: Double = 0.25, _ change: (inout Performance) -> Void = { _ in }) throws
        -> [(time: Double, text: String)]
    {
        let score = try score(text)
        var performance = Performance(of: score, passage: Passage(Timeline(score)))
        performance.cues.speech = SpeechSettings()
        performance.cues.speech?.counts = true
        performance.speaker = CueTests.Talker(length: length)
        change(&performance)
        var scheduler = Scheduler(performance, rate: 48_000)
        var (recorder, horizon) = (Recorder(), Int64(0))
        while horizon < 48_000 * 60 {
            horizon += 7919
            _ = scheduler.schedule(before: horizon, into: &recorder)
        }
        return recorder.events.compactMap { event in
            guard case .speech(let word, _) = event.kind else { return nil }
            return (Double(event.position.frame) / 48_000, word.text)
        }
    }

    @Test("the beats of a count-in are counted at their clicks, with their numbers in the bar")
    func countIn() throws {
        let bar = try said("count-in: 1 bar\ntempo: 60\nbars: [4/4, 4/4]")
        #expect(bar.map(\.text) == ["1", "2", "3", "4"] && bar.map(\.time) == [0, 1, 2, 3])
        let beats = try said("count-in: 4 beats\ntempo: 120\nbars: [3/4, 3/4]")
        #expect(beats.map(\.text) == ["3", "1", "2", "3"] && beats.map(\.time) == [0, 0.5, 1, 1.5])
        let seconds = try said("count-in: 3\nbars: [3, 2]")
        #expect(seconds.map(\.text) == ["1", "2", "3"] && seconds.map(\.time) == [0, 1, 2])
    }

    @Test("a count-in of many bars is counted from its first beat on")
    func long() throws {
        let said = try said("count-in: 12 bars\ntempo: 60\nbars: [2/4, 2/4]")
        #expect(said.count == 24 && said.first?.time == 0 && said.last?.time == 23)
    }

    @Test("the beats of a warning before an entry are counted, and the number of each is that in its bar")
    func warning() throws {
        let said = try said(
            "warning: 2 beats\ntempo: 60\nbeats: on\nbars: [{meter: 4/4, click: off}, {meter: 4/4, click: off}, 4/4]")
        #expect(said.map(\.text) == ["3", "4"] && said.map(\.time) == [6, 7])
    }

    @Test("where beats are faster than words, numbers are left out, and none is late")
    func fast() throws {
        let said = try said("count-in: 1 bar\ntempo: 240\nbars: [4/4]", length: 0.3)
        #expect(said.map(\.text) == ["1", "3"] && said.map(\.time) == [0, 0.5])
    }

    @Test("without counts, nothing is counted; and a label does not sound with the count that leads to it")
    func others() throws {
        let text = "count-in: 1 bar\ntempo: 60\nlines: [{label: A, bars: [4/4]}, {label: B, bars: [4/4]}]"
        let labels = try said(text) {
            $0.cues.speech?.counts = false
            $0.cues.speech?.labels = true
        }
        #expect(labels.map(\.text) == ["A", "B"])
        let both = try said(text) { $0.cues.speech?.labels = true }
        #expect(both.map(\.text) == ["1", "2", "3", "4", "B"])
    }
}
