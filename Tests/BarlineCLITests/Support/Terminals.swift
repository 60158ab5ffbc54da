internal import Foundation
internal import Glibc
internal import Shared
internal import Testing

/// A pseudo-terminal in which a program runs, with a keyboard and a picture of the screen.
final class TerminalSession {
    private let child: Child
    private var keyboard: Int32
    private var line: Int32
    private var seen: [UInt8] = []
    /// The picture up to the place that the test has examined, and the output after that place.
    private var looked = Picture()
    private var unlooked: Substring.UnicodeScalarView = ""[...].unicodeScalars
    private var decoded = 0
    private let before: [UInt64]
    private var original = termios()
    /// A sequence that has no meaning for any terminal: when it has arrived, so has all earlier output.
    private static let mark = "\u{1B}[1234z"

    /// TIOCSPTLCK and TIOCGPTN of Linux, macros that Swift does not see.
    private static let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

    /// Runs `body` with `barline`, started by `wrapper` if there is one, in its own terminal.
    static func run<Value: Sendable>(
        _ arguments: [String], in scratch: Scratch, environment: [String: String] = [:], wrapper: [String] = [],
        columns: Int = 80, isAwaited: Bool = false, _ body: @escaping @Sendable (TerminalSession) throws -> Value
    ) async throws -> Value {
        let values = scratch.environment.merging(environment) { $1 }
        return try await Slots.run(isAwaited: isAwaited) {
            let session = try TerminalSession(wrapper + [Program.path] + arguments, values, scratch.folder, columns)
            defer { session.close() }
            return try body(session)
        }
    }

    private init(_ command: [String], _ environment: [String: String], _ folder: String, _ columns: Int) throws {
        keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        try #require(keyboard >= 0)
        var (isLocked, number): (Int32, UInt32) = (0, 0)
        try #require(ioctl(keyboard, TerminalSession.setLock, &isLocked) == 0)
        try #require(ioctl(keyboard, TerminalSession.getNumber, &number) == 0)
        let name = "/dev/pts/\(number)"
        // One end stays open here, so that the settings can be read after the program has ended.
        line = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(line >= 0)
        var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(line, UInt(TIOCSWINSZ), &size) == 0)
        before = TerminalSession.settings(line)
        tcgetattr(line, &original)
        child = try Child(command, environment, folder, descriptors: [], isLeader: true, terminal: name)
    }

    /// Everything that was written to the terminal so far.
    var text: String {
        fetch()
        return String(decoding: seen, as: UTF8.self).replacing(TerminalSession.mark, with: "")
    }

    private func fetch() {
        var piece = [UInt8](repeating: 0, count: 1 << 14)
        while keyboard >= 0 {
            let count = read(keyboard, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            seen += piece[..<count]
        }
        // An incomplete character or sequence is left for the next call.
        let end = seen[decoded...].lastIndex { $0 == 0x1B || $0 >= 0xC0 }.map { isWhole(from: $0) ? seen.count : $0 }
        let new = String(decoding: seen[decoded..<(end ?? seen.count)], as: UTF8.self)
        decoded = end ?? seen.count
        unlooked = Substring(String(String.UnicodeScalarView(unlooked)) + new).unicodeScalars
    }

    /// Whether the character or sequence that begins at `start` is complete.
    private func isWhole(from start: Int) -> Bool {
        let rest = seen[start...]
        guard rest.first == 0x1B else { return rest.count >= (~seen[start]).leadingZeroBitCount }
        return rest.dropFirst().first.map { $0 != 0x5B } ?? false
            || rest.dropFirst(2).contains { (0x40...0x7E).contains($0) }
    }

    /// The screen as a person sees it now.
    var picture: Picture {
        fetch()
        var (picture, rest) = (looked, unlooked)
        picture.show(&rest)
        return picture
    }

    /// Marks all output so far as examined: later waits look only at newer output.
    private func lookAtAll() {
        fetch()
        looked.show(&unlooked)
    }

    func type(_ keys: String) {
        lookAtAll()
        TerminalSession.put(keys, keyboard)
    }

    func send(_ signal: Int32) {
        lookAtAll()
        child.send(signal)
    }

    /// Waits until `isSo` is true. Errors: it never is; the message contains the picture.
    func wait(for what: String, _ isSo: () throws -> Bool) throws {
        try waitUntil(what, isSo)
        lookAtAll()
    }

    private func waitUntil(_ what: String, _ isSo: () throws -> Bool) throws {
        try Shared.wait(for: what, isSo) { "the terminal shows:\n" + picture.rows.joined(separator: "\n") }
    }

    /// Waits until a row shows `text`, or has shown it, however briefly, since the last wait, key or signal. Errors: it never
    /// does; the program has ended without it.
    func wait(for text: String) throws {
        func isShown() -> Bool {
            fetch()
            looked.show(&unlooked) { $0.shows(text) }
            return looked.shows(text)
        }
        try waitUntil(text) {
            if isShown() { return true }
            guard let code = child.waitIfEnded() else { return false }
            try readRest()
            if isShown() { return true }
            let rows = picture.rows.joined(separator: "\n")
            throw Overdue(
                description: "the program has ended with \(code), without: \(text)\nthe terminal shows:\n\(rows)")
        }
    }

    /// Reads all that a program that has ended has written.
    private func readRest() throws {
        guard line >= 0 else { return }
        // Written repeatedly, because keys that are typed can discard output on its way.
        try waitUntil("what was written last") {
            TerminalSession.put(TerminalSession.mark, line)
            fetch()
            return String(decoding: seen, as: UTF8.self).contains(TerminalSession.mark)
        }
    }

    /// Waits until the program has ended and all its output has arrived. Returns its exit code.
    func end() throws -> Int32 {
        var code: Int32?
        try wait(for: "the end of the program") {
            // Reads all the time: a program blocks if nobody reads its terminal.
            _ = text
            code = child.waitIfEnded()
            return code != nil
        }
        try readRest()
        lookAtAll()
        return try #require(code)
    }

    /// Whether the terminal has no room for more output: output is stopped, or nobody reads it.
    var isFull: Bool {
        var output = pollfd(fd: line, events: Int16(POLLOUT), revents: 0)
        return poll(&output, 1, 0) == 0
    }

    /// Waits for the end of the program without reading its output. Returns its exit code.
    func endUnread() throws -> Int32 {
        var code: Int32?
        try Shared.wait(for: "the end of a program that nobody reads") {
            code = child.waitIfEnded()
            return code != nil
        }
        return try #require(code)
    }

    /// Waits for the end of the program, and expects the exit code `code`.
    func expectEnd(_ code: Int32, _ place: SourceLocation = #_sourceLocation) throws {
        let ended = try end()
        #expect(ended == code, sourceLocation: place)
    }

    /// Closes the terminal, as when its window or connection goes away.
    func hangUp() {
        Glibc.close(line)
        Glibc.close(keyboard)
        (line, keyboard) = (-1, -1)
    }

    /// Whether the terminal's settings are the same as before the program began.
    var isAsBefore: Bool { TerminalSession.settings(line) == before }

    /// Restores the terminal's original settings, as a shell does.
    func restore() { tcsetattr(line, TCSANOW, &original) }

    /// Whether the cursor is visible.
    var showsCursor: Bool {
        let text = text
        guard let hidden = text.ranges(of: "\u{1B}[?25l").last else { return true }
        return text.ranges(of: "\u{1B}[?25h").last.map { $0.lowerBound > hidden.lowerBound } ?? false
    }

    private func close() {
        if child.waitIfEnded() == nil {
            send(SIGKILL)
            child.wait()
        }
        if keyboard >= 0 { hangUp() }
    }

    private static func put(_ text: String, _ descriptor: Int32) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }

    private static func settings(_ descriptor: Int32) -> [UInt64] {
        var value = termios()
        guard tcgetattr(descriptor, &value) == 0 else { return [] }
        let keys = withUnsafeBytes(of: &value.c_cc) { $0.map(UInt64.init) }
        return [value.c_iflag, value.c_oflag, value.c_cflag, value.c_lflag].map(UInt64.init) + keys
    }
}
