internal import Glibc
internal import Languages
internal import SystemPackage

/// A file that appears as a whole or not at all: it is written next to its destination under another name, and finally
/// moved there.
///
/// An existing file that is not a regular file (a device, a pipe) is written in place.
package struct NewFile: ~Copyable {
    /// The descriptor to write to.
    package let descriptor: Int32
    private var path: String
    /// The path of the file until it is kept; nil if it is written in place.
    private var temporary: String?

    /// Creates the file that will become `path`. Follows a symbolic link.
    package init(_ path: String) throws(FileError) {
        (descriptor, self.path, temporary) = try NewFile.opened(path)
    }

    private static func opened(_ path: String) throws(FileError) -> (Int32, String, temporary: String?) {
        var about = stat()
        let exists = stat(path, &about) == 0
        // A link to a path that does not exist yet (ENOENT) is allowed; a link that cannot be followed is an error.
        if !exists, errno != ENOENT { throw .cannotWrite(Errno.last.reason) }
        if exists, about.st_mode & S_IFMT == S_IFDIR { throw .cannotWrite(Errno.isDirectory.reason) }
        if exists, about.st_mode & S_IFMT != S_IFREG {
            let descriptor = open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw .cannotWrite(Errno.last.reason) }
            return (descriptor, path, nil)
        }
        // A redirection has made this file for what the program prints: with `>>`, it may have other content, too.
        if exists, isOutput(about) {
            throw .cannotWrite(localized("the output of this program goes there; '-' stands for standard output"))
        }
        let target = exists ? FileBytes.realPath(path) ?? path : try target(path)
        // A file without permission to write is not replaced either.
        if exists, access(target, W_OK) != 0 { throw .cannotWrite(Errno.last.reason) }
        var template = Array(NewFile.template(target).utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else {
            let reason = Errno.last.reason
            throw .cannotWrite(target == path ? reason : localized("it is a link to '\(target)': \(reason)"))
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let mask = umask(0)
        umask(mask)
        fchmod(descriptor, exists ? about.st_mode & 0o777 : 0o666 & ~mask)
        let temporary = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        return (descriptor, target, temporary)
    }

    /// Whether this file, which the program has opened, is one to which a shell has redirected something that it writes:
    /// `/dev/stdout`, `/dev/fd/3`.
    package static func isOutput(_ opened: Int32) -> Bool {
        var about = stat()
        return fstat(opened, &about) == 0 && isOutput(about, opened: opened)
    }

    /// The same of a file that is not opened yet. A user of a shell names descriptors up to 9.
    private static func isOutput(_ file: stat, opened: Int32? = nil) -> Bool {
        (Int32(1)...9).contains { descriptor in
            var about = stat()
            return descriptor != opened && fstat(descriptor, &about) == 0 && about.st_dev == file.st_dev
                && about.st_ino == file.st_ino && fcntl(descriptor, F_GETFL) & O_ACCMODE != O_RDONLY
        }
    }

    deinit {
        close(descriptor)
        if let temporary { unlink(temporary) }
    }

    /// Moves the file to its destination. With `replaces` false, a file that is there by then stays as it is, and it is an
    /// error.
    package mutating func keep(replaces: Bool = true) throws(FileError) {
        try settle()
        if replaces { try move() } else { try moveIfFree() }
    }

    /// Moves the file to another path in the same folder, if nothing is there. Errors: as above.
    package mutating func keep(at other: String) throws(FileError) {
        path = other
        try keep(replaces: false)
    }

    /// Moves the file to its destination, in place of what is there.
    private mutating func move() throws(FileError) {
        guard let temporary else { return }
        guard rename(temporary, path) == 0 else { throw .cannotWrite(Errno.last.reason) }
        self.temporary = nil
    }

    /// Moves the file to its destination if nothing is there. Errors: `exists`.
    private mutating func moveIfFree() throws(FileError) {
        // The new name is taken in one step; the old one goes with this value.
        guard let temporary, link(temporary, path) != 0 else { return }
        if errno == EEXIST { throw .exists }
        // A file system without hard links: an empty file takes the name.
        let reserved = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard reserved >= 0 else { throw errno == EEXIST ? .exists : .cannotWrite(Errno.last.reason) }
        close(reserved)
        do throws(FileError) { try move() } catch {
            unlink(path)
            throw error
        }
    }

    /// Waits until what has been written is on the disk, unless it is written in place.
    private func settle() throws(FileError) {
        guard temporary == nil || fsync(descriptor) == 0 else { throw .cannotWrite(Errno.last.reason) }
    }

    /// Writes files that appear together or not at all: `write` writes each, in this order, and then all are moved to
    /// their destinations. `failure` makes the error of a file that the system refuses.
    package static func writeAll<File, Failure: Error>(
        _ files: ArraySlice<File>, at path: (File) -> String, failure: (FileError, File) -> Failure,
        write: (File, _ descriptor: Int32) throws(Failure) -> Void
    ) throws(Failure) {
        func checked<Value: ~Copyable>(
            _ file: File, _ body: () throws(FileError) -> Value
        ) throws(Failure) -> Value {
            do throws(FileError) { return try body() } catch { throw failure(error, file) }
        }
        // Only one file is open at a time, as there may be thousands.
        var written: [(file: File, temporary: String, path: String)] = []
        defer { for (_, temporary, _) in written { unlink(temporary) } }
        for file in files {
            var new = try checked(file) { () throws(FileError) in try NewFile(path(file)) }
            try write(file, new.descriptor)
            // A full disk may show only now, and no file has been moved yet.
            try checked(file) { () throws(FileError) in try new.settle() }
            guard let temporary = new.temporary else { continue }
            new.temporary = nil
            written.append((file, temporary, new.path))
        }
        for (file, temporary, path) in written where rename(temporary, path) != 0 {
            throw failure(.cannotWrite(Errno.last.reason), file)
        }
    }

    /// The unfinished files of `path` that programs left behind when they were killed.
    package static func remains(of path: String) -> [String] {
        let start = (path.split(separator: "/").last ?? "") + ".part-"
        let names = (try? FileBytes.names(in: FileBytes.folder(of: path))) ?? []
        return names.filter { $0.hasPrefix(start) }.map { path + $0.dropFirst(start.count - 6) }
    }

    /// The pattern of a name next to a path. A file system has names of at most 255 bytes, so the end of a long one is
    /// left out.
    private static func template(_ path: String) -> String {
        let end = ".part-XXXXXX"
        var (path, name) = (
            path,
            path.utf8.count
                - (path.utf8.lastIndex(of: UInt8(ascii: "/")).map {
                    path.utf8.distance(from: path.utf8.startIndex, to: $0) + 1
                } ?? 0)
        )
        while name > 255 - end.utf8.count {
            name -= path.unicodeScalars.removeLast().utf8.count
        }
        return path + end
    }

    /// Where a path leads through symbolic links, whether or not a file exists there. Errors: too many, as in a cycle.
    package static func target(_ path: String) throws(FileError) -> String {
        var path = path
        for _ in 0..<40 {
            var link = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(path, &link, link.count)
            guard count > 0 else { return path }
            let goal = String(decoding: link[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
            path = goal.hasPrefix("/") ? goal : FileBytes.folder(of: path) + "/" + goal
        }
        throw .cannotWrite(Errno.tooManySymbolicLinkLevels.reason)
    }
}
