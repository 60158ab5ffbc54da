internal import Scores

extension Plan {
    /// A text of its own that a voice says while a plan plays, such as "Drink" at 30:00.
    public struct Remark: Sendable, Hashable {
        /// The place, from the start of the plan at its planned paces.
        public var place: Place
        /// Whether it is said again each time that as much time or distance has passed.
        public var isRepeated: Bool
        /// The words: one line without quotes.
        public var words: String

        /// A place in a plan.
        public enum Place: Sendable, Hashable {
            /// A time, at a speed of 100 %.
            case time(Duration)
            /// A distance by the planned paces.
            case distance(Distance)

            /// Whether a text can be said again each time that as much has passed: 10 s, 10 m or more.
            var canRepeat: Bool {
                switch self {
                case .time(let time): time >= .seconds(10)
                case .distance(let distance): distance.meters >= 10
                }
            }
        }

        /// Makes a remark.
        public init(_ words: String, at place: Place, isRepeated: Bool = false) {
            (self.words, self.place, self.isRepeated) = (words, place, isRepeated)
        }

        /// The remark as a part of a score.
        var spoken: Scores.Remark {
            switch place {
            case .time(let time): Scores.Remark(words, at: .time(time), isRepeated: isRepeated && place.canRepeat)
            case .distance(let distance):
                Scores.Remark(words, at: .meters(distance.meters), isRepeated: isRepeated && place.canRepeat)
            }
        }
    }

    /// The largest number of remarks of a plan.
    public static let remarkLimit = 200
}
