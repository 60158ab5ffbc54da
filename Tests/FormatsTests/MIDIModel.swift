import Formats
import Scores
import Timing

/// A MIDI file that Barline wrote, as a reader finds it that knows nothing of Barline: byte by byte, with times in
/// microseconds from the tempo events alone.
struct MIDIModel {
    let division: Int
    private(set) var tempi: [(tick: Int, tempo: Int)] = []
    private(set) var meters: [(tick: Int, beats: Int, power: Int)] = []
    private(set) var markers: [Int] = []
    private(set) var notes: [Int] = []
    /// The last tick of each track.
    private(set) var ends: [Int] = []

    init(_ bytes: [UInt8]) {
        division = Int(bytes[12]) << 8 | Int(bytes[13])
        var at = 14
        while at < bytes.count {
            let end = at + 8 + bytes[(at + 4)..<(at + 8)].reduce(0) { $0 << 8 | Int($1) }
            readTrack(bytes, (at + 8)..<end)
            at = end
        }
    }

    private mutating func readTrack(_ bytes: [UInt8], _ range: Range<Int>) {
        var (at, tick) = (range.lowerBound, 0)
        func variable() -> Int {
            var number = 0
            repeat {
                number = number << 7 | Int(bytes[at] & 0x7F)
                at += 1
            } while bytes[at - 1] >= 0x80
            return number
        }
        while at < range.upperBound {
            tick += variable()
            guard bytes[at] == 0xFF else {
                if bytes[at] == 0x99 { notes.append(tick) }
                at += 3
                continue
            }
            let kind = bytes[at + 1]
            at += 2
            let length = variable()
            let content = bytes[at..<(at + length)]
            at += length
            switch kind {
            case 0x51: tempi.append((tick, content.reduce(0) { $0 << 8 | Int($1) }))
            case 0x58: meters.append((tick, Int(content[content.startIndex]), Int(content[content.startIndex + 1])))
            case 0x06: markers.append(tick)
            case 0x2F: ends.append(tick)
            default: break
            }
        }
    }

    /// The time of a tick in microseconds, and the length of a tick there: of the longer one where the tempo changes.
    func time(_ tick: Int) -> (time: Double, tick: Double) {
        var (time, last, longer) = (0.0, (tick: 0, tempo: 0), 0)
        for change in tempi {
            guard change.tick <= tick else { break }
            time += Double(change.tick - last.tick) * Double(last.tempo) / Double(division)
            longer = change.tick == tick ? max(change.tempo, last.tempo) : change.tempo
            last = change
        }
        time += Double(tick - last.tick) * Double(last.tempo) / Double(division)
        return (time, Double(longer) / Double(division))
    }

    /// The times of all bar lines in microseconds, as a notation program draws them.
    var barLines: [Double] {
        var (lines, tick, next, bar) = ([Double](), 0, 0, 4 * division)
        while tick < (ends.first ?? 0) - division / 1000 {
            while next < meters.count, meters[next].tick <= tick {
                bar = (4 * division * meters[next].beats) >> meters[next].power
                next += 1
            }
            lines.append(time(tick).time)
            tick += bar
        }
        return lines
    }
}

/// When something is heard in a played score, in microseconds.
func heard(_ played: PlayedScore) -> [Double] {
    (0..<played.barCount).flatMap { index in
        let bar = played.bar(index)
        let inside = bar.beats.filter {
            $0.isHeard && $0.stress != .silent && $0.offset > .zero && $0.offset < bar.duration
        }
        return (bar.isSilent ? [] : [bar.start]) + inside.map { bar.start + $0.offset }
    }.map { $0 / .microseconds(1) }
}
