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
}
