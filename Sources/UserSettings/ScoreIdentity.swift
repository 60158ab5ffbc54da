internal import Files
internal import Scores

/// Identifies a score about which something is remembered.
package enum ScoreIdentity: Sendable, Hashable {
    /// A file by its real path, with symbolic links resolved.
    case path(String)
    /// A bundled score by its name.
    case bundled(String)

    /// The identity of a file; nil if there is no such file.
    package init?(path: String) {
        guard let real = FileBytes.realPath(path) else { return nil }
        self = .path(real)
    }

    /// The identity as written in the memory file, so that two scores whose files have the same name are not confused.
    var text: String {
        switch self {
        case .path(let path): path
        case .bundled(let name): name
        }
    }

    /// The name of its memory file; for a path, its hash in 16 hexadecimal digits.
    package var fileName: String {
        switch self {
        case .bundled(let name): return name + ".yaml"
        case .path(let path):
            let digits = path.stableHash
            return String(repeating: "0", count: 16 - digits.count) + digits + ".yaml"
        }
    }
}
