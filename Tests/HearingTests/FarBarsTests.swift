import Hearing
import Testing

/// The bars worth practicing.
@Suite("Bars far from the usual lateness")
struct FarBarsTests {
    @Test("the five bars that begin farthest from the usual lateness are told, in the order of the piece")
    func farthest() {
        var bars = FarBars()
        // The player is usually 40 ms late: that is no fault of a bar.
        for bar in 0..<20 {
            for _ in 0..<2 { bars.add(bar, late: 0.04) }
        }
        for (bar, late) in [(3, 0.09), (7, -0.05), (11, 0.061), (12, 0.059), (15, 0.1), (16, -0.03), (17, 0.07)] {
            for _ in 0..<3 { bars.add(bar, late: late) }
        }
        #expect(bars.farthest.map(\.bar) == [3, 7, 15, 16, 17])
        #expect(abs((bars.farthest.first?.late ?? 0) - 0.05) < 1e-9)
    }

    @Test("fewer than five bars, and bars less than 20 ms off, tell nothing")
    func nothing() {
        var bars = FarBars()
        for bar in 0..<4 { bars.add(bar, late: bar == 0 ? 0.2 : 0) }
        #expect(bars.farthest.isEmpty)
        bars.add(4, late: 0)
        #expect(bars.farthest.map(\.bar) == [0])
        var near = FarBars()
        for bar in 0..<9 { near.add(bar, late: Double(bar % 2) * 0.019) }
        #expect(near.farthest.isEmpty)
    }
}
