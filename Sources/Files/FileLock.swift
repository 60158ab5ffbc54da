internal import Glibc
internal import Languages
internal import SystemPackage

/// The right to change the files of a folder, held by one program at a time: a lock on the hidden file `.lock` in it.
package struct FileLock: ~Copyable {
    private let descriptor: Int32

    /// How long to wait for another program, which normally holds the lock for some milliseconds.
    package static let patience = Duration.seconds(10)

    /// Waits for the lock. Errors: the folder cannot be written, another program holds the lock longer than `patience`.
    package init(folder: String, patience: Duration = FileLock.patience) throws(FileError) {
        descriptor = try FileLock.locked(folder + "/.lock", patience)
    }

    deinit { close(descriptor) }

    private static func locked(_ path: String, _ patience: Duration) throws(FileError) -> Int32 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .cannotWrite(Errno.last.reason) }
        let end = ContinuousClock.now + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < end else {
                let reason =
                    errno == EWOULDBLOCK ? localized("another program keeps '\(path)' locked") : Errno.last.reason
                close(descriptor)
                throw .cannotWrite(reason)
            }
            usleep(2000)
        }
        return descriptor
    }
}
