internal import Dispatch
internal import Glibc
internal import Playback
internal import Synchronization
internal import SystemPackage
package import UserSettings

/// A UDP socket to a receiver of OSC. Sending never waits, and what cannot be sent is lost. While nothing arrives, the name of the
/// host is looked up again now and then: a network may come back, and give the host another address.
package final class OSCPort {
    package let address: OSCAddress
    private var descriptor: Int32?
    /// Whether what is sent does not arrive, as far as anybody can know.
    package private(set) var isBroken: Bool
    private let lookups: Lookups
    /// When to look up the name next, and how long to wait after that, in ns.
    private var lookAt: Int64
    private let pause: Int64
    /// After a lookup, datagrams go out over a new socket. The system learns only from an answer that nobody is there, so until
    /// then they seem to arrive: for how long that is not believed, and until when, in ns.
    private let answer: Int64
    private var doubtfulUntil = Int64.min

    /// Finds a host, which may take seconds: a socket that leads there, or nil.
    package typealias Find = @Sendable (OSCAddress) -> Int32?
    /// Carries out a lookup on another thread.
    package typealias Elsewhere = @Sendable (@escaping @Sendable () -> Void) -> Void

    /// Looks up the name on another thread, and holds the socket that was found until it is fetched.
    private final class Lookups: Sendable {
        /// The socket that was found, until it is fetched; or one of the words below.
        private let found = Atomic(nothing)
        private static let (nothing, looking) = (Int32(-1), Int32(-2))
        private let find: Find
        private let elsewhere: Elsewhere

        init(_ find: @escaping Find, _ elsewhere: @escaping Elsewhere) {
            (self.find, self.elsewhere) = (find, elsewhere)
        }

        deinit { if let found = take() { close(found) } }

        func take() -> Int32? {
            // Only the sender fetches, so a socket that it sees here stays until then.
            found.load(ordering: .relaxed) < 0 ? nil : found.exchange(Lookups.nothing, ordering: .acquiring)
        }

        func begin(_ address: OSCAddress) {
            guard found.load(ordering: .relaxed) == Lookups.nothing else { return }
            found.store(Lookups.looking, ordering: .relaxed)
            elsewhere { [self] in found.store(find(address) ?? Lookups.nothing, ordering: .releasing) }
        }
    }

    /// Opens a socket to a receiver, if its host is known and can be reached.
    package init(
        _ address: OSCAddress, lookingEvery pause: Duration = .seconds(10),
        answeredWithin answer: Duration = .seconds(1),
        find: @escaping Find = { $0.firstSocket(isServer: false, { connect($0, $1, $2) == 0 }) },
        elsewhere: @escaping Elsewhere = { DispatchQueue.global(qos: .utility).async(execute: $0) }
    ) {
        (self.address, self.pause) = (address, Int64(pause / .nanoseconds(1)))
        self.answer = Int64(answer / .nanoseconds(1))
        lookups = Lookups(find, elsewhere)
        descriptor = find(address)
        isBroken = descriptor == nil
        lookAt = monotonicNanoseconds() + self.pause
    }

    deinit { if let descriptor { close(descriptor) } }

    /// Sends datagrams. Returns why this one cannot be sent, if those before it could.
    package func send(_ datagrams: [[UInt8]]) -> String? {
        if let found = lookups.take() {
            if let descriptor { close(descriptor) }
            descriptor = found
            doubtfulUntil = monotonicNanoseconds() + answer
        }
        var failure: String?
        for datagram in datagrams {
            guard let descriptor else { break }
            // A receiver that was not there is reported by the next call, which sends nothing.
            var sent = Glibc.send(descriptor, datagram, datagram.count, 0)
            if sent < 0, errno == ECONNREFUSED {
                failure = Errno.last.description
                sent = Glibc.send(descriptor, datagram, datagram.count, 0)
            }
            if sent < 0 { failure = Errno.last.description }
        }
        let wasBroken = isBroken
        let now = monotonicNanoseconds()
        isBroken = failure != nil || descriptor == nil || wasBroken && now < doubtfulUntil
        if isBroken, now >= lookAt {
            lookups.begin(address)
            lookAt = now + pause
        }
        return wasBroken ? nil : failure
    }
}
