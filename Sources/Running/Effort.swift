/// How hard an interval is run, if one pace does not say it: a share of a threshold pace, a zone, a range or a ramp of
/// paces, or a heart rate.
public struct Effort: Sendable, Hashable {
    /// What its two values are.
    public enum Scale: Sendable, Hashable, CaseIterable {
        /// Speeds in meters per second.
        case speed
        /// Percents of the speed at the threshold.
        case percent
        /// Zones of the threshold pace, by number.
        case zone
        /// Heartbeats per minute.
        case heartRate
        /// Percents of the maximum heart rate.
        case percentOfMaximum
        /// Percents of the heart rate at the threshold.
        case percentOfThreshold
        /// Zones of the heart rate, by number.
        case heartZone
    }

    /// What the values are.
    public var scale: Scale
    /// The first value as it is written; for a ramp, that at the start of the interval.
    public var first: Double
    /// The second value; the same as the first if there is only one.
    public var last: Double
    /// Whether the speed changes evenly from the first value to the second; otherwise it may be anywhere between them.
    public var isRamp: Bool

    /// Makes an effort.
    public init(_ scale: Scale, _ first: Double, to last: Double? = nil, isRamp: Bool = false) {
        (self.scale, self.first, self.last, self.isRamp) = (scale, first, last ?? first, isRamp)
    }

    /// Whether it is about the pace, not the heart rate.
    public var isPace: Bool { [.speed, .percent, .zone].contains(scale) }

    /// Whether a pace follows from it only with a threshold.
    public var needsThreshold: Bool { scale == .percent || scale == .zone }

    /// Whether both values are the same.
    var isSingle: Bool { first == last }

    /// Where zones of the threshold pace begin and end, in percent of the speed at the threshold: those of Joe Friel, which
    /// intervals.icu has, too. The first and the last zone have no outer end; they are as wide as their neighbors.
    package static let zoneBounds = [67.3, 77.5, 87.7, 94.3, 100, 103.4, 111.5, 119.6]

    /// The numbers of the zones.
    package static let zones = 1...7

    /// The valid values of a scale.
    package static func range(of scale: Scale) -> ClosedRange<Double> {
        switch scale {
        case .speed: Pace.range
        case .percent: 1...500
        case .zone, .heartZone: Double(zones.lowerBound)...Double(zones.upperBound)
        case .heartRate: 30...250
        case .percentOfMaximum, .percentOfThreshold: 1...200
        }
    }

    /// The two values in percent of the speed at the threshold; nil for another scale.
    package var percents: (first: Double, last: Double)? {
        switch scale {
        case .percent: return (first, last)
        case .zone:
            guard let (a, b) = bounds(first), let (c, d) = bounds(last) else { return nil }
            if isRamp { return ((a + b) / 2, (c + d) / 2) }
            return (min(a, c), max(b, d))
        case .speed, .heartRate, .percentOfMaximum, .percentOfThreshold, .heartZone: return nil
        }
    }

    private func bounds(_ zone: Double) -> (Double, Double)? {
        guard let zone = Int(exactly: zone), Self.zones.contains(zone) else { return nil }
        return (Self.zoneBounds[zone - 1], Self.zoneBounds[zone])
    }

    /// The two values as paces; nil for a heart rate, without a threshold that it needs, or if no run is that fast or slow.
    package func paces(_ threshold: Pace?) -> (first: Pace, last: Pace)? {
        var speeds = (first, last)
        if scale != .speed {
            guard let threshold, let percents else { return nil }
            func speed(_ percent: Double) -> Double { threshold.metersPerSecond * percent / 100 }
            speeds = (speed(percents.first), speed(percents.last))
        }
        let (first, last) = (Pace(metersPerSecond: speeds.0), Pace(metersPerSecond: speeds.1))
        return first.isValid && last.isValid ? (first, last) : nil
    }

    /// The mean pace: of a ramp or of shares, that of the mean speed; of a range of paces, the middle of the two times for a
    /// kilometer, because runners think of such a range as of times. Nil if there is none.
    package func pace(_ threshold: Pace?) -> Pace? {
        guard let (first, last) = paces(threshold) else { return nil }
        if first == last { return first }
        if scale == .speed, !isRamp {
            return Pace((first.value(in: .perKilometer) + last.value(in: .perKilometer)) / 2, .perKilometer)
        }
        return Pace(metersPerSecond: (first.metersPerSecond + last.metersPerSecond) / 2)
    }
}

extension Plan {
    /// The pace of an interval that has none in its measure: that of its effort, or else that of its kind.
    func pace(besides interval: Interval) -> Pace? {
        guard let effort = interval.effort, effort.isPace else { return paces[interval.kind] }
        return effort.pace(threshold)
    }

    /// The pace that an interval has of its own; nil if its pace is that of its kind.
    func ownPace(_ interval: Interval) -> Pace? {
        if case .run(let run) = interval.measure { return run.pace }
        return interval.effort?.pace(threshold)
    }

    /// Whether paces follow from a threshold that the plan does not have.
    package var lacksThreshold: Bool { threshold == nil && needsThreshold }

    /// Whether paces of the plan are written as shares of a threshold.
    package var needsThreshold: Bool { written.contains { $0.effort?.needsThreshold ?? false } }
}

extension Interval {
    /// Whether it has a pace or a share of a threshold of its own.
    var hasOwnPace: Bool { if case .run = measure { true } else { demands.hasPace } }

    /// The interval with the pace of its effort times `factor`: ramps and ranges of paces stay, and shares become one pace.
    /// Nil if no run has this pace.
    func effort(by factor: Double, _ threshold: Pace?) -> Interval? {
        guard let effort, let (first, last) = effort.paces(threshold), let mean = effort.pace(threshold) else {
            return nil
        }
        var changed = self
        let speeds = (first.metersPerSecond * factor, last.metersPerSecond * factor)
        if effort.isRamp || effort.scale == .speed, first != last {
            guard Pace.range.contains(speeds.0), Pace.range.contains(speeds.1) else { return nil }
            changed.effort = Effort(.speed, speeds.0, to: speeds.1, isRamp: effort.isRamp)
            return changed
        }
        let pace = Pace(metersPerSecond: mean.metersPerSecond * factor)
        changed.effort = nil
        switch measure {
        case .time(let time):
            guard let run = try? Run(time, at: pace) else { return nil }
            changed.measure = .run(run)
        case .distance(let distance):
            guard let run = try? Run(distance, at: pace) else { return nil }
            changed.measure = .run(run)
        case .run, .open: return self
        }
        return changed
    }
}
