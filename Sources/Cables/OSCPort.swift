internal import Glibc
internal import SystemPackage
package import UserSettings

/// A UDP socket to a receiver of OSC. Sending never waits, and what cannot be sent is lost.
package final class OSCPort {
    package let address: OSCAddress
    private let descriptor: Int32
    /// Whether the last datagram could not be sent.
    package private(set) var isBroken = false

    /// Opens a socket; nil if the host is not known or cannot be reached.
    package init?(_ address: OSCAddress) {
        guard let descriptor = address.firstSocket(isServer: false, { connect($0, $1, $2) == 0 }) else { return nil }
        (self.address, self.descriptor) = (address, descriptor)
    }

    deinit { close(descriptor) }

    /// Sends datagrams. Returns why this one cannot be sent, if those before it could.
    package func send(_ datagrams: [[UInt8]]) -> String? {
        var failure: String?
        for datagram in datagrams {
            // A receiver that was not there is reported by the next call, which sends nothing.
            var sent = Glibc.send(descriptor, datagram, datagram.count, 0)
            if sent < 0, errno == ECONNREFUSED {
                failure = Errno.last.description
                sent = Glibc.send(descriptor, datagram, datagram.count, 0)
            }
            if sent < 0 { failure = Errno.last.description }
        }
        defer { isBroken = failure != nil }
        return isBroken ? nil : failure
    }
}
