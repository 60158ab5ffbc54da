internal import Scores

/// One interval of a plan: what one does, and for how long or how far.
public struct Interval: Sendable, Hashable {
    /// What one does.
    public var kind: Kind
    /// A name of its own, such as "Hill"; empty for the kind's.
    public var label: String
    /// How long, how far, or any two of time, distance and pace.
    public var measure: Measure

    /// What one does in an interval.
    public enum Kind: String, Sendable, CaseIterable {
        /// Running.
        case run
        /// Walking.
        case walk
        /// Standing still.
        case rest
        /// Getting warm, before everything that repeats.
        case warmUp = "warm-up"
        /// Slowing down, behind everything that repeats.
        case coolDown = "cool-down"

        /// The name as it is shown and spoken, such as "Warm-up".
        public var name: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
    }

    /// What is given of an interval.
    public enum Measure: Sendable, Hashable {
        /// A time; how far that is, only a pace for the kind tells.
        case time(Duration)
        /// A distance; how long that takes, only a pace for the kind tells.
        case distance(Distance)
        /// Any two of time, distance and pace, and the third as the result.
        case run(Run)
    }

    /// Makes an interval.
    public init(_ kind: Kind, _ measure: Measure, label: String = "") {
        (self.kind, self.measure, self.label) = (kind, measure, label)
    }

    /// The label, or the kind's name.
    public var name: String { label.isEmpty ? kind.name : label }

    /// What is known of the interval where its kind has this pace; a rest without a pace covers no distance.
    public func known(at planned: Pace?) -> Extent {
        switch measure {
        case .run(let run): return Extent(time: run.time, distance: run.distance, pace: run.pace)
        case .time(let wanted):
            let time = Extent.held(wanted)
            return Extent(
                time: time, distance: planned?.distance(in: time) ?? (kind == .rest ? .zero : nil), pace: planned)
        case .distance(let distance):
            let time = planned.map { Extent.held($0.time(for: distance)) }
            return Extent(time: time, distance: distance, pace: planned)
        }
    }
}

/// Time, distance and pace as far as they are known.
public struct Extent: Sendable, Hashable {
    /// How long; nil where nobody can say.
    public var time: Duration?
    /// How far; nil where nobody can say.
    public var distance: Distance?
    /// How fast; nil where nobody can say.
    public var pace: Pace?

    /// Makes an extent.
    public init(time: Duration? = nil, distance: Distance? = nil, pace: Pace? = nil) {
        (self.time, self.distance, self.pace) = (time, distance, pace)
    }

    /// Two extents after each other; the pace is the average.
    /// Far beyond the longest run, and far from overflow.
    static func held(_ time: Duration) -> Duration { min(max(time, .zero), Score.durationLimit * 100) }

    static func + (a: Extent, b: Extent) -> Extent {
        var sum = Extent()
        if let x = a.time, let y = b.time { sum.time = held(x + y) }
        if let x = a.distance, let y = b.distance { sum.distance = x + y }
        sum.pace = sum.averagePace
        return sum
    }

    /// Distance over time; nil where one of them is unknown or nothing.
    var averagePace: Pace? {
        guard let time, let distance, time > .zero, distance > .zero else { return nil }
        return Pace(distance, in: time)
    }
}
