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
