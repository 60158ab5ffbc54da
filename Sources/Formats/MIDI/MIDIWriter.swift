internal import Glibc
internal import Scores

/// Writes a Standard MIDI File of format 1: a track with the tempo map, meters, markers and cue points, and a track
/// with the clicks, on channel 10.
///
/// Tempi and meters are those of `MIDIGrid`. Clicks, markers, cue points and the end are at the tick that is nearest to
/// their time.
struct MIDIWriter {
    private let grid: MIDIGrid
    private var conductor = MIDITrack()
    private var clicks = MIDITrack()
    /// How many changes of the grid are in the conductor's track.
    private var written = 0
    private var cursor = MIDIGrid.Cursor()
    private var line = 0
    /// The number of the next bar, as it follows from the markers.
    private var nextNumber: Int?

    static func write(_ played: PlayedScore, _ losses: inout Losses) -> [UInt8] {
        var grid = MIDIGrid()
        for bar in played.bars { grid.add(bar, &losses) }
        var writer = MIDIWriter(grid: grid)
        writer.conductor.add(meta: 0x03, Array((played.score.title ?? "Barline").utf8), at: 0)
        writer.clicks.add(meta: 0x03, Array("Clicks".utf8), at: 0)
        if let timecode = played.timecode {
            if let bytes = MIDITimecode.bytes(timecode) {
                writer.conductor.add(meta: 0x54, bytes, at: 0)
            } else {
                losses.note(ScoreFeature.timecode.loss)
            }
        }
        var tick: Int64 = 0
        for bar in played.bars { writer.add(bar, from: &tick) }
        writer.addChanges(to: tick)
        writer.conductor.add(meta: 0x2F, [], at: tick)
        writer.clicks.add(meta: 0x2F, [], at: tick)
        let division = MIDIGrid.division
        let header: [UInt8] = [0, 1, 0, 2, UInt8(division >> 8), UInt8(division & 0xFF)]
        return MIDITrack.chunk("MThd", header) + MIDITrack.chunk("MTrk", writer.conductor.bytes)
            + MIDITrack.chunk("MTrk", writer.clicks.bytes)
    }

    /// Adds the texts and clicks of a bar that begins at a tick, and moves the tick to its end.
    private mutating func add(_ bar: PlayedBar, from tick: inout Int64) {
        let isLine = bar.line != line
        line = bar.line
        // The markers of lines and labels have numbers; other bars need one where their number does not follow.
        let isCounted = bar.number == nextNumber.map(BarNumber.counted)
        if case .counted(let number) = bar.number { nextNumber = number &+ 1 }
        if isLine || !bar.title.isEmpty || !isCounted { add(text: 0x06, NumberedLabels.text(bar), at: tick) }
        if !bar.written.cue.isEmpty { add(text: 0x07, bar.written.cue, at: tick) }
        var ticks = [tick]
        let notes = MIDIWriter.notes(bar, isLine: isLine)
        for note in notes.dropFirst() { ticks.append(cursor.tick(at: bar.start + note.offset, in: grid)) }
        tick = cursor.tick(at: bar.end, in: grid)
        ticks.append(tick)
        for (index, note) in notes.enumerated() where note.velocity > 0 && ticks[index + 1] > ticks[index] {
            clicks.add([0x99, note.key, note.velocity], at: ticks[index])
            clicks.add([0x89, note.key, 64], at: min(ticks[index] + MIDIGrid.division / 8, ticks[index + 1]))
        }
    }

    private mutating func add(text kind: UInt8, _ text: String, at tick: Int64) {
        addChanges(to: tick)
        conductor.add(meta: kind, Array(text.utf8), at: tick)
    }

    /// Adds the changes of the grid up to a tick, this tick included.
    private mutating func addChanges(to end: Int64) {
        while written < grid.changes.count, grid.changes[written].tick <= end {
            let (tick, change) = grid.changes[written]
            switch change {
            case .exactTempo(let tempo): conductor.add(meta: 0x7F, MIDIExactTempo.bytes(tempo), at: tick)
            case .meter(let meter):
                conductor.add(meta: 0x58, [UInt8(meter.beats), UInt8(meter.power), 24, 8], at: tick)
            case .tempo(let tempo):
                let bytes = [UInt8(tempo >> 16), UInt8(tempo >> 8 & 0xFF), UInt8(tempo & 0xFF)]
                conductor.add(meta: 0x51, bytes, at: tick)
            }
            written += 1
        }
    }

    /// The clicks of a bar after its beginning, at which there is always one, though it may be silent (velocity 0).
    /// Claves for the first bar of a line, a high wood block for bars and accents, a low one for beats.
    private static func notes(_ bar: PlayedBar, isLine: Bool) -> [(offset: Duration, key: UInt8, velocity: UInt8)] {
        let click = bar.written.details.click
        let gain = pow(10, (click?.decibels ?? 0) / 40)
        func velocity(_ usual: Double) -> UInt8 { UInt8(min(max((usual * gain).rounded(), 1), 127)) }
        var notes: [(offset: Duration, key: UInt8, velocity: UInt8)] = [
            (.zero, isLine ? 75 : 76, bar.isSilent ? 0 : velocity(isLine ? 120 : 110))
        ]
        if click?.isSilent ?? false { return notes }
        for beat in bar.beats where beat.isHeard && beat.offset > .zero && beat.offset < bar.duration {
            switch beat.stress {
            case .accent: notes.append((beat.offset, 76, velocity(100)))
            case .beat: notes.append((beat.offset, 77, velocity(85)))
            case .subdivision: notes.append((beat.offset, 77, velocity(55)))
            case .silent: break
            }
        }
        return notes
    }
}

/// The bytes of a track.
struct MIDITrack {
    private(set) var bytes: [UInt8] = []
    private var last: Int64 = 0

    /// Adds an event at a tick, which must not be before the last one.
    mutating func add(_ event: [UInt8], at tick: Int64) {
        let longest: Int64 = 0xFFF_FFFF
        // If the wait is too long for one number, split it with empty texts.
        while tick - last > longest {
            bytes += [0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0x01, 0x00]
            last += longest
        }
        bytes += MIDITrack.variable(tick - last) + event
        last = tick
    }

    mutating func add(meta kind: UInt8, _ content: [UInt8], at tick: Int64) {
        add([0xFF, kind] + MIDITrack.variable(Int64(content.count)) + content, at: tick)
    }

    static func chunk(_ tag: String, _ content: [UInt8]) -> [UInt8] {
        Array(tag.utf8) + [24, 16, 8, 0].map { UInt8(content.count >> $0 & 0xFF) } + content
    }

    private static func variable(_ number: Int64) -> [UInt8] {
        var groups = [UInt8(number & 0x7F)]
        var rest = number >> 7
        while rest > 0 {
            groups.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return groups.reversed()
    }
}
