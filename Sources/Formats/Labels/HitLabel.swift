internal import Scores
internal import Timing

/// The marker of a hit point in other formats: `hit 01:00:38:12 the door slams`, with its time as timecode if the score
/// has one.
enum HitLabel {
    /// The marker of a hit; that of a voice which does not lead has its name.
    static func text(_ hit: HitPoint, in bar: PlayedBar, _ played: PlayedScore, name: String = "") -> String {
        let time = bar.start + hit.offset
        let place = played.timecode(at: time)?.text ?? time.clock
        return ["hit", place, name, hit.hit.label].filter { !$0.isEmpty }.joined(separator: " ").cutToTextLimit
    }

    /// Whether a label is one of a hit.
    static func isHit(_ label: String) -> Bool {
        let words = label.split(separator: " ", maxSplits: 2)
        guard words.count > 1, words[0] == "hit" else { return false }
        return Timecode.isMeant(by: String(words[1])) || (try? Duration(scoreText: String(words[1]), as: .time)) != nil
    }
}
