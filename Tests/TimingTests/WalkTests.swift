import Score
import Testing

@testable import Timing

@Suite("Walk")
struct WalkTests {
    @Test("a walk of all is the timeline")
    func whole() {
        let timeline = Timeline(.sequenza)
        let walk = Walk(timeline)
        #expect(walk.bars == 0..<169)
        #expect(walk.count == 169)
        #expect(walk.total == timeline.total)
        #expect((0...169).map { walk.position(of: $0) } == (0...169).map { timeline.start(ofBar: $0) })
        #expect((0..<169).map { walk.bar(of: $0) } == (0..<169).map { timeline[$0] })
    }

    @Test("passes are laid end to end, each shifted by whole passes")
    func passes() {
        var random = Seeded(state: 4)
        for _ in 0..<30 {
            let score = Score.random(&random)
            let timeline = Timeline(score)
            let first = random.int(0...timeline.barCount - 1)
            let bars = first..<random.int(first + 1...timeline.barCount)
            let walk = Walk(timeline, bars: bars, passes: 3)
            let once = Array(score.played[bars])
            #expect(walk.start == sums(score.played)[first])
            #expect(walk.count == 3 * bars.count)
            #expect((0...3 * bars.count).map { walk.position(of: $0) } == sums(once + once + once))
            #expect(walk.total == sums(once + once + once).last)
            for n in 0..<3 * bars.count {
                #expect(walk.bar(of: n) == timeline[first + n % bars.count])
                #expect(walk.passNumber(of: n) == n / bars.count + 1)
            }
        }
    }

    @Test("the position of a boundary is a closed form, however many passes lie before it")
    func closedForm() {
        let walk = Walk(Timeline(.sequenza), bars: 13..<26, passes: nil)
        let million = 1_000_000_000
        #expect(walk.position(of: 13 * million) == .milliseconds(22_600) * million)
        #expect(walk.position(of: 13 * million + 2) == .milliseconds(22_600) * million + .milliseconds(5700))
        #expect(walk.boundary(at: .milliseconds(22_600) * million + .milliseconds(5700)) == 13 * million + 2)
        #expect(walk.passNumber(of: 13 * million + 2) == million + 1)
    }

    @Test("the boundary at a boundary's position is that boundary, and an attosecond before the one before")
    func inverse() {
        var random = Seeded(state: 5)
        for round in 0..<30 {
            let timeline = Timeline(Score.random(&random))
            let first = random.int(0...timeline.barCount - 1)
            let bars = first..<random.int(first + 1...timeline.barCount)
            let walk = Walk(timeline, bars: bars, passes: round % 2 == 0 ? nil : 3)
            for n in 0..<3 * bars.count {
                #expect(walk.boundary(at: walk.position(of: n)) == n)
                #expect(walk.boundary(at: walk.position(of: n) - .attosecond) == max(n - 1, 0))
            }
        }
    }

    @Test("outside a walk lie its first and its last boundary")
    func outside() {
        let walk = Walk(Timeline(.sequenza), bars: 5..<8, passes: 2)
        #expect(walk.boundary(at: .seconds(-5)) == 0)
        #expect(walk.boundary(at: walk.total ?? .zero) == 5)
        #expect(walk.boundary(at: .seconds(1_000_000)) == 5)
        #expect((-1...6).map { walk.has(boundary: $0) } == [false, true, true, true, true, true, true, false])
    }

    @Test("a walk without end has every boundary, and neither count nor total")
    func endless() {
        let walk = Walk(Timeline(.sequenza), passes: nil)
        #expect(walk.count == nil)
        #expect(walk.total == nil)
        #expect(walk.has(boundary: .max))
        #expect(!walk.has(boundary: -1))
    }

    /// Stretches of a random piece at random speeds.
    private static func stretches(_ random: inout Seeded, of timeline: Timeline) throws -> [Walk.Stretch] {
        try (0..<random.int(1...5)).map { _ in
            let first = random.int(0...timeline.barCount - 1)
            let speed = random.chance(2) ? Speed.asWritten : try random.speed()
            return Walk.Stretch(first..<random.int(first + 1...timeline.barCount), speed: speed)
        }
    }

    @Test("stretches lie end to end, each at its own speed, in every pass")
    func stretches() throws {
        var random = Seeded(state: 11)
        for _ in 0..<100 {
            let timeline = Timeline(Score.random(&random))
            let stretches = try WalkTests.stretches(&random, of: timeline)
            let walk = Walk(timeline, stretches, passes: 2)
            var (n, begin) = (0, Duration.zero)
            for stretch in stretches + stretches {
                let origin = timeline.start(ofBar: stretch.bars.lowerBound)
                for bar in stretch.bars {
                    let offset = stretch.speed.realDuration(of: timeline.start(ofBar: bar) - origin)
                    #expect(walk.position(of: n) == begin + offset)
                    #expect(walk.bar(of: n).index == bar)
                    #expect(walk.position(of: n) + walk.bar(of: n).duration == walk.position(of: n + 1))
                    #expect(walk.stretch(of: n) == stretch)
                    #expect(walk.boundaries(aroundBoundary: n).contains(n))
                    #expect(walk.boundaries(aroundBoundary: n).count == stretch.bars.count)
                    n += 1
                }
                begin += stretch.speed.realDuration(of: timeline.start(ofBar: stretch.bars.upperBound) - origin)
            }
            #expect(walk.count == n)
            #expect(walk.total == begin)
        }
    }

    @Test("whatever the stretches and speeds, the boundary at a boundary's position is that boundary")
    func stretchInverse() throws {
        var random = Seeded(state: 12)
        for round in 0..<100 {
            let timeline = Timeline(Score.random(&random))
            let walk = Walk(timeline, try WalkTests.stretches(&random, of: timeline), passes: round % 2 == 0 ? nil : 2)
            for n in 0..<2 * walk.barsInPass where walk.bar(of: n).duration > .zero {
                #expect(walk.boundary(at: walk.position(of: n)) == n)
                if n > 0, walk.bar(of: n - 1).duration > .zero {
                    #expect(walk.boundary(at: walk.position(of: n) - .attosecond) == n - 1)
                }
            }
        }
    }

    @Test("a walk of at most 100 000 h ends at a time, and at a frame, of 64 bits, at any speed; a longer one says so")
    func longest() throws {
        let excess = TextError("this would last more than 100 000 h", hint: "play less of it, or fewer times")
        let day = Timeline(Score(lines: [Score.Line(passes: 400, bars: [Score.Bar(.seconds(86_400))])]))
        let longest = Walk(day, bars: 0..<1, passes: 100_000 / 24)
        #expect(longest.excess == nil)
        #expect(Walk(day, bars: 0..<1, passes: 100_000 / 24 + 1).excess == excess)
        #expect(Walk(day, passes: 1_000_000).excess == excess)
        #expect(Walk(day, passes: .max).excess == excess)
        #expect(Walk(day, passes: nil).excess == nil)
        let slow = Walk.Stretch(0..<400, speed: try speed(Speed.range.lowerBound))
        #expect(Walk(day, Array(repeating: slow, count: 100_000)).excess == excess)
        let anchor = Anchor(speed: try speed(Speed.range.lowerBound))
        let end = anchor.time(of: try #require(longest.total))
        #expect(Int64(exactly: end.attoseconds / 1_000_000_000) != nil)
        #expect(NominalMapping(rate: 192_000, zero: 0).frame(atOrAfter: end) > 0)
    }

    @Test("a bar is found again in the pass where one is, nearest to there")
    func again() {
        let timeline = Timeline(.sequenza)
        let walk = Walk(timeline, [Walk.Stretch(0..<13), Walk.Stretch(0..<13), Walk.Stretch(26..<39)], passes: nil)
        #expect(walk.boundary(ofBar: 4, near: 0) == 4)
        #expect(walk.boundary(ofBar: 4, near: 14) == 17)
        #expect(walk.boundary(ofBar: 26, near: 0) == 26)
        #expect(walk.boundary(ofBar: 4, near: 39 + 20) == 39 + 17)
        #expect(walk.boundary(ofBar: 13, near: 0) == nil)
    }
}
