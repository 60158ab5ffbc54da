internal import Glibc
internal import Scores

/// Writes a Standard MIDI File of format 1: a track with the tempo map, meters, markers and cue points, and a track
/// with the clicks, on channel 10.
///
/// A quarter has 960 ticks. Every boundary is on a tick whose time is accurate to 20 µs, and errors do not accumulate.
/// Tempos are whole microseconds per quarter: at 92 quarters per minute, each quarter is 0.087 µs late. A steady tempo
/// keeps its event until a beat would be more than 20 µs off; this beat is then written 40 µs shorter or longer, so that
/// the next ones have the whole way from -20 µs to 20 µs again. No division of the quarter can avoid that: a quarter has
/// all its ticks, so it lasts a whole number of microseconds. Steady tempos are therefore also written exactly, in an
/// event that Barline reads.
struct MIDIWriter {
    private var conductor = MIDITrack()
    private var clicks = MIDITrack()
    /// The current position in ticks, and the time of that tick in 960ths of a microsecond.
    private var tick: Int64 = 0
    private var time: Int128 = 0
    private var tempo: Int64 = 0
    private var meter: MIDIMeter?
    /// The exact tempo that has been written, in quarters per minute; nil if the tempo events say it.
    private var exactTempo: Fraction?
    private var line = 0

    /// Ticks per quarter.
    static let division: Int64 = 960
    /// The longest quarter that a MIDI file can express.
    static let longestQuarter = Duration.microseconds(0xFFFFFF)

    static func write(_ played: PlayedScore, _ losses: inout Losses) -> [UInt8] {
        var writer = MIDIWriter()
        writer.conductor.add(meta: 0x03, Array((played.score.title ?? "Barline").utf8), at: 0)
        writer.clicks.add(meta: 0x03, Array("Clicks".utf8), at: 0)
        if let timecode = played.timecode {
            if let bytes = MIDITimecode.bytes(timecode) {
                writer.conductor.add(meta: 0x54, bytes, at: 0)
            } else {
                losses.note(ScoreFeature.timecode.loss)
            }
        }
        for index in 0..<played.barCount { writer.add(played.bar(index), &losses) }
        writer.conductor.add(meta: 0x2F, [], at: writer.tick)
        writer.clicks.add(meta: 0x2F, [], at: writer.tick)
        let header: [UInt8] = [0, 1, 0, 2, UInt8(division >> 8), UInt8(division & 0xFF)]
        return MIDITrack.chunk("MThd", header) + MIDITrack.chunk("MTrk", writer.conductor.bytes)
            + MIDITrack.chunk("MTrk", writer.clicks.bytes)
    }

    private mutating func add(_ bar: PlayedBar, _ losses: inout Losses) {
        let layout = MIDIBar(bar)
        if let loss = layout.loss { losses.note(loss, at: bar.place) }
        if layout.exactTempo != exactTempo {
            exactTempo = layout.exactTempo
            conductor.add(meta: 0x7F, MIDIExactTempo.bytes(exactTempo), at: tick)
        }
        addTexts(bar)
        addClicks(bar, layout)
        for part in layout.meters {
            if part.meter != meter {
                let meta = [UInt8(part.meter.beats), UInt8(part.meter.power), 24, 8]
                conductor.add(meta: 0x58, meta, at: tick + part.tick)
                meter = part.meter
            }
        }
        for (anchor, next) in zip(layout.anchors, layout.anchors.dropFirst()) {
            go(ticks: next.tick - anchor.tick, in: next.offset - anchor.offset, until: bar.start + next.offset)
        }
        line = bar.line
    }

    /// Advances by a number of ticks that last `length`, up to the time `end`: at the tempo nearest to that length if it
    /// comes within 20 µs of that time, otherwise at another one that does.
    private mutating func go(ticks: Int64, in length: Duration, until end: Duration) {
        let tolerance = 20 * UInt128(MIDIWriter.division)
        let (target, own) = (MIDIWriter.units(end), MIDIWriter.units(length))
        let rounding = UInt128(ticks) / 2 + 1
        // A tempo halfway between two whole numbers does not change because a length was rounded to the attosecond.
        let isSteady = tempo > 0 && (Int128(ticks) * Int128(tempo) - own).magnitude <= rounding
        let usual = isSteady ? tempo : nearest(own, ticks)
        let excess = time + Int128(ticks) * Int128(usual) - target
        guard excess.magnitude > tolerance else {
            set(tempo: usual)
            return go(ticks)
        }
        // At a steady tempo, errors come from one side: go to the other side of the tolerance.
        let room = isSteady && tolerance > rounding ? Int128(tolerance - rounding) : 0
        let length = target - time - (excess > 0 ? room : -room)
        let corrected = nearest(length, ticks)
        let (below, rest) = max(length, 0).quotientAndRemainder(dividingBy: Int128(ticks))
        if (time + Int128(ticks) * Int128(corrected) - target).magnitude > tolerance, (1..<0xFFFFFF).contains(below) {
            // Errors of half a microsecond add up over many quarters: for part of the ticks, quarters last 1 µs longer.
            set(tempo: Int64(below) + 1)
            go(Int64(rest))
            set(tempo: Int64(below))
            go(ticks - Int64(rest))
        } else {
            set(tempo: corrected)
            go(ticks)
        }
    }

    /// A time in 960ths of a microsecond.
    private static func units(_ time: Duration) -> Int128 {
        time.attoseconds * Int128(division) / 1_000_000_000_000
    }

    /// The tempo at which a number of ticks comes nearest to a length in 960ths of a microsecond.
    private func nearest(_ length: Int128, _ ticks: Int64) -> Int64 {
        Int64(min(max((length + Int128(ticks) / 2) / Int128(ticks), 1), 0xFFFFFF))
    }

    private mutating func set(tempo: Int64) {
        guard tempo != self.tempo else { return }
        self.tempo = tempo
        conductor.add(meta: 0x51, [UInt8(tempo >> 16), UInt8(tempo >> 8 & 0xFF), UInt8(tempo & 0xFF)], at: tick)
    }

    private mutating func go(_ ticks: Int64) {
        time += Int128(ticks) * Int128(tempo)
        tick += ticks
    }

    private mutating func addTexts(_ bar: PlayedBar) {
        if bar.line != line || !bar.title.isEmpty {
            conductor.add(meta: 0x06, Array(NumberedLabels.text(bar).utf8), at: tick)
        }
        if !bar.written.cue.isEmpty { conductor.add(meta: 0x07, Array(bar.written.cue.utf8), at: tick) }
    }

    /// Claves for the first bar of a line, a high wood block for bars and accents, a low one for beats.
    private mutating func addClicks(_ bar: PlayedBar, _ layout: MIDIBar) {
        if bar.written.details.click?.isSilent ?? false { return }
        let gain = pow(10, (bar.written.details.click?.decibels ?? 0) / 40)
        func velocity(_ usual: Double) -> UInt8 { UInt8(min(max((usual * gain).rounded(), 1), 127)) }
        var notes: [(tick: Int64, note: UInt8, velocity: UInt8)] = []
        if !bar.isSilent { notes.append((0, bar.line != line ? 75 : 76, velocity(bar.line != line ? 120 : 110))) }
        for (beat, tick) in zip(bar.beats, layout.beatTicks) where beat.isHeard && beat.offset > .zero {
            switch beat.stress {
            case .accent: notes.append((tick, 76, velocity(100)))
            case .beat: notes.append((tick, 77, velocity(85)))
            case .subdivision: notes.append((tick, 77, velocity(55)))
            case .silent: break
            }
        }
        for (index, note) in notes.enumerated() {
            let next = index + 1 < notes.count ? notes[index + 1].tick : layout.ticks
            guard next > note.tick else { continue }
            clicks.add([0x99, note.note, note.velocity], at: tick + note.tick)
            clicks.add([0x89, note.note, 64], at: tick + min(note.tick + 120, next))
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
        let length = content.count
        return Array(tag.utf8) + [24, 16, 8, 0].map { UInt8(length >> $0 & 0xFF) } + content
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
