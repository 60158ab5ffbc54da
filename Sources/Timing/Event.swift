package import Scores

/// Something that sounds, or changes how it sounds, at a moment in frames.
package struct Event: Sendable, Equatable {
    /// When.
    package var position: FramePosition
    /// What.
    package var kind: Kind

    /// Makes an event.
    package init(_ position: FramePosition, _ kind: Kind) {
        self.position = position
        self.kind = kind
    }

    /// What an event does.
    package enum Kind: Sendable, Equatable {
        /// A click begins, at its fraction of a frame.
        case click(ClickSound, amplitude: Double)
        /// The drone goes to another sound over a raised cosine of so many frames, its phase continuous.
        case drone(DroneSound, rampFrames: Int)
        /// Something spoken begins, its peak lowered to an amplitude.
        case speech(SpokenWord, amplitude: Double)
    }
}

/// Where events go: an engine, or whatever else will take them in the order of their moments.
package protocol EventSink: ~Copyable {
    /// Whether any event can be taken now.
    var hasRoom: Bool { get }
    /// Takes an event, while there is room.
    mutating func push(_ event: Event)
}
