internal import Glibc
internal import SystemPackage

/// Writes small files, as a whole or not at all.
package enum TextFile {
    /// Creates a file and missing folders above it. Errors: `exists` if there is one, even since a moment ago; `cannotWrite`.
    package static func create(_ path: String, _ bytes: [UInt8]) throws(FileError) {
        try makeFolders(above: path)
        guard access(path, F_OK) != 0 else { throw .exists }
        var file = try NewFile(path)
        try writeAll(bytes, to: file.descriptor)
        try file.keep(replaces: false)
    }

    /// Writes a file, replacing any existing one; `makesFolders` makes missing folders above it.
    ///
    /// Errors: `cannotWrite` with the system's reason; an existing file then stays as it was.
    package static func replace(_ path: String, _ bytes: [UInt8], makesFolders: Bool = false) throws(FileError) {
        if makesFolders { try makeFolders(above: path) }
        var file = try NewFile(path)
        try writeAll(bytes, to: file.descriptor)
        try file.keep()
    }

    /// Writes bytes to a descriptor. Errors: `cannotWrite` with the system's reason.
    package static func writeAll(_ bytes: some Sequence<UInt8>, to descriptor: Int32) throws(FileError) {
        do { try FileDescriptor(rawValue: descriptor).writeAll(bytes) } catch {
            throw .cannotWrite((error as? Errno)?.reason ?? "\(error)")
        }
    }

    /// Makes missing folders. Errors: `cannotWrite` with the reason for the first one that cannot be made.
    static func makeFolders(above path: String) throws(FileError) {
        var folder = ""
        for part in path.split(separator: "/").dropLast() {
            folder += path.hasPrefix("/") || !folder.isEmpty ? "/\(part)" : "\(part)"
            guard mkdir(folder, 0o777) != 0 else { continue }
            let reason = Errno.last
            guard access(folder, F_OK) == 0 else { throw .cannotWrite(reason.reason) }
        }
    }
}
