internal import Glibc
internal import Screens
package import Session
internal import Synchronization

/// Delivers signals to the control loop, through a pipe.
package enum Signals {
    /// The signals that ask a program to end.
    package static let endings = [SIGINT, SIGTERM, SIGHUP]

    /// Calls `handler` on the control loop for each of these signals until the watch is cancelled; then `end`. Use one watch at a
    /// time; signals that arrive without one wait for the next.
    package static func handle(
        _ numbers: [Int32], end: @escaping @Sendable () -> Void = {}, _ handler: @escaping @Sendable (Int32) -> Void
    ) -> ControlLoop.Watch {
        let readEnd = Signals.reader
        let watch = ControlLoop.shared.watch(readEnd, end: end) {
            var number: UInt8 = 0
            while read(readEnd, &number, 1) == 1 { handler(Int32(number)) }
            return .goesOn
        }
        // Read once, so that it is initialized before the handler writes it.
        _ = StandardStream.isEnding
        // Who starts a program by `nohup` wants it to go on.
        for number in numbers where number != SIGHUP || !isIgnored(SIGHUP) {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = writeToPipe
            action.sa_flags = SA_RESTART
            sigaction(number, &action, nil)
        }
        return watch
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// The read end of the pipe.
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

    /// Ends the program by the signal itself, so that the parent process sees the cause.
    package static func die(by number: Int32) {
        signal(number, SIG_DFL)
        var only = sigset_t()
        sigemptyset(&only)
        sigaddset(&only, number)
        pthread_sigmask(SIG_UNBLOCK, &only, nil)
        raise(number)
    }
}

/// The write end of the pipe, set once, before the first handler is installed.
private nonisolated(unsafe) var signalPipe: Int32 = -1

/// The signal handler; it does only what is async-signal-safe. After a signal that asks the program to end, nothing
/// waits any more for a terminal that has stopped reading.
private func writeToPipe(_ number: Int32) {
    let saved = errno
    if number == SIGINT || number == SIGTERM || number == SIGHUP { StandardStream.end() }
    var byte = UInt8(truncatingIfNeeded: number)
    write(signalPipe, &byte, 1)
    errno = saved
}

/// Records an interrupt, so that a loop can check for it and clean up.
package final class Interrupt: Sendable {
    private let flag = Atomic(false)

    /// Records that the interrupt has come.
    package func come() { flag.store(true, ordering: .relaxed) }

    /// Whether the interrupt has come.
    package var hasCome: Bool { flag.load(ordering: .relaxed) }
}
