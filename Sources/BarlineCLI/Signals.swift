internal import Dispatch
internal import Glibc
internal import Screens
internal import Synchronization

/// Signals as events on a queue.
///
/// A handler writes into a pipe: of the signals for libdispatch's own signal sources, about one in a hundred was lost
/// on Linux (Swift 6.3, a busy machine).
enum Signals {
    /// Those that ask a program to end.
    static let endings = [SIGINT, SIGTERM, SIGHUP]

    /// Calls `handler` on a queue for each of these signals that comes, from now on until the source is cancelled, one at a
    /// time. One source at a time; what comes while there is none waits for the next.
    static func handle(
        _ numbers: [Int32], _ handler: @escaping @Sendable (Int32) -> Void
    ) -> any DispatchSourceProtocol {
        let readEnd = Signals.reader
        let source = DispatchSource.makeReadSource(fileDescriptor: readEnd, queue: DispatchQueue(label: "signals"))
        source.setEventHandler {
            var number: UInt8 = 0
            while read(readEnd, &number, 1) == 1 { handler(Int32(number)) }
        }
        source.resume()
        // Read once, so that it is initialized before the handler writes it.
        _ = StandardStream.isEnding
        for number in numbers {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = writeToPipe
            action.sa_flags = SA_RESTART
            sigaction(number, &action, nil)
        }
        return source
    }

    /// Where signals are read: the other end of what the handler writes to.
    private static let reader: Int32 = {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        signalPipe = ends[1]
        return ends[0]
    }()

    /// Ends the program as the signal does where nobody handles it, so that who started it can tell.
    static func die(by number: Int32) {
        signal(number, SIG_DFL)
        var only = sigset_t()
        sigemptyset(&only)
        sigaddset(&only, number)
        pthread_sigmask(SIG_UNBLOCK, &only, nil)
        raise(number)
    }
}

/// Where `writeToPipe` writes: set before any handler is, and never again.
private nonisolated(unsafe) var signalPipe: Int32 = -1

/// The signal handler, which does only what a handler may do. Once an end is asked for, nothing waits for a terminal that has
/// stopped, whatever the program is doing by then.
private func writeToPipe(_ number: Int32) {
    let saved = errno
    if number == SIGINT || number == SIGTERM || number == SIGHUP { StandardStream.end() }
    var byte = UInt8(truncatingIfNeeded: number)
    write(signalPipe, &byte, 1)
    errno = saved
}

/// Whether an end has been asked for: a question that a loop asks, so that it can clean up behind itself.
final class Interrupt: Sendable {
    private let flag = Atomic(false)

    /// From now on it has come.
    func come() { flag.store(true, ordering: .relaxed) }

    /// Whether it has come.
    var hasCome: Bool { flag.load(ordering: .relaxed) }
}
