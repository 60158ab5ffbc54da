/// The numbers of workouts in FIT files, as words for messages (Profile.xlsx of Garmin's FIT SDK).
enum FITWords {
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
        /// It repeats earlier steps until a measurement, such as "some time has passed".
        case repeated(String)

        /// The end of a duration type; a step without one ends with the lap button.
        init(_ type: UInt32?) {
            switch type {
            case 0, 28, 31: self = .time
            case 1: self = .distance
            case 5, nil: self = .open
            case 6: self = .times
            case 2: self = .measured("the heart rate is below a limit")
            case 3: self = .measured("the heart rate is above a limit")
            case 4: self = .measured("some calories are burnt")
            case 14, 19, 20, 21, 25: self = .measured("the power is below a limit")
            case 15, 22, 23, 24, 26: self = .measured("the power is above a limit")
            case 16: self = .measured("there is enough training stress")
            case 29: self = .measured("a number of repetitions is done")
            case 7: self = .repeated("some time has passed")
            case 8: self = .repeated("some distance is done")
            case 9: self = .repeated("some calories are burnt")
            case 10: self = .repeated("the heart rate is below a limit")
            case 11: self = .repeated("the heart rate is above a limit")
            case 12, 17, 18: self = .repeated("the power is below a limit")
            case 13: self = .repeated("the power is above a limit")
            case 27: self = .repeated("there is enough training stress")
            case let type?: self = .measured("something happens that Barline does not know (type \(type))")
            }
        }
    }

    /// The target of a step; nil if it has none.
    static func target(_ type: UInt32?) -> String? {
        switch type {
        case 2, nil: nil
        case 0, 12: "speed"
        case 1, 13: "heart rate"
        case 3: "cadence"
        case 4, 7, 8, 9, 10: "power"
        case 5: "grade"
        case 6: "resistance"
        case 11: "swim stroke"
        case let type?: "an unknown kind (\(type))"
        }
    }

    /// The sport of a workout that is not for runners; nil if it is.
    static func otherSport(_ sport: UInt32?) -> String? {
        switch sport {
        case 0, 1, 11, 17, 254, nil: nil
        case 2, 21: "cycling"
        case 4, 10, 62: "the gym"
        case 5: "swimming"
        case 12, 13: "skiing"
        case 15: "rowing"
        case 18: "several sports"
        case let sport?: "another sport (\(sport))"
        }
    }
}
