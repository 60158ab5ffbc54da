internal import Glibc
internal import SystemPackage

/// A small file that stays between runs and that several programs may change at once, none of which loses anything.
///
/// Every change is made under the lock of the file's folder: read, changed, and replaced as a whole.
package struct KeptFile: Sendable, Equatable {
    /// Where it is; it need not exist.
    package let path: String

    /// The most bytes that are read.
    static let limit = 16 << 20

    /// The file at a path.
    package init(_ path: String) { self.path = path }

    /// Reads all bytes; nil where there is no file.
    ///
    /// Errors: a folder, more than 16 MiB, or what the system says.
    package func read() throws(FileError) -> [UInt8]? {
        do throws(FileBytes.Fault) {
            return try FileBytes.read(path, limit: KeptFile.limit)
        } catch {
            switch error {
            case .system(.noSuchFileOrDirectory), .system(.notDirectory): return nil
            case .system(let error): throw .cannotRead(error.description)
            case .isDirectory: throw .cannotRead(Errno.isDirectory.description)
            case .tooLarge: throw .cannotRead("it is larger than 16 MiB")
            }
        }
    }

    /// Replaces the file by what `change` makes of its bytes (nil: there is none) while no other program can change it;
    /// where that is nil, leaves it as it is. Makes missing folders. A damaged file is moved aside first, as by
    /// `setAside`.
    ///
    /// Returns where a damaged file is now. Errors: it cannot be read or written; what was there before is then still
    /// there.
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

    /// Adds a line at the end, behind `header` where the file is new or empty. A line that was torn off, by a full disk or a
    /// power cut, is ended first.
    ///
    /// Errors: it cannot be written; a part of the line may then be there.
    package func append(_ line: String, header: String) throws(FileError) {
        let lock = try locked()
        let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .cannotWrite(Errno.last.description) }
        defer { close(descriptor) }
        let size = lseek(descriptor, 0, SEEK_END)
        var text = line + "\n"
        var last: UInt8 = 0
        if size <= 0 {
            text = header + "\n" + text
        } else if pread(descriptor, &last, 1, size - 1) == 1, last != 0x0A {
            text = "\n" + text
        }
        try TextFile.writeAll(text.utf8, to: descriptor)
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw .cannotWrite(Errno.last.description) }
        _ = consume lock
    }

    /// Moves a file whose bytes are damaged aside, to `PATH.damaged-1` or the next number that is free, so that nobody
    /// overwrites it.
    ///
    /// Returns its new path; nil where it is not damaged, any more. Errors: it cannot be read or moved.
    package func setAside(where isDamaged: ([UInt8]) -> Bool) throws(FileError) -> String? {
        let lock = try locked()
        guard let bytes = try read(), isDamaged(bytes) else { return nil }
        let aside = try moveAside()
        _ = consume lock
        return aside
    }

    private func moveAside() throws(FileError) -> String {
        // The file itself: a link to it stays where the user has put it.
        let path = try NewFile.target(path)
        var number = 1
        var about = stat()
        while lstat("\(path).damaged-\(number)", &about) == 0 { number += 1 }
        let aside = "\(path).damaged-\(number)"
        guard rename(path, aside) == 0 else { throw .cannotWrite(Errno.last.description) }
        return aside
    }

    private func locked() throws(FileError) -> FileLock {
        TextFile.makeFolders(above: path)
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        return try FileLock(folder: folder.isEmpty ? "/" : folder)
    }
}
