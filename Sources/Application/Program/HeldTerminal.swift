internal import Glibc
package import Running
package import Screens

/// A terminal that delivers single keys to a command. It is restored however the command ends, also by a signal, and while
/// the program is suspended.
package enum HeldTerminal {
    /// Holds the terminal while `body` runs.
    package static func run<Value>(_ body: (Terminal) throws -> Value) rethrows -> Value {
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
    package static func key<Answer>(_ take: (UnicodeScalar) throws -> Answer?) rethrows -> Answer? {
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

    /// What is typed next, empty after so many ms without anything; nil if the terminal has gone away.
    package static func typed(_ reader: inout Keys, within pause: Int32) -> [Keys.Typed]? {
        var waiting = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        let count = poll(&waiting, 1, pause)
        if count == 0 { return reader.closeEscape().map(Keys.Typed.key) }
        if count < 0 { return errno == EINTR ? [] : nil }
        var bytes = [UInt8](repeating: 0, count: 256)
        let size = read(0, &bytes, bytes.count)
        if size < 0, errno == EINTR || errno == EAGAIN { return [] }
        return size > 0 ? reader.typed(for: bytes[..<size]) : nil
    }
}

/// Runs a calculator at a terminal: draws, waits for keys, and restores the terminal however it ends.
package enum CalculatorScreen {
    /// Draws `lines` and calls `press` with every key until it returns false.
    package static func run(
        marks: (String, String) = ("", ""), lines: () -> [String], press: (CalculatorKey) throws -> Bool
    ) rethrows {
        try HeldTerminal.run { terminal in
            var sheet = TerminalFoot(terminal)
            var reader = Keys()
            while true {
                sheet.draw(lines(), marks: marks)
                guard let typed = HeldTerminal.typed(&reader, within: 100) else { return }
                for key in typed.compactMap(CalculatorKey.init) {
                    guard try press(key) else { return sheet.draw(lines(), marks: marks) }
                }
            }
        }
    }
}
