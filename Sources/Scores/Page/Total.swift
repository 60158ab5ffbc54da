internal import Languages

extension Score {
    /// How long a piece should last according to its author.
    public struct Total: Sendable, Hashable {
        /// The duration.
        public var duration: Duration
        /// By how much the piece may differ from it.
        public var tolerance: Tolerance

        /// By how much a piece may differ from its total.
        public enum Tolerance: Sendable, Hashable {
            /// By less than a millisecond: tempi give sums with more decimals than anybody writes.
            case exact
            /// By a twentieth of the total.
            case about
            /// By this much.
            case within(Duration)
        }

        /// Makes a total.
        public init(_ duration: Duration, _ tolerance: Tolerance = .exact) {
            self.duration = duration
            self.tolerance = tolerance
        }

        /// Whether a duration agrees with the total.
        public func allows(_ sum: Duration) -> Bool {
            let difference = abs((sum - duration) / .milliseconds(1))
            switch tolerance {
            case .exact: return difference < 1
            case .about: return difference <= duration / 20 / .milliseconds(1)
            case .within(let limit): return difference <= max(limit / .milliseconds(1), 1)
            }
        }

        /// How a duration differs from the total, such as `0:06.2 (2.1 %) shorter than its total of about 5:00`; nil if
        /// the difference is less than a millisecond.
        package func difference(of sum: Duration) -> String? {
            guard abs((sum - duration) / .milliseconds(1)) >= 1 else { return nil }
            let amount = sum > duration ? sum - duration : duration - sum
            var amountText = amount.shortClock
            if tolerance != .exact, duration > .zero {
                amountText += " (\((((amount / duration) * 1000).rounded() / 10).plainText) %)"
            }
            return sum > duration
                ? localized("\(amountText) longer than its total of \(text)")
                : localized("\(amountText) shorter than its total of \(text)")
        }
    }
}

extension Score.Total {
    /// Reads a total: `6:30`, `about 6:30`, or `6:30 ± 0:10` (also `+-`), with or without `about`.
    public init(scoreText text: String) throws(TextError) {
        var rest = text.trimmingBlanks
        let isAbout = rest.lowercased().hasPrefix("about ")
        if isAbout { rest = String(rest.dropFirst(6)).trimmingBlanks }
        for sign in ["±", "+-", "+/-"] {
            guard let found = rest.split(separator: sign, omittingEmptySubsequences: false).oneCut else { continue }
            let tolerance = try Duration(scoreText: String(found.after).trimmingBlanks, as: .time)
            self.init(try Score.Total.time(String(found.before), text), .within(tolerance))
            return
        }
        self.init(try Score.Total.time(rest, text), isAbout ? .about : .exact)
    }

    private static func time(_ text: String, _ whole: String) throws(TextError) -> Duration {
        do { return try Duration(scoreText: text.trimmingBlanks, as: .time) } catch {
            guard let first = text.utf8.first, DecimalText.digit(first) == nil else { throw error }
            throw TextError(
                localized("\(TextError.quoted(whole)) is not a total"),
                hint: localized("for example 6:30, about 6:30 or 6:30 ± 0:10"))
        }
    }

    /// The total as a score writes it.
    public var text: String {
        switch tolerance {
        case .exact: duration.clock
        case .about: "about \(duration.clock)"
        case .within(let limit): "\(duration.clock) ± \(limit.clock)"
        }
    }
}

extension [Substring] {
    /// The two parts of a text that was split once; nil if it was not.
    fileprivate var oneCut: (before: Substring, after: Substring)? { count == 2 ? (self[0], self[1]) : nil }
}

extension Duration {
    /// The time as on a clock; if it has more than 3 decimals, rounded to these.
    package var shortClock: String { attoseconds % 1_000_000_000_000_000 == 0 ? clock : clock(decimals: 3) }
}
