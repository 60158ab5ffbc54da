/// Something that sounds, or changes how it sounds, at a moment in frames.
public struct Event: Sendable, Equatable {
    /// When.
    public var position: FramePosition
    /// What.
    public var kind: Kind

    /// Makes an event.
    public init(_ position: FramePosition, _ kind: Kind) {
        self.position = position
        self.kind = kind
    }

    /// What an event does.
    public enum Kind: Sendable, Equatable {
        /// A click begins, at its fraction of a frame.
        case click(Sound, amplitude: Double)
        /// The drone goes to another sound over a raised cosine of so many frames, its phase continuous.
        case drone(DroneSound, rampFrames: Int)
        /// Something spoken begins, its peak lowered to an amplitude.
        case speech(SpokenWord, amplitude: Double)
    }

    /// What a click marks; each has a sound of its own. The raw value is its name in scores and options.
    public enum Sound: String, Sendable, CaseIterable {
        /// A bar within a line.
        case bar
        /// The first bar of a line.
        case line
        /// The first bar of a section.
        case section
        /// A beat within a bar.
        case beat
        /// A beat with an accent.
        case accent
        /// A part of a beat.
        case subdivision
        /// A second before the start.
        case countIn = "count-in"
        /// What is about to come: the last bar of a line, a countdown.
        case warning
        /// Now run.
        case run
        /// Now walk.
        case walk
        /// The end.
        case end
    }
}

/// Where events go: an engine, or whatever else will take them in the order of their moments.
public protocol EventSink: ~Copyable {
    /// Whether any event can be taken now.
    var hasRoom: Bool { get }
    /// Takes an event, while there is room.
    mutating func push(_ event: Event)
}
