extension Score {
    /// The time that is counted before music begins: a count-in, or the warning before an entry.
    public enum Lead: Sendable, Hashable {
        /// Real seconds, which the speed does not change; zero = off.
        case time(Duration)
        /// Whole bars, 1 ... 16.
        case bars(Int)
        /// Beats, 1 ... 64.
        case beats(Int)

        /// Nothing is counted.
        public static let off = Lead.time(.zero)

        /// Makes a lead of real seconds.
        public static func seconds(_ count: Int) -> Lead { .time(.seconds(count)) }

        /// Makes a lead of real milliseconds.
        public static func milliseconds(_ count: Int) -> Lead { .time(.milliseconds(count)) }

        /// The longest lead that music has, whatever its tempo.
        public static let longest = Duration.seconds(3600)
        /// The valid numbers of bars.
        public static let barRange = 1...16
        /// The valid numbers of beats.
        public static let beatRange = 1...64

        /// Whether it is a time, and not a number of bars or beats.
        package var isOfTime: Bool { if case .time = self { true } else { false } }

        /// The lead with its numbers held within their ranges, and a time within 0 ... `longest`.
        package var clamped: Lead {
            switch self {
            case .time(let time): .time(min(max(time, .zero), Lead.longest))
            case .bars(let count): .bars(min(max(count, Lead.barRange.lowerBound), Lead.barRange.upperBound))
            case .beats(let count): .beats(min(max(count, Lead.beatRange.lowerBound), Lead.beatRange.upperBound))
            }
        }
    }
}
