internal import Foundation
internal import Glibc
internal import Shared
internal import Synchronization

/// A way to a server of this machine that can be blocked, as a network that is away: what is on its way then arrives later.
final class Relay: Sendable {
    let port: UInt16
    /// The port of the server.
    let server = Atomic<UInt16>(0)
    private let isBlocked = Mutex(false)
    private let listener: Int32
    private let isOver = Atomic(false)
    /// How many connections have found no server.
    let tries = Atomic(0)
    /// How often the connections have been cut.
    private let cuts = Atomic(0)

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard let port = bindToFreePort(listener), listen(listener, 8) == 0 else {
            throw Overdue(description: "no port of this machine is free")
        }
        (self.listener, self.port) = (listener, port)
        Thread.detachNewThread { [self] in
            while !isOver.load(ordering: .relaxed) {
                let client = accept(listener, nil, nil)
                if client >= 0 { Thread.detachNewThread { [self] in carry(client) } }
            }
            close(listener)
        }
    }

    /// Blocks the way, or opens it again. Nothing passes from the moment at which this returns.
    func block(_ blocks: Bool) { isBlocked.withLock { $0 = blocks } }

    /// Closes the connections that there are. Those that come later are closed at once until the port of a server is told.
    func cut() {
        server.store(0, ordering: .relaxed)
        cuts.add(1, ordering: .relaxed)
    }

    /// Ends all connections.
    func end() {
        isOver.store(true, ordering: .relaxed)
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// Carries what comes from either side to the other one, until one of them closes.
    private func carry(_ client: Int32) {
        let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer {
            close(client)
            close(other)
        }
        let begun = cuts.load(ordering: .relaxed)
        while isBlocked.withLock(\.self), !isOver.load(ordering: .relaxed) { usleep(5000) }
        let isOpen = withLocalAddress(port: server.load(ordering: .relaxed)) { connect(other, $0, $1) } == 0
        guard isOpen else {
            tries.add(1, ordering: .relaxed)
            return
        }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        var ends = [client, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while !isOver.load(ordering: .relaxed), cuts.load(ordering: .relaxed) == begun {
            let isReady = poll(&ends, 2, 20) > 0
            let goesOn: Bool? = isBlocked.withLock { isBlocked in
                guard isReady, !isBlocked else { return nil }
                for (from, to) in [(0, other), (1, client)] where ends[from].revents != 0 {
                    let count = recv(ends[from].fd, &bytes, bytes.count, 0)
                    guard count > 0, send(to, bytes, count, Int32(MSG_NOSIGNAL)) == count else { return false }
                }
                return true
            }
            if goesOn == false { return }
            if goesOn == nil { usleep(5000) }
        }
    }
}
