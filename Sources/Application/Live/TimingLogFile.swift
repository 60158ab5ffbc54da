internal import Files
internal import Glibc
internal import Languages
internal import Synchronization
internal import SystemPackage
internal import Timing

/// Writes the timing log to a file, each row with one write, whole or not at all, so that after a crash or on a full disk what
/// is in the log is valid.
final class TimingLogFile: Sendable {
    private let path: String
    private let descriptor: Int32
    /// Whether there was no such file before, and it is this performance's own.
    private let isNew: Bool
    private let hasBegun = Atomic<Bool>(false)
    /// The bytes of all rows that were written whole: as long is the file, unless another program has changed it.
    private let length = Atomic<Int>(0)
    /// The errno of the last row that could not be written; 0 if all could.
    private let failure = Atomic<CInt>(0)

    /// Opens the file, which stays as it was until `begin`: a performance that cannot begin leaves an old log whole, and
    /// makes no new one. An error ends the command.
    init(_ path: String) throws {
        let noFile = localized("--timing-log needs a file, because bars go to standard output")
        if path == "-" { throw Failure.exit(.usage, noFile) }
        self.path = path
        let created = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        descriptor = created >= 0 ? created : open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
        let isShared = descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
        // Another performance that starts just now may have taken the file.
        isNew = created >= 0 && !isShared
        guard descriptor >= 0 else {
            throw Failure.exit(.cannotWrite, localized("'\(path)' cannot be written: \(Errno.last.reason)"))
        }
        if isShared, isFile {
            throw Failure.exit(
                .cannotWrite, localized("'\(path)' is the timing log of another performance that plays now"))
        }
        // With `>>`, the file has other content, which the log would replace.
        if isFile, NewFile.isOutput(descriptor) { throw Failure.exit(.usage, noFile) }
        // Non-blocking, so that the music does not wait for the reader of a pipe; it has no effect on a regular file.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(descriptor)
        if isNew, !hasBegun.load(ordering: .relaxed) { unlink(path) }
    }

    /// Empties the file and writes the header; nothing if it has begun already.
    func begin() {
        guard !hasBegun.exchange(true, ordering: .relaxed) else { return }
        // A pipe or a device cannot be emptied, and need not be.
        ftruncate(descriptor, 0)
        // If another program empties the file meanwhile, no hole of zeros arises.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK | O_APPEND)
        write(TimingRow.header)
    }

    /// Adds a row. An error is kept for `finish`, because the music does not stop for a log.
    func write(_ row: TimingRow) { write(row.csv) }

    /// Reports an error that happened while the music played.
    func finish() throws {
        let error = failure.load(ordering: .relaxed)
        guard error == 0 else {
            throw Failure.exit(
                .cannotWrite, localized("'\(path)' cannot be written: \(Errno(rawValue: error).reason)"))
        }
        guard hasBegun.load(ordering: .relaxed), isFile else { return }
        guard state.st_nlink > 0, state.st_size == length.load(ordering: .relaxed) else {
            throw Failure.exit(
                .cannotWrite, localized("'\(path)' was removed, replaced or changed while it was written"))
        }
    }

    /// What the system knows of the file.
    private var state: stat {
        var state = stat()
        fstat(descriptor, &state)
        return state
    }

    /// Whether it is a file, and not a pipe or a device, which several performances may share.
    private var isFile: Bool { state.st_mode & S_IFMT == S_IFREG }

    private func write(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard written < bytes.count else {
            length.add(bytes.count, ordering: .relaxed)
            return
        }
        failure.store(written < 0 ? errno : ENOSPC, ordering: .relaxed)
        // The disk may have room again for later rows, which half a row would spoil.
        if written > 0, isFile { ftruncate(descriptor, lseek(descriptor, -off_t(written), SEEK_CUR)) }
    }
}
