package import Scores
package import Timing

/// The messages to a follower: lines of text, of which the first tells the kind. A page that has sent `follow score` gets
/// these in place of those for browsers.
package enum FollowerMessage: Sendable, Equatable {
    /// The secret was right.
    case welcome
    /// The leader's time (CLOCK_MONOTONIC, ns) as the answer to `clock N`.
    case clock(Int64, leader: Int64)
    /// The number of a piece, its score as a file of Barline, the text of the plan of intervals that it is, empty for
    /// others, and the scale if it is that of a Scala file; before the music of that piece.
    case score(Int, [UInt8], plan: String = "", scale: Tuning.Scale? = nil)
    /// Where the music of the piece with this number is.
    case music(Int, LeaderMusic)
    /// A text for the player, and its time by the leader's CLOCK_MONOTONIC in ns, by which it is known again.
    case told(String, at: Int64)
    /// The program of the leader ends.
    case farewell

    /// The message as text.
    package var text: [UInt8] {
        switch self {
        case .welcome: Array("welcome".utf8)
        case .clock(let sent, let leader): Array("clock \(sent) \(leader)".utf8)
        case .score(let piece, let score, let plan, let scale):
            FollowerMessage.text(piece, [plan] + FollowerMessage.texts(scale), score)
        case .music(let piece, let music): Array("music \(piece)\n\(FollowerMessage.lines(music))".utf8)
        case .told(let text, let time): Array("told \(time)\n\(text)".utf8)
        case .farewell: Array("farewell".utf8)
        }
    }

    /// Reads a message; nil if it is none.
    package init?(_ text: [UInt8]) {
        let end = text.firstIndex(of: UInt8(ascii: "\n")) ?? text.count
        let words = String(decoding: text[..<end], as: UTF8.self).split(separator: " ")
        let rest = text.dropFirst(end + 1)
        switch (words.first, words.count) {
        case ("welcome", 1): self = .welcome
        case ("farewell", 1): self = .farewell
        case ("clock", 3):
            guard let sent = Int64(words[1]), let leader = Int64(words[2]), FollowerMessage.times.contains(leader)
            else { return nil }
            self = .clock(sent, leader: leader)
        case ("score", 3), ("score", 5):
            guard let piece = Int(words[1]), let (texts, score) = FollowerMessage.parts(words.dropFirst(2), of: rest)
            else { return nil }
            var scale: Tuning.Scale?
            if texts.count == 3 {
                guard let intervals = try? ScalaScale(scalaText: texts[1]),
                    let keys = try? ScalaMap(scalaText: texts[2])
                else { return nil }
                scale = .scala(intervals, keys)
            }
            self = .score(piece, score, plan: texts[0], scale: scale)
        case ("music", 2):
            guard let piece = Int(words[1]), let music = FollowerMessage.music(String(decoding: rest, as: UTF8.self))
            else { return nil }
            self = .music(piece, music)
        case ("told", 2):
            guard let time = Int64(words[1]) else { return nil }
            self = .told(String(decoding: rest, as: UTF8.self), at: time)
        default: return nil
        }
    }

    // MARK: - Score

    /// The texts of the files of a scale.
    private static func texts(_ scale: Tuning.Scale?) -> [String] {
        if case .scala(let scale, let map) = scale { [text(scale), text(map)] } else { [] }
    }

    private static func text(_ scale: ScalaScale) -> String {
        // A line that begins with ! would be a comment.
        ([" \(scale.name)", "\(scale.cents.count)"] + scale.cents.map { $0.fixed(9) }).joined(separator: "\n")
    }

    private static func text(_ map: ScalaMap) -> String {
        let head = [
            "\(map.degrees.count)", "0", "127", "\(map.middle)", "\(map.reference)", "\(map.hertz)", "\(map.octave)",
        ]
        return (head + map.degrees.map { $0.map(String.init) ?? "x" }).joined(separator: "\n")
    }

    /// A piece with some texts, whose lengths come first, and then its score.
    private static func text(_ piece: Int, _ texts: [String], _ score: [UInt8]) -> [UInt8] {
        let lengths = texts.map { "\($0.utf8.count)" }.joined(separator: " ")
        return Array("score \(piece) \(lengths)\n\(texts.joined())".utf8) + score
    }

    /// The texts of these lengths, and what follows them; nil if they are longer than all.
    private static func parts(
        _ lengths: ArraySlice<Substring>, of bytes: ArraySlice<UInt8>
    ) -> (texts: [String], rest: [UInt8])? {
        var (texts, rest) = ([String](), bytes)
        for word in lengths {
            guard let length = Int(word), (0...rest.count).contains(length) else { return nil }
            texts.append(String(decoding: rest.prefix(length), as: UTF8.self))
            rest = rest.dropFirst(length)
        }
        return (texts, Array(rest))
    }

    // MARK: - Music

    /// The range of times in ns: 146 years.
    private static let times = -Int64(1) << 62...Int64(1) << 62
    /// The range of positions and times in attoseconds: 31 years, which are still nanoseconds of a clock in 64 bits.
    private static let positions = -longest...longest
    private static let longest = Duration.seconds(1_000_000_000).attoseconds

    private static func lines(_ music: LeaderMusic) -> String {
        var lines = [
            "zero \(music.zero)", "time \(music.anchor.time.attoseconds)",
            "position \(music.anchor.position.attoseconds)", "speed \(music.anchor.speed.millionths)",
        ]
        if let paused = music.paused { lines.append("paused \(paused.attoseconds)") }
        if music.pausedAhead > .zero { lines.append("paused-ahead \(music.pausedAhead.attoseconds)") }
        if music.isTimed { lines.append("timed") }
        if music.first > 0 { lines.append("first \(music.first)") }
        if let held = music.held {
            lines.append("held \(held.boundary) \(held.position.attoseconds) \(held.length.attoseconds)")
        }
        switch music.countIn {
        case .time(let time): lines.append("count-in time \(time.attoseconds)")
        case .bars(let count): lines.append("count-in bars \(count)")
        case .beats(let count): lines.append("count-in beats \(count)")
        }
        if music.countsIn { lines.append("counts") }
        if music.waits { lines.append("waits") }
        if let effect = music.effect { lines.append("effect \(effect.attoseconds)") }
        if music.jumps > 0 { lines.append("jumps \(music.jumps)") }
        if music.hasEnded { lines.append("ended") }
        if let passes = music.passes { lines.append("passes \(passes)") }
        for stretch in music.stretches {
            let bars = stretch.bars
            let speed = stretch.speed.ratio.map { "\($0.part)/\($0.whole)" } ?? "\(stretch.speed.millionths)"
            lines.append("stretch \(bars.lowerBound) \(bars.upperBound) \(speed) \(stretch.label)")
        }
        if music.stretches.last?.goesOn == true { lines.append("goes-on") }
        return lines.joined(separator: "\n")
    }

    private static func music(_ text: String) -> LeaderMusic? {
        var fields: [Substring: [Substring]] = [:]
        var stretches: [Passage.Stretch] = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false)
            if words[0] == "stretch" {
                guard let stretch = stretch(words) else { return nil }
                stretches.append(stretch)
            } else {
                fields[words[0]] = Array(words.dropFirst())
            }
        }
        func duration(_ name: Substring, _ index: Int = 0) -> Duration? {
            fields[name].flatMap { index < $0.count ? attoseconds($0[index]) : nil }
        }
        guard let zero = fields["zero"]?.first.flatMap({ Int64($0) }), times.contains(zero),
            let time = duration("time"), let position = duration("position"),
            let speed = fields["speed"]?.first.flatMap(speed),
            !stretches.isEmpty
        else { return nil }
        if fields["goes-on"] != nil { stretches[stretches.count - 1].goesOn = true }
        var passes: Int?
        if let words = fields["passes"] {
            guard let count = words.first.flatMap({ Int($0) }), Score.passRange.contains(count) else { return nil }
            passes = count
        }
        var music = LeaderMusic(
            zero: zero, anchor: Anchor(time: time, position: position, speed: speed), stretches: stretches,
            passes: passes)
        music.paused = duration("paused")
        music.pausedAhead = max(duration("paused-ahead") ?? .zero, .zero)
        music.isTimed = fields["timed"] != nil
        music.first = max(fields["first"]?.first.flatMap { Int32($0) }.map(Int.init) ?? 0, 0)
        if let held = fields["held"], let boundary = held.first.flatMap({ Int($0) }), let place = duration("held", 1),
            let length = duration("held", 2)
        {
            music.held = HeldMusic(boundary: boundary, position: place, length: length)
        }
        if let words = fields["count-in"] {
            guard let lead = lead(words) else { return nil }
            music.countIn = lead
        }
        music.countsIn = fields["counts"] != nil
        music.waits = fields["waits"] != nil
        music.effect = duration("effect")
        music.jumps = max(fields["jumps"]?.first.flatMap { Int($0) } ?? 0, 0)
        music.hasEnded = fields["ended"] != nil
        return music
    }

    /// The length of a count-in, as long as one may be in a score.
    private static func lead(_ words: [Substring]) -> Score.Lead? {
        guard words.count == 2 else { return nil }
        return switch words[0] {
        case "time": attoseconds(words[1]).flatMap { DurationUse.countIn.range.contains($0) ? .time($0) : nil }
        case "bars": Int(words[1]).flatMap { Score.Lead.barRange.contains($0) ? .bars($0) : nil }
        case "beats": Int(words[1]).flatMap { Score.Lead.beatRange.contains($0) ? .beats($0) : nil }
        default: nil
        }
    }

    private static func attoseconds(_ word: Substring) -> Duration? {
        Int128(word).flatMap { positions.contains($0) ? Duration(attoseconds: $0) : nil }
    }

    private static func speed(_ word: Substring) -> Speed? { Int64(word).flatMap(Speed.init(millionths:)) }

    private static func ratio(_ word: Substring) -> Speed? {
        let parts = word.split(separator: "/", omittingEmptySubsequences: false).map(speed)
        guard parts.count == 2 else { return speed(word) }
        return parts[0].flatMap { part in parts[1].flatMap { Speed(part, over: $0) } }
    }

    private static func stretch(_ words: [Substring]) -> Passage.Stretch? {
        guard words.count == 5, let first = Int(words[1]), let end = Int(words[2]), 0 <= first, first < end,
            let speed = ratio(words[3])
        else { return nil }
        return Passage.Stretch(first..<end, speed: speed, label: String(words[4]))
    }
}
