import Shared
import Testing
import Timing

@Suite("Two logs compared")
struct TimingComparisonTests {
    /// A row whose bar was heard `error` ns late; lost if there is no error.
    private func row(_ index: Int, _ nominal: Double, _ error: Int64?) -> TimingRow {
        let time = Duration.seconds(nominal)
        return TimingRow(
            index: index, nominal: time, heard: error.map { time + .nanoseconds($0) },
            position: FramePosition(frame: 0, fraction: 0))
    }

    @Test("bars belong together by their number and time, in every pass; what only one has heard is counted")
    func pairs() {
        let first = [row(1, 0, 0), row(2, 3, 1000), row(3, 6, nil), row(1, 9, 0), row(2, 12, 0), row(4, 15, 0)]
        let second = [row(2, 3, 21_000), row(1, 0.0001, -40_000), row(3, 6, 0), row(1, 9, 30_000), row(2, 12.2, 0)]
        let compared = TimingComparison(first, second)
        #expect(compared.pairs.map(\.index) == [1, 2, 1])
        #expect(compared.pairs.map(\.difference) == [60_000, 20_000, 30_000])
        #expect(compared.onlyFirst == 2 && compared.onlySecond == 2)
        #expect(TimingComparison(first, first).pairs.allSatisfy { $0.difference == 0 })
        #expect(TimingComparison(first, []).pairs.isEmpty)
    }

    @Test("it tells the sizes, the furthest, and since when all are within a limit")
    func convergence() throws {
        // 5 ms, 0.5 ms, then 50 µs, and 0.2 ms at last.
        let errors: [Int64] = [5_000_000, -500_000, 50_000, -50_000, 50_000, 50_000, 50_000, 50_000, 50_000, 200_000]
        let first = errors.indices.map { row($0 + 1, Double($0), 0) }
        let second = errors.indices.map { row($0 + 1, Double($0), errors[$0]) }
        let compared = TimingComparison(first, second)
        #expect(compared.size(0.5) == 50 && compared.furthest?.index == 1)
        #expect(compared.settled(within: 1_000_000) == 1_000_000_000)
        #expect(compared.settled(within: 100_000) == nil)
        #expect(TimingComparison(first, Array(second.dropLast())).settled(within: 100_000) == 2_000_000_000)
        #expect(compared.settled(within: 10_000_000) == 0)
        let classes = compared.histogram()
        #expect(classes.map(\.count).reduce(0, +) == 10 && classes.count <= 12)
        #expect(classes.first?.range.lowerBound == -500 && classes.first?.count == 2 && classes.last?.count == 1)
        #expect(
            compared.text.hasPrefix(
                """
                bars   heard on both 10, only first 0, only second 0
                apart  median 50.0 µs, 95 % at most 5000.0 µs, furthest +5000.0 µs at 0:00.0 (bar 1)
                settled  within 1.0 ms from 0:01.0 on, not within 0.1 ms at the end
                """), "\(compared.text)")
        #expect(compared.json.contains(#""within_1000us_from_s": 1.000, "within_100us_from_s": null"#))
        let rows = compared.rows
        #expect(rows.map(\.errorMicroseconds) == errors.map { Double($0) / 1000 })
    }

    @Test("every difference is in one class of the histogram, whose widths are 1, 2 or 5 times a power of ten")
    func histogram() {
        var numbers = Seeded(state: 5)
        for _ in 0..<200 {
            let spread = Int64.random(in: 1...100_000_000, using: &numbers)
            let errors = (0..<50).map { _ in Int64.random(in: -spread...spread, using: &numbers) }
            let compared = TimingComparison(
                errors.indices.map { row($0 + 1, Double($0), 0) },
                errors.indices.map { row($0 + 1, Double($0), errors[$0]) })
            let classes = compared.histogram()
            #expect(classes.count <= 12)
            for entry in classes {
                let inside = errors.count { entry.range.contains(Double($0) / 1000) }
                #expect(inside == entry.count)
            }
            let width = classes[0].range.upperBound - classes[0].range.lowerBound
            var digit = width
            while digit >= 9.5 { digit /= 10 }
            #expect([1, 2, 5].contains { abs(digit - $0) < 1e-6 }, "\(width)")
        }
    }
}
