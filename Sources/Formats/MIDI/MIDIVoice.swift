internal import Glibc
internal import Scores

/// Makes the track of a voice: its clicks and, if it is one of several, its name, labels and cues.
enum MIDIVoice {
    /// The bytes of the track of a voice on a grid that is another voice's own, up to a tick or to its last bar. It is nil
    /// if it is over or has not begun.
    static func track(named name: String, of voice: PlayedScore?, _ grid: MIDIGrid, end: Int64) -> [UInt8] {
        var (track, cursor, tick) = (MIDITrack(), MIDIGrid.Cursor(), Int64(0))
        track.add(meta: 0x03, Array((name.isEmpty ? "Clicks" : name).utf8), at: 0)
        for n in 0..<(voice?.barCount ?? 0) {
            guard let bar = voice?.bar(n) else { break }
            let notes = notes(bar).filter { bar.hears($0.offset) }
            let times = notes.map { bar.start + $0.offset } + [bar.start + bar.heard.upperBound]
            let ticks = times.map { cursor.tick(at: $0, in: grid) }
            if !name.isEmpty, bar.heard.lowerBound == .zero {
                for text in [bar.title, bar.written.cue] where !text.isEmpty {
                    track.add(meta: 0x01, Array(text.utf8), at: ticks[0])
                }
            }
            for (index, note) in notes.enumerated() where note.velocity > 0 && ticks[index + 1] > ticks[index] {
                track.add([0x99, note.key, note.velocity], at: ticks[index])
                track.add([0x89, note.key, 64], at: min(ticks[index] + grid.division / 8, ticks[index + 1]))
            }
            tick = ticks[notes.count]
        }
        track.add(meta: 0x2F, [], at: max(end, tick))
        return track.bytes
    }

    /// The clicks of a bar after its beginning, at which there is always one, though it may be silent (velocity 0).
    /// Claves for the first bar of a line, a high wood block for bars and accents, a low one for beats.
    private static func notes(_ bar: PlayedBar) -> [(offset: Duration, key: UInt8, velocity: UInt8)] {
        let isLine = bar.bar == 1
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
