internal import Glibc
internal import Languages
package import Scores

/// A host and a UDP port: `192.168.1.20:9000`, `desk.local:53000`, `[fe80::1]:9000`; the host can be left out for this
/// machine.
package struct OSCAddress: Sendable, Equatable, CustomStringConvertible {
    package let host: String
    package let port: UInt16

    /// Reads `host:port`, `:port` or `port`.
    package init(_ text: String) throws(TextError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var host = parts.dropLast().joined(separator: ":")
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            throw TextError(localized("an IPv6 address stands in brackets"), hint: localized("for example [::1]:9000"))
        }
        guard let last = parts.last, let port = UInt16(last), port > 0, host.utf8.count <= 253 else {
            throw TextError(
                localized("\(TextError.quoted(text)) is not a host and a port"),
                hint: localized("for example 192.168.1.20:9000"))
        }
        (self.host, self.port) = (host.isEmpty ? "127.0.0.1" : host, port)
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Calls `body` with each address of the system, until it returns a descriptor; nil if none does.
    func firstSocket(isServer: Bool, _ body: (Int32, UnsafeMutablePointer<sockaddr>, socklen_t) -> Bool) -> Int32? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV | (isServer ? AI_PASSIVE : 0)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &found) == 0 else { return nil }
        defer { freeaddrinfo(found) }
        var next = found
        while let info = next?.pointee {
            next = info.ai_next
            let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            let descriptor = socket(info.ai_family, type, 0)
            guard descriptor >= 0, let address = info.ai_addr else { continue }
            if body(descriptor, address, info.ai_addrlen) { return descriptor }
            close(descriptor)
        }
        return nil
    }
}
