internal import Glibc
internal import Running
internal import Screens

/// Runs a calculator at a terminal: draws, waits for keys, and restores the terminal however it ends.
enum CalculatorScreen {
    /// Draws `lines` and calls `press` with every key until it returns false.
    static func run(
        marks: (String, String) = ("", ""), lines: () -> [String], press: (CalculatorKey) throws -> Bool
    ) rethrows {
        try HeldTerminal.run { terminal in
            var sheet = TerminalFoot(terminal)
            var reader = Keys()
            while true {
                sheet.draw(lines(), marks: marks)
                guard let keys = next(&reader) else { return }
                for key in keys {
                    guard try press(key) else { return sheet.draw(lines(), marks: marks) }
                }
            }
        }
    }

    /// The keys that come next, empty after 100 ms without any; nil if the terminal has gone away.
    private static func next(_ reader: inout Keys) -> [CalculatorKey]? {
        var waiting = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        let count = poll(&waiting, 1, 100)
        if count == 0 { return reader.closeEscape().compactMap { CalculatorKey(.key($0)) } }
        if count < 0 { return errno == EINTR ? [] : nil }
        var bytes = [UInt8](repeating: 0, count: 256)
        let size = read(0, &bytes, bytes.count)
        if size < 0, errno == EINTR || errno == EAGAIN { return [] }
        return size > 0 ? reader.typed(for: bytes[..<size]).compactMap { CalculatorKey($0) } : nil
    }
}
