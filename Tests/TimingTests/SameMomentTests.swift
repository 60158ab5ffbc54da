import Scores
import Shared
import Testing
import Timing

@Suite("Barlines at the same moment")
struct SameMomentTests {
    private func score(_ tempo: Int64, bars: Int = 40, _ change: (inout Score.Bar) -> Void = { _ in }) -> Score {
        var bar = Score.Bar(Meter(4, over: 4))
        change(&bar)
        return Score(
            tempo: Tempo(Fraction(1, 4), Fraction(tempo)),
            sections: [Score.Section(parts: [.line(Score.Line(bars: Array(repeating: bar, count: bars)))])])
    }

    /// A time to the nanosecond, as a place.
    private func place(_ time: Duration) -> String {
        let parts = time.seconds(decimals: 9).split(separator: ".")
        let seconds = Int(parts[0]) ?? 0
        return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60).\(parts[1])"
    }

    private func isSame(_ one: Duration, _ other: Duration) -> Bool {
        max(one, other) - min(one, other) < .nanoseconds(1)
    }

    @Test("the time of a bar, as it is printed, names this bar at every tempo, and so does its timecode")
    func places() throws {
        let start = try Timecode(scoreText: "01:00:00:00 @ 25")
        for tempo in Int64(40)...199 {
            var score = score(tempo)
            score.timecode = start
            let timeline = Timeline(score)
            for index in 0..<timeline.barCount {
                let bar = timeline[index]
                #expect(try Place(place(bar.start), in: timeline).bars == index..<index + 1, "\(tempo) \(bar.start)")
                let timecode = start.after(bar.start).text
                #expect(try Place(timecode, in: timeline).bars == index..<index + 1, "\(tempo) \(timecode)")
            }
            #expect(throws: TextError.self) { try Place(place(timeline.total), in: timeline) }
        }
    }

    @Test("the time of a hit names its bar")
    func hits() throws {
        for second in 20...40 {
            var score = score(97, bars: 12)
            var hit = Score.Bar(Meter(4, over: 4))
            hit.details.hits = [Hit(.position(.seconds(second)))]
            score.sections[0].parts.append(.line(Score.Line(bars: [hit, Score.Bar(Meter(4, over: 4))])))
            #expect(try Place("0:\(second)", in: Timeline(score)).bars == 12..<13)
        }
    }

    @Test("a click of a bar's grid that falls on the next barline belongs to the next bar")
    func grids() {
        for tempo in Int64(40)...199 {
            let perMinute = Timeline(score(tempo) { $0.details.grid = .perMinute(Int(tempo)) })
            let settings = InnerSettings(score(tempo))
            for index in 0..<perMinute.barCount {
                #expect(perMinute.beats(inBar: index, settings).count == 4, "\(tempo)")
            }
            let clock = Timeline(score(tempo) { $0.details.grid = .clock })
            var last = Duration.seconds(-1)
            for index in 0..<clock.barCount {
                let bar = clock[index]
                // The barline is the first beat, also between two seconds.
                let between = isSame(bar.start, last + .seconds(1)) ? 0 : 1
                for beat in clock.beats(inBar: index, settings).dropFirst(between) {
                    let time = bar.start + beat.offset
                    #expect(beat.offset <= bar.duration - .nanoseconds(1), "\(tempo)")
                    #expect(isSame(time, last + .seconds(1)), "\(tempo): \(time)")
                    last = time
                }
            }
        }
    }

    @Test("a grid that clicks on the beats leaves a hold on a beat where it is")
    func holdOnGrid() {
        for tempo in Int64(40)...199 {
            let held = score(tempo, bars: 1) {
                $0.details.grid = .perMinute(Int(tempo))
                $0.details.holds = [Hold(.seconds(2), at: .beat(3))]
            }
            let moments = Timeline(held).moments(inBar: 0, InnerSettings(held)).map(\.offset)
            let beat = Duration.seconds(60) / tempo
            for (offset, expected) in zip(moments, [beat, beat * 2, beat * 3 + .seconds(2)]) {
                #expect(isSame(offset, expected), "\(tempo)")
            }
        }
    }

    /// Two voices with beats; the first leads.
    private func voices(_ tempi: (Int64, Int64), bars: (Int, Int)) -> Score {
        var leader = score(tempi.0, bars: bars.0)
        leader.beats = true
        leader.voice = Score.VoiceMark("a", channel: 1)
        leader.companions = [Score.Companion(Score.VoiceMark("b", channel: 2), score(tempi.1, bars: bars.1))]
        return leader
    }

    @Test("a part of several voices has each click of the other voice once, those at its first barline included")
    func parts() {
        for tempi: (Int64, Int64) in [(90, 60), (60, 90), (97, 97), (90, 120), (70, 105), (46, 69), (115, 92)] {
            let score = voices(tempi, bars: (12, 12))
            let timeline = Timeline(score)
            for first in 0..<6 {
                for end in first + 1...min(first + 6, timeline.barCount - 1) {
                    // Beat m of b is at 60 m / q, bar k of a at 240 k / p: compared in whole numbers.
                    let beats = (Int64(0)..<48).filter { beat in
                        beat * tempi.0 >= Int64(first) * 4 * tempi.1 && beat * tempi.0 < Int64(end) * 4 * tempi.1
                    }
                    let passage = Passage(timeline, bars: first..<end, passes: 2)
                    let clicks = events(Performance(of: score, passage: passage), rate: 1_000_000).events
                        .filter { if case .click(_, _, 2) = $0.kind { true } else { false } }
                    let start = 240_000_000 * Double(first) / Double(tempi.0)
                    let pass = 240_000_000 * Double(end - first) / Double(tempi.0)
                    var due: [Double] = []
                    for round in 0..<2 {
                        let begin = Double(round) * pass - start
                        for beat in beats { due.append(begin + Double(beat) * 60_000_000 / Double(tempi.1)) }
                    }
                    #expect(clicks.count == due.count, "\(tempi) \(first)..<\(end)")
                    for (click, due) in zip(clicks, due) {
                        #expect(abs(Double(click.position.frame) + click.position.fraction - due) < 0.01)
                    }
                    let bars = (0..<end - first).flatMap { passage.companionBars(during: $0) }
                    let begun: [Int] = beats.filter { $0 % 4 == 0 }.map { Int($0 / 4) }
                    #expect(bars.map(\.bar.index) == begun)
                }
            }
        }
    }

    @Test("a voice that is longer by the rounding of its bars adds no bar to the leading one")
    func rest() {
        #expect(Timeline(voices((60, 90), bars: (2, 3))).barCount == 2)
        #expect(Timeline(voices((60, 90), bars: (2, 4))).barCount == 3)
    }

    @Test("voices that wait where they meet wait once, and what begins there comes after")
    func waits() {
        for tempi: (Int64, Int64) in [(90, 60), (60, 90)] {
            var score = voices(tempi, bars: (12, 12))
            func hold(_ music: inout Score, _ bar: Int) {
                guard case .line(var line) = music.sections[0].parts[0] else { return }
                line.bars[bar].details.holds = [Hold(.zero, waits: true)]
                music.sections[0].parts[0] = .line(line)
            }
            // Both at 8 s.
            hold(&score, tempi.0 == 90 ? 2 : 1)
            hold(&score.companions[0].music, tempi.1 == 90 ? 2 : 1)
            var performance = Performance(of: score, passage: Passage(Timeline(score)))
            performance.waits = true
            var scheduler = Scheduler(performance, rate: 1000)
            var recorder = Recorder()
            scheduler.scheduleAll(before: .max, into: &recorder)
            #expect(scheduler.held.map { scheduler.position(at: $0.position).frame } == 8000)
            #expect(recorder.clicks.allSatisfy { $0.position.frame < 7900 })
            scheduler.proceed(at: 10_000)
            scheduler.scheduleAll(before: .max, into: &recorder)
            #expect(scheduler.held == nil)
            #expect(recorder.clicks.filter { $0.position.frame == 10_000 }.count == 2)
        }
    }
}
