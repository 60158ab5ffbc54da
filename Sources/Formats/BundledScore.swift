internal import CScores
internal import Scores

/// A score that is part of the program.
public struct BundledScore: Sendable, Equatable {
    /// The name to ask for it by, such as "sequenza-vii".
    public let name: String
    /// The YAML text.
    public let bytes: [UInt8]

    /// The title that the score gives itself, or else its name.
    public var title: String { reading.score?.title ?? name }

    /// The score read, with its diagnostics.
    public var reading: Reading { Score.read(bytes, file: name + ".yaml") }

    /// All bundled scores, in order of their names.
    public static let all: [BundledScore] = (0..<cscores_count()).compactMap { index in
        var length = 0
        guard let name = cscores_name(index), let bytes = cscores_bytes(index, &length) else { return nil }
        return BundledScore(
            name: String(cString: name), bytes: Array(UnsafeBufferPointer(start: bytes, count: length)))
    }

    /// The score of that name, or nil.
    public static func named(_ name: String) -> BundledScore? {
        all.first { $0.name == name }
    }
}
