/// Frames of a pitch without those at the end of notes, in which a tone that fades or stops seems to change: each comes a moment
/// later, once the note is known to go on.
package struct LastingFrames: Sendable {
    private var recent: [PitchTracker.Frame] = []

    /// How many frames a note must go on, and how much of its power must be left then.
    private static let (after, left) = (4, 0.3)

    package init() {}

    /// Takes frames; returns those that are known to count.
    package mutating func add(_ frames: [PitchTracker.Frame]) -> [PitchTracker.Frame] {
        recent += frames
        let due = max(recent.count - LastingFrames.after, 0)
        let lasting = recent.indices.prefix(due).filter { index in
            recent[index].hertz == nil
                || recent[index + LastingFrames.after].power > recent[index].power * LastingFrames.left
        }
        defer { recent.removeFirst(due) }
        return lasting.map { recent[$0] }
    }
}
