import Charts
import Shared
import Testing
import Timing

@Suite("Plots of a timing log")
struct TimingPlotTests {
    private static func row(_ seconds: Double, error: Double?, uncertainty: Double = 2, flags: TimingRow.Flags = [])
        -> TimingRow
    {
        let nominal = Duration.seconds(seconds)
        return TimingRow(
            index: 1, nominal: nominal, heard: error.map { nominal + .microseconds($0) },
            position: FramePosition(frame: 0), uncertaintyMicroseconds: uncertainty, flags: flags)
    }

    /// How many braille dots a text has.
    private static func dots(_ text: String) -> Int {
        text.unicodeScalars.filter { (0x2800...0x28FF).contains($0.value) }.reduce(0) {
            $0 + ($1.value - 0x2800).nonzeroBitCount
        }
    }

    @Test("a few boundaries are drawn as dots, with round numbers at the axes")
    func small() {
        let rows = [
            Self.row(0, error: 10), Self.row(10, error: nil, flags: .lost), Self.row(20, error: -8, flags: .late),
            Self.row(40, error: 0),
        ]
        #expect(
            TimingPlot.text(of: TimingTrace(rows), columns: 24, rows: 6) == """
                 error in µs
                    10 ┤⠂                       
                       │                        
                       │                        
                     0 ┼┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄⠐
                       │                        
                       │            ⠄           
                       └┬─────────────────┬─────
                 min:s 0:00             0:30
                              ×     !           
                        × lost   ! late

                """)
    }

    @Test("up to 4096 boundaries are kept as they are; of more, the extremes of every part are kept", arguments: 0..<3)
    func bins(seed: Int) throws {
        var random = Seeded(state: UInt64(seed))
        for count in [1, 4096, 4097, 30_000] {
            var rows = (0..<count).map { Self.row(Double($0) * 0.35, error: Double(random.int(-20...20))) }
            let outlier = random.int(0...count - 1)
            rows[outlier] = Self.row(Double(outlier) * 0.35, error: 5000, uncertainty: 77, flags: .late)
            if seed == 1 { rows.reverse() }
            if seed == 2 { rows.shuffle(using: &random) }
            let trace = TimingTrace(rows)
            #expect(trace.bins.count <= TimingTrace.limit)
            #expect(count > TimingTrace.limit || trace.bins.count == count)
            #expect(trace.bins.reduce(0) { $0 + $1.heard } == count)
            #expect(trace.bins.map(\.greatest).max() == 5000 && trace.bins.map(\.uncertainty).max() == 77)
            #expect(trace.bins.first?.earliest == 0)
            for (a, b) in zip(trace.bins, trace.bins.dropFirst()) { #expect(a.latest < b.earliest) }
            let late = try #require(trace.bins.first { $0.late > 0 })
            #expect(late.greatestLate == 5000 && late.earliest <= Int64(Double(outlier) * 350e6))
        }
    }

    @Test("an outlier does not flatten the rest: it is marked at the edge, with its size")
    func beyond() {
        var rows = (0..<500).map { Self.row(Double($0), error: Double($0 % 11) - 5) }
        rows[100] = Self.row(100, error: 12_345)
        rows[200] = Self.row(200, error: -999)
        let text = TimingPlot.text(of: TimingTrace(rows))
        #expect(text.contains("▲ outliers up to +12345.0 µs   ▼ outliers down to -999.0 µs\n"))
        #expect(text.split(separator: "\n")[1].contains("▲") && text.split(separator: "\n")[12].contains("▼"))
        #expect(Self.dots(text) > 1000)
        let svg = TimingPicture.svg(of: TimingTrace(rows), name: "x")
        #expect(svg.contains("outliers up to +12345.0 µs") && svg.contains("outliers down to -999.0 µs"))
    }

    @Test("errors with a constant offset keep their fine detail, without zero in the plot")
    func offset() {
        let axes = TimingAxes(TimingTrace((0..<200).map { Self.row(Double($0), error: 800 + Double($0 % 7)) }))
        #expect(axes.error.lowerBound > 700 && axes.error.upperBound < 900)
        let near = TimingAxes(TimingTrace((0..<200).map { Self.row(Double($0), error: 12 + Double($0 % 7)) }))
        #expect(near.error.contains(0))
    }

    @Test("the numbers at the axes are few, distinct and in order, for any log", arguments: 0..<4)
    func ticks(seed: Int) {
        var random = Seeded(state: UInt64(seed))
        for _ in 0..<500 {
            let scale = [1e-3, 1, 60, 1e4, 1e8][random.int(0...4)]
            let rows = (0..<random.int(1...30)).map { _ in
                Self.row(Double(random.int(-1000...1000)) * scale, error: Double(random.int(-9999...9999)) * scale)
            }
            let axes = TimingAxes(TimingTrace(rows))
            for (ticks, range) in [(axes.errorTicks(6), axes.error), (axes.timeTicks(9), axes.time)] {
                #expect((1...12).contains(ticks.count))
                #expect(ticks.allSatisfy { range.contains($0.value) })
                #expect(Set(ticks.map(\.text)).count == ticks.count)
                #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $0.value < $1.value })
            }
        }
    }

    @Test(
        "any log can be plotted", arguments: [[], [0], [4e9], [-4e9, 4e9], [0, 1e-9], [-4e9, 0, 1, 2]] as [[Double]])
    func extremes(times: [Double]) {
        for error in [nil, 0, 1e-3, -4e15, 4e15] as [Double?] {
            let trace = TimingTrace(times.map { Self.row($0, error: error, uncertainty: 1e9) })
            let plot = TimingPlot.text(of: trace, columns: 1, rows: 1, color: true)
            #expect(plot.isEmpty == times.isEmpty)
            let svg = TimingPicture.svg(of: trace, name: "x")
            #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
            #expect(!svg.contains("nan") && !svg.contains("inf") && !svg.contains("\"-\""))
        }
    }

    @Test("all lines have the same width, with or without color")
    func widths() {
        let trace = TimingTrace((0..<100).map { Self.row(Double($0), error: 10, flags: $0 == 5 ? .late : []) })
        for columns in [20, 60, 100] {
            let plain = TimingPlot.text(of: trace, columns: columns, rows: 8)
            let lines = plain.split(separator: "\n")
            #expect(lines.allSatisfy { $0.count <= columns + 12 })
            #expect(Set(lines[1...9].map(\.count)).count == 1)
            var color = TimingPlot.text(of: trace, columns: columns, rows: 8, color: true)
            #expect(color.contains("\u{1B}["))
            for code in ["\u{1B}[0m", "\u{1B}[2m", "\u{1B}[31m", "\u{1B}[33m"] {
                color = color.replacing(code, with: "")
            }
            #expect(color == plain)
        }
    }

    @Test("a picture shows every boundary, marks lost and late ones, and escapes its name")
    func picture() {
        var rows = (0..<50).map { Self.row(Double($0), error: Double($0 % 5)) }
        rows[10] = Self.row(10, error: nil, flags: .lost)
        rows[20] = Self.row(20, error: 4, flags: .late)
        let svg = TimingPicture.svg(of: TimingTrace(rows), name: "<b>&\"\u{1B}.csv")
        #expect(svg.contains("Timing error of &lt;b&gt;&amp;&quot;\u{FFFD}.csv"))
        #expect(svg.contains("50 bars, 1 lost, 1 late, 0 xruns"))
        for kind in ["error", "late", "lost", "gone", "band", "zero"] {
            #expect(svg.contains("<path class=\"\(kind)\""))
        }
        #expect(svg.contains("prefers-color-scheme: dark") && !svg.contains("<script") && !svg.contains("href"))
        let large = TimingTrace((0..<200_000).map { Self.row(Double($0), error: Double($0 % 50)) })
        #expect(TimingPicture.svg(of: large, name: "x").utf8.count < 200_000)
    }
}
