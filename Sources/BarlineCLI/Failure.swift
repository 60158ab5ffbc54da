internal import ArgumentParser
internal import Glibc
internal import Scores
internal import Screens
internal import SystemPackage

/// An end that is not a success: one sentence on standard error, and a code that scripts can tell apart.
enum Failure {
    /// The exit codes of sysexits.h that this program uses.
    enum Code: Int32 {
        case usage = 64
        case badData = 65
        case noInput = 66
        case noDevice = 69
        case cannotWrite = 73
        case busy = 75
        case interrupted = 130
    }

    /// Says what is wrong; throw what it returns.
    static func exit(_ code: Code, _ message: some CustomStringConvertible) -> ExitCode {
        say("error: \(message)")
        return ExitCode(code.rawValue)
    }

    /// Writes a line to standard error under the program's name, whatever names of files and labels it has in it.
    static func say(_ message: String) {
        StandardError.write("barline: \(message.printable)\n")
    }
}

/// The stream for people when standard output is for programs.
enum StandardError {
    static func write(_ text: String) {
        _ = try? StandardStream.error.writeAll(Array(text.utf8))
    }

    static var isTerminal: Bool { isatty(2) == 1 }
}

/// Standard output for tables and lists: gathered, and written in large pieces; what cannot be written is an error.
struct StandardOutput: ~Copyable {
    private var buffer: [UInt8] = []
    private static let size = 1 << 16

    init() { buffer.reserveCapacity(StandardOutput.size + 1024) }

    /// Writes a text and a line end, whether or not anybody reads it.
    static func say(_ text: String) { _ = try? StandardStream.output.writeAll(Array((text + "\n").utf8)) }

    /// Writes text, at once as far as there is much.
    mutating func write(_ text: String) throws { try write(text.utf8) }

    /// Writes bytes, at once as far as there are many.
    mutating func write(_ bytes: some Collection<UInt8>) throws {
        buffer.append(contentsOf: bytes)
        if buffer.count >= StandardOutput.size { try flush() }
    }

    /// Writes what is gathered. A reader that has gone away ends the program quietly.
    mutating func flush() throws {
        do throws(Errno) {
            try StandardStream.output.writeAll(buffer)
        } catch {
            if error == .brokenPipe { throw ExitCode.success }
            throw Failure.exit(.cannotWrite, "standard output cannot be written: \(error)")
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
