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
            if parts.count == 1, !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) {
                throw TextError(
                    localized("\(TextError.quoted(text)) is not a UDP port"), hint: localized("a port is 1 to 65535"))
            }
            throw TextError(
                localized("\(TextError.quoted(text)) is not a host and a port"),
                hint: localized("for example 192.168.1.20:9000; a port is 1 to 65535"))
        }
        (self.host, self.port) = (host.isEmpty ? "127.0.0.1" : host, port)
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
