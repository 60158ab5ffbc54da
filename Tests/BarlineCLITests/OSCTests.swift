internal import Cables
internal import Glibc
internal import Shared
internal import Testing

/// OSC from other machines, as the doctor hears it.
@Suite struct OSCTests {
    @Test("the doctor tells each message that arrives once, and what it means; the player of the port keeps it")
    func doctor() async throws {
        let scratch = try Scratch()
        let (sender, free) = (try DatagramSocket(), try DatagramSocket().port)
        #expect(try await Program.run(["config", "osc-in", "\(free)"], in: scratch).code == 0)
        let heard = try await Program.run(["doctor", "--cables", "1h"], in: scratch) { running in
            for (address, values) in [
                ("/barline/pause", [.int(1)]), ("/barline/pause", [.float(0)]), ("/barline/open", [.string("x")]),
                ("/barline/open", []), ("/barline/go-to", [.string(String(repeating: "5", count: 150))]),
                ("/lights/go", [.int(0)]),
            ] as [(String, [OSCMessage.Value])] {
                sender.send(OSCMessage(address, values).bytes, to: free)
            }
            if running.text.contains("/lights/go") { running.sendOnce(SIGINT) }
        }
        #expect(heard.code == 0 && heard.errors == "listening; press buttons, and send OSC; Ctrl-C ends\n")
        let lines = heard.text.split(separator: "\n").filter { $0.contains("OSC in") }
        #expect(
            lines.sorted() == [
                "  note    OSC in: '/barline/go-to 55555555555555555555' arrives, and means nothing",
                "  note    OSC in: '/barline/open' arrives, and means nothing",
                "  note    OSC in: '/barline/pause 0.0' arrives, and means nothing",
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
}
