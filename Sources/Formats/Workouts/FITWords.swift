internal import Languages
internal import Running

/// The numbers of workouts in FIT files, as words for messages (Profile.xlsx of Garmin's FIT SDK).
enum FITWords {
    /// The intensity of a step by its kind.
    static let intensities: [Interval.Kind: UInt8] = [.run: 0, .rest: 1, .warmUp: 2, .coolDown: 3, .walk: 4]

    /// The kind and label of a step with a name and the likeness of its kind by its intensity: the name tells an easy
    /// interval from a hard one, and kinds apart that FIT does not have.
    static func meaning(_ name: String, _ wanted: Interval.Kind) -> (kind: Interval.Kind, label: String) {
        let (told, label) = WorkoutWords.meaning(name)
        let named = told?.likeness
        let isEasy = (named == .walk || named == .rest) && wanted != .warmUp && wanted != .coolDown
        return (named == wanted || isEasy ? told ?? wanted : wanted, label)
    }

    /// The name of a step: the label, after the name of the kind if the label alone would be read as another one.
    static func name(_ interval: Interval) -> String {
        let (kind, label) = meaning(interval.name, interval.kind.likeness)
        let isRead = kind == interval.kind && label == WorkoutWords.clean(interval.label)
        return isRead ? interval.name : "\(interval.kind.name) \(interval.label)"
    }

    /// How a step ends.
    enum StepEnd: Equatable {
        /// After a number of milliseconds.
        case time
        /// After a number of centimeters.
        case distance
        /// With the lap button.
        case open
        /// By a measurement that Barline does not have, such as "the heart rate is above a limit".
        case measured(String)
        /// It repeats earlier steps a number of times.
        case times
        /// It repeats earlier steps until a number of milliseconds has passed.
        case timeRepeat
        /// It repeats earlier steps until a number of centimeters is done.
        case distanceRepeat
        /// It repeats earlier steps until a measurement, such as "some calories are burnt".
        case repeated(String)

        /// The end of a duration type; a step without one ends with the lap button.
        init(_ type: UInt32?) {
            switch type {
            case 0, 28, 31: self = .time
            case 1: self = .distance
            case 5, nil: self = .open
            case 6: self = .times
            case 2: self = .measured(localized("the heart rate is below a limit"))
            case 3: self = .measured(localized("the heart rate is above a limit"))
            case 4: self = .measured(localized("some calories are burnt"))
            case 14, 19, 20, 21, 25: self = .measured(localized("the power is below a limit"))
            case 15, 22, 23, 24, 26: self = .measured(localized("the power is above a limit"))
            case 16: self = .measured(localized("there is enough training stress"))
            case 29: self = .measured(localized("a number of repetitions is done"))
            case 7: self = .timeRepeat
            case 8: self = .distanceRepeat
            case 9: self = .repeated(localized("some calories are burnt"))
            case 10: self = .repeated(localized("the heart rate is below a limit"))
            case 11: self = .repeated(localized("the heart rate is above a limit"))
            case 12, 17, 18: self = .repeated(localized("the power is below a limit"))
            case 13: self = .repeated(localized("the power is above a limit"))
            case 27: self = .repeated(localized("there is enough training stress"))
            case let type?: self = .measured(localized("something happens that Barline does not know (type \(type))"))
            }
        }
    }

    /// The pace of a step between two speeds in mm/s: the middle of the two times per kilometer, because runners think of
    /// tolerances as such times.
    static func pace(_ low: UInt32, _ high: UInt32) -> Pace {
        Pace((1e6 / Double(low) + 1e6 / Double(high)) / 2, .perKilometer)
    }

    /// Whether the target of a step is a speed.
    static func isSpeed(_ type: UInt32?) -> Bool { type == 0 || type == 12 }

    /// The heart rate that a step asks for: a zone, or limits in percent of the maximum, above 100 in beats per minute and 100
    /// more; nil if there is none.
    static func heartRate(zone: UInt32, _ low: UInt32?, _ high: UInt32?) -> Effort? {
        if Effort.zones.contains(Int(zone)) { return Effort(.heartZone, Double(zone)) }
        guard zone == 0, let low, let high, low <= high, (low > 100) == (high > 100) else { return nil }
        let (scale, offset) = low > 100 ? (Effort.Scale.heartRate, 100.0) : (.percentOfMaximum, 0)
        let (first, last) = (Double(low) - offset, Double(high) - offset)
        let range = Effort.range(of: scale)
        return range.contains(first) && range.contains(last) ? Effort(scale, first, to: last) : nil
    }

    /// The fields of a step for a heart rate; nil for one that they cannot hold.
    static func fields(_ effort: Effort) -> (zone: UInt32, low: UInt32?, high: UInt32?)? {
        let (low, high) = (min(effort.first, effort.last).rounded(), max(effort.first, effort.last).rounded())
        switch effort.scale {
        case .heartZone where low == high: return (UInt32(low), nil, nil)
        case .heartRate: return (0, UInt32(low) + 100, UInt32(high) + 100)
        case .percentOfMaximum where high <= 100: return (0, UInt32(low), UInt32(high))
        default: return nil
        }
    }

    /// The target of a step; nil if it has none.
    static func target(_ type: UInt32?) -> String? {
        switch type {
        case 2, nil: nil
        case 0, 12: localized("speed")
        case 1, 13: localized("heart rate")
        case 3: localized("cadence")
        case 4, 7, 8, 9, 10: localized("power")
        case 5: localized("grade")
        case 6: localized("resistance")
        case 11: localized("swim stroke")
        case let type?: localized("an unknown kind (\(type))")
        }
    }

    /// The sport of a workout that is not for runners; nil if it is.
    static func otherSport(_ sport: UInt32?) -> String? {
        switch sport {
        case 0, 1, 11, 17, 254, nil: nil
        case 2, 21: localized("cycling")
        case 4, 10, 62: localized("the gym")
        case 5: localized("swimming")
        case 12, 13: localized("skiing")
        case 15: localized("rowing")
        case 18: localized("several sports")
        case let sport?: localized("another sport (\(sport))")
        }
    }
}
