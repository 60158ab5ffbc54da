public import Scores

/// How a format is written.
enum ScoreWriter {
    /// From the page.
    case page((Score, inout Losses) throws(TextError) -> [UInt8])
    /// From the bars as they are played; so many at most.
    case played((PlayedScore, inout Losses) throws(TextError) -> [UInt8])
}

/// A score in another format.
public struct Writing: Sendable {
    /// The file.
    public var bytes: [UInt8]
    /// What the format does not carry, a sentence for each kind of thing.
    public var losses: [String]
}

extension ScoreFormat {
    /// Whether the format shows the page as such: parts of it, and other speeds, cannot be asked for.
    public var isOfPage: Bool { if case .page = definition.write { true } else { false } }

    /// Writes a score in this format.
    ///
    /// Errors: a format that is only read, or a piece that is too large for it.
    public func write(_ played: PlayedScore) throws(TextError) -> Writing {
        guard let writer = definition.write else {
            throw TextError("\(definition.name) can be read, but not written")
        }
        var losses = Losses()
        if definition.carries.count < ScoreFeature.allCases.count {
            ScoreFeature.collect(from: played, but: definition.carries, &losses)
        }
        let bytes: [UInt8]
        switch writer {
        case .page(let write): bytes = try write(played.score, &losses)
        case .played(let write):
            guard played.barCount <= PlayedScore.barLimit else {
                throw TextError(
                    "the piece has \(played.barCount) bars as it is played; \(definition.name) takes at most 1 000 000",
                    hint: "write a part of it")
            }
            bytes = try write(played, &losses)
        }
        return Writing(bytes: bytes, losses: losses.sentences)
    }
}

/// What a format does not carry: how often, and where first.
struct Losses {
    private var found: [(message: String, count: Int, first: String)] = []
    private var indices: [String: Int] = [:]

    /// Notes something about the piece as a whole.
    mutating func note(_ message: String) { note(message, at: "") }

    /// Notes something about the bar at a place.
    mutating func note(_ message: String, at place: String) {
        if let index = indices[message] {
            found[index].count += 1
        } else {
            indices[message] = found.count
            found.append((message, 1, place))
        }
    }

    /// A sentence for each kind, in the order in which they were noted.
    var sentences: [String] {
        found.map { message, count, first in
            if first.isEmpty { return message }
            return count == 1 ? "\(message) (in bar \(first))" : "\(message) (in \(count) bars, the first is \(first))"
        }
    }
}
