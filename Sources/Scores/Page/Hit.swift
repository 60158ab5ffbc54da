/// A hit point: a beat at a fixed time, such as that of a cut in a film. The tempo since the last hit is fitted to it.
public struct Hit: Sendable, Hashable {
    /// When it is, at 100 % speed.
    public var time: Time
    /// The beat of the bar on which it falls, from 1; 3.5 is half of the third beat after that beat.
    public var beat: Fraction
    /// How the tempo changes from the hit before to this one; nil if the written tempi are all fitted alike.
    public var ramp: Ramp.Curve?
    /// Its name, such as "the door slams"; empty for none.
    public var label: String

    /// The time of a hit, as written.
    public enum Time: Sendable, Hashable {
        /// From the start of the score.
        case position(Duration)
        /// By the timecode of the film. The score has the timecode of its start.
        case timecode(Timecode)
    }

    /// The maximum number of hits in a bar.
    public static let limitInBar = 100
    /// The maximum number of hits in a score.
    public static let limit = 10_000

    /// Makes a hit.
    public init(_ time: Time, beat: Fraction = .one, ramp: Ramp.Curve? = nil, label: String = "") {
        (self.time, self.beat, self.ramp, self.label) = (time, beat, ramp, label)
    }
}

extension Score {
    /// The time of a hit from the start of the score; negative if its timecode is before that of the start.
    package func position(of hit: Hit) -> Duration {
        switch hit.time {
        // Within what can be computed; a position that was read is.
        case .position(let position): min(max(position, .seconds(-1)), .seconds(1_000_000_000))
        case .timecode(let place): timecode.map { place.time(after: $0) } ?? place.duration
        }
    }
}
