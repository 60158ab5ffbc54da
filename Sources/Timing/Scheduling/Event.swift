package import Scores

/// A sound, or a change of a sound, at a moment in frames.
package struct Event: Sendable, Equatable {
    package var position: FramePosition
    package var kind: Kind

    package init(_ position: FramePosition, _ kind: Kind) {
        self.position = position
        self.kind = kind
    }

    package enum Kind: Sendable, Equatable {
        /// A click begins, perhaps between frames, on the channels of a voice; 0 stands for those of all clicks.
        case click(ClickSound, amplitude: Double, voice: Int = 0)
        /// The drone changes to another sound over a fade of `rampFrames` frames, its phase continuous.
        case drone(DroneSound, rampFrames: Int)
        /// A spoken word begins, scaled to a peak amplitude.
        case speech(SpokenWord, amplitude: Double)
        /// Timecode runs from here on, on channels of its own.
        case timecode(RunningTimecode, amplitude: Double)
    }
}

/// A receiver of events: an engine, or anything else that takes them in the order of their moments.
package protocol EventSink: ~Copyable {
    /// Whether it can take an event now.
    var hasRoom: Bool { get }
    /// Takes an event; false if it cannot be heard, for want of memory. Requires `hasRoom`.
    @discardableResult
    mutating func push(_ event: Event) -> Bool
}
