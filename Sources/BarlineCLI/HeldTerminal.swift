internal import Glibc
internal import Screens

/// A terminal that delivers single keys to a command. It is restored however the command ends, also by a signal, and while
/// the program is suspended.
enum HeldTerminal {
    /// Holds the terminal while `body` runs.
    static func run<Value>(_ body: (Terminal) throws -> Value) rethrows -> Value {
        let terminal = Terminal()
        let signals = Signals.handle(Signals.endings + [SIGTSTP, SIGCONT]) { number in
            switch number {
            case SIGTSTP: terminal.suspend()
            case SIGCONT: terminal.retake()
            default:
                terminal.release()
                Signals.die(by: number)
            }
        }
        terminal.hold()
        defer {
            terminal.release()
            signals.cancel()
            // What runs next has its own way to end.
            for number in Signals.endings + [SIGTSTP, SIGCONT] { signal(number, SIG_DFL) }
        }
        return try body(terminal)
    }

    /// Calls `take` with each key until it returns a value; nil if the terminal has gone away.
    static func key<Answer>(_ take: (UnicodeScalar) throws -> Answer?) rethrows -> Answer? {
        try run { _ in
            while true {
                var key: UInt8 = 0
                let count = read(0, &key, 1)
                if count < 0, errno == EINTR { continue }
                guard count == 1 else { return nil }
                if let answer = try take(UnicodeScalar(key)) { return answer }
            }
        }
    }
}
