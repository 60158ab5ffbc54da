package import Scores
package import UserSettings

/// The clicks inside bars and their level, as far as they are wanted otherwise than the score and the settings have them.
package struct ClickRequest: OptionRequest {
    package var options = OptionValues()
    package var beats: Bool?
    package var subdivide: Int?
    /// The other properties of clicks inside bars.
    package var others = PropertyChanges<Score>()

    package init() {}

    /// Replaces what a score or the settings say of the clicks inside bars.
    func apply(to score: inout Score) {
        if let subdivide {
            score.subdivision = subdivide
            if subdivide > 1 { score.beats = true }
        }
        if let beats { score.beats = beats }
        others.apply(to: &score)
    }
}
