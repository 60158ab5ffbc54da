import Scores
import Shared
import Testing
import Timing

/// How long bars were held, by the player's taps.
@Suite("Tapped bars")
struct TappedBarsTests {
    /// The durations of a line of Sequenza VII in ms.
    private static let line = [3000, 2700, 2000, 2000, 2000, 2000, 1500, 1500, 1500, 1300, 1300, 1000, 800]

    /// Boundaries at these times in ms; those at `jumps` are the first after a jump, those at `afterHolds` after a hold until a cue.
    private func boundaries(_ times: [Int], jumps: Set<Int> = [], afterHolds: Set<Int> = []) -> [TimingRow] {
        times.enumerated().map { index, time in
            TimingRow(
                index: index + 1, nominal: .milliseconds(time), heard: .milliseconds(time),
                position: FramePosition(frame: 0),
                flags: jumps.contains(index) ? .jump : afterHolds.contains(index) ? .held : [],
                line: index / 13 + 1, bar: index % 13 + 1)
        }
    }

    private func tap(_ milliseconds: Int) -> TimingRow {
        TimingRow(
            index: 1, nominal: .zero, heard: .milliseconds(milliseconds), position: FramePosition(frame: 0), flags: .tap
        )
    }

    /// The boundaries of so many lines.
    private func starts(lines: Int) -> [Int] {
        (0..<lines * 13).reduce(into: [0]) { $0.append(($0.last ?? 0) + Self.line[$1 % 13]) }
    }

    @Test("each bar has exactly the duration between its tap and the next", arguments: 0..<20)
    func exact(seed: Int) {
        var random = Seeded(state: UInt64(seed))
        let starts = starts(lines: 3)
        let taps = starts.map { $0 + Int.random(in: -120...120, using: &random) }
        let bars = TappedBars((boundaries(starts) + taps.map(tap)).shuffledTaps(&random)).bars
        #expect(bars.count == starts.count)
        for (index, bar) in bars.enumerated().dropLast() {
            #expect(bar.held == Int64(taps[index + 1] - taps[index]) * 1_000_000)
            #expect(bar.written == Int64(Self.line[index % 13]) * 1_000_000)
            #expect(bar.late == Int64(taps[index] - starts[index]) * 1_000_000)
        }
        #expect(bars.last?.held == nil && bars.last?.written == nil)
    }

    @Test("a forgotten tap leaves two bars unknown, and a tap too many begins none")
    func faults() {
        let starts = starts(lines: 1)
        var taps = starts.map { $0 + 40 }
        taps.remove(at: 5)
        taps.insert(taps[8] + 90, at: 9)
        let tapped = TappedBars(boundaries(starts) + taps.map(tap))
        #expect(tapped.spare == 1)
        let unknown = tapped.bars.indices.filter { tapped.bars[$0].held == nil }
        #expect(unknown == [4, 5, starts.count - 1])
        #expect(tapped.bars.allSatisfy { $0.excess.map { abs($0) <= 90_000_000 } ?? true })
    }

    @Test(
        "after a rest of any number of bars, each tap begins the bar at whose boundary it is",
        arguments: [3..<6, 6..<10, 20..<28, 20..<30, 30..<45, 5..<105], [false, true])
    func rest(bars: Range<Int>, isUneven: Bool) {
        let starts = isUneven ? starts(lines: 9) : (0..<118).map { $0 * 1000 }
        let played = starts.indices.filter { !bars.contains($0) }
        let tapped = TappedBars(boundaries(starts) + played.map { tap(starts[$0] + 10) })
        #expect(tapped.spare == 0 && tapped.bars.count == starts.count)
        #expect(tapped.bars.indices.filter { tapped.bars[$0].tapped != nil } == played)
        #expect(tapped.bars.allSatisfy { $0.late ?? 10_000_000 == 10_000_000 })
    }

    @Test("a single tap after a rest, and the taps of the first bars before one, begin their bars")
    func fewTaps() {
        let starts = (0..<24).map { $0 * 1000 }
        for played in [[0, 1, 2] + Array(6..<23), [0, 1, 2, 3, 4, 5, 17], [0, 1, 2, 3, 8, 9]] {
            for jumps in [[], [7]] as [Set<Int>] {
                let tapped = TappedBars(boundaries(starts, jumps: jumps) + played.map { tap(starts[$0] + 10) })
                #expect(tapped.spare == 0, "\(played)")
                #expect(tapped.bars.compactMap(\.tapped).count == played.count)
                #expect(tapped.bars.allSatisfy { $0.late ?? 10_000_000 == 10_000_000 }, "\(played)")
            }
        }
    }

    @Test("without clicks, a player who drifts away by whole bars is followed", arguments: [0.85, 0.92, 1.08, 1.25])
    func drift(factor: Double) {
        let starts = starts(lines: 9)
        let taps = starts.map { Int(Double($0) * factor) }
        let tapped = TappedBars(boundaries(starts) + taps.map(tap))
        #expect(abs(taps[taps.count - 1] - starts[starts.count - 1]) > 8000)
        #expect(tapped.spare == 0 && tapped.bars.count == starts.count)
        for (index, bar) in tapped.bars.enumerated().dropLast() {
            #expect(bar.held == Int64(taps[index + 1] - taps[index]) * 1_000_000)
        }
    }

    @Test("a bar that a jump cut off has no written duration")
    func jump() {
        let taps = [10, 2020, 3130, 5140]
        let tapped = TappedBars(boundaries([0, 2000, 3100, 5100], jumps: [2]) + taps.map(tap))
        #expect(tapped.bars.map(\.written) == [2_000_000_000, nil, 2_000_000_000, nil])
        #expect(tapped.bars.map(\.isRestart) == [false, false, true, false])
        #expect(tapped.bars.map(\.tapped) == [10_000_000, 2_020_000_000, 3_130_000_000, 5_140_000_000])
        #expect(tapped.count == 2)
    }

    @Test(
        "an interval until the lap button that only waits takes no tap of the next one", arguments: [100, 1000, 3000])
    func waits(wait: Int) {
        // Run, walk, and a rest until the lap button.
        let starts = (0..<4).flatMap { round in [0, 10_000, 30_000].map { round * (30_000 + wait) + $0 } }
        let played = starts.indices.filter { $0 % 3 != 2 }
        for late in [(200, 200), (500, 0)] {
            let taps = played.map { starts[$0] + ($0 % 3 == 0 ? late.0 : late.1) }
            let tapped = TappedBars(boundaries(starts, afterHolds: [3, 6, 9]) + taps.map(tap))
            #expect(tapped.spare == 0 && tapped.bars.indices.filter { tapped.bars[$0].tapped != nil } == played)
            #expect(tapped.bars.allSatisfy { $0.excess.map { $0 == Int64(late.1 - late.0) * 1_000_000 } ?? true })
        }
    }

    @Test("a log without taps or without boundaries has no bars")
    func nothing() {
        #expect(TappedBars([]) == TappedBars(boundaries([0, 1000])))
        let taps = TappedBars([tap(0), tap(1000)])
        #expect(taps.bars.isEmpty && taps.spare == 2 && taps.lateness == nil)
    }

    @Test("any rows are matched in order, each bar with at most one tap", arguments: 0..<40)
    func any(seed: Int) {
        var random = Seeded(state: UInt64(seed) &+ 900)
        let starts = (0..<30).map { _ in Int.random(in: 0...20_000, using: &random) }.sorted()
        let taps = (0..<Int.random(in: 1...60, using: &random)).map { _ in
            Int.random(in: -9_000...30_000, using: &random)
        }
        let jumps = Set((0..<5).map { _ in Int.random(in: 0..<30, using: &random) })
        let tapped = TappedBars((boundaries(starts, jumps: jumps) + taps.map(tap)).shuffledTaps(&random))
        let matched = tapped.bars.compactMap(\.tapped)
        #expect(matched == matched.sorted() && matched.count + tapped.spare == taps.count)
    }

    @Test("a tap is written to the log, and read back")
    func log() {
        let rows = boundaries([0, 1000]) + [tap(-20), tap(1010)]
        let text = TimingRowTests.log(rows.map(\.csv))
        #expect(TimingRowTests.read(text).rows == rows && TimingRowTests.messages(text) == [])
        #expect(rows[2].csv == "1,,0.000000000,-0.020000000,-20000.000,0.000000,0.000,0.000,tap,,")
        #expect(rows[1].csv.hasSuffix(",,1,2"))
    }

    @Test("a log from before there were lines is read")
    func old() {
        let header = "index,label,nominal_s,heard_s,error_us,frame,rate_ppm,uncertainty_us,flags\n"
        let (rows, diagnostics) = TimingRowTests.read(header + "7,A,1.0,1.0,0,1,0,0,late\n8,A,2.0,2.0,0,1,0,0")
        #expect(rows.map(\.index) == [7] && rows[0].line == nil && rows[0].bar == nil)
        #expect(diagnostics.map(\.severity) == [.warning])
    }
}

extension [TimingRow] {
    /// The boundaries in their order, and the taps somewhere among them: a row is written when its click has been heard.
    fileprivate func shuffledTaps(_ random: inout Seeded) -> [TimingRow] {
        var rows = filter { !$0.isTap }
        for tap in filter(\.isTap) { rows.insert(tap, at: Int.random(in: 0...rows.count, using: &random)) }
        return rows
    }
}
