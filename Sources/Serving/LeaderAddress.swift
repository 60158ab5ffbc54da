internal import Languages
package import Scores

/// Where a leader serves, and the secret that lets others follow it: the address that `barline serve` prints.
package struct LeaderAddress: Sendable, Equatable {
    /// The host's name or IPv4 address.
    package let host: String
    /// The TCP port.
    package let port: Int
    /// The secret of pages that control or only watch.
    let secret: String

    /// Reads `http://192.168.1.5:8573/#SECRET`; `http://`, the port and the slash may be left out.
    package init(_ text: String) throws(TextError) {
        let hint = localized(
            "give the address that `barline serve --lan` prints, such as 192.168.1.5:8573/#0b5c…")
        var rest = Substring(text)
        if rest.hasPrefix("https://") {
            throw TextError(
                localized("a follower connects without TLS"),
                hint: localized("give the address of the machine itself: http://…"))
        }
        if rest.hasPrefix("http://") { rest = rest.dropFirst(7) }
        let parts = rest.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty else {
            throw TextError(localized("the address has no secret after #"), hint: hint)
        }
        guard parts[1].utf8.count == 32, parts[1].allSatisfy(\.isHexDigit) else {
            throw TextError(localized("the secret after # is not complete"), hint: hint)
        }
        var place = parts[0]
        if place.last == "/" { place.removeLast() }
        let fields = place.split(separator: ":", omittingEmptySubsequences: false)
        let port = fields.count == 2 ? Int(fields[1]) : PageServer.standardPort
        let isHost = fields[0].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || "-._".contains($0) }
        guard fields.count <= 2, isHost, (1...253).contains(fields[0].utf8.count), let port, (1...65535).contains(port)
        else { throw TextError(localized("the address has no valid host and port"), hint: hint) }
        (host, self.port, secret) = (String(fields[0]), port, String(parts[1]))
    }
}
