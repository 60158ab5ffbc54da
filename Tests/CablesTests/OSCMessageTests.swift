import Cables
import Shared
import Testing

@Suite("Messages of OSC")
struct OSCMessageTests {
    private static let messages = [
        OSCMessage("/barline/bar", [.int(3), .int(-7), .float(1.5)]), OSCMessage("/a"),
        OSCMessage("/cue/5/go", [.string("Sequenza – VII"), .string(""), .int(.max)]),
        OSCMessage("/abc", [.float(-0.25)]),
    ]

    /// Reads datagrams by python-osc, a line for each message.
    private func read(_ datagrams: [[UInt8]]) throws -> [String] {
        let file = datagrams.flatMap { bytes in
            withUnsafeBytes(of: UInt32(bytes.count).bigEndian) { Array($0) } + bytes
        }
        return try Python.run(
            """
            import struct, sys
            from pythonosc.osc_packet import OscPacket
            from pythonosc.osc_bundle import OscBundle
            data = open(sys.argv[1], "rb").read()
            while data:
                size, = struct.unpack(">I", data[:4])
                part, data = data[4:4 + size], data[4 + size:]
                tag = "%.6f" % OscBundle(part).timestamp if OscBundle.dgram_is_bundle(part) else "-"
                for timed in OscPacket(part).messages:
                    print(tag, timed.message.address, *[repr(value) for value in timed.message.params])
            """, file: file)
    }

    @Test("python-osc reads the messages that Barline makes, alone and in bundles with their time tags")
    func pythonReads() throws {
        let lines = [
            "/barline/bar 3 -7 1.5", "/a", "/cue/5/go 'Sequenza – VII' '' 2147483647", "/abc -0.25",
        ]
        #expect(try read(OSCPacket(Self.messages).datagrams) == lines.map { "- " + $0 })
        let tagged = OSCPacket(Self.messages, at: 1_795_602_000_123_456_789)
        #expect(try read(tagged.datagrams) == lines.map { "1795602000.123457 " + $0 })
    }

    @Test("Barline reads what it has made, also in bundles")
    func roundTrip() {
        for message in Self.messages { #expect(OSCMessage.read(message.bytes) == [message]) }
        #expect(OSCPacket(Self.messages, at: 5).datagrams.map(OSCMessage.read) == [Self.messages])
    }

    @Test("wide numbers are read as numbers, and values of other kinds are passed over")
    func otherKinds() {
        let address = Array("/a\0\0".utf8)
        let eight: [UInt8] = [0x40, 0x09, 0, 0, 0, 0, 0, 0]
        let kinds: [(tags: String, bytes: [UInt8], values: [OSCMessage.Value])] = [
            (",d\0\0", eight, [.float(3.125)]), (",h\0\0", [0, 0, 0, 0, 0, 0, 0, 7], [.int(7)]),
            (",h\0\0", eight, [.int(.max)]), (",h\0\0", [UInt8](repeating: 0, count: 8), [.int(0)]),
            (",tcrmi\0\0", eight + [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 0, 0, 5], [.int(5)]),
            (",bi\0", [0, 0, 0, 5, 1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0, 5], [.int(5)]),
            (",bi\0", [0, 0, 0, 0, 0, 0, 0, 5], [.int(5)]), (",[NiI]\0\0", [0, 0, 0, 5], [.int(5)]),
            (",S\0\0", Array("B\0\0\0".utf8), [.string("B")]),
        ]
        for kind in kinds {
            let bytes = address + Array(kind.tags.utf8) + kind.bytes
            #expect(OSCMessage.read(bytes) == [OSCMessage("/a", kind.values)], "\(kind.tags)")
        }
        for (tags, bytes) in [(",d\0\0", [0, 0, 0, 0]), (",b\0\0", [255, 255, 255, 255]), (",?\0\0", eight)] {
            #expect(OSCMessage.read(address + Array(tags.utf8) + bytes) == nil, "\(tags)")
        }
    }

    @Test("10 000 hostile datagrams are read or refused, and never crash the program")
    func hostile() {
        var random = Seeded(state: 40)
        let good = OSCPacket(Self.messages, at: 5).datagrams[0]
        var refused = 0
        for round in 0..<10_000 {
            var bytes: [UInt8]
            switch round % 4 {
            case 0: bytes = (0..<random.int(0...200)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            case 1: bytes = Array(good.prefix(random.int(0...good.count)))
            case 2:
                bytes = good
                for _ in 0...random.int(0...5) {
                    bytes[random.int(0...good.count - 1)] = UInt8(truncatingIfNeeded: random.next())
                }
            default: bytes = (0...random.int(0...30)).flatMap { _ in good.prefix(20) }
            }
            if OSCMessage.read(bytes) == nil { refused += 1 }
        }
        #expect(refused > 5000)
    }

    @Test("a bundle in many bundles is refused")
    func deep() {
        var bytes = OSCMessage("/barline/pause").bytes
        for depth in 0..<40 {
            let head = Array("#bundle".utf8) + [0, 0, 0, 0, 0, 0, 0, 0, 1]
            bytes = head + withUnsafeBytes(of: UInt32(bytes.count).bigEndian) { Array($0) } + bytes
            #expect((OSCMessage.read(bytes) != nil) == (depth < 4))
        }
    }
}
