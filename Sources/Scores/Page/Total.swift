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
            (self.duration, self.tolerance) = (duration, tolerance)
        }

        /// Whether a duration agrees with the total.
        public func allows(_ sum: Duration) -> Bool {
            let difference = abs((sum - duration) / .milliseconds(1))
            return switch tolerance {
            case .exact: difference < 1
            case .about: difference <= duration / 20 / .milliseconds(1)
            case .within(let limit): difference <= max(limit / .milliseconds(1), 1)
            }
        }

        /// The difference from the total, as in `0:06.2 (2.1 %) shorter than its total of about 5:00`; nil below 1 ms.
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
        if isAbout { rest = rest.dropFirst(6).trimmingBlanks }
        for sign in ["±", "+-", "+/-"] {
            let sides = rest.split(separator: sign, omittingEmptySubsequences: false)
            guard sides.count == 2 else { continue }
            let tolerance = try Duration(scoreText: sides[1].trimmingBlanks, as: .time)
            self.init(try Score.Total.time(sides[0], text), .within(tolerance))
            return
        }
        self.init(try Score.Total.time(rest[...], text), isAbout ? .about : .exact)
    }

    private static func time(_ text: Substring, _ whole: String) throws(TextError) -> Duration {
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

extension Duration {
    /// The time as on a clock; if it has more than 3 decimals, rounded to these.
    package var shortClock: String { attoseconds % 1_000_000_000_000_000 == 0 ? clock : clock(decimals: 3) }
}
