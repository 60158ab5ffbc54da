internal import Glibc
internal import Session
package import UserSettings

/// A UDP socket at which messages of OSC arrive.
///
/// What is no OSC is passed over, and so is everything beyond a hundred messages in a second.
package final class OSCServer: Sendable {
    private let watch: ControlLoop.Watch

    /// The most datagrams that are read before others have their turn.
    private static let mostAtOnce = 20
    /// The longest datagram that is read.
    private static let longest = 8192

    /// Listens at an address, and calls `take` with each message, on the control loop. nil if the address is taken or is none of
    /// this machine's.
    package init?(at address: OSCAddress, take: @escaping @Sendable (OSCMessage) -> Void) {
        guard let descriptor = address.firstSocket(isServer: true, { bind($0, $1, $2) == 0 }) else { return nil }
        watch = ControlLoop.shared.watch(descriptor, keeping: Allowance(), end: { close(descriptor) }) { allowance in
            var bytes = [UInt8](repeating: 0, count: OSCServer.longest + 1)
            // A few at a time, so that a flood leaves the loop to keys.
            for _ in 0..<OSCServer.mostAtOnce {
                let count = recv(descriptor, &bytes, bytes.count, 0)
                guard count > 0 || errno == EINTR && count < 0 else { break }
                guard count > 0, count <= OSCServer.longest else { continue }
                for message in OSCMessage.read(Array(bytes[..<count])) ?? [] where allowance.takesOne() {
                    take(message)
                }
            }
            return .goesOn
        }
    }

    deinit { watch.cancel() }
}
