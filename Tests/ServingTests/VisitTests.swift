internal import CWeb
internal import Glibc
internal import Shared
internal import Synchronization
internal import Testing

/// Connections to servers that have fallen silent, as machines do whose network is cut.
@Suite struct VisitTests {
    /// Counts its calls, and leaves at the call with this number; `begun` tells how many another visitor has counted by then.
    private final class Visitor: Sendable {
        let calls = Atomic(0)
        let last: Atomic<Int>
        let begun = Atomic(0)
        let other: Visitor?

        /// The message that it sends once the connection is open; nil if it sends none.
        let says: String?

        init(last: Int, beside other: Visitor? = nil, says: String? = nil) {
            self.last = Atomic(last)
            (self.other, self.says) = (other, says)
        }

        func visit(port: Int, patience: Int32 = 600) -> cweb_visit_end {
            var visitor = cweb_visitor(
                context: Unmanaged.passUnretained(self).toOpaque(),
                due: { context, visit in
                    guard let context else { return false }
                    let visitor = Unmanaged<Visitor>.fromOpaque(context).takeUnretainedValue()
                    let number = visitor.calls.add(1, ordering: .relaxed).newValue
                    if number == 1, let says = visitor.says { _ = cweb_visit_say(visit, says, says.utf8.count) }
                    if number < visitor.last.load(ordering: .relaxed) { return true }
                    visitor.begun.store(visitor.other?.calls.load(ordering: .relaxed) ?? 0, ordering: .relaxed)
                    return false
                },
                received: { _, _, _, _ in true })
            return "127.0.0.1".withCString { host in
                var settings = cweb_visit_settings(
                    host: host, port: Int32(port), tick_ms: 20, longest: 1 << 20, patience_seconds: patience)
                return cweb_visit_run(&settings, &visitor)
            }
        }
    }

    /// A way to a server that falls silent as soon as a connection is open.
    private final class Relay: Sendable {
        let port: Int
        private let listener: Int32

        init() throws {
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            let port = try #require(bindToFreePort(listener))
            try #require(listen(listener, 1) == 0)
            (self.listener, self.port) = (listener, Int(port))
        }

        deinit { close(listener) }

        /// Carries the opening of one connection to the server and back, and returns it: it must stay open.
        func open(to server: Int) throws -> Int32 {
            let client = accept(listener, nil, nil)
            try #require(client >= 0)
            let browser = try RawBrowser(port: server)
            var room = [UInt8](repeating: 0, count: 4096)
            try wait(for: "the connection") {
                let count = recv(client, &room, room.count, Int32(MSG_DONTWAIT))
                // The server answers who names its own port.
                let asked = String(decoding: room[..<max(count, 0)], as: UTF8.self)
                browser.send(asked.replacing(":\(port)", with: ":\(server)"))
                try browser.glance()
                return browser.text.contains("\r\n\r\n")
            }
            try #require(browser.text.hasPrefix("HTTP/1.1 101 "), "\(browser.text)")
            _ = browser.received.withUnsafeBytes { Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            return client
        }
    }

    @Test("a server that takes a connection and never answers is told apart from nobody") func unanswered() async throws
    {
        let visitor = Visitor(last: 1)
        let (relay, music) = (try Relay(), try ServedMusic())
        #expect(try await waiting { visitor.visit(port: relay.port, patience: 1) } == CWEB_VISIT_UNANSWERED)
        music.server.end()
        #expect(try await waiting { visitor.visit(port: music.server.port) } == CWEB_VISIT_NOBODY)
        #expect(visitor.calls.load(ordering: .relaxed) == 0)
    }

    @Test("a visitor that the server has refused learns that, and not that the connection was lost") func refused()
        async throws
    {
        let music = try ServedMusic()
        let visitor = Visitor(last: .max, says: "hello \(String(repeating: "0", count: 32))")
        #expect(try await waiting { visitor.visit(port: music.server.port) } == CWEB_VISIT_REFUSED)
        let relay = try Relay()
        async let client = waiting { try relay.open(to: music.server.port) }
        let other = Visitor(last: .max)
        async let end = waiting { other.visit(port: relay.port) }
        close(try await client)
        #expect(try await end == CWEB_VISIT_CLOSED)
    }

    @Test("who leaves a server that has fallen silent is gone at once, and not after half a minute")
    func leaves() async throws {
        // The one that counts says nothing, however long it takes here.
        let (music, relay) = (try ServedMusic(hello: 3600), try Relay())
        async let client = waiting { try relay.open(to: music.server.port) }
        // Another one counts how much time passes meanwhile, in calls, of which the machine's load makes no more.
        let counting = Visitor(last: .max)
        async let counted = waiting { counting.visit(port: music.server.port) }
        try await waiting { try wait(for: "calls") { counting.calls.load(ordering: .relaxed) > 0 } }
        let leaving = Visitor(last: 2, beside: counting)
        #expect(try await waiting { leaving.visit(port: relay.port) } == CWEB_VISIT_LEFT)
        let calls = counting.calls.load(ordering: .relaxed) - leaving.begun.load(ordering: .relaxed)
        #expect(leaving.calls.load(ordering: .relaxed) == 2 && calls < 400, "\(calls)")
        counting.last.store(0, ordering: .relaxed)
        close(try await client)
        #expect(try await counted == CWEB_VISIT_LEFT)
    }
}
