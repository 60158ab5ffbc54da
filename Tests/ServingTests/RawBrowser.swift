internal import Glibc
internal import Shared
internal import Testing

/// A browser without manners: it sends any bytes, and tells what came back.
final class RawBrowser {
    private let socket: Int32
    private(set) var received: [UInt8] = []
    private(set) var isClosed = false

    /// Connects from the address 127.0.0.`number`.
    init(port: Int, from number: UInt32 = 1) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(socket >= 0)
        if number != 1 { try #require(withLocalAddress(port: 0, host: number) { bind(socket, $0, $1) } == 0) }
        guard withLocalAddress(port: UInt16(port), { connect(socket, $0, $1) }) == 0 else { throw NoServer() }
    }

    deinit { close(socket) }

    /// Sends bytes; a server that has closed the connection takes none.
    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// Everything that has come, as text.
    var text: String { String(decoding: received, as: UTF8.self) }

    /// Reads until this is true or the server closes the connection. Errors: neither happens.
    func read(until isEnough: (RawBrowser) -> Bool = { _ in false }) throws {
        let end = ContinuousClock.now + patience
        while !isClosed, !isEnough(self) {
            guard ContinuousClock.now < end else { throw Stalled(text: text) }
            var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 50) > 0 else { continue }
            var room = [UInt8](repeating: 0, count: 65536)
            let count = recv(socket, &room, room.count, 0)
            if count > 0 { received += room[..<count] } else { isClosed = true }
        }
    }

    /// Takes note of what has come so far, or that the server has closed the connection.
    func glance() throws {
        var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 0) > 0 else { return }
        var room = [UInt8](repeating: 0, count: 65536)
        let count = recv(socket, &room, room.count, Int32(MSG_DONTWAIT))
        if count > 0 { received += room[..<count] } else { isClosed = true }
    }

    /// Nobody listens.
    struct NoServer: Error {}

    /// The server neither answers nor closes the connection.
    struct Stalled: Error { var text: String }

    // MARK: - WebSocket

    /// The headers of a request for a WebSocket.
    static func upgrade(
        port: Int, path: String = "/live", host: String? = nil, origin: String? = nil, version: String = "13",
        key: String = "dGhlIHNhbXBsZSBub25jZQ=="
    ) -> String {
        let host = host ?? "127.0.0.1:\(port)"
        let origin = origin ?? "http://127.0.0.1:\(port)"
        let fields = [
            "Host: \(host)", "Upgrade: websocket", "Connection: Upgrade", origin.isEmpty ? "" : "Origin: \(origin)",
            key.isEmpty ? "" : "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: \(version)",
        ]
        return "GET \(path) HTTP/1.1\r\n" + fields.filter { !$0.isEmpty }.map { $0 + "\r\n" }.joined() + "\r\n"
    }

    /// A connection that has been upgraded to a WebSocket.
    static func live(port: Int) throws -> RawBrowser {
        let browser = try RawBrowser(port: port)
        browser.send(upgrade(port: port))
        try browser.read { $0.text.contains("\r\n\r\n") }
        try #require(browser.text.hasPrefix("HTTP/1.1 101 "), "\(browser.text)")
        return browser
    }

    /// A frame: the first byte as it is, then the length, a mask and the masked bytes.
    static func frame(_ first: UInt8, _ bytes: [UInt8], isMasked: Bool = true, claims: UInt64? = nil) -> [UInt8] {
        let length = claims ?? UInt64(bytes.count)
        let flag: UInt8 = isMasked ? 0x80 : 0
        var frame = [first]
        if length < 126 {
            frame.append(flag | UInt8(length))
        } else if length < 65536 {
            frame += [flag | 126, UInt8(length >> 8), UInt8(length & 0xFF)]
        } else {
            frame +=
                [flag | 127] + (0..<8).reversed().map { (byte: Int) -> UInt8 in UInt8(length >> (byte * 8) & 0xFF) }
        }
        guard isMasked else { return frame + bytes }
        let mask: [UInt8] = [0x12, 0x34, 0x56, 0x78]
        return frame + mask + bytes.enumerated().map { $1 ^ mask[$0 % 4] }
    }

    /// A whole text message.
    static func message(_ text: String) -> [UInt8] { frame(0x81, Array(text.utf8)) }
}
