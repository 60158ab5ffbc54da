internal import Scores

/// Writes a Standard MIDI File of format 1: a track with the tempo map, meters, markers and cue points of the leading
/// voice, and a track for each voice with its clicks, on channel 10.
///
/// Tempi and meters are those of `MIDIGrid`. Clicks, markers, cue points and the end are at the tick that is nearest to
/// their time. Labels and cues of the other voices are texts in their tracks, as only the leading voice has bars.
struct MIDIWriter {
    private let grid: MIDIGrid
    private let played: PlayedScore
    private var conductor = MIDITrack()
    /// How many changes of the grid are in the conductor's track.
    private var written = 0
    private var cursor = MIDIGrid.Cursor()
    private var line = 0
    private var tick: Int64 = 0
    /// The hits of the other voices that are still to come.
    private var hits: ArraySlice<(time: Duration, text: String)> = []
    /// The number of the next bar, as it follows from the markers.
    private var nextNumber: Int?

    static func write(_ played: PlayedScore, _: WritingOptions, _ losses: inout Losses) -> [UInt8] {
        var grid = MIDIGrid()
        for bar in played.bars { grid.add(bar, &losses) }
        var writer = MIDIWriter(grid: grid, played: played)
        if let title = played.score.title { writer.conductor.add(meta: 0x03, Array(title.utf8), at: 0) }
        if let timecode = played.timecode {
            if let bytes = MIDITimecode.bytes(timecode) {
                writer.conductor.add(meta: 0x54, bytes, at: 0)
            } else {
                losses.note(Feature.timecode.loss)
            }
        }
        let voices = played.score.companions.isEmpty ? [played] : played.voices
        writer.takeHits(of: voices.filter { $0.score.voice.name != played.score.voice.name })
        for bar in played.bars { writer.add(bar) }
        let end = writer.tick
        writer.addChanges(to: end)
        writer.conductor.add(meta: 0x2F, [], at: end)
        // A voice that is over, or has not begun, keeps its track, so that parts of a piece have the same ones.
        let names = played.score.companions.isEmpty ? [played.score.voice.name] : played.score.voiceNames
        let tracks =
            [writer.conductor.bytes]
            + names.map { name in
                let voice = voices.first { $0.score.voice.name == name }
                return MIDIVoice.track(named: name, of: voice, grid, end: end)
            }
        let header: [UInt8] = [0, 1, 0, UInt8(tracks.count), UInt8(grid.division >> 8), UInt8(grid.division & 0xFF)]
        return tracks.reduce(into: MIDITrack.chunk("MThd", header)) { $0 += MIDITrack.chunk("MTrk", $1) }
    }

    /// Takes the hits of the other voices, whose markers have their names.
    private mutating func takeHits(of voices: [PlayedScore]) {
        let all = voices.flatMap { voice in
            voice.bars.flatMap { bar in
                bar.hits.filter { bar.hears($0.offset) }.map { hit in
                    let text = HitLabel.text(hit, in: bar, voice, name: voice.score.voice.name)
                    return (time: bar.start + hit.offset, text: text)
                }
            }
        }
        hits = all.sorted { $0.time < $1.time }[...]
    }

    /// Adds the texts of a bar that begins at the tick, and moves the tick to its end.
    private mutating func add(_ bar: PlayedBar) {
        let isLine = bar.line != line
        line = bar.line
        // The markers of lines and labels have numbers; other bars need one where their number does not follow.
        let isCounted = bar.number == nextNumber.map(BarNumber.counted)
        if case .counted(let number) = bar.number { nextNumber = number &+ 1 }
        if isLine || !bar.title.isEmpty || !isCounted { add(text: 0x06, NumberedLabels.text(bar), at: tick) }
        if !bar.written.cue.isEmpty { add(text: 0x07, bar.written.cue, at: tick) }
        let others = hits.prefix { $0.time < bar.end }
        hits = hits.dropFirst(others.count)
        let own = bar.hits.map { (time: bar.start + $0.offset, text: HitLabel.text($0, in: bar, played)) }
        for hit in (own + others).sorted(by: { $0.time < $1.time }) {
            add(text: 0x06, hit.text, at: cursor.tick(at: hit.time, in: grid))
        }
        tick = cursor.tick(at: bar.end, in: grid)
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
