internal import Glibc

/// What a path leads to.
enum FileKind {
    /// Whether there is something that is no folder.
    static func isFile(_ path: String) -> Bool {
        var about = stat()
        return !path.isEmpty && stat(path, &about) == 0 && about.st_mode & S_IFMT != S_IFDIR
    }
}
