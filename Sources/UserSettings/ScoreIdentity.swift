package import Formats
internal import Glibc

/// Which score it is that something is remembered of.
package enum ScoreIdentity: Sendable, Hashable {
    /// The file at a real path, symbolic links followed.
    case path(String)
    /// A score that is part of the program.
    case bundled(String)

    /// The identity of what a user plays; nil for standard input, which is nobody.
    package init?(_ source: ScoreSource) {
        switch source {
        case .file(let path), .user(_, let path): self.init(path: path)
        case .bundled(let score): self = .bundled(score.name)
        case .standardInput: return nil
        }
    }

    /// The identity of a file; nil where there is none.
    package init?(path: String) {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        self = .path(String(cString: real))
    }

    /// What stands in the file, so that two are never taken for each other.
    var text: String {
        switch self {
        case .path(let path): path
        case .bundled(let name): name
        }
    }

    /// The name of its file: of a path 16 hexadecimal digits, FNV-1a (Fowler, Noll, Vo) of its bytes.
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
