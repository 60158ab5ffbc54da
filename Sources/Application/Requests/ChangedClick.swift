package import Playback
package import Scores

/// A click that sounds otherwise than usual, perhaps as a sound file of its own.
package struct ChangedClick: Sendable {
    package var sound: ClickSound
    package var shape = ClickShape()
    package var file: String?

    package init(_ sound: ClickSound) { self.sound = sound }
}
