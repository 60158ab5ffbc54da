internal import Glibc
package import SystemPackage

/// Reads files and folders.
package enum FileBytes {
    /// Why a file cannot be read.
    package enum Fault: Error, Equatable {
        /// The path is a folder.
        case isDirectory
        /// The file is larger than the given limit.
        case tooLarge
        /// The error of the system.
        case system(Errno)
    }

    /// Whether anything exists at the path, a folder included.
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Why the system does not say whether anything exists at the path, as in a folder without permission; nil if it says so.
    package static func refusal(_ path: String) -> Errno? {
        guard !exists(path) else { return nil }
        let error = Errno.last
        return error.meansNothing || error == .fileNameTooLong ? nil : error
    }

    /// Whether there is a folder at the path.
    package static func isDirectory(_ path: String) -> Bool { kind(path) == S_IFDIR }

    /// Whether there is a regular file at the path: reading others, such as pipes, may take forever.
    package static func isRegular(_ path: String) -> Bool { kind(path) == S_IFREG }

    private static func kind(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// The absolute path without symbolic links; nil if nothing exists there.
    package static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// The folder that contains a path.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Reads a file or a pipe to its end, at most `limit` bytes.
    package static func read(_ path: String, limit: Int) throws(Fault) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(.last) }
        defer { close(descriptor) }
        return try read(descriptor: descriptor, limit: limit)
    }

    /// The same; `-` stands for standard input.
    package static func read(fileOrInput path: String, limit: Int) throws(Fault) -> [UInt8] {
        path == "-" ? try read(descriptor: 0, limit: limit) : try read(path, limit: limit)
    }

    /// Reads the rest of an open file; leaves the descriptor open.
    package static func read(descriptor: Int32, limit: Int) throws(Fault) -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(.last) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw .isDirectory }
        guard status.st_size <= limit else { throw .tooLarge }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(status.st_size))
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { piece.deallocate() }
        while true {
            let count = Glibc.read(descriptor, piece.baseAddress, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(.last) }
            if count == 0 { return bytes }
            guard bytes.count + count <= limit else { throw .tooLarge }
            bytes.append(contentsOf: piece[..<count])
        }
    }

    /// The names in a folder, sorted, without hidden ones. Errors: the system's.
    package static func names(in folder: String) throws(Errno) -> [String] {
        guard let stream = opendir(folder) else { throw .last }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                String(cString: UnsafeRawPointer(field).assumingMemoryBound(to: CChar.self))
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
