internal import CDrone
internal import Scores

/// How the sound of a click differs from the usual one.
public struct ClickShape: Sendable, Equatable {
    /// Factor of the pitch, 0.25 ... 4; for synthesized clicks only.
    public var pitch = 1.0
    /// Factor of the length, 0.1 ... 4; for synthesized clicks only.
    public var length = 1.0
    /// Factor of the level, 0 ... 4.
    public var gain = 1.0
    /// A sound from a file that replaces the synthesized one; nil for none.
    public var own: OwnSound?

    /// The usual sound.
    public init() {}

    /// How many frames a click of this shape lasts; it may end between frames.
    func frames(of sound: ClickSound, rate: Int) -> Double {
        if let own { return Double(own.points.count / max(own.phases, 1)) }
        return drone_sound_seconds(sound.drone) * (length.isNaN ? 1 : min(max(length, 0.1), 4)) * Double(rate)
    }
}

/// A sound from a file, oversampled so that clicks can begin between frames: it has `phases` points per frame.
public struct OwnSound: Sendable, Equatable {
    /// The points in time order, one channel; a whole number of frames.
    public let points: [Float]
    /// Points per frame.
    public let phases: Int

    package init(points: [Float], phases: Int) { (self.points, self.phases) = (points, phases) }
}
