import Scores
import Testing
import Timing

@Suite("Passage")
struct PassageTests {
    @Test("a passage of all bars equals the timeline")
    func whole() {
        let timeline = Timeline(.sequenza)
        let passage = Passage(timeline)
        #expect(passage.bars == 0..<169)
        #expect(passage.count == 169)
        #expect(passage.total == timeline.total)
        #expect((0...169).map { passage.position(of: $0) } == (0...169).map { timeline.start(ofBar: $0) })
        #expect((0..<169).map { passage.bar(of: $0) } == (0..<169).map { timeline[$0] })
    }

    @Test("passes lie end to end, each shifted by whole passes")
    func passes() {
        var random = Seeded(state: 4)
        for _ in 0..<30 {
            let score = Score.random(&random)
            let timeline = Timeline(score)
            let first = random.int(0...timeline.barCount - 1)
            let bars = first..<random.int(first + 1...timeline.barCount)
            let passage = Passage(timeline, bars: bars, passes: 3)
            let once = Array(score.played[bars])
            #expect(passage.start == sums(score.played)[first])
            #expect(passage.count == 3 * bars.count)
            #expect((0...3 * bars.count).map { passage.position(of: $0) } == sums(once + once + once))
            #expect(passage.total == sums(once + once + once).last)
            for n in 0..<3 * bars.count {
                #expect(passage.bar(of: n) == timeline[first + n % bars.count])
                #expect(passage.passNumber(of: n) == n / bars.count + 1)
            }
        }
    }

    @Test("the position of a boundary is a closed form, however many passes lie before it")
    func closedForm() {
        let passage = Passage(Timeline(.sequenza), bars: 13..<26, passes: nil)
        let million = 1_000_000_000
        let passes: Duration = .milliseconds(22_600) * million
        let (third, start): (Int, Duration) = (13 * million + 2, passes + .milliseconds(5700))
        #expect(passage.position(of: 13 * million) == passes)
        #expect(passage.position(of: third) == start)
        #expect(passage.boundary(at: start) == third)
        #expect(passage.passNumber(of: third) == million + 1)
    }

    @Test("the boundary found at a boundary's position is that boundary, and an attosecond earlier the previous one")
    func inverse() {
        var random = Seeded(state: 5)
        for round in 0..<30 {
            let timeline = Timeline(Score.random(&random))
            let first = random.int(0...timeline.barCount - 1)
            let bars = first..<random.int(first + 1...timeline.barCount)
            let passage = Passage(timeline, bars: bars, passes: round % 2 == 0 ? nil : 3)
            for n in 0..<3 * bars.count {
                #expect(passage.boundary(at: passage.position(of: n)) == n)
                #expect(passage.boundary(at: passage.position(of: n) - .attosecond) == max(n - 1, 0))
            }
        }
    }

    @Test("positions outside a passage give its first or last boundary")
    func outside() {
        let passage = Passage(Timeline(.sequenza), bars: 5..<8, passes: 2)
        #expect(passage.boundary(at: .seconds(-5)) == 0)
        #expect(passage.boundary(at: passage.total ?? .zero) == 5)
        #expect(passage.boundary(at: .seconds(1_000_000)) == 5)
        #expect((-1...6).map { passage.has(boundary: $0) } == [false, true, true, true, true, true, true, false])
    }

    @Test("an endless passage has every boundary, but no count and no total")
    func endless() {
        let passage = Passage(Timeline(.sequenza), passes: nil)
        #expect(passage.count == nil)
        #expect(passage.total == nil)
        #expect(passage.has(boundary: .max))
        #expect(!passage.has(boundary: -1))
    }

    /// Stretches of a random piece at random speeds.
    private static func stretches(_ random: inout Seeded, of timeline: Timeline) throws -> [Passage.Stretch] {
        try (0..<random.int(1...5)).map { _ in
            let first = random.int(0...timeline.barCount - 1)
            let speed = random.chance(2) ? Speed.asWritten : try random.speed()
            return Passage.Stretch(first..<random.int(first + 1...timeline.barCount), speed: speed)
        }
    }

    @Test("stretches lie end to end, each at its own speed, in every pass")
    func stretches() throws {
        var random = Seeded(state: 11)
        for _ in 0..<100 {
            let timeline = Timeline(Score.random(&random))
            let stretches = try PassageTests.stretches(&random, of: timeline)
            let passage = Passage(timeline, stretches, passes: 2)
            var (n, begin) = (0, Duration.zero)
            for stretch in stretches + stretches {
                let origin = timeline.start(ofBar: stretch.bars.lowerBound)
                for bar in stretch.bars {
                    let offset = stretch.speed.realDuration(of: timeline.start(ofBar: bar) - origin)
                    #expect(passage.position(of: n) == begin + offset)
                    #expect(passage.bar(of: n).index == bar)
                    #expect(passage.position(of: n) + passage.bar(of: n).duration == passage.position(of: n + 1))
                    #expect(passage.stretch(of: n) == stretch)
                    #expect(passage.boundaries(aroundBoundary: n).contains(n))
                    #expect(passage.boundaries(aroundBoundary: n).count == stretch.bars.count)
                    n += 1
                }
                begin += stretch.speed.realDuration(of: timeline.start(ofBar: stretch.bars.upperBound) - origin)
            }
            #expect(passage.count == n)
            #expect(passage.total == begin)
        }
    }

    @Test("with any stretches and speeds, the boundary found at a boundary's position is that boundary")
    func stretchInverse() throws {
        var random = Seeded(state: 12)
        for round in 0..<100 {
            let timeline = Timeline(Score.random(&random))
            let passage = Passage(
                timeline, try PassageTests.stretches(&random, of: timeline), passes: round % 2 == 0 ? nil : 2)
            for n in 0..<2 * passage.barsInPass where passage.bar(of: n).duration > .zero {
                #expect(passage.boundary(at: passage.position(of: n)) == n)
                if n > 0, passage.bar(of: n - 1).duration > .zero {
                    #expect(passage.boundary(at: passage.position(of: n) - .attosecond) == n - 1)
                }
            }
        }
    }

    @Test(
        "the end of a passage of up to 100 000 h fits in 64 bits at any speed; a longer passage is refused")
    func longest() throws {
        let excess = TextError("this would last more than 100 000 h", hint: "play less of it, or fewer times")
        let day = Timeline(Score(lines: [Score.Line(passes: 400, bars: [Score.Bar(.seconds(86_400))])]))
        let longest = Passage(day, bars: 0..<1, passes: 100_000 / 24)
        #expect(longest.excess == nil)
        #expect(Passage(day, bars: 0..<1, passes: 100_000 / 24 + 1).excess == excess)
        #expect(Passage(day, passes: 1_000_000).excess == excess)
        #expect(Passage(day, passes: .max).excess == excess)
        #expect(Passage(day, passes: nil).excess == nil)
        let slow = Passage.Stretch(0..<400, speed: try speed(Speed.range.lowerBound))
        #expect(Passage(day, Array(repeating: slow, count: 100_000)).excess == excess)
        let anchor = Anchor(speed: try speed(Speed.range.lowerBound))
        let end = anchor.time(of: try #require(longest.total))
        #expect(Int64(exactly: end.attoseconds / 1_000_000_000) != nil)
        #expect(NominalMapping(rate: 192_000, zero: 0).frame(atOrAfter: end) > 0)
    }

    @Test("a bar is found at the nearest place in the current pass")
    func again() {
        let timeline = Timeline(.sequenza)
        let passage = Passage(
            timeline, [Passage.Stretch(0..<13), Passage.Stretch(0..<13), Passage.Stretch(26..<39)], passes: nil)
        #expect(passage.boundary(ofBar: 4, near: 0) == 4)
        #expect(passage.boundary(ofBar: 4, near: 14) == 17)
        #expect(passage.boundary(ofBar: 26, near: 0) == 26)
        #expect(passage.boundary(ofBar: 4, near: 39 + 20) == 39 + 17)
        #expect(passage.boundary(ofBar: 13, near: 0) == nil)
    }
}
