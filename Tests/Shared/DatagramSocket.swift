internal import Glibc

/// A UDP socket of this machine.
package final class DatagramSocket: Sendable {
    private let descriptor: Int32
    package let port: UInt16

    package init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard let port = bindToFreePort(descriptor) else {
            throw Overdue(description: "no UDP port of this machine is free")
        }
        (self.descriptor, self.port) = (descriptor, port)
    }

    deinit { close(descriptor) }

    /// All datagrams that have arrived.
    package func datagrams() -> [[UInt8]] {
        var found: [[UInt8]] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, 0)
            guard count > 0 else { return found }
            found.append(Array(bytes[..<count]))
        }
    }

    /// Sends a datagram to another port.
    package func send(_ bytes: [UInt8], to port: UInt16) {
        _ = withLocalAddress(port: port) { Int32(sendto(descriptor, bytes, bytes.count, 0, $0, $1)) }
    }
}
