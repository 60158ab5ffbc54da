internal import Languages
internal import Scores

/// The timing information of a Standard MIDI File: tempos, meters and texts, by tick.
///
/// Source: "Standard MIDI Files 1.0", MIDI Manufacturers Association, RP-001.
struct MIDIFile {
    /// An event at a tick; `place` is its byte in the file.
    struct Event<Value> {
        var tick: Int64
        var value: Value
        var place: Int
    }

    /// A marker or a cue point.
    struct Text {
        var text: String
        /// Whether it is a cue point, not a marker.
        var isCue: Bool
    }

    /// Ticks per quarter.
    private(set) var division: Int64 = 0
    private(set) var title = ""
    /// The timecode of the start; nil if the file has none.
    private(set) var timecode: Timecode?
    /// Microseconds per quarter.
    private(set) var tempi: [Event<Int64>] = []
    private(set) var meters: [Event<MIDIMeter>] = []
    private(set) var texts: [Event<Text>] = []
    /// Tempos that Barline has written exactly; nil where `tempi` hold again.
    private(set) var exactTempi: [Event<Fraction?>] = []
    /// Events without timing information: their number, and the place of the first.
    private(set) var others: (count: Int, first: Int) = (0, 0)
    /// The last tick of all tracks.
    private(set) var end: Int64 = 0

    /// The maximum number of events with timing information.
    static let eventLimit = 200_000

    /// Reads a file. Errors: the file is truncated or broken.
    init(_ bytes: [UInt8], _ log: inout DiagnosticLog) throws(Problem) {
        var reader = MIDIBytes(bytes: bytes, end: bytes.count)
        guard try reader.tag() == "MThd" else {
            throw Problem(0, localized("this is not a Standard MIDI File: it does not begin with MThd"))
        }
        let headerLength = try reader.number(of: 4)
        guard headerLength >= 6 else {
            throw Problem(4, localized("the header of the file is broken: it is \(headerLength) bytes long, not 6"))
        }
        guard headerLength <= bytes.count - reader.position else {
            throw Problem(
                4,
                localized(
                    "the file is cut off: its header has \(headerLength) bytes, but only "
                        + "\(bytes.count - reader.position) follow"))
        }
        let behindHeader = reader.position + headerLength
        let format = try reader.number(of: 2)
        guard format < 2 else {
            throw Problem(
                8, localized("the tracks of files of format \(format) are independent"),
                hint: localized("save it as format 1"))
        }
        let trackCount = try reader.number(of: 2)
        let division = try reader.number(of: 2)
        guard division & 0x8000 == 0 else {
            throw Problem(
                12, localized("the file counts film frames (SMPTE), not quarters"),
                hint: localized("save it with ticks per quarter"))
        }
        guard division > 0 else { throw Problem(12, localized("a quarter cannot have 0 ticks")) }
        self.division = Int64(division)
        reader.position = behindHeader
        var read = 0
        while read < trackCount {
            guard reader.position < bytes.count else {
                throw Problem(bytes.count, localized("the file is cut off: it has \(read) tracks of \(trackCount)"))
            }
            let start = reader.position
            let tag = try reader.tag()
            let length = try reader.number(of: 4)
            guard length <= bytes.count - reader.position else {
                throw Problem(
                    start,
                    localized(
                        "the file is cut off: a chunk of \(length) bytes begins here, but only "
                            + "\(bytes.count - reader.position) follow"))
            }
            let next = reader.position + length
            if tag == "MTrk" {
                try readTrack(MIDIBytes(bytes: bytes, position: reader.position, end: next), isFirst: read == 0, &log)
                read += 1
            }
            reader.position = next
        }
        if reader.position < bytes.count {
            log.warning(
                at: reader.position..<reader.position + 1,
                localized("\(bytes.count - reader.position) bytes after the last track are left out"))
        }
        // In the order of time; of several events at the same tick, the one read last takes effect.
        tempi.sort { $0.tick < $1.tick }
        meters.sort { $0.tick < $1.tick }
        texts.sort { $0.tick < $1.tick }
        exactTempi.sort { $0.tick < $1.tick }
    }

    private mutating func readTrack(
        _ track: MIDIBytes, isFirst: Bool, _ log: inout DiagnosticLog
    ) throws(Problem) {
        var reader = track
        var tick: Int64 = 0
        var running: UInt8?
        while reader.position < track.end {
            tick += Int64(try reader.variableNumber())
            let start = reader.position
            var status = try reader.byte()
            if status < 0x80 {
                guard let last = running else {
                    throw Problem(start, localized("the byte 0x\(String(status, radix: 16)) is not an event"))
                }
                status = last
                reader.position = start
            }
            switch status {
            case 0x80..<0xF0:
                running = status
                let count = (0xC0..<0xE0).contains(status) ? 1 : 2
                for _ in 0..<count {
                    let place = reader.position
                    guard try reader.byte() < 0x80 else {
                        throw Problem(place, localized("this event is broken: a data byte must be below 128"))
                    }
                }
                countOther(at: start)
            // Meta and SysEx events should end running status, but not every program follows this: keep it.
            case 0xF0, 0xF7:
                _ = try reader.block()
                countOther(at: start)
            case 0xFF:
                let kind = try reader.byte()
                let content = track.bytes[try reader.block()]
                if kind == 0x2F {
                    end = max(end, tick)
                    return
                }
                try take(kind, content, tick, start, isFirst: isFirst)
            default:
                throw Problem(start, localized("the byte 0x\(String(status, radix: 16)) is not an event of a file"))
            }
        }
        log.warning(
            at: track.end - 1..<track.end, localized("this track has no end event; it ends at its last event"))
        end = max(end, tick)
    }

    private mutating func countOther(at place: Int) {
        if others.count == 0 { others.first = place }
        others.count += 1
    }

    /// Takes a meta event; keeps it if it is about time.
    private mutating func take(
        _ kind: UInt8, _ content: ArraySlice<UInt8>, _ tick: Int64, _ place: Int, isFirst: Bool
    ) throws(Problem) {
        switch kind {
        case 0x51:
            guard content.count == 3 else {
                throw Problem(place, localized("a tempo has 3 bytes, not \(content.count)"))
            }
            let tempo = content.reduce(Int64(0)) { $0 << 8 | Int64($1) }
            guard tempo > 0 else { throw Problem(place, localized("a quarter of 0 µs is not a tempo")) }
            tempi.append(Event(tick: tick, value: tempo, place: place))
        case 0x58:
            guard content.count >= 2 else {
                throw Problem(place, localized("a time signature has 4 bytes, not \(content.count)"))
            }
            let meter = MIDIMeter(
                beats: Int64(content[content.startIndex]), power: Int(content[content.startIndex + 1]))
            guard meter.beats > 0, meter.power <= 10 else {
                throw Problem(
                    place, localized("a time signature must have 1 to 255 beats, from whole notes to 1024ths"))
            }
            meters.append(Event(tick: tick, value: meter, place: place))
        case 0x06, 0x07:
            let text = MIDIFile.text(content)
            if !text.isEmpty {
                texts.append(Event(tick: tick, value: Text(text: text, isCue: kind == 0x07), place: place))
            }
        case 0x03:
            if isFirst, title.isEmpty { title = MIDIFile.text(content) }
        case 0x7F:
            if let tempo = MIDIExactTempo.read(Array(content.prefix(64))) {
                exactTempi.append(Event(tick: tick, value: tempo, place: place))
            }
        case 0x54: timecode = timecode ?? MIDITimecode.read(Array(content.prefix(8)))
        case 0x00...0x0F, 0x20, 0x21, 0x59: break
        default: countOther(at: place)
        }
        guard max(exactTempi.count, tempi.count + meters.count + texts.count) <= MIDIFile.eventLimit else {
            throw Problem(place, localized("a MIDI file has at most 200 000 tempi, meters and markers"))
        }
    }

    /// A text as UTF-8 or, if it is not valid, Windows-1252: one line of at most 200 characters, without control
    /// characters.
    private static func text(_ content: ArraySlice<UInt8>) -> String {
        let text = SourceText(Array(content), file: "").transcoded
        return TextRule.cleaned(text.text(0..<text.bytes.count)).trimmingBlanks
    }
}

/// Reads bytes of a MIDI file, up to `end`.
struct MIDIBytes {
    let bytes: [UInt8]
    var position = 0
    let end: Int

    mutating func byte() throws(Problem) -> UInt8 {
        guard position < end else {
            let isFile = end == bytes.count
            throw Problem(
                end, isFile ? localized("the file is cut off here") : localized("the track ends within an event"))
        }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads a big-endian number.
    mutating func number(of count: Int) throws(Problem) -> Int {
        var number = 0
        for _ in 0..<count { number = number << 8 | Int(try byte()) }
        return number
    }

    /// Reads a number with 7 bits per byte; every byte except the last has its highest bit set.
    mutating func variableNumber() throws(Problem) -> Int {
        let start = position
        var number = 0
        for _ in 0..<4 {
            let byte = try byte()
            number = number << 7 | Int(byte & 0x7F)
            if byte < 0x80 { return number }
        }
        throw Problem(start, localized("a number has more than 4 bytes"))
    }

    /// Reads a length and skips that many bytes; returns their range.
    mutating func block() throws(Problem) -> Range<Int> {
        let start = position
        let length = try variableNumber()
        guard length <= end - position else {
            throw Problem(
                start, localized("the file is cut off: expected \(length) bytes, but only \(end - position) follow"))
        }
        defer { position += length }
        return position..<position + length
    }

    mutating func tag() throws(Problem) -> String {
        var tag = ""
        for _ in 0..<4 { tag.unicodeScalars.append(Unicode.Scalar(try byte())) }
        return tag
    }
}
