package import Scores

/// A sound, or a change of a sound, at a moment in frames.
package struct Event: Sendable, Equatable {
    /// The moment.
    package var position: FramePosition
    /// The sound or change.
    package var kind: Kind

    /// Makes an event.
    package init(_ position: FramePosition, _ kind: Kind) {
        self.position = position
        self.kind = kind
    }

    /// What an event does.
    package enum Kind: Sendable, Equatable {
        /// A click begins, at a fraction of a frame if need be. It is heard on the channels of a voice; voice 0 is heard
        /// on those of all clicks.
        case click(ClickSound, amplitude: Double, voice: Int = 0)
        /// The drone changes to another sound over a raised cosine of `rampFrames` frames, its phase continuous.
        case drone(DroneSound, rampFrames: Int)
        /// A spoken word begins, scaled to a peak amplitude.
        case speech(SpokenWord, amplitude: Double)
    }
}

/// A receiver of events: an engine, or anything else that takes them in the order of their moments.
package protocol EventSink: ~Copyable {
    /// Whether it can take an event now.
    var hasRoom: Bool { get }
    /// Takes an event. Requires `hasRoom`.
    mutating func push(_ event: Event)
}
