internal import Serving
internal import Testing

/// Who may ask: the headers Host and Origin.
@Suite struct PageHostsTests {
    private let hosts = PageHosts(["127.0.0.1", "localhost"], port: 8573, proxies: ["music.example.org"])

    @Test("a page of this server is served", arguments: ["127.0.0.1:8573", "localhost:8573", "LocalHost:8573"])
    func ownHostsAreServed(host: String) {
        #expect(hosts.status(host: host, origin: "", isUpgrade: false) == 200)
        #expect(hosts.status(host: host, origin: "http://\(host)", isUpgrade: true) == 200)
    }

    @Test("behind a proxy, the proxy's name is served")
    func proxiesAreServed() {
        for origin in ["https://music.example.org", "http://music.example.org"] {
            #expect(hosts.status(host: "music.example.org", origin: origin, isUpgrade: true) == 200)
        }
    }

    @Test(
        "another host name that points to this machine is refused",
        arguments: [
            "evil.example", "evil.example:8573", "127.0.0.1", "127.0.0.1:80", "localhost:8573.evil.example",
            "127.0.0.1:8573@evil.example", "evil.example#127.0.0.1:8573", "localhost.:8573", " localhost:8573",
            "2130706433:8573",
            "[::1]:8573", "music.example.org:8573", "a.music.example.org",
        ])
    func foreignHostsAreRefused(host: String) {
        #expect(hosts.status(host: host, origin: "", isUpgrade: false) == 403)
        #expect(hosts.status(host: host, origin: "http://\(host)", isUpgrade: true) == 403)
    }

    @Test(
        "a request from a page of another site is refused, whatever it asks for",
        arguments: [
            "http://evil.example", "http://127.0.0.1", "http://127.0.0.1:8574", "http://localhost:8573", "null",
            "file://",
            "ftp://127.0.0.1:8573", "http://127.0.0.1:8573/", "http://127.0.0.1:8573.evil.example", "127.0.0.1:8573",
        ])
    func foreignOriginsAreRefused(origin: String) {
        for isUpgrade in [false, true] {
            #expect(hosts.status(host: "127.0.0.1:8573", origin: origin, isUpgrade: isUpgrade) == 403)
        }
    }

    @Test("a request without a host, and a WebSocket without an origin, are refused")
    func missingHeaders() {
        #expect(hosts.status(host: "", origin: "", isUpgrade: false) == 400)
        #expect(hosts.status(host: "127.0.0.1:8573", origin: "", isUpgrade: true) == 403)
    }
}
