internal import Glibc

/// A small file: written whole or not at all.
package enum TextFile {
    /// Creates a file and the folders above it. Throws `cannotWrite` where it exists already.
    package static func create(_ path: String, _ bytes: [UInt8]) throws(FileError) {
        makeFolders(above: path)
        guard access(path, F_OK) != 0 else { throw .cannotWrite(String(cString: strerror(EEXIST))) }
        try replace(path, bytes)
    }

    /// Writes a file in place of what is there, if anything; `makesFolders` makes those above it.
    ///
    /// Throws `cannotWrite` with the system's reason; what was there before is then still there.
    package static func replace(_ path: String, _ bytes: [UInt8], makesFolders: Bool = false) throws(FileError) {
        if makesFolders { makeFolders(above: path) }
        var file = try NewFile(path)
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(file.descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw .cannotWrite(String(cString: strerror(errno))) }
            rest = rest.dropFirst(written)
        }
        try file.keep()
    }

    /// Makes the missing folders; what fails shows when the file is made.
    static func makeFolders(above path: String) {
        var folder = ""
        for part in path.split(separator: "/").dropLast() {
            folder += path.hasPrefix("/") || !folder.isEmpty ? "/\(part)" : "\(part)"
            mkdir(folder, 0o777)
        }
    }
}
