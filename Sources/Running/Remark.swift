internal import Languages
package import Scores

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

    /// Why a remark is not spoken in the plan, which has this table: its place is unknown, which is a fault, or is never
    /// reached. Returns nil if the remark is spoken.
    package func unspoken(_ remark: Remark, in table: PlanTable) -> (why: TextError, isFault: Bool)? {
        func note(_ message: String) -> (TextError, Bool) { (TextError(message), false) }
        if let scope = remark.scope {
            let rows = table.rows.filter { scope.contains($0.interval) }
            guard !rows.isEmpty else {
                return note(localized("this text is not spoken: the plan has no such interval"))
            }
            let isSpoken = rows.contains { row in
                switch remark.place {
                case .time(let time): row.extent.time.map { time < $0 } ?? true
                case .distance(let distance): row.extent.distance.map { distance < $0 } ?? false
                }
            }
            if isSpoken { return nil }
            if case .distance = remark.place, rows.allSatisfy({ $0.extent.distance == nil }) {
                return note(localized("this text is not spoken: the distance of these intervals is unknown"))
            }
            return note(localized("this text is not spoken: no such interval goes so far"))
        }
        switch remark.place {
        case .time(let time):
            guard !table.isEndless, let total = table.total.time, time >= total else { return nil }
            return note(localized("this text is not spoken: the plan ends at \(total.clock)"))
        case .distance(let distance):
            guard let total = table.total.distance else {
                let row = table.rows.first { $0.extent.distance == nil }
                let message =
                    row.map { localized("the place of this text is unknown: '\($0.interval.text)' has no distance") }
                    ?? localized("the place of this text is unknown: an interval has no distance")
                return (TextError(message, hint: row.flatMap { unknownDistance($0.written).textError.hint }), true)
            }
            guard !table.isEndless, distance >= total else { return nil }
            return note(localized("this text is not spoken: the plan ends after \(total.writtenText(in: .meters))"))
        }
    }
}
