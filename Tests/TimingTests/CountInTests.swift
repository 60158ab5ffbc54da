import Scores
import Shared
import Testing
import Timing

@Suite("Count-ins in bars and beats")
struct CountInTests {
    /// A whole number of attoseconds nearest to a fraction of seconds.
    private func seconds(_ above: Int128, _ below: Int128) -> Duration {
        Duration(attoseconds: (above * 1_000_000_000_000_000_000 * 2 + below) / (2 * below))
    }

    private func performance(
        _ score: Score, _ countIn: Score.Lead, from first: Int = 0, speed: Speed = .asWritten
    ) -> Performance {
        var performance = Performance(of: score, passage: Passage(Timeline(score)))
        performance.countIn = countIn
        performance.first = first
        performance.speed = speed
        return performance
    }

    /// The clicks of a count-in: how long before the end, and the sound.
    private func clicks(_ performance: Performance) -> [(lead: Duration, sound: ClickSound)] {
        let countIn = CountIn(performance, to: performance.first, at: performance.speed)
        guard case .count(let count) = countIn.cursor else { return [] }
        return zip((1...count).reversed(), countIn.heard).map { (countIn.lead(left: $0), $1.sound) }
    }

    private func metered(_ meters: [Meter], _ tempo: Tempo) -> Score {
        Score(tempo: tempo, sections: [Score.Section(parts: [.line(Score.Line(bars: meters.map { Score.Bar($0) }))])])
    }

    @Test("a bar of 5/8 at 92 eighths is counted in exact fifths of 75/23 s")
    func exact() {
        let score = metered([Meter(5, over: 8)], Tempo(Fraction(1, 8), Fraction(92)))
        let counted = performance(score, .bars(1))
        let beats = (Int128(1)...10).reversed().map { seconds(60 * $0, 92) }
        #expect(clicks(counted).map(\.lead) == beats.suffix(5))
        #expect(clicks(counted).map(\.sound) == [.accent, .countIn, .countIn, .countIn, .countIn])
        #expect(counted.countInLength == seconds(300, 92))
        let two = clicks(performance(score, .bars(2)))
        #expect(two.map(\.lead) == beats)
        #expect(two.count { $0.sound == .accent } == 2)
    }

    @Test("any number of beats in any meter, tempo and speed is exact, with accents where bars begin")
    func model() throws {
        var random = Seeded(state: 71)
        for _ in 0..<300 {
            let (upper, lower) = (Int64(random.int(1...13)), Int64(random.int(1...17)))
            let (rate, over) = (Int64(random.int(20...300)), Int64(random.int(1...7)))
            let tempo = Tempo(Fraction(1, 4), Fraction(rate, over))
            let score = metered([Meter(upper, over: lower)], tempo)
            let speed = try random.speed()
            let count = random.int(1...64)
            let isBars = random.chance(2)
            let bars = random.int(1...16)
            let found = clicks(performance(score, isBars ? .bars(bars) : .beats(count), speed: speed))
            let wanted = isBars ? bars * Int(upper) : count
            // One beat lasts 4 / lower quarters of 60 over / rate seconds. Beats more than an hour before are left out.
            let whole = (1...wanted).filter { left in
                Int128(left) * 240 * Int128(over) * 1_000_000
                    <= Int128(3600) * Int128(lower) * Int128(rate) * Int128(speed.millionths)
            }
            let expected = whole.count
            #expect(found.count == expected)
            for (index, click) in found.enumerated() {
                let left = Int128(expected - index)
                let written = seconds(left * 4 * 60 * Int128(over), Int128(lower) * Int128(rate))
                #expect(click.lead == speed.realDuration(of: written))
                #expect(click.sound == (left % Int128(upper) == 0 ? .accent : .countIn))
            }
        }
    }

    @Test("groups of beats begin with an accent")
    func groups() {
        let meter = Meter([
            .init([Fraction(3), Fraction(2)], over: Fraction(8)), .init([Fraction(1)], over: Fraction(4)),
        ])
        let found = clicks(performance(metered([meter], .standard), .bars(1)))
        #expect(found.map(\.lead) == [7, 6, 5, 4, 3, 2].map { .milliseconds(500 * $0) })
        #expect(found.map(\.sound) == [.accent, .countIn, .countIn, .accent, .countIn, .accent])
    }

    @Test("the count-in has the tempo, meter and speed of the bar at which the music begins")
    func place() throws {
        var slow = Score.Bar(Meter(3, over: 4))
        slow.details.tempo = .tempo(Tempo(Fraction(1, 4), Fraction(30)))
        var half = Score.Bar(Meter(2, over: 4))
        half.details.speed = try speed(500_000)
        half.details.holds = [Hold(.seconds(20), at: .beat(1))]
        var ramp = Score.Bar(Meter(4, over: 4))
        ramp.details.tempo = .tempo(Tempo(Fraction(1, 4), Fraction(120)))
        ramp.details.ramp = Ramp(to: Tempo(Fraction(1, 4), Fraction(60)), over: .bars(2))
        let score = Score(lines: [
            Score.Line(bars: [Score.Bar(Meter(4, over: 4)), slow, half, ramp, Score.Bar(Meter(4, over: 4))])
        ])
        func leads(_ first: Int) -> [Duration] { clicks(performance(score, .bars(1), from: first)).map(\.lead) }
        #expect(leads(0) == [4, 3, 2, 1].map { .seconds($0) })
        #expect(leads(1) == [6, 4, 2].map { .seconds($0) })
        // Without its hold, at half its speed.
        #expect(leads(2) == [8, 4].map { .seconds($0) })
        #expect(leads(3) == [2000, 1500, 1000, 500].map { .milliseconds($0) })
        // In the middle of the ramp from 120 to 60, linear over the beats, the tempo is 90.
        let middle = leads(4)
        #expect(middle.count == 4)
        for (lead, beats) in zip(middle, [4, 3, 2, 1]) {
            #expect(abs((lead - seconds(60 * Int128(beats), 90)).attoseconds) < 10_000)
        }
    }

    @Test("a pickup is counted in with a whole bar and the part of the bar that the pickup completes")
    func pickup() {
        var score = metered([Meter(1, over: 4), Meter(4, over: 4)], .standard)
        score.pickup = 1
        let bar = clicks(performance(score, .bars(1)))
        #expect(bar.map(\.lead) == [7, 6, 5, 4, 3, 2, 1].map { .seconds($0) })
        #expect(bar.map(\.sound) == [.accent, .countIn, .countIn, .countIn, .accent, .countIn, .countIn])
        let beats = clicks(performance(score, .beats(4)))
        #expect(beats.map(\.lead) == [4, 3, 2, 1].map { .seconds($0) })
        #expect(beats.map(\.sound) == [.countIn, .accent, .countIn, .countIn])
        #expect(clicks(performance(score, .bars(1), from: 1)).map(\.lead) == [4, 3, 2, 1].map { .seconds($0) })
        // A pickup of an eighth leaves seven eighths of the bar.
        var eighth = metered([Meter(1, over: 8), Meter(2, over: 4)], .standard)
        eighth.pickup = 1
        let odd = clicks(performance(eighth, .bars(1)))
        #expect(odd.map(\.lead) == [3500, 2500, 1500, 500].map { .milliseconds($0) })
        #expect(performance(eighth, .bars(1)).countInLength == .milliseconds(3500))
    }

    @Test("a pickup of several bars is counted in like one bar as long as they are, without whole bars of the music")
    func longPickup() {
        func leads(_ pickup: [Meter], _ after: Meter, from first: Int = 0) -> [Int64] {
            var score = metered(pickup + [after, after], .standard)
            score.pickup = pickup.count
            return clicks(performance(score, .bars(1), from: first)).map { $0.lead.components.seconds }
        }
        let (one, two, four) = (Meter(1, over: 4), Meter(2, over: 4), Meter(4, over: 4))
        #expect(leads([one, one], four) == [6, 5, 4, 3, 2, 1])
        #expect(leads([one, one], four, from: 1) == [7, 6, 5, 4, 3, 2, 1])
        #expect(leads([one, four], four) == [7, 6, 5, 4, 3, 2, 1])
        #expect(leads([one, four], four, from: 1) == [4, 3, 2, 1])
        #expect(leads([two, two], four) == [4, 3, 2, 1])
        #expect(leads([Meter(5, over: 4)], four) == [7, 6, 5, 4, 3, 2, 1])
    }

    @Test("the count-in to a bar of seconds has the clicks of the bar, or one; without beats, beats are seconds")
    func ofSeconds() {
        var pattern = Score.Bar(.seconds(3))
        pattern.details.beats = [Beat(.accent), Beat(.silent), Beat(.subdivision)]
        var grid = Score.Bar(.milliseconds(2500))
        grid.details.grid = .seconds
        let score = Score(lines: [Score.Line(bars: [Score.Bar(.milliseconds(2700)), pattern, grid])])
        let plain = clicks(performance(score, .bars(2)))
        #expect(plain.map(\.lead) == [.milliseconds(5400), .milliseconds(2700)])
        #expect(plain.map(\.sound) == [.accent, .accent])
        let beats = clicks(performance(score, .bars(1), from: 1))
        #expect(beats.map(\.lead) == [.seconds(3), .seconds(1)] && beats.map(\.sound) == [.accent, .subdivision])
        let points = clicks(performance(score, .beats(4), from: 2))
        #expect(points.map(\.lead) == [3000, 2500, 1500, 500].map { .milliseconds($0) })
        #expect(points.map(\.sound) == [.countIn, .accent, .countIn, .countIn])
        for (first, falls) in [(0, true), (1, false), (2, false)] {
            #expect(performance(score, .beats(4), from: first).countsSecondsForBeats == falls)
        }
        let seconds = clicks(performance(score, .beats(4), speed: try! speed(500_000)))
        #expect(seconds.map(\.lead) == [4, 3, 2, 1].map { .seconds($0) })
        #expect(!performance(score, .bars(1)).countsSecondsForBeats)
    }

    @Test("a count-in is never longer than an hour")
    func hour() {
        let slow = metered([Meter(4, over: 4)], Tempo(Fraction(1, 4), Fraction(1, 20)))
        // A beat lasts 20 minutes.
        let found = clicks(performance(slow, .bars(2)))
        #expect(found.map(\.lead) == [3600, 2400, 1200].map { .seconds($0) })
        #expect(performance(slow, .bars(2)).countInLength == .seconds(3600))
        let day = Score(lines: [Score.Line(bars: [Score.Bar(.seconds(86_400))])])
        #expect(performance(day, .bars(16)).countInLength == .zero && clicks(performance(day, .bars(16))).isEmpty)
    }

    @Test("after its count-in, the music begins at the same frames as without it")
    func frames() {
        let score = metered([Meter(5, over: 8), Meter(3, over: 4)], Tempo(Fraction(1, 8), Fraction(92)))
        let counted = events(performance(score, .bars(1)), rate: 48_000).clicks
        let zero = performance(score, .bars(1)).zeroFrame(rate: 48_000)
        // 300/92 s are 156 521.74 frames; time zero is the next whole frame.
        #expect(zero == 156_522)
        #expect(counted.map(\.sound) == [.accent, .countIn, .countIn, .countIn, .countIn, .line, .bar])
        #expect(counted[5].position == FramePosition(frame: zero))
        #expect(abs(counted[0].position.distance(from: FramePosition(frame: 0)) - 0.260_869) < 1e-5)
    }

    @Test("a count-in that ends on a frame begins on frame 0")
    func wholeFrames() {
        // 8/3 s are 128 000 frames.
        let score = metered([Meter(4, over: 4), Meter(4, over: 4)], Tempo(Fraction(1, 4), Fraction(90)))
        let counted = performance(score, .bars(1))
        #expect(counted.zeroFrame(rate: 48_000) == 128_000)
        #expect(Scheduler(counted, rate: 48_000).endFrame == 384_000)
        #expect(events(counted, rate: 48_000).clicks.first?.position == FramePosition(frame: 0))
    }

    @Test("a jump is counted in at the tempo and meter of its place")
    func jump() {
        var fast = Score.Bar(Meter(3, over: 4))
        fast.details.tempo = .tempo(Tempo(Fraction(1, 4), Fraction(120)))
        let score = Score(lines: [Score.Line(bars: [Score.Bar(Meter(4, over: 4)), fast])])
        var counting = performance(score, .bars(1))
        counting.countsInJumps = true
        var scheduler = Scheduler(counting, rate: 1000)
        var recorder = Recorder()
        scheduler.scheduleAll(before: 4500, into: &recorder)
        scheduler.settle(before: 4500)
        recorder.cut(at: 4500)
        scheduler.jump(to: 1, at: 4500)
        scheduler.scheduleAll(before: .max, into: &recorder)
        #expect(recorder.clicks.map(\.position.frame) == [0, 1000, 2000, 3000, 4000, 4500, 5000, 5500, 6000])
        #expect(recorder.clicks.suffix(4).map(\.sound) == [.accent, .countIn, .countIn, .bar])
        #expect(scheduler.countsTo?.begin == .milliseconds(500))
    }

    @Test("a jump before the music begins changes its count-in, and the music is not earlier than it could be")
    func jumpBefore() {
        var slow = Score.Bar(Meter(4, over: 4))
        slow.details.tempo = .tempo(Tempo(Fraction(1, 4), Fraction(30)))
        let score = Score(lines: [Score.Line(bars: [Score.Bar(Meter(4, over: 4)), slow])])
        var scheduler = Scheduler(performance(score, .bars(1)), rate: 1000)
        scheduler.jump(to: 1, at: -100)
        var recorder = Recorder()
        scheduler.scheduleAll(before: .max, into: &recorder)
        #expect(recorder.clicks.map(\.position.frame) == [0, 2000, 4000, 6000, 8000])
        #expect(recorder.clicks.map(\.sound) == [.accent, .countIn, .countIn, .countIn, .bar])
    }

    @Test("a change of speed in the count-in changes the beats that are left; seconds stay")
    func speedChange() throws {
        let score = metered([Meter(4, over: 4)], .standard)
        for (countIn, frames) in [
            (.bars(1), [0, 1000, 2000, 3500, 5500]), (.seconds(4), [0, 1000, 2000, 3000, 4000]),
        ] as [(Score.Lead, [Int64])] {
            var scheduler = Scheduler(performance(score, countIn), rate: 1000)
            var recorder = Recorder()
            scheduler.scheduleAll(before: 2500, into: &recorder)
            scheduler.settle(before: 2500)
            scheduler.change(speed: try speed(500_000), at: 2500)
            scheduler.scheduleAll(before: .max, into: &recorder)
            #expect(recorder.clicks.map(\.position.frame) == frames)
        }
        // Before the music begins, the whole count-in has the new speed.
        var early = Scheduler(performance(score, .bars(1)), rate: 1000)
        early.change(speed: try speed(500_000), at: -10)
        var recorder = Recorder()
        early.scheduleAll(before: .max, into: &recorder)
        #expect(recorder.clicks.map(\.position.frame) == [0, 2000, 4000, 6000, 8000])
    }

    @Test("a pause in the count-in shifts what is left of it by its length")
    func pause() {
        let score = metered([Meter(4, over: 4)], .standard)
        var scheduler = Scheduler(performance(score, .bars(1)), rate: 1000)
        var recorder = Recorder()
        scheduler.scheduleAll(before: 1500, into: &recorder)
        scheduler.settle(before: 1500)
        scheduler.pause(at: 1500)
        scheduler.resume(at: 11_500)
        scheduler.scheduleAll(before: .max, into: &recorder)
        #expect(recorder.clicks.map(\.position.frame) == [0, 1000, 12_000, 13_000, 14_000])
    }
}
