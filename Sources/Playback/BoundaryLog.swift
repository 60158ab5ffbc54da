internal import Timing

/// Clicks on their way from the scheduler to the timing log: a row is written once it is known whether it was heard, and
/// when.
struct BoundaryLog {
    private let write: (@Sendable (TimingRow) -> Void)?
    private var waiting: [(click: HandedClick, bar: TimedBar, flags: TimingRow.Flags)] = []
    private var flags: TimingRow.Flags = []
    /// Frames that nobody hears.
    private var silences: [Range<Int64>] = []
    /// Clicks that sounded although they had been taken back.
    private var strays: [Int64] = []
    /// Boundaries that were not heard.
    private(set) var lost: UInt64 = 0

    init(_ write: (@Sendable (TimingRow) -> Void)?) { self.write = write }

    /// The next boundary says what has happened before it.
    mutating func flag(_ flag: TimingRow.Flags) { flags.insert(flag) }

    /// What stands in these frames is lost. A silence that has no end yet is told again.
    mutating func silence(_ frames: Range<Int64>) {
        silences.removeAll { $0.lowerBound == frames.lowerBound }
        silences.append(frames)
    }

    /// A click sounded there when it was taken back, and the one in its place, if there is one, came too late to sound.
    mutating func stray(_ frame: Int64) { strays.append(frame) }

    /// Takes over what can no longer be taken back.
    mutating func take(_ clicks: [HandedClick], _ timeline: Timeline) {
        for click in clicks where click.click >= 0 {
            waiting.append((click, timeline[click.bar], click.inner == 0 ? flags : []))
            if click.inner == 0 { flags = [] }
        }
    }

    /// Writes what has been heard by now.
    mutating func write(heardBefore reading: OutputReading, _ clock: CardClock) {
        var count = 0
        for var row in waiting {
            guard row.click.isLost || row.click.position.frame < reading.heardFrame else { break }
            let frame = row.click.position.frame
            // One that was handed out anew for its own place has sounded all the same.
            let hasSounded = strays.contains(frame)
            strays.removeAll { $0 == frame }
            // Only now: that a click came too late to be played is known when its frame has passed.
            if !hasSounded, silences.contains(where: { $0.contains(frame) }) { row.click.isLost = true }
            if row.click.inner == 0, strays.contains(where: { $0 < frame }) {
                row.flags.insert(.stray)
                strays.removeAll { $0 < frame }
            }
            if row.click.isLost { lost += 1 }
            // What sounds inside a bar counts, but has no row.
            if row.click.inner == 0 { write?(BoundaryLog.row(row.click, row.bar, row.flags, clock)) }
            count += 1
        }
        waiting.removeFirst(count)
        silences.removeAll { $0.upperBound < reading.heardFrame }
    }

    private static func row(
        _ click: HandedClick, _ bar: TimedBar, _ flags: TimingRow.Flags, _ clock: CardClock
    ) -> TimingRow {
        var heard: Duration?
        var uncertainty = 0.0
        if !click.isLost {
            // Without a card frames pass by the clock itself.
            heard = click.time
            if let origin = clock.origin {
                let time = clock.model.time(of: click.position)
                heard = Duration(attoseconds: Int128(((time - origin) * 1000).rounded()) * 1_000_000)
                uncertainty = clock.model.uncertainty(at: Int64(time)) * 1e6
            }
        }
        return TimingRow(
            index: bar.index + 1, label: bar.label, nominal: click.time, heard: heard, position: click.position,
            ratePPM: clock.origin == nil ? 0 : clock.model.deviationPPM, uncertaintyMicroseconds: uncertainty,
            flags: click.isLate && !click.isLost ? flags.union(.late) : flags)
    }
}
