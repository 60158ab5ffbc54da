internal import ArgumentParser
internal import Glibc
internal import Languages
internal import Scores
internal import Screens
internal import Synchronization
internal import SystemPackage

/// Ends a command without success: a sentence on standard error, and an exit code that scripts can distinguish.
enum Failure {
    /// The exit codes of this program: those of sysexits.h, and 130 after an interrupt.
    enum Code: Int32 {
        case usage = 64
        case badData = 65
        case noInput = 66
        case noDevice = 69
        case cannotWrite = 73
        case busy = 75
        case interrupted = 130
    }

    /// Prints an error message; returns the exit code for the caller to throw.
    static func exit(_ code: Code, _ message: some CustomStringConvertible) -> ExitCode {
        say(localized("error: \(message)"))
        return ExitCode(code.rawValue)
    }

    /// Carries out `body`. Its error ends the command with this code, and is printed after `subject`.
    static func exitOnError<Value>(_ code: Code, _ subject: String = "", _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let reported as ExitCode {
            throw reported
        } catch {
            throw exit(code, subject + "\(error)")
        }
    }

    /// Writes a line to standard error after the program's name, made safe for a terminal.
    static func say(_ message: String) { StandardError.write("barline: \(message.printable)\n") }
}

/// Standard error, for messages to people while standard output is for programs.
enum StandardError {
    /// Writes a text that ends with a line ending. While a screen is up at the terminal, the screen shows it.
    static func write(_ text: String) {
        if let held { held.text.withLock { $0 += text } } else { Notices.write(text) }
    }

    /// Carries out `body`; returns what it would have written.
    static func holdingBack<Value>(_ body: () throws -> Value) rethrows -> (value: Value, text: String) {
        let held = Held()
        let value = try $held.withValue(held, operation: body)
        return (value, held.text.withLock(\.self))
    }

    @TaskLocal private static var held: Held?

    /// A text that has been held back.
    private final class Held: Sendable {
        /// Guards the text: every task that inherits it may write.
        let text = Mutex("")
    }

    static var isTerminal: Bool { StandardStream.error.isTerminal }
}

/// Buffered standard output for tables and lists. Output that cannot be written is an error.
struct StandardOutput: ~Copyable {
    private var buffer: [UInt8] = []
    private static let size = 1 << 16

    init() { buffer.reserveCapacity(StandardOutput.size + 1024) }

    /// Writes a text and a line ending at once; an error is told by `end`.
    static func say(_ text: String) { _ = try? StandardStream.output.writeAll(Array((text + "\n").utf8)) }

    /// Ends the program, whose command has succeeded: with 0, or with an error if something that was written meanwhile, such
    /// as the lines of a play, is not there.
    static func end() -> Never {
        guard let failure = StandardStream.output.failure else { exit(0) }
        exit(unwritten(failure).rawValue)
    }

    private static func unwritten(_ failure: Errno) -> ExitCode {
        Failure.exit(.cannotWrite, localized("standard output cannot be written: \(failure)"))
    }

    /// Writes a whole output. Errors: those of `flush`.
    static func print(_ text: String) throws { try print(text.utf8) }

    /// Writes a whole output. Errors: those of `flush`.
    static func print(_ bytes: some Collection<UInt8>) throws {
        var output = StandardOutput()
        try output.write(bytes)
        try output.flush()
    }

    /// Adds text; writes the buffer when it is full.
    mutating func write(_ text: String) throws { try write(text.utf8) }

    /// Adds bytes; writes the buffer when it is full.
    mutating func write(_ bytes: some Collection<UInt8>) throws {
        buffer.append(contentsOf: bytes)
        if buffer.count >= StandardOutput.size { try flush() }
    }

    /// Writes the buffer. If the reader has gone away, the program ends quietly.
    mutating func flush() throws {
        do throws(Errno) {
            try StandardStream.output.writeAll(buffer)
        } catch {
            if error == .brokenPipe { throw ExitCode.success }
            throw StandardOutput.unwritten(error)
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
