import Testing
import Timing

@Suite("The summary of a timing log")
struct TimingSummaryTests {
    private static func row(_ nominal: Duration, error: Duration?, rate: Double = 0, flags: TimingRow.Flags = [])
        -> TimingRow
    {
        TimingRow(
            index: 1, nominal: nominal, heard: error.map { nominal + $0 }, position: FramePosition(frame: 0),
            ratePPM: rate, flags: flags)
    }

    @Test("errors on a straight line give its slope and offset, and their mean and deviation")
    func line() throws {
        // 10 h of boundaries every 3.6 s, 7 µs late at time zero, and 0.25 µs more every second.
        let rows = (0..<10_000).map { n in
            Self.row(.milliseconds(3600 * n), error: .nanoseconds(7000 + 900 * n))
        }
        let summary = TimingSummary(rows)
        #expect(abs(try #require(summary.slope) - 0.25) < 1e-9)
        #expect(abs(try #require(summary.offset) - 7) < 1e-9)
        let half = 0.9 * 9999 / 2
        #expect(abs(try #require(summary.mean) - 7 - half) < 1e-9)
        #expect(abs(try #require(summary.maximum) - half) < 1e-9)
        // The variance of 0 ... n - 1 is (n² - 1) / 12.
        let deviation = 0.9 * ((1e8 - 1) / 12).squareRoot()
        #expect(abs(try #require(summary.rms) - deviation) < 1e-9)
        let span: Double = 3.6 * 9999
        #expect(summary.span == span)
    }

    @Test("the trend of a log that begins late is extrapolated to time zero")
    func lateLine() throws {
        // From 1 h on, 907 µs late there, and 0.25 µs more every second.
        let summary = TimingSummary(
            (0..<100).map { n in
                Self.row(.milliseconds(3_600_000 + 4000 * n), error: .nanoseconds(907_000 + 1000 * n))
            })
        #expect(abs(try #require(summary.slope) - 0.25) < 1e-9)
        #expect(abs(try #require(summary.offset) - 7) < 1e-9)
    }

    @Test("a million rows that begin years after time zero keep their precision")
    func million() throws {
        var summary = TimingSummary()
        let start = Duration.seconds(3_000_000_000)
        for n in 0..<1_000_000 {
            summary.add(
                Self.row(start + .milliseconds(350 * n), error: .nanoseconds(n.isMultiple(of: 2) ? 251_000 : 249_000)))
        }
        #expect(try #require(summary.mean) == 250)
        #expect(abs(try #require(summary.rms) - 1) < 1e-9)
        #expect(abs(try #require(summary.maximum) - 1) < 1e-9)
        #expect(abs(try #require(summary.slope)) < 1e-9)
    }

    @Test("the order of rows does not matter")
    func order() throws {
        var random = Seeded(state: 3)
        let rows = (0..<500).map { _ in TimingRowTests.random(&random) }.filter { abs($0.errorMicroseconds ?? 0) < 1e4 }
        let (a, b) = (TimingSummary(rows), TimingSummary(rows.reversed()))
        #expect(a.bars == b.bars && a.heard == b.heard && a.late == b.late && a.mean == b.mean && a.span == b.span)
        #expect(abs(try #require(a.rms) - (try #require(b.rms))) < 1e-6)
    }

    @Test("lost boundaries count, but have no error; flags are counted")
    func counts() throws {
        let summary = TimingSummary([
            Self.row(.zero, error: .microseconds(10), rate: 100),
            Self.row(.seconds(1), error: nil, rate: 102, flags: [.xrun]),
            Self.row(.seconds(2), error: .microseconds(20), rate: 104, flags: [.late, .xrun]),
        ])
        #expect((summary.bars, summary.heard, summary.lost) == (3, 2, 1))
        // An xrun that takes two bars is one.
        #expect((summary.late, summary.xruns) == (1, 1))
        #expect(summary.mean == 15 && summary.rms == 5 && summary.maximum == 5)
        #expect(summary.slope == 5 && summary.offset == 10 && summary.ppm == 102)
        #expect(
            summary.text == """
                bars   3, heard 2, lost 1, late 1
                error  mean +15.000 µs, rms 5.000 µs and maximum 5.000 µs about it
                trend  +5.000000 µs per second, from +10.000 µs at time zero
                card   +102.000 ppm, 1 xrun

                """)
        #expect(
            summary.json
                == "{\"bars\": 3, \"heard\": 2, \"muted\": 0, \"lost\": 1, \"late\": 1, \"xruns\": 1, \"mean_us\": 15.000, \"rms_us\": 5.000, "
                + "\"max_us\": 5.000, \"offset_us\": 10.000, \"slope_us_per_s\": 5.000000, \"ppm\": 102.000}")
    }

    @Test("the farthest error can be on either side of the mean", arguments: [1, -1])
    func farthest(sign: Int) {
        let errors = [-30, 0, 0].map { Duration.microseconds(sign * $0) }
        let summary = TimingSummary(errors.enumerated().map { Self.row(.seconds($0), error: $1) })
        #expect(summary.mean == Double(-10 * sign) && summary.maximum == 20)
    }

    @Test("boundaries that made no sound count as muted, and neither as heard nor as lost; clicks are called clicks")
    func muted() {
        let rows = (0..<4).map { Self.row(.seconds($0), error: $0 == 3 ? nil : .zero, flags: $0 == 1 ? .muted : []) }
        #expect(TimingSummary(rows).text.hasPrefix("bars   4, heard 2, muted 1, lost 1, late 0\n"))
        let json = TimingSummary(rows, of: .clicks).json
        #expect(json.hasPrefix("{\"clicks\": 4, \"heard\": 2, \"muted\": 1, \"lost\": 1"), "\(json)")
        #expect(TimingSummary(rows[..<1], of: .clicks).text.hasPrefix("clicks 1, heard 1, lost 0, late 0\n"))
        // Of the card, a recording knows nothing.
        #expect(json.contains("\"xruns\": null") && json.contains("\"ppm\": null"), "\(json)")
        #expect(!TimingSummary(rows, of: .clicks).text.contains("card"))
    }

    @Test("without data, the values of a summary are nil")
    func nothing() {
        let empty = TimingSummary()
        #expect(empty.mean == nil && empty.rms == nil && empty.maximum == nil && empty.ppm == nil)
        #expect(empty.text == "bars   0, heard 0, lost 0, late 0\n")
        #expect(empty.json.contains("\"slope_us_per_s\": null"))
        let one = TimingSummary([Self.row(.seconds(5), error: .microseconds(3))])
        #expect(one.slope == nil && one.offset == 3 && one.rms == 0)
    }
}
