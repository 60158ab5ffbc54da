internal import Files
internal import Glibc

/// Finds out what a path leads to.
package enum FileKind {
    /// Whether there is something other than a folder at a path.
    package static func isFile(_ path: String) -> Bool { FileBytes.exists(path) && !FileBytes.isDirectory(path) }

    /// The name of a file without its folders.
    package static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The extension of a file's name, in lower case; nil if it has none.
    package static func `extension`(of path: String) -> String? {
        (path.split(separator: "/").last ?? "").split(separator: ".").dropFirst().last?.lowercased()
    }
}

/// The identity of the file at a path: equal for two paths of the same file.
package struct FileIdentity: Equatable {
    private let device: dev_t
    private let number: ino_t
    package let isPipe: Bool
    package let isRegular: Bool

    /// The identity of the file at a path; nil if there is no file, and for `-`.
    package init?(_ path: String) {
        var about = stat()
        guard path != "-", stat(path, &about) == 0 else { return nil }
        (device, number) = (about.st_dev, about.st_ino)
        isPipe = [S_IFIFO, S_IFSOCK].contains(about.st_mode & S_IFMT)
        isRegular = about.st_mode & S_IFMT == S_IFREG
    }

    /// Whether a path is a symbolic link, wherever it leads.
    package static func isLink(_ path: String) -> Bool {
        var about = stat()
        return lstat(path, &about) == 0 && about.st_mode & S_IFMT == S_IFLNK
    }
}
