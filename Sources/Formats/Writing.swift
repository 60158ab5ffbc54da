internal import Languages
package import Running
public import Scores

/// How a format is written.
enum ScoreWriter {
    /// From the page.
    case page((PlayedScore, WritingOptions, inout Losses) throws(TextError) -> [UInt8])
    /// From the bars as played, at most `PlayedScore.barLimit`.
    case played((PlayedScore, WritingOptions, inout Losses) throws(TextError) -> [UInt8])
    /// From the bars as they are drawn; the String says what the file does not carry.
    case drawn((Picture) -> (bytes: [UInt8], loss: String?))
}

/// Choices for writing a score.
package struct WritingOptions: Sendable {
    /// The paper of pictures; nil for A4.
    package var paper: Picture.Paper?

    /// Makes the standard choices.
    package init() {}
}

/// A score or plan written in a format.
public struct Writing: Sendable {
    /// The bytes of the file.
    public var bytes: [UInt8]
    /// What the format does not carry: one sentence for each kind of loss.
    public var losses: [String]

    /// Makes a file with what it lacks.
    package init(bytes: [UInt8], losses: [String]) { (self.bytes, self.losses) = (bytes, losses) }
}

extension Format {
    /// Whether the format shows the page itself, so that no part of it and no other speed can be selected.
    public var isOfPage: Bool { if case .page = definition.write { true } else { false } }

    /// Whether it draws the score on paper.
    package var isPicture: Bool { if case .drawn = definition.write { true } else { false } }

    /// Writes a score in this format.
    ///
    /// Errors: the format can only be read, the piece is too large for it, or a bar is too short or too long at the speed.
    public func write(_ played: PlayedScore) throws(TextError) -> Writing { try write(played, WritingOptions()) }

    /// Writes a score in this format, as it is chosen.
    package func write(_ played: PlayedScore, _ options: WritingOptions) throws(TextError) -> Writing {
        guard let writer = definition.write else {
            throw TextError(localized("\(definition.name) can be read, but not written"))
        }
        var losses = Losses()
        var (played, voices) = (played, [played])
        // A voice has its name for a title.
        var carried = played.score.title == nil ? definition.carries.union([.title]) : definition.carries
        if !played.score.companions.isEmpty {
            // A voice by itself has no channel.
            let losesChannels = !carried.contains(.channels) && Feature.channels.isIn(played.score)
            voices = played.voices
            if !definition.carries.contains(.voices), let first = voices.first {
                losses.note(Feature.voices.loss)
                (played, voices) = (first, [first])
            }
            if losesChannels { losses.note(Feature.channels.loss) }
        }
        let paper = options.paper ?? .a4
        if isPicture,
            voices.allSatisfy({ PictureLine.joinsRepeats(of: $0, on: paper) && !$0.score.hasRepeats(ofLines: false) })
        {
            carried.insert(.repeats)
        }
        if carried.count < Feature.allCases.count {
            for voice in voices { Feature.collect(from: voice, but: carried, &losses) }
        }
        guard isOfPage || played.barCount <= PlayedScore.barLimit else {
            throw TextError(
                localized(
                    "the piece has \(played.barCount) bars as it is played; \(definition.name) takes at most 1 000 000"
                ), hint: localized("write a part of it"))
        }
        let bytes: [UInt8]
        if case .drawn = writer {} else { try played.checkWrittenLengths() }
        switch writer {
        case .page(let write): bytes = try write(played, options, &losses)
        case .played(let write):
            for voice in voices { try voice.checkLengths() }
            bytes = try write(played.numbered, options, &losses)
        case .drawn(let file):
            let drawn = file(try PictureLayout.picture(of: played.numbered, options))
            if let loss = drawn.loss { losses.note(loss) }
            bytes = drawn.bytes
        }
        return Writing(bytes: bytes, losses: losses.sentences)
    }

    /// Writes a plan in this format. `now` is the current time in seconds since 1970, for formats that record it.
    ///
    /// Errors: the format can only be read, or cannot express the plan, or the plan cannot be laid out or has no end.
    package func write(
        _ plan: Plan, now: Int, _ options: WorkoutOptions = WorkoutOptions()
    ) throws(TextError) -> Writing {
        guard let format = definition.plan else { throw TextError(localized("\(name) is not a plan")) }
        guard let write = format.write else { throw TextError(localized("\(name) can be read, but not written")) }
        var losses = Losses()
        let plan = self == .plan ? plan : try plan.forFile()
        if self != .plan { Feature.collect(from: plan, but: format.carries, &losses) }
        let bytes = try write(plan, now, options, &losses)
        return Writing(bytes: bytes, losses: losses.planSentences)
    }
}

/// What a format does not carry, or a reader leaves out: each kind once, with how many times it occurs and where first.
package struct Losses {
    /// The kinds in the order in which they were noted; a place is empty for the whole piece.
    package private(set) var found: [(message: String, count: Int, first: String)] = []
    private var indices: [String: Int] = [:]

    /// Makes no losses.
    package init() {}

    /// Notes a loss, in the bar or interval at a place or in the whole piece.
    package mutating func note(_ message: String, at place: String = "") {
        if let index = indices[message] {
            found[index].count += 1
        } else {
            indices[message] = found.count
            found.append((message, 1, place))
        }
    }

    /// One sentence for each kind of loss of a score.
    var sentences: [String] {
        found.map { message, count, first in
            if first.isEmpty { return message }
            return count == 1
                ? localized("\(message) (in bar \(first))")
                : localized("\(message) (in \(count) bars, the first is \(first))")
        }
    }
}
