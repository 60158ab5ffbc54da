package import Scores

/// One interval of a plan: an activity, and how long or how far it goes.
public struct Interval: Sendable, Hashable {
    /// The activity.
    public var kind: Kind
    /// A custom name, such as "Hill"; empty = the name of the kind.
    public var label: String
    /// The time, the distance, or any two of time, distance and pace.
    public var measure: Measure
    /// What it asks besides that.
    public var demands: Demands

    /// The given measure of an interval.
    public enum Measure: Sendable, Hashable {
        /// A time; the distance is known only if the kind has a pace.
        case time(Duration)
        /// A distance; the time is known only if the kind has a pace.
        case distance(Distance)
        /// Any two of time, distance and pace; the third is the result.
        case run(Run)
        /// Until the runner presses the lap button.
        case open(OpenEnd)
    }

    /// Makes an interval.
    public init(_ kind: Kind, _ measure: Measure, label: String = "", effort: Effort? = nil) {
        self.init(kind, measure, label: label, Demands(effort: effort))
    }

    init(_ kind: Kind, _ measure: Measure, label: String, _ demands: Demands) {
        (self.kind, self.measure, self.label, self.demands) = (kind, measure, label, demands)
    }

    /// How hard it is, if its pace does not say it; nil for nothing else. If it is about the pace, the measure has none.
    public var effort: Effort? {
        get { demands.effort }
        set { demands.effort = newValue }
    }

    /// The label, or the kind's name.
    public var name: String { label.isEmpty ? kind.name : label }

    /// The label, or the kind's name in the language of the process.
    package var localizedName: String { label.isEmpty ? kind.localizedName : label }

    /// The known measures of the interval, given the pace for one that has none; a rest without a pace covers no distance.
    public func known(at planned: Pace?) -> Extent {
        switch measure {
        case .run(let run): return Extent(time: run.time, distance: run.distance, pace: run.pace)
        case .time(let wanted):
            let time = Extent.clamped(wanted)
            return Extent(
                time: time, distance: planned?.distance(in: time) ?? (kind == .rest ? .zero : nil), pace: planned)
        case .distance(let distance):
            let time = planned.map { Extent.clamped($0.time(for: distance)) }
            return Extent(time: time, distance: distance, pace: planned)
        case .open(let end):
            var timed = self
            timed.measure = end.estimate ?? .time(.zero)
            let known = timed.known(at: planned)
            guard end.about == nil else { return known }
            return Extent(distance: kind == .rest ? .zero : nil, pace: end.pace ?? planned)
        }
    }
}

/// Time, distance and pace, as far as they are known.
public struct Extent: Sendable, Hashable {
    /// The time; nil if unknown.
    public var time: Duration?
    /// The distance; nil if unknown.
    public var distance: Distance?
    /// The pace; nil if unknown.
    public var pace: Pace?

    /// Makes an extent.
    public init(time: Duration? = nil, distance: Distance? = nil, pace: Pace? = nil) {
        (self.time, self.distance, self.pace) = (time, distance, pace)
    }

    /// Clamps a time to a limit far above the longest run, and far from overflow.
    static func clamped(_ time: Duration) -> Duration { min(max(time, .zero), Score.durationLimit * 100) }

    /// The sum of two extents; the pace is the average.
    static func + (a: Extent, b: Extent) -> Extent {
        var sum = Extent()
        if let x = a.time, let y = b.time { sum.time = clamped(x + y) }
        if let x = a.distance, let y = b.distance { sum.distance = x + y }
        sum.pace = sum.averagePace
        return sum
    }

    /// What is known, for people: time, distance, pace and speed; distances in miles, or else in kilometers. `isTimeGiven` tells
    /// whether the time is the finish of a run that was given.
    package func texts(in unit: DistanceUnit, isTimeGiven: Bool = false) -> [String] {
        let isMiles = unit == .miles
        return [
            time?.finishText(isGiven: isTimeGiven), distance?.text(in: isMiles ? .miles : .kilometers),
            pace?.text(in: unit.paceUnit),
            pace?.text(in: isMiles ? .milesPerHour : .kilometersPerHour),
        ].compactMap(\.self)
    }

    /// Distance divided by time; nil if one of them is unknown or zero.
    var averagePace: Pace? {
        guard let time, let distance, time > .zero, distance > .zero else { return nil }
        return Pace(distance, in: time)
    }
}
