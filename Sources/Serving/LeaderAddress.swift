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
    /// The voice of an address for one player; nil for none.
    package let voice: String?

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
        let fragment = parts[1].split(separator: "&", omittingEmptySubsequences: false)
        guard fragment[0].utf8.count == 32, fragment[0].allSatisfy(\.isHexDigit) else {
            throw TextError(localized("the secret after # is not complete"), hint: hint)
        }
        var place = parts[0]
        if place.last == "/" { place.removeLast() }
        let fields = place.split(separator: ":", omittingEmptySubsequences: false)
        let port = fields.count == 2 ? Int(fields[1]) : PageServer.standardPort
        let isHost = fields[0].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || "-._".contains($0) }
        guard fields.count <= 2, isHost, (1...253).contains(fields[0].utf8.count), let port, (1...65535).contains(port)
        else { throw TextError(localized("the address has no valid host and port"), hint: hint) }
        (host, self.port, secret) = (String(fields[0]), port, String(fragment[0]))
        voice = fragment.dropFirst().first { $0.hasPrefix("voice=") }.flatMap {
            LeaderAddress.unescaped($0.dropFirst(6))
        }
    }

    /// A text of an address, in which bytes may be written as % and two digits; nil if that is not text.
    private static func unescaped(_ text: Substring) -> String? {
        var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16) else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
