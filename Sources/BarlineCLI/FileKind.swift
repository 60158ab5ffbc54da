internal import Glibc

/// Finds out what a path leads to.
enum FileKind {
    /// Whether there is something other than a folder at a path.
    static func isFile(_ path: String) -> Bool {
        var about = stat()
        return !path.isEmpty && stat(path, &about) == 0 && about.st_mode & S_IFMT != S_IFDIR
    }

    /// The extension of a file's name, in lower case; nil if it has none.
    static func `extension`(of path: String) -> String? {
        (path.split(separator: "/").last ?? "").split(separator: ".").dropFirst().last?.lowercased()
    }
}
