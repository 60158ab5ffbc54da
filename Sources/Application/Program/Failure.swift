internal import Files
internal import Glibc
internal import Languages
internal import Scores
internal import Screens
internal import SystemPackage

/// Ends the program with an exit code. What there is to say has been said before it is thrown.
package struct ProgramEnd: Error, Equatable {
    package let code: Int32

    package init(_ code: Failure.Code) { self.code = code.rawValue }

    private init(code: Int32) { self.code = code }

    /// An end that is no failure.
    package static let success = ProgramEnd(code: 0)
}

/// An end without success: a sentence on standard error, and an exit code that scripts can distinguish.
package enum Failure {
    /// The exit codes of this program: those of sysexits.h, and 130 after an interrupt.
    package enum Code: Int32 {
        case usage = 64
        case badData = 65
        case noInput = 66
        case noDevice = 69
        case cannotWrite = 73
        case busy = 75
        case interrupted = 130
    }

    /// Prints an error message; returns the end for the caller to throw.
    package static func exit(_ code: Code, _ message: some CustomStringConvertible) -> ProgramEnd {
        say(localized("error: \(message)"))
        return ProgramEnd(code == .noInput ? unread : code)
    }

    /// The code for a file that has just not been read: without a descriptor, it may well be there.
    static var unread: Code { Descriptors.areUsedUp ? .noDevice : .noInput }

    /// Carries out `body`. Its error ends the command with this code, and is printed after `subject`.
    package static func exitOnError<Value>(_ code: Code, _ subject: String = "", _ body: () throws -> Value) throws
        -> Value
    {
        do {
            return try body()
        } catch let reported as ProgramEnd {
            throw reported
        } catch {
            throw exit(code, subject + "\(error)")
        }
    }

    /// Writes a line to standard error after the program's name, made safe for a terminal.
    package static func say(_ message: String) { sayer(message) }

    /// The same from any thread, to the reader of this task.
    static var sayer: @Sendable (String) -> Void {
        let write = StandardError.writer
        return { write("barline: \($0.printable)\n") }
    }
}

/// Standard error, for messages to people while standard output is for programs.
package enum StandardError {
    /// Writes a text that ends with a line ending. While a screen is up at the terminal, the screen shows it.
    package static func write(_ text: String) { writer(text) }

    /// The same from any thread, to the reader of this task.
    static var writer: @Sendable (String) -> Void {
        guard let reader else { return { Notices.write($0) } }
        return { reader.take($0) }
    }

    /// Carries out `body`, and gives what is written in its task to `reader` instead.
    package static func read<Value: Sendable>(
        by reader: @escaping @Sendable (String) -> Void, _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await $reader.withValue(Reader(take: reader), operation: body)
    }

    /// Carries out `body`, and drops what it writes.
    static func silently<Value>(_ body: () throws -> Value) rethrows -> Value {
        try $reader.withValue(Reader<String> { _ in }, operation: body)
    }

    @TaskLocal private static var reader: Reader<String>?

    /// Whether to write in color. A reader in the task gets none, as a pipe does.
    static var hasColor: Bool { reader == nil && Terminal.hasColor(2) }

    package static var isTerminal: Bool { StandardStream.error.isTerminal }
}

/// Takes what a task writes, in place of the stream of the process.
///
/// This is a class because a task-local function crashes where it is set on a thread without a task.
private final class Reader<Written>: Sendable {
    let take: @Sendable (Written) -> Void

    init(take: @escaping @Sendable (Written) -> Void) { self.take = take }
}

/// Buffered standard output for tables and lists. Output that cannot be written is an error.
package struct StandardOutput: ~Copyable {
    private var buffer: [UInt8] = []
    private static let size = 1 << 16

    package init() { buffer.reserveCapacity(StandardOutput.size + 1024) }

    @TaskLocal private static var reader: Reader<[UInt8]>?

    /// Whether a user sits at the terminal, whether it shows color, and its columns. A reader in the task counts as a pipe.
    static var isInteractive: Bool { reader == nil && Terminal.isInteractive }
    static var hasColor: Bool { reader == nil && Terminal.hasColor(1) }
    static var columns: Int { reader == nil ? Terminal.size.columns : 80 }

    /// Carries out `body`, and gives what is written in its task to `reader` instead.
    package static func read<Value: Sendable>(
        by reader: @escaping @Sendable ([UInt8]) -> Void, _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await $reader.withValue(Reader(take: reader), operation: body)
    }

    /// What writes the lines of a performance: from any task, to who reads in this one.
    static func lines(of terminal: Terminal) -> @Sendable (String) -> Void {
        guard let reader else { return { terminal.write($0) } }
        return { reader.take(Array($0.utf8)) }
    }

    /// Writes a text and a line ending at once; an error is told by `end`.
    package static func say(_ text: String) { _ = try? writeAll(Array((text + "\n").utf8)) }

    private static func writeAll(_ bytes: [UInt8]) throws(Errno) {
        if let reader { reader.take(bytes) } else { try StandardStream.output.writeAll(bytes) }
    }

    /// Ends the program, whose command has succeeded: with 0, or with an error if something that was written meanwhile, such
    /// as the lines of a play, is not there.
    package static func end() -> Never {
        guard let failure = StandardStream.output.failure else { exit(0) }
        exit(unwritten(failure).code)
    }

    private static func unwritten(_ failure: Errno) -> ProgramEnd {
        Failure.exit(.cannotWrite, localized("standard output cannot be written: \(failure.reason)"))
    }

    /// Writes a whole output. Errors: those of `flush`.
    package static func print(_ text: String) throws { try print(text.utf8) }

    /// Writes a whole output. Errors: those of `flush`.
    package static func print(_ bytes: some Collection<UInt8>) throws {
        var output = StandardOutput()
        try output.write(bytes)
        try output.flush()
    }

    /// Adds text; writes the buffer when it is full.
    package mutating func write(_ text: String) throws { try write(text.utf8) }

    /// Adds bytes; writes the buffer when it is full.
    package mutating func write(_ bytes: some Collection<UInt8>) throws {
        buffer.append(contentsOf: bytes)
        if buffer.count >= StandardOutput.size { try flush() }
    }

    /// Writes the buffer. If the reader has gone away, the program ends quietly.
    package mutating func flush() throws {
        do throws(Errno) {
            try StandardOutput.writeAll(buffer)
        } catch {
            if error == .brokenPipe { throw ProgramEnd.success }
            throw StandardOutput.unwritten(error)
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
