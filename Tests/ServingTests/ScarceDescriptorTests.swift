import Glibc
import Testing

@Suite("Pages when descriptors are scarce")
struct ScarceDescriptorTests {
    /// Leaves this process so many descriptors that it can still open.
    private static func leave(_ count: Int) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let next = dup(0)
        close(next)
        limit.rlim_cur = rlim_t(next) + rlim_t(count)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// Asks for the page, and keeps the connection.
    private static func ask(_ music: ServedMusic) throws -> RawBrowser {
        let browser = try RawBrowser(port: music.server.port)
        browser.send("GET / HTTP/1.1\r\nHost: localhost:\(music.server.port)\r\n\r\n")
        try browser.read { $0.text.contains("</html>") }
        return browser
    }

    @Test("pages leave some descriptors to the rest of the program")
    func spare() async {
        await #expect(processExitsWith: .success) {
            let music = try ServedMusic(hello: 600)
            Self.leave(40)
            var browsers = [try Self.ask(music)]
            while let last = browsers.last, !last.isClosed { browsers.append(try Self.ask(music)) }
            try #require(browsers.count > 10)
            try #require((0..<6).allSatisfy { _ in dup(0) >= 0 })
        }
    }
}
