/// How a click sounds other than it usually does.
public struct ClickShape: Sendable, Equatable {
    /// Factor of the pitch, 0.25 ... 4; of a synthesized click.
    public var pitch = 1.0
    /// Factor of the length, 0.1 ... 4; of a synthesized click.
    public var length = 1.0
    /// Factor of the level, 0 ... 4.
    public var gain = 1.0
    /// A sound of one's own instead.
    public var own: OwnSound?

    /// As usual.
    public init() {}
}

/// A sound from a file, made for clicks that begin between frames: `phases` times as many points as frames.
public struct OwnSound: Sendable, Equatable {
    /// The points in the order of time, one channel; a whole number of frames.
    public let points: [Float]
    /// Points of a frame.
    public let phases: Int

    /// Makes a sound of points.
    package init(points: [Float], phases: Int) { (self.points, self.phases) = (points, phases) }
}
