internal import Glibc
internal import Languages
internal import SystemPackage

/// A small file that persists between runs. Several programs may change it at once without losing each other's changes.
///
/// Every change is made under the lock of the file's folder: the file is read, changed, and replaced as a whole.
package struct KeptFile: Sendable, Equatable {
    /// Its path; the file need not exist.
    package let path: String

    /// The maximum number of bytes that are read.
    package static let limit = 16 << 20

    /// The file at a path.
    package init(_ path: String) { self.path = path }

    /// Reads all bytes; nil if there is no file.
    ///
    /// Errors: a folder, a pipe, more than 16 MiB, an error of the system.
    package func read() throws(FileError) -> [UInt8]? {
        // Nobody waits for a pipe that has no other end.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            let error = Errno.last
            if error == .noSuchFileOrDirectory || error == .notDirectory { return nil }
            throw .cannotRead(error.reason)
        }
        defer { close(descriptor) }
        if KeptFile.isPipe(descriptor) { throw .cannotRead(KeptFile.noFile) }
        do throws(FileBytes.Fault) {
            return try FileBytes.read(descriptor: descriptor, limit: KeptFile.limit)
        } catch {
            switch error {
            case .system(let error): throw .cannotRead(error.reason)
            case .isDirectory: throw .cannotRead(Errno.isDirectory.reason)
            case .tooLarge: throw .cannotRead(localized("it is larger than 16 MiB"))
            }
        }
    }

    private static func isPipe(_ descriptor: Int32) -> Bool {
        var about = stat()
        return fstat(descriptor, &about) == 0 && about.st_mode & S_IFMT == S_IFIFO
    }

    /// Why a pipe is refused: whoever reads it first takes what was written, and nothing of it is left.
    private static var noFile: String { localized("it is a pipe, which keeps nothing") }

    /// Replaces the file with what `change` makes of its bytes, while no other program can change it.
    ///
    /// `change` gets nil if there is no file or it was damaged, and returns nil to leave the file as it is. Makes
    /// missing folders. A damaged file is moved aside first, as by `setAside`.
    ///
    /// Returns the new path of a damaged file; nil if the file was not damaged. Errors: the file cannot be read or
    /// written; its previous content is then kept.
    @discardableResult
    package func change(
        damagedWhere isDamaged: ([UInt8]) -> Bool = { _ in false }, _ change: ([UInt8]?) -> [UInt8]?
    ) throws(FileError) -> String? {
        let lock = try locked()
        var before = try read()
        var aside: String?
        if let bytes = before, isDamaged(bytes) {
            aside = try moveAside()
            before = nil
        }
        if let after = change(before), after != before { try TextFile.replace(path, after) }
        _ = consume lock
        return aside
    }

    /// Adds a line at the end, after `header` if the file is new or empty. If the last line is incomplete because of a
    /// full disk or a power cut, ends that line first.
    ///
    /// Errors: the line cannot be written; then the file is as before, and a new one is not there.
    package func append(_ line: String, header: String) throws(FileError) {
        let lock = try locked()
        let isNew = !FileBytes.exists(path)
        let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .cannotWrite(Errno.last.reason) }
        defer { close(descriptor) }
        if KeptFile.isPipe(descriptor) { throw .cannotWrite(KeptFile.noFile) }
        let size = lseek(descriptor, 0, SEEK_END)
        var text = line + "\n"
        var last: UInt8 = 0
        if size <= 0 {
            text = header + "\n" + text
        } else if pread(descriptor, &last, 1, size - 1) == 1, last != 0x0A {
            text = "\n" + text
        }
        do throws(FileError) {
            try TextFile.writeAll(text.utf8, to: descriptor)
            guard fsync(descriptor) == 0 || errno == EINVAL else { throw .cannotWrite(Errno.last.reason) }
        } catch {
            // A part of a line may be read as another line.
            if size >= 0 { ftruncate(descriptor, size) }
            if isNew, let target = try? NewFile.target(path) { unlink(target) }
            throw error
        }
        _ = consume lock
    }

    /// Moves a damaged file aside, to `PATH.damaged-1` or the next free number, so that nothing overwrites it.
    ///
    /// Returns its new path; nil if there is no file, or if it is not (or no longer) damaged. Errors: it cannot be read
    /// or moved.
    package func setAside(where isDamaged: ([UInt8]) -> Bool) throws(FileError) -> String? {
        func needsMoving() throws(FileError) -> Bool { try read().map(isDamaged) ?? false }
        // The first look needs no lock, which would make missing folders.
        guard try needsMoving() else { return nil }
        let lock = try locked()
        guard try needsMoving() else { return nil }
        let aside = try moveAside()
        _ = consume lock
        return aside
    }

    private func moveAside() throws(FileError) -> String {
        // Move the file itself: a symbolic link to it stays where the user put it.
        let path = try NewFile.target(path)
        var number = 1
        var about = stat()
        while lstat("\(path).damaged-\(number)", &about) == 0 { number += 1 }
        let aside = "\(path).damaged-\(number)"
        guard rename(path, aside) == 0 else { throw .cannotWrite(Errno.last.reason) }
        return aside
    }

    private func locked() throws(FileError) -> FileLock {
        try TextFile.makeFolders(above: path)
        return try FileLock(folder: FileBytes.folder(of: path))
    }
}
