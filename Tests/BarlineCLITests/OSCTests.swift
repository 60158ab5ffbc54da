internal import Foundation
internal import Cables
internal import Glibc
internal import Shared
internal import Synchronization
internal import Testing

/// A UDP socket of this machine.
private final class Receiver: Sendable {
    private let descriptor: Int32
    let port: UInt16

    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var address = Receiver.address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
            }
        }
        try #require(bound)
        self.descriptor = descriptor
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    /// All messages that have arrived.
    func messages() -> [OSCMessage] {
        var found: [OSCMessage] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, 0)
            guard count > 0 else { return found }
            found += OSCMessage.read(Array(bytes[..<count])) ?? []
        }
    }

    /// Sends a datagram to another port.
    func send(_ bytes: [UInt8], to port: UInt16) {
        var address = Receiver.address(port: port)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

/// OSC to and from other machines.
@Suite struct OSCTests {
    @Test(
        "--osc tells two receivers each bar with its line, label and cue, and the end",
        arguments: [[], ["--osc-ahead", "300ms"]])
    func tells(options: [String]) async throws {
        let scratch = try Scratch()
        try scratch.write("small.yaml", SampleTexts.small)
        let (one, two) = (try Receiver(), try Receiver())
        let played = try await Program.run(
            ["play", "small.yaml", "--device", "null", "--osc", "127.0.0.1:\(one.port)", "--osc", "\(two.port)"]
                + options,
            in: scratch)
        #expect(played.code == 0, "\(played.errors)")
        let messages = one.messages()
        #expect(two.messages() == messages)
        func values(_ name: String) -> [[OSCMessage.Value]] {
            messages.filter { $0.address == "/barline/" + name }.map(\.values)
        }
        #expect(
            values("bar").map { Array($0.prefix(3)) } == [
                [.int(1), .int(1), .int(1)], [.int(1), .int(2), .int(2)], [.int(2), .int(1), .int(3)],
                [.int(2), .int(2), .int(4)],
            ])
        #expect(values("line") == [[.int(1)], [.int(2)]])
        #expect(values("label") == [[.string("A")], [.string("say \"x\", y")], [.string("日本")]])
        #expect(values("cue") == [[.string("Go")]])
        #expect(values("state").last == [.string("ended")])
    }

    @Test("a room that hears the music late is told of each bar, too, to the last one")
    func late() async throws {
        let scratch = try Scratch()
        try scratch.write("small.yaml", SampleTexts.small)
        let receiver = try Receiver()
        let played = try await Program.run(
            ["play", "small.yaml", "--device", "null", "--latency", "850", "--osc", "\(receiver.port)"], in: scratch)
        #expect(played.code == 0, "\(played.errors)")
        #expect(receiver.messages().count { $0.address == "/barline/bar" } == 4)
    }

    @Test("a receiver that is not there is told of once, and the music plays to its end")
    func nobody() async throws {
        let scratch = try Scratch()
        try scratch.write("small.yaml", SampleTexts.small)
        let port = try Receiver().port
        let played = try await Program.run(["play", "small.yaml", "--device", "null", "--osc", "\(port)"], in: scratch)
        #expect(played.code == 0)
        let note = "note: OSC to 127.0.0.1:\(port) does not arrive (Connection refused); the music goes on"
        #expect(played.errors == "barline: \(note)\n")
    }

    @Test("--osc-in carries out the commands of keys; 10 000 hostile datagrams change nothing")
    func obeys() async throws {
        let scratch = try Scratch()
        try scratch.write("long.yaml", "title: Long\nlines: [[3000, 600], [900]]\n")
        let sender = try Receiver()
        let port = try Receiver().port
        let (started, start) = AsyncStream<Void>.makeStream()
        async let playing = {
            defer { start.finish() }
            return try await Program.run(
                ["play", "long.yaml", "--device", "null", "--osc-in", "\(port)"], in: scratch
            ) { _ in start.finish() }
        }()
        for await _ in started {}
        @Sendable func status() async throws -> String {
            try await Program.run(["status", "--json"], in: scratch, isAwaited: true).text
        }
        @Sendable func expect(_ words: String, after messages: [OSCMessage]) async throws {
            for message in messages { sender.send(message.bytes, to: port) }
            try await wait(for: "\(words) in the status") {
                try await status().contains(words)
            } orTell: {
                try await status()
            }
        }
        try await expect("\"playing\"", after: [])
        try await expect("\"paused\"", after: [OSCMessage("/barline/pause")])
        try await expect("\"line\": 2", after: [OSCMessage("/barline/next-line", [.float(1)])])
        /// The music, without the delay of commands, which follows what the machine does.
        func music() async throws -> String {
            let parts = try await status().components(separatedBy: ", ")
            return parts.filter { !$0.hasPrefix("\"command_delay_s\"") }.joined(separator: ", ")
        }
        let before = try await music()
        var random = Seeded(state: 7)
        let good = OSCMessage("/barline/previous-line", [.int(1)]).bytes
        for round in 0..<10_000 {
            var bytes = (0..<random.int(0...64)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            if round % 2 == 0 { bytes = Array(good.dropLast(random.int(1...4))) }
            sender.send(bytes, to: port)
        }
        let after = try await music()
        #expect(after == before, "\(before)\(after)")
        // The system drops datagrams of such a flood, so this one is sent until it arrives.
        try await wait(for: "the place in the status") {
            sender.send(OSCMessage("/barline/go-to", [.string("1.2")]).bytes, to: port)
            return try await status().contains("\"line\": 1, \"bar\": 2,")
        } orTell: {
            try await status()
        }
        sender.send(OSCMessage("/barline/quit").bytes, to: port)
        let played = try await playing
        #expect(played.code == 0, "\(played.errors)")
    }

    @Test("settings open OSC for every performance, and what they name may be missing")
    func settings() async throws {
        let scratch = try Scratch()
        try scratch.write("small.yaml", SampleTexts.small)
        let (one, two) = (try Receiver(), try Receiver())
        for words in [["osc", "127.0.0.1:\(one.port) \(two.port)"], ["osc-in", "\(one.port)"]] {
            #expect(try await Program.run(["config"] + words, in: scratch).code == 0)
        }
        let played = try await Program.run(["play", "small.yaml", "--device", "null"], in: scratch)
        let taken = "--osc-in: nothing can be received at '127.0.0.1:\(one.port)'"
        #expect(played.code == 0 && played.errors == "barline: note: \(taken); the music goes on\n", "\(played.errors)")
        let (first, second) = (one.messages(), two.messages())
        #expect(first == second && first.count { $0.address == "/barline/bar" } == 4)
        let doctor = try await Program.run(["doctor", "--no-sound", "--json"], in: scratch).text
        #expect(doctor.contains("nothing can be received at '127.0.0.1:\(one.port)'"))
        let asked = try await Program.run(
            ["play", "small.yaml", "--device", "null", "--osc-in", "\(one.port)"], in: scratch)
        #expect(asked.code == 64 && asked.errors == "barline: error: \(taken)\n")
        let off = try await Program.run(
            ["play", "small.yaml", "--device", "null", "--osc", "off", "--osc-in", "off"], in: scratch)
        #expect(off.code == 0 && off.errors.isEmpty && one.messages().isEmpty)
    }

    @Test("the doctor tells each message that arrives once, and what it means; the player of the port keeps it")
    func doctor() async throws {
        let scratch = try Scratch()
        let (sender, free) = (try Receiver(), try Receiver().port)
        #expect(try await Program.run(["config", "osc-in", "\(free)"], in: scratch).code == 0)
        let heard = try await Program.run(["doctor", "--cables", "1h"], in: scratch) { running in
            for address in ["/barline/pause", "/barline/open", "/lights/go"] {
                sender.send(OSCMessage(address, [.int(0)]).bytes, to: free)
            }
            if running.text.contains("/lights/go") { running.sendOnce(SIGINT) }
        }
        #expect(heard.code == 0 && heard.errors == "listening; press buttons, and send OSC; Ctrl-C ends\n")
        let lines = heard.text.split(separator: "\n").filter { $0.contains("OSC in") }
        #expect(
            lines.sorted() == [
                "  note    OSC in: '/lights/go' arrives, and means nothing",
                "  ok      OSC in: '/barline/open' arrives, and means open",
                "  ok      OSC in: '/barline/pause' arrives, and means pause",
            ], "\(heard.text)")
        let silent = try await Program.run(["doctor", "--cables", "10ms", "--json"], in: scratch)
        #expect(
            silent.code == 0 && silent.text.contains("\"OSC in\", \"seen\": \"nothing has arrived\""), "\(silent.text)")
        #expect(try await Program.run(["config", "osc-in", "\(sender.port)"], in: scratch).code == 0)
        let taken = try await Program.run(["doctor", "--cables", "10ms"], in: scratch)
        #expect(taken.text.contains("nothing can be received at '127.0.0.1:\(sender.port)'"), "\(taken.text)")
        let none = try await Program.run(["doctor", "--cables", "10ms"], in: try Scratch())
        #expect(none.text.contains("the setting osc-in names no port"), "\(none.text)")
        let both = try await Program.run(["doctor", "--cables", "10ms", "--latency"], in: scratch)
        #expect(both.code == 64)
    }

    @Test("messages of a score that go nowhere are named, and those of another voice, too")
    func nowhere() async throws {
        let scratch = try Scratch()
        try scratch.write(
            "duo.yaml",
            """
            voices:
              flute: {lines: [{bars: [0.1, {duration: 0.1, send: /go}]}]}
              oboe: {lines: [{bars: [{duration: 0.2, send: midi program 5}]}]}

            """)
        let (osc, midi) = (
            "barline: note: the score sends OSC, and no --osc HOST:PORT says where to: nothing is sent\n",
            "barline: note: the score sends MIDI, and no --midi PORT says where to: nothing is sent\n"
        )
        let nowhere = try await Program.run(["play", "duo.yaml", "--device", "null"], in: scratch)
        #expect(nowhere.code == 0 && nowhere.errors == osc + midi, "\(nowhere.errors)")
        let receiver = try Receiver()
        let there = try await Program.run(
            ["play", "duo.yaml", "--device", "null", "--osc", "127.0.0.1:\(receiver.port)"], in: scratch)
        #expect(there.code == 0 && there.errors == midi, "\(there.errors)")
        #expect(receiver.messages().contains { $0.address == "/go" })
    }

    @Test("--osc-in opens a score of the list by its name, and no file")
    func opens() async throws {
        let scratch = try Scratch()
        try scratch.write("long.yaml", "title: Long\nlines: [[3000, 600], [900]]\n")
        let sender = try Receiver()
        let port = try Receiver().port
        async let playing = Program.run(
            ["play", "long.yaml", "--device", "null", "--osc-in", "\(port)"], in: scratch)
        @Sendable func expect(_ words: String, sending message: OSCMessage? = nil) async throws {
            try await wait(for: "\(words) in the status") {
                if let message { sender.send(message.bytes, to: port) }
                return try await Program.run(["status", "--json"], in: scratch, isAwaited: true).text.contains(words)
            }
        }
        try await expect("\"title\": \"Long\"")
        for name in ["../long.yaml", "long.yaml", "/etc/passwd", "", String(repeating: "x", count: 101)] {
            sender.send(OSCMessage("/barline/open", [.string(name)]).bytes, to: port)
        }
        sender.send(OSCMessage("/barline/open", [.int(1)]).bytes, to: port)
        try await expect("\"paused\"", sending: OSCMessage("/barline/halt"))
        try await expect("\"title\": \"Long\"")
        try await expect("Sequenza", sending: OSCMessage("/barline/open", [.string("sequenza-vii")]))
        sender.send(OSCMessage("/barline/quit").bytes, to: port)
        let played = try await playing
        #expect(played.code == 0 && played.errors.contains("barline: note: OSC: there is no score '../long.yaml'\n"))
        #expect(!played.errors.contains("passwd") || played.errors.contains("there is no score '/etc/passwd'"))
    }

    @Test(
        "an address that is none is an error",
        arguments: [
            ("--osc", "desk", "'desk' is not a host and a port, for example 192.168.1.20:9000"),
            ("--osc", "::1:9000", "an IPv6 address stands in brackets, for example [::1]:9000"),
            ("--osc-in", "127.0.0.1:0", "'127.0.0.1:0' is not a host and a port, for example 192.168.1.20:9000"),
        ])
    func addresses(option: String, value: String, why: String) async throws {
        let outcome = try await Program.run(
            ["play", "metronome", "--device", "null", option, value], in: try Scratch())
        #expect(outcome.code == 64 && outcome.errors.contains(why), "\(outcome.errors)")
    }
}
