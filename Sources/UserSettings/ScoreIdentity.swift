internal import Files

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

    /// The name of its memory file; for a path, its 64-bit FNV-1a hash (Fowler, Noll, Vo) in 16 hexadecimal digits.
    package var fileName: String {
        switch self {
        case .bundled(let name): return name + ".yaml"
        case .path(let path):
            let hash = path.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
            let digits = String(hash, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits + ".yaml"
        }
    }
}
