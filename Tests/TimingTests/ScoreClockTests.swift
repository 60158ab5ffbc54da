import Scores
import Testing
import Timing

@Suite("The time that is shown") struct ScoreClockTests {
    private static let score = Score(milliseconds: [[3000, 2700], [1000, 1000]])

    @Test("a place in time is the bar at that time of the score, whatever the speed")
    func place() throws {
        let timeline = Timeline(Self.score)
        for bar in 0..<timeline.barCount {
            let time = timeline.start(ofBar: bar)
            #expect(try Place(time.clock(decimals: 3), in: timeline).bars == bar..<bar + 1)
        }
        #expect(throws: TextError("there is no bar at 0:09: the piece lasts 0:07.7")) {
            try Place("0:09", in: timeline)
        }
        #expect(throws: TextError("there is no bar at 0:02.97: the piece lasts 0:02.96")) {
            try Place("0:02.97", in: Timeline(Score(milliseconds: [[1000, 1960]])))
        }
    }

    @Test("the time shown is the place in the score, in every pass and at the speed of every stretch")
    func clock() throws {
        let timeline = Timeline(Self.score)
        let slow = try #require(Speed(millionths: 500_000))
        let stretches = [Passage.Stretch(2..<4, speed: slow), Passage.Stretch(0..<4)]
        let performance = Performance(of: Self.score, passage: Passage(timeline, stretches, passes: 3))
        for n in 0..<18 {
            let bar = performance.passage.bar(of: n)
            let begin = performance.passage.position(of: n)
            #expect(performance.clock(at: begin, inBarOf: n) == timeline.start(ofBar: bar.index))
            #expect(
                performance.clock(at: begin + bar.duration, inBarOf: n) == timeline.start(ofBar: bar.index + 1))
        }
        #expect(performance.clockEnd == timeline.total)
    }

    @Test("a score that repeats forever counts its passes")
    func forever() {
        var score = Self.score
        score.isEndless = true
        let performance = Performance(of: score, passage: Passage(Timeline(score), passes: nil))
        #expect(performance.clock(at: .seconds(100), inBarOf: 51) == .seconds(100))
        #expect(performance.clockEnd == nil)
    }

    @Test("music that begins inside its passage lasts from there to the end")
    func length() {
        var performance = Performance(of: Self.score, passage: Passage(Timeline(Self.score), passes: 2))
        performance.first = 2
        #expect(performance.length == .milliseconds(2000 + 7700))
        #expect(performance.count == 6)
        var scheduler = Scheduler(performance, rate: 1000)
        var sink = ScoreClockSink()
        _ = scheduler.schedule(before: 20_000, into: &sink)
        #expect(sink.clicks == [0, 1000, 2000, 5000, 7700, 8700])
    }
}

/// The frames of the clicks.
private struct ScoreClockSink: EventSink {
    var clicks: [Int64] = []
    var hasRoom: Bool { true }
    mutating func push(_ event: Event) -> Bool {
        if case .click = event.kind { clicks.append(event.position.frame) }
        return true
    }
}
