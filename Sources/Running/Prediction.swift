internal import Glibc

/// What one race, or a timed mile, foretells of others.
public enum Prediction {
    /// The races that are foretold.
    public static let races: [(name: String, distance: Distance)] = [
        ("5 km", Distance(5, .kilometers)), ("10 km", Distance(10, .kilometers)), ("10 mi", Distance(10, .miles)),
        ("half marathon", .halfMarathon), ("marathon", .marathon),
    ]

    /// How much slower one gets over a longer way: the exponent of `time(for:after:)`.
    public static let fatigue = 1.06

    /// The time for another distance after a race: T₂ = T₁ (D₂ / D₁)^1.06.
    ///
    /// Source: Peter S. Riegel, "Athletic Records and Human Endurance", American Scientist 69 (1981), 285–290, found
    /// for times of 3.5 to 230 minutes.
    public static func time(for distance: Distance, after race: Run) -> Duration {
        Duration(inSeconds: race.time.inSeconds * pow(distance / race.distance, fatigue))
    }
}

/// Jeff Galloway's Magic Mile: an all-out mile, and the races it foretells for those who have trained for them.
///
/// Source: Jeff Galloway, "Magic Mile" (jeffgalloway.com); it holds up to 60 °F (16 °C).
public struct MagicMile: Sendable, Hashable {
    /// How long the mile took.
    public var time: Duration

    /// A mile of so long.
    public init(_ time: Duration) { self.time = time }

    /// The races it foretells.
    public enum Race: String, Sendable, CaseIterable {
        /// 5 km.
        case fiveKilometers = "5 km"
        /// 10 km.
        case tenKilometers = "10 km"
        /// 10 mi.
        case tenMiles = "10 mi"
        /// 21 097.5 m.
        case halfMarathon = "half marathon"
        /// 42 195 m.
        case marathon

        /// How far it is.
        public var distance: Distance {
            switch self {
            case .fiveKilometers: Distance(5, .kilometers)
            case .tenKilometers: Distance(10, .kilometers)
            case .tenMiles: Distance(10, .miles)
            case .halfMarathon: .halfMarathon
            case .marathon: .marathon
            }
        }
    }

    /// The pace for a mile of a race: 33 s more than the mile for 5 km, and the mile times 1.15, 1.175, 1.2 and 1.3 for
    /// the others; in heat slower by `Heat.slowing`.
    public func secondsPerMile(_ race: Race, at heat: Heat = Heat(celsius: 15)) -> Duration {
        let factor: Double =
            switch race {
            case .fiveKilometers: 1
            case .tenKilometers: 1.15
            case .tenMiles: 1.175
            case .halfMarathon: 1.2
            case .marathon: 1.3
            }
        let time = Extent.held(time)
        let base = race == .fiveKilometers ? time + .seconds(33) : Duration(inSeconds: time.inSeconds * factor)
        return base + heat.slowing
    }

    /// The pace of a race.
    public func pace(_ race: Race, at heat: Heat = Heat(celsius: 15)) -> Pace {
        Pace(secondsPerMile(race, at: heat), per: .miles)
    }

    /// The fastest pace of long training runs: two minutes a mile slower than the marathon.
    public func longRunPace(at heat: Heat = Heat(celsius: 15)) -> Pace {
        Pace(secondsPerMile(.marathon, at: heat) + .seconds(120), per: .miles)
    }
}

/// How warm it is, and what that costs.
public struct Heat: Sendable, Hashable {
    /// Degrees Fahrenheit.
    public var fahrenheit: Double

    /// So many degrees Fahrenheit.
    public init(fahrenheit: Double) { self.fahrenheit = fahrenheit }
    /// So many degrees Celsius.
    public init(celsius: Double) { fahrenheit = celsius * 9 / 5 + 32 }

    /// Degrees Celsius.
    public var celsius: Double { (fahrenheit - 32) * 5 / 9 }

    /// The temperatures that can be asked for, in °F.
    public static let range = -60.0...140.0

    /// How much slower a mile is: 30 s for each 5 °F above 60 °F, in proportion between them.
    ///
    /// Source: Jeff Galloway, "Heat" (jeffgalloway.com).
    public var slowing: Duration { Duration(inSeconds: max(fahrenheit - 60, 0) / 5 * 30) }
}
