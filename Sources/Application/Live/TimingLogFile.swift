internal import Files
internal import Glibc
internal import Languages
internal import Synchronization
internal import SystemPackage
internal import Timing

/// Writes the timing log to a file, each row with one write, so that after a crash the log is valid up to that point.
final class TimingLogFile: Sendable {
    private let path: String
    private let descriptor: Int32
    /// The errno of the last row that could not be written; 0 if all could.
    private let failure = Atomic<CInt>(0)

    /// Creates the file, or empties it, and writes the header. An error ends the command.
    init(_ path: String) throws {
        if path == "-" {
            throw Failure.exit(.usage, localized("--timing-log needs a file, because bars go to standard output"))
        }
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw Failure.exit(.cannotWrite, localized("'\(path)' cannot be written: \(Errno.last)"))
        }
        // Non-blocking, so that the music does not wait for the reader of a pipe; it has no effect on a regular file.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        write(TimingRow.header)
    }

    deinit { close(descriptor) }

    /// Adds a row. An error is kept for `finish`, because the music does not stop for a log.
    func write(_ row: TimingRow) { write(row.csv) }

    /// Reports an error that happened while the music played.
    func finish() throws {
        let error = failure.load(ordering: .relaxed)
        guard error != 0 else { return }
        throw Failure.exit(.cannotWrite, localized("'\(path)' cannot be written: \(Errno(rawValue: error))"))
    }

    private func write(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if written < bytes.count { failure.store(written < 0 ? errno : ENOSPC, ordering: .relaxed) }
    }
}
