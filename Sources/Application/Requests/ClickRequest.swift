package import Scores
internal import Timing
package import UserSettings

/// The clicks inside bars and their level, as far as they are wanted otherwise than the score and the settings have them.
package struct ClickRequest: OptionRequest {
    package var options = OptionValues()
    package var beats: Bool?
    package var subdivide: Int?
    package var grid: Grid?

    package init() {}

    /// Replaces what a score or the settings say of the clicks inside bars.
    func apply(to inner: inout InnerSettings) {
        if let subdivide {
            inner.subdivision = subdivide
            if subdivide > 1 { inner.beats = true }
        }
        if let beats { inner.beats = beats }
        if let grid { inner.grid = grid }
    }
}
