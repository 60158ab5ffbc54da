internal import Scores

extension Plan {
    /// A text of its own that a voice says while a plan plays, such as "Drink" at 30:00.
    public struct Remark: Sendable, Hashable {
        /// The place, from the start of the plan or of an interval at its planned paces.
        public var place: Place
        /// The intervals in each of which it is said; nil to count from the start of the plan.
        public var scope: Scope?
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

        /// Some intervals of a plan.
        public struct Scope: Sendable, Hashable {
            /// Their kind; nil for any.
            public var kind: Interval.Kind?
            /// Their label; empty for any.
            public var label: String

            /// Makes a scope.
            public init(_ kind: Interval.Kind?, label: String = "") { (self.kind, self.label) = (kind, label) }

            /// Whether an interval is one of them.
            public func contains(_ interval: Interval) -> Bool {
                (kind ?? interval.kind) == interval.kind && (label.isEmpty || label == interval.label)
            }
        }

        /// Makes a remark.
        public init(_ words: String, at place: Place, isRepeated: Bool = false, in scope: Scope? = nil) {
            (self.words, self.place, self.isRepeated, self.scope) = (words, place, isRepeated, scope)
        }

        /// The remark as a part of the score of a plan with these rows.
        func inScore(_ rows: [PlanTable.Row]) -> Scores.Remark {
            let bars = scope.map { scope in
                Set(rows.indices.filter { scope.contains(rows[$0].interval) })
            }
            let place: Scores.Remark.Place =
                switch self.place {
                case .time(let time): .time(time)
                case .distance(let distance): .meters(distance.meters)
                }
            return Scores.Remark(words, at: place, isRepeated: isRepeated && self.place.canRepeat, in: bars)
        }
    }

    /// The largest number of remarks of a plan.
    public static let remarkLimit = 200
}
