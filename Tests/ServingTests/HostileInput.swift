internal import Testing

/// Something sent before the connection is a WebSocket.
struct HostileRequest: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: @Sendable (_ port: Int) -> [UInt8]

    init(_ name: String, _ text: @escaping @Sendable (_ host: String) -> String) {
        testDescription = name
        bytes = { Array(text("127.0.0.1:\($0)").utf8) }
    }

    /// A request for a WebSocket.
    static func webSocket(_ name: String, _ text: @escaping @Sendable (_ port: Int) -> String) -> HostileRequest {
        var request = HostileRequest(name) { _ in "" }
        request.bytes = { Array(text($0).utf8) }
        return request
    }

    /// A request for a path, as it is.
    init(path: String) {
        self.init("GET \(path)") { "GET \(path) HTTP/1.1\r\nHost: \($0)\r\nConnection: close\r\n\r\n" }
    }

    init(method: String) {
        self.init(method) {
            "\(method) / HTTP/1.1\r\nHost: \($0)\r\nContent-Length: 4\r\nConnection: close\r\n\r\nabcd"
        }
    }

    private static let paths: [HostileRequest] = [
        "/../etc/passwd", "/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd",
        "/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "/....//....//etc/passwd", "/..\\..\\etc\\passwd", "/%5c..%5cetc",
        "/%252e%252e/etc/passwd", "/%c0%ae%c0%ae/etc/passwd", "/page/../../etc/passwd", "//etc/passwd", "/etc/passwd",
        "/page.css%00.html", "/%00", "/%00/", "/%00?x", "/page.css/", "/PAGE.CSS", "/live", "/%", "/%zz",
        "/.git/config",
        "/files.c", "file:///etc/passwd", "http://evil.example/secret", "*", "",
    ].map { HostileRequest(path: $0) }

    private static let methods: [HostileRequest] = [
        "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT", "HEAD", "PROPFIND",
    ].map {
        HostileRequest(method: $0)
    }

    private static let others: [HostileRequest] = [
        HostileRequest("a foreign host") { _ in "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n" },
        HostileRequest("no host") { _ in "GET / HTTP/1.1\r\nConnection: close\r\n\r\n" },
        HostileRequest("two hosts") {
            "GET / HTTP/1.1\r\nHost: \($0)\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
        },
        HostileRequest("a foreign origin") {
            "GET / HTTP/1.1\r\nHost: \($0)\r\nOrigin: http://evil.example\r\nConnection: close\r\n\r\n"
        },
        HostileRequest("a header of a megabyte") {
            "GET / HTTP/1.1\r\nHost: \($0)\r\nCookie: " + String(repeating: "x", count: 1 << 20) + "\r\n\r\n"
        },
        HostileRequest("an address of 100 kB") {
            "GET /" + String(repeating: "x", count: 100_000) + " HTTP/1.1\r\nHost: \($0)\r\n\r\n"
        },
        HostileRequest("20 000 headers") {
            "GET / HTTP/1.1\r\n" + String(repeating: "Accept: x\r\n", count: 20_000) + "Host: \($0)\r\n\r\n"
        },
        HostileRequest("GET with a body") {
            "GET / HTTP/1.1\r\nHost: \($0)\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"
        },
        HostileRequest("GET with a body in chunks") {
            "GET / HTTP/1.1\r\nHost: \($0)\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
        },
        HostileRequest("noise") { _ in "\u{1}\u{2}\u{3}\u{FFFD}\u{0}\r\n\r\n\r\n" },
        HostileRequest("TLS") { _ in "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\u{FC}\u{3}\u{3}\r\n\r\n" },
        HostileRequest("HTTP/2") { _ in "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" },
        HostileRequest("an upgrade to HTTP/2") {
            "GET / HTTP/1.1\r\nHost: \($0)\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n"
        },
        HostileRequest("an upgrade to something") {
            "GET / HTTP/1.1\r\nHost: \($0)\r\nConnection: Upgrade\r\nUpgrade: raw\r\n\r\n"
        },
        .webSocket("a WebSocket without an origin") { RawBrowser.upgrade(port: $0, origin: "") },
        .webSocket("a WebSocket of another site") { RawBrowser.upgrade(port: $0, origin: "http://evil.example") },
        .webSocket("a WebSocket of a file") { RawBrowser.upgrade(port: $0, origin: "null") },
        .webSocket("a WebSocket of another port") {
            RawBrowser.upgrade(port: $0, origin: "http://127.0.0.1:\($0 ^ 1)")
        },
        .webSocket("a WebSocket for another host") { RawBrowser.upgrade(port: $0, host: "evil.example:\($0)") },
        .webSocket("a WebSocket of a rebound name") {
            RawBrowser.upgrade(port: $0, host: "evil.example:\($0)", origin: "http://evil.example:\($0)")
        },
        .webSocket("a WebSocket at another path") { RawBrowser.upgrade(port: $0, path: "/") },
        .webSocket("a WebSocket at a path with dots") { RawBrowser.upgrade(port: $0, path: "/../live/..") },
        .webSocket("an old WebSocket") { RawBrowser.upgrade(port: $0, version: "8") },
        .webSocket("a WebSocket without a key") { RawBrowser.upgrade(port: $0, key: "") },
    ]

    /// Everything of this kind.
    static let all = paths + methods + others
}

/// Something sent over a WebSocket; `token` is one that may only watch.
struct HostileMessage: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var isWelcome: Bool
    var frames: @Sendable (_ token: String) -> [UInt8]

    init(_ name: String, isWelcome: Bool = true, _ frames: @escaping @Sendable (_ token: String) -> [UInt8]) {
        (testDescription, self.isWelcome, self.frames) = (name, isWelcome, frames)
    }

    static let all: [HostileMessage] = [
        HostileMessage("no hello", isWelcome: false) { _ in [] },
        HostileMessage("a wrong secret", isWelcome: false) { _ in
            RawBrowser.message("hello 00000000000000000000000000000000")
        },
        HostileMessage("no secret", isWelcome: false) { _ in RawBrowser.message("hello ") },
        HostileMessage("most of a secret", isWelcome: false) { RawBrowser.message("hello \($0.dropLast())") },
        HostileMessage("more than a secret", isWelcome: false) { RawBrowser.message("hello \($0)0") },
        HostileMessage("a command before the hello", isWelcome: false) { _ in RawBrowser.message("key Space") },
        HostileMessage("a clock before the hello", isWelcome: false) { _ in RawBrowser.message("clock 1") },
        HostileMessage("a second hello") { RawBrowser.message("hello \($0)") },
        HostileMessage("an unknown word") { _ in RawBrowser.message("erase everything") },
        HostileMessage("an unknown key") { _ in RawBrowser.message("key F13") },
        HostileMessage("JSON") { _ in RawBrowser.message(#"{"key": "Space"}"#) },
        HostileMessage("half of JSON") { _ in RawBrowser.message(#"{"key": "#) },
        HostileMessage("an empty message") { _ in RawBrowser.message("") },
        HostileMessage("a control character") { _ in RawBrowser.message("place \u{1B}[2J") },
        HostileMessage("a change of no plan") { _ in RawBrowser.message("plan 1 1 erase") },
        HostileMessage("a change of a row of 2^64") { _ in RawBrowser.message("plan 1 18446744073709551616 delete") },
        HostileMessage("a change without a row") { _ in RawBrowser.message("plan delete") },
        HostileMessage("a run that is none") { _ in RawBrowser.message("pace restore km min/km 10km @ 0:00/km") },
        HostileMessage("a quantity that is none") { _ in RawBrowser.message("pace weight 70 kg") },
        HostileMessage("a calculation before the hello", isWelcome: false) { _ in RawBrowser.message("pace time 1:00")
        },
        HostileMessage("a plan before the hello", isWelcome: false) { _ in RawBrowser.message("running show") },
        HostileMessage("a plan longer than a message") { _ in
            RawBrowser.message("plan 1 0 add " + String(repeating: "run 1s, ", count: 60))
        },
        HostileMessage("a null character") { _ in RawBrowser.message("key Space\0") },
        HostileMessage("a huge number") { _ in RawBrowser.message("clock 99999999999999999999999999") },
        HostileMessage("invalid UTF-8") { _ in RawBrowser.frame(0x81, [0x6B, 0x65, 0x79, 0x20, 0xFF, 0xFE]) },
        HostileMessage("a surrogate in UTF-8") { _ in RawBrowser.frame(0x81, [0xED, 0xA0, 0x80]) },
        HostileMessage("a frame without a mask") { _ in
            RawBrowser.frame(0x81, Array("clock 1".utf8), isMasked: false)
        },
        HostileMessage("a binary frame") { _ in RawBrowser.frame(0x82, Array("key Space".utf8)) },
        HostileMessage("a message above the limit") { _ in
            RawBrowser.message("place " + String(repeating: "x", count: 300))
        },
        HostileMessage("a message of a megabyte") { _ in RawBrowser.message(String(repeating: "x", count: 1 << 20)) },
        HostileMessage("a message in too many parts") { _ in
            RawBrowser.frame(0x01, Array("place ".utf8))
                + (0..<100).flatMap { _ in RawBrowser.frame(0x00, Array("xxxxxxxxxx".utf8)) }
        },
        HostileMessage("a frame that claims 2^62 bytes") { _ in
            RawBrowser.frame(0x81, [1, 2, 3], claims: 1 << 62) + pad
        },
        HostileMessage("a frame that claims 2^63 bytes") { _ in
            RawBrowser.frame(0x81, [1, 2, 3], claims: 1 << 63) + pad
        },
        HostileMessage("a reserved kind of frame") { _ in RawBrowser.frame(0x83, [1]) },
        HostileMessage("a reserved control frame") { _ in RawBrowser.frame(0x8B, [1]) },
        HostileMessage("reserved bits") { _ in RawBrowser.frame(0xF1, Array("key Space".utf8)) },
        HostileMessage("a continuation of nothing") { _ in RawBrowser.frame(0x80, Array("key Space".utf8)) },
        HostileMessage("a ping above the limit") { _ in RawBrowser.frame(0x89, [UInt8](repeating: 1, count: 200)) },
        HostileMessage("a ping in parts") { _ in RawBrowser.frame(0x09, [1]) },
        HostileMessage("a flood") { _ in (0..<2000).flatMap { RawBrowser.message("clock \($0)") } },
    ]

    /// So that a server that believes the length sees some of it.
    private static let pad = [UInt8](repeating: 0x78, count: 4096)
}
