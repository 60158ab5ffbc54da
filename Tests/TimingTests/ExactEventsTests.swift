import Scores
import Testing
import Timing

@Suite("Events in time")
struct ExactEventsTests {
    /// How far `found` is from the exact place of a position, in frames; by whole numbers: frames × millionths × 10^18
    /// = attoseconds × 10^6 × rate.
    private func distance(
        _ found: FramePosition, from position: Duration, millionths: Int64, rate: Int, zero: Int64
    ) -> Double {
        let unit = Int128(millionths) * 1_000_000_000_000_000_000
        let (whole, rest) = (position.attoseconds * 1_000_000 * Int128(rate)).quotientAndRemainder(dividingBy: unit)
        return Double(Int128(found.frame - zero) - whole) + (found.fraction - Double(rest) / Double(unit))
    }

    @Test("after 24 hours every click is within 1e-9 frames", arguments: [44100, 48000, 96000])
    func day(rate: Int) throws {
        var random = Seeded(state: 30)
        for millionths in [1_000_000, 730_000, 1_234_567] as [Int64] {
            let bars = (0..<97).map { _ in
                Score.Bar(
                    Duration(attoseconds: Int128(random.int(100_000_000_000_000_000...4_000_000_000_000_000_000))))
            }
            var score = Score(countIn: .milliseconds(1234), lines: [.init(passes: 500, bars: bars)])
            score.speed = try speed(millionths)
            let passage = Passage(Timeline(score))
            #expect(try #require(passage.total) > .seconds(86_400))
            let performance = Performance(of: score, passage: passage)
            let clicks = events(performance, rate: rate).clicks.filter { $0.sound != .countIn }
            let starts = sums(score.played)
            #expect(clicks.count == starts.count - 1)
            let zero = performance.zeroFrame(rate: rate)
            let worst = zip(clicks, starts)
                .map { abs(distance($0.position, from: $1, millionths: millionths, rate: rate, zero: zero)) }.max()
            #expect(try #require(worst) < 1e-9)
        }
    }

    @Test("the end is the first whole frame at or after the last bar's end", arguments: [44100, 48000, 96000])
    func endFrame(rate: Int) throws {
        var random = Seeded(state: 31)
        for _ in 0..<200 {
            var score = Score.random(&random, bars: 1...20)
            score.countIn = .milliseconds(random.int(0...5000))
            score.speed = try random.speed()
            let performance = Performance(of: score, passage: Passage(Timeline(score)))
            let zero = Int64(
                (performance.countInLength.attoseconds * Int128(rate) + 999_999_999_999_999_999)
                    / 1_000_000_000_000_000_000)
            #expect(performance.zeroFrame(rate: rate) == zero)
            let total = try #require(sums(score.played).last)
            let unit = Int128(score.speed.millionths) * 1_000_000_000_000_000_000
            let frames = (total.attoseconds * 1_000_000 * Int128(rate) + unit - 1) / unit
            #expect(Scheduler(performance, rate: rate).endFrame == zero + Int64(frames))
        }
    }

    @Test("Sequenza VII with its count-in ends at frame 14 246 400 at 48 kHz")
    func sequenza() {
        let performance = Performance(of: .sequenza, passage: Passage(Timeline(.sequenza)))
        #expect(performance.title == "Sequenza VII (1969)")
        #expect(performance.composer == "Luciano Berio")
        #expect(performance.length == .milliseconds(293_800))
        #expect(performance.zeroFrame(rate: 48000) == 144_000)
        let hertz = performance.droneHertz ?? .nan
        #expect(abs(hertz - 493.883_301_256_124) < 1e-9)
        #expect(Scheduler(performance, rate: 48000).endFrame == 14_246_400)
        let clicks = events(performance, rate: 48000).clicks
        #expect(clicks.count { $0.sound == .line } == 13)
        #expect(clicks.last?.position == FramePosition(frame: 14_198_400))
    }

    @Test("an endless passage has neither an end frame nor a length")
    func endless() {
        let performance = Performance(of: .sequenza, passage: Passage(Timeline(.sequenza), passes: nil))
        #expect(performance.length == nil)
        #expect(Scheduler(performance, rate: 48000).endFrame == nil)
        #expect(events(performance, rate: 48000, before: 100_000_000).drones.map(\.frame) == [0])
    }

    @Test("seeking to a bar equals playing through to it", arguments: [44100, 48000])
    func seek(rate: Int) throws {
        var random = Seeded(state: 32)
        for _ in 0..<15 {
            var score = Score.random(&random, bars: 1...20)
            score.speed = try random.speed()
            let timeline = Timeline(score)
            let whole = events(Performance(of: score, passage: Passage(timeline)), rate: rate).clicks
            for first in [0, timeline.barCount / 3, timeline.barCount / 2, timeline.barCount - 1] {
                let passage = Passage(timeline, bars: first..<timeline.barCount)
                let clicks = events(Performance(of: score, passage: passage), rate: rate).clicks
                #expect(clicks.map(\.sound) == whole[first...].map(\.sound))
                for (n, click) in clicks.enumerated() {
                    let position = timeline.start(ofBar: first + n) - timeline.start(ofBar: first)
                    let error = distance(
                        click.position, from: position, millionths: score.speed.millionths, rate: rate, zero: 0)
                    #expect(abs(error) < 1e-9)
                }
            }
        }
    }

    @Test("a jump to a bar gives exactly the events of a passage from that bar", arguments: [8000, 48000])
    func jumpIsSeek(rate: Int) {
        let timeline = Timeline(.sequenza)
        for first in [0, 1, 13, 100, 168] {
            var jumped = Scheduler(Performance(of: .sequenza, passage: Passage(timeline)), rate: rate)
            jumped.jump(to: first, at: Int64(5 * rate))
            var recorder = Recorder()
            jumped.scheduleAll(before: .max, into: &recorder)
            var performance = Performance(of: .sequenza, passage: Passage(timeline, bars: first..<169))
            performance.countIn = .off
            let sought = events(performance, rate: rate).events.map { event in
                var shifted = event
                shifted.position.frame += Int64(5 * rate)
                return shifted
            }
            #expect(recorder.events == sought)
        }
    }

    @Test("every pass of a loop repeats the first, shifted by whole passes", arguments: [44100, 48000])
    func loop(rate: Int) throws {
        var random = Seeded(state: 33)
        for _ in 0..<15 {
            var score = Score.random(&random, unit: .milliseconds(7), bars: 2...9)
            score.speed = try random.speed()
            let passage = Passage(Timeline(score), bars: 1..<Timeline(score).barCount, passes: nil)
            let passes = 50
            let scheduler = Scheduler(Performance(of: score, passage: passage), rate: rate)
            let end = scheduler.position(ofBoundary: passes * passage.bars.count).frame
            let clicks = events(scheduler.performance, rate: rate, before: end).clicks
            #expect(clicks.count >= passes * passage.bars.count)
            for n in 0..<passes * passage.bars.count {
                let (pass, bar) = n.quotientAndRemainder(dividingBy: passage.bars.count)
                #expect(clicks[n].sound == clicks[bar].sound)
                let position = passage.pass * pass + passage.position(of: bar)
                let error = distance(
                    clicks[n].position, from: position, millionths: score.speed.millionths, rate: rate, zero: 0)
                #expect(abs(error) < 1e-9)
            }
        }
    }
}
