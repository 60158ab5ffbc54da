package import Scores
package import Timing

/// Clicks on their way to the timing log. A row is written once it is known whether its click was heard, and when.
package struct BoundaryLog {
    private struct Row {
        var click: ScheduledClick
        /// The bar that it begins; nil for a click inside a bar or in a count-in, which has no row in the log.
        var bar: TimedBar?
        var flags: TimingRow.Flags = []
        /// Whether the followers of the boundaries have been told of it.
        var isTold = false
    }

    private let write: (@Sendable (TimingRow) -> Void)?
    private let times: (@Sendable (TimingRow, Double) -> Void)?
    /// The sounds that the user has made silent.
    private let silent: Set<ClickSound>
    private var waiting: [Row] = []
    /// Flags for the first boundary at or after a frame.
    private var news: [(frame: Int64, flag: TimingRow.Flags)] = []
    /// Gaps: frames that nobody heard.
    private var gaps: [Gap] = []
    /// Frames whose place in time is in doubt, and why: from a fault until the music after it has been placed anew.
    private var doubts: [(frames: Range<Int64>, flag: TimingRow.Flags)] = []
    /// The timing of all rows so far.
    package private(set) var summary = TimingSummary()
    /// What was practiced so far; nil if nobody asks.
    var tally: PracticeTally?
    /// Clicks that were not heard.
    package private(set) var lost: UInt64 = 0

    package init(
        _ write: (@Sendable (TimingRow) -> Void)?, times: (@Sendable (TimingRow, Double) -> Void)? = nil,
        tallies: Bool = false, silent: Set<ClickSound> = []
    ) {
        (self.write, self.times, self.silent, tally) = (write, times, silent, tallies ? PracticeTally() : nil)
    }

    /// Flags the first boundary at or after `frame` with what has happened before it.
    package mutating func flag(_ flag: TimingRow.Flags, from frame: Int64) { news.append((frame, flag)) }

    /// Adds a gap: the clicks in its frames are lost. A gap that has no end yet is added again when it has one.
    package mutating func add(_ gap: Gap) {
        gaps.removeAll { $0.frames.lowerBound == gap.frames.lowerBound }
        gaps.append(gap)
    }

    /// Notes that from `frame` on it is less certain than usual when clicks are heard.
    package mutating func doubt(_ flag: TimingRow.Flags, from frame: Int64) { doubts.append((frame..<Int64.max, flag)) }

    /// Drops flags and doubts that concern no music yet. The gaps stay: a device that is away is still away.
    package mutating func forget() { (news, doubts) = ([], []) }

    /// Notes that all music from `frame` on has a new place: the first boundary gets the flag, no other is in doubt.
    package mutating func settleDoubts(at frame: Int64) {
        for (index, doubt) in doubts.enumerated() where doubt.frames.upperBound == .max {
            doubts[index].frames = min(doubt.frames.lowerBound, frame)..<frame
            flag(doubt.flag, from: frame)
        }
    }

    /// Takes over clicks that can no longer be taken back.
    package mutating func take(_ clicks: [ScheduledClick], _ timeline: Timeline) {
        for click in clicks {
            var row = Row(click: click)
            if let sound = click.sound, silent.contains(sound) { row.click.isSilent = true }
            if case .bar(_, let index, 0) = click.origin {
                row.bar = timeline[index]
                for news in news where news.frame <= click.position.frame { row.flags.insert(news.flag) }
                // Boundaries that were lost get the flag, and so does the first that was not.
                if !click.isLost { news.removeAll { $0.frame <= click.position.frame } }
            }
            waiting.append(row)
        }
    }

    /// Writes the rows before `frame`. The device has been observed since then, and nothing was wrong.
    package mutating func write(before frame: Int64, _ clock: CardClock) {
        var count = 0
        for var row in waiting {
            guard row.click.isLost || row.click.position.frame < frame else { break }
            settle(&row)
            if row.click.isLost { lost += 1 }
            if let bar = row.bar {
                let logged = BoundaryLog.row(row.click, bar, row.flags, clock)
                summary.add(logged)
                write(logged)
                if let origin = clock.origin {
                    times?(logged, origin + Double((logged.heard ?? logged.nominal).nanoseconds))
                }
            }
            count += 1
        }
        waiting.removeFirst(count)
        gaps.removeAll { $0.frames.upperBound < frame && waiting.allSatisfy { $0.click.position.frame >= frame } }
        doubts.removeAll { $0.frames.upperBound < frame && waiting.allSatisfy { $0.click.position.frame >= frame } }
    }

    /// Reports the boundaries at or before `frame`, each once, with what is known of them now.
    package mutating func tell(through frame: Int64, _ heard: (HeardBoundary) -> Void) {
        for (index, row) in waiting.enumerated() {
            guard row.click.isLost || row.click.position.frame <= frame else { break }
            guard let bar = row.bar, !row.isTold else { continue }
            waiting[index].isTold = true
            var known = row
            settle(&known)
            heard(HeardBoundary(bar: bar, time: row.click.time, isHeard: !known.click.isLost && !known.click.isSilent))
        }
    }

    /// Writes a row, such as one of the player who has begun a bar.
    mutating func write(_ row: TimingRow) {
        tally?.take(row)
        write?(row)
    }

    /// Finds out whether a click was heard, and which flags it gets.
    private func settle(_ row: inout Row) {
        let (frame, fraction) = (row.click.position.frame, row.click.position.fraction)
        // A click between two frames is first heard in the second one.
        let gap = gaps.first { $0.frames.contains(fraction > 0 ? frame + 1 : frame) }
        if row.click.isSilent {
            row.click.isLost = false
            row.flags.insert(.muted)
        } else if let gap {
            row.click.isLost = true
            row.flags.insert(gap.cause == .underrun ? .xrun : .away)
        }
        for doubt in doubts where doubt.frames.contains(frame) { row.flags.insert(doubt.flag) }
        if row.click.late > .zero, !row.click.isLost { row.flags.insert(.late) }
    }

    private static func row(
        _ click: ScheduledClick, _ bar: TimedBar, _ flags: TimingRow.Flags, _ clock: CardClock
    ) -> TimingRow {
        var heard: Duration?
        var uncertainty = 0.0
        if !click.isLost {
            // Without a card, frames follow the clock itself.
            heard = click.time + click.late
            if let origin = clock.origin {
                let time = clock.time(of: click.position)
                heard = Duration(toPicoseconds: time.nanoseconds - origin)
                uncertainty = time.uncertainty * 1e6
            }
        }
        return TimingRow(
            index: bar.index + 1, label: bar.label, nominal: click.time, heard: heard, position: click.position,
            ratePPM: clock.origin == nil ? 0 : clock.model.deviationPPM, uncertaintyMicroseconds: uncertainty,
            flags: flags, line: bar.line, bar: bar.bar)
    }
}

/// A boundary that is reported at its moment.
package struct HeardBoundary: Sendable {
    /// The bar that it begins.
    package var bar: TimedBar
    /// When it should be heard, after time zero.
    package var time: Duration
    /// Whether its click was heard, as far as that is known.
    package var isHeard: Bool
}
