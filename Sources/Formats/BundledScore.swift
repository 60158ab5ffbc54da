internal import CScores
internal import Scores

/// A score that is part of the program.
public struct BundledScore: Sendable, Equatable {
    /// The name by which it is selected, such as "sequenza-vii".
    public let name: String
    /// The YAML text.
    public let bytes: [UInt8]

    /// The score's title, or its name if it has no title.
    public var title: String { reading.score?.title ?? name }

    /// The result of reading the score.
    public var reading: Document { Score.read(bytes, file: name + ".yaml") }

    /// All bundled scores, in order of their names.
    public static let all: [BundledScore] = (0..<cscores_count()).compactMap { index in
        var length = 0
        guard let name = cscores_name(index), let bytes = cscores_bytes(index, &length) else { return nil }
        return BundledScore(
            name: String(cString: name), bytes: Array(UnsafeBufferPointer(start: bytes, count: length)))
    }

    /// The score with that name; nil if there is none.
    public static func named(_ name: String) -> BundledScore? {
        all.first { $0.name == name }
    }
}
