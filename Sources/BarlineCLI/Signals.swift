internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#endif

/// The signals that ask a program to end.
enum Signals {
    /// Calls `handler` for each of SIGINT, SIGTERM and SIGHUP, as long as the sources are kept and not cancelled.
    static func handle(_ handler: @escaping @Sendable (Int32) -> Void) -> [any DispatchSourceProtocol] {
        [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { handler(number) }
            source.resume()
            return source
        }
    }
}

/// Whether an end has been asked for: a question that a loop asks, so that it can clean up behind itself.
final class Interrupt: Sendable {
    private let flag = Atomic(false)

    /// From now on it has come.
    func come() { flag.store(true, ordering: .relaxed) }

    /// Whether it has come.
    var hasCome: Bool { flag.load(ordering: .relaxed) }
}
