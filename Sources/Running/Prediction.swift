internal import Glibc
internal import Languages

/// Predicts race times from another race.
public enum Prediction {
    /// The races that are predicted.
    public static let races = MagicMile.Race.allCases.map { (name: $0.rawValue, distance: $0.distance) }

    /// How much slower one gets over a longer distance: the exponent of `time(for:after:)`.
    public static let fatigue = 1.06

    /// The predicted time for another distance after a race: T₂ = T₁ (D₂ / D₁)^1.06. Source: Peter S. Riegel, "Athletic
    /// Records and Human Endurance", American Scientist 69 (1981), 285–290, found for times of 3.5 to 230 minutes.
    public static func time(for distance: Distance, after race: Run) -> Duration {
        Duration(inSeconds: race.time.inSeconds * pow(distance / race.distance, fatigue))
    }

    /// The name of one of the `races` in the language of the process.
    package static func localizedName(_ race: String) -> String {
        switch race {
        case "half marathon": localized("half marathon")
        case "marathon": localized("marathon")
        default: race
        }
    }
}

/// Jeff Galloway's Magic Mile: a mile at full effort, and the race times it predicts for runners who have trained for
/// them. Source: Jeff Galloway, "Magic Mile" (jeffgalloway.com); valid up to 60 °F (16 °C).
public struct MagicMile: Sendable, Hashable {
    /// The time of the mile.
    public var time: Duration

    /// Makes a Magic Mile from its time.
    public init(_ time: Duration) { self.time = time }

    /// The races it predicts.
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

        /// The name in the language of the process.
        package var localizedName: String { Prediction.localizedName(rawValue) }

        /// The distance of the race.
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

    /// The time per mile of a race: the Magic Mile plus 33 s for 5 km, and times 1.15, 1.175, 1.2 and 1.3 for the
    /// others; in heat slower by `Heat.raceSlowing`. Nil if it is too hot for a prediction.
    public func secondsPerMile(_ race: Race, at heat: Heat = .none) -> Duration? {
        let factor: Double =
            switch race {
            case .fiveKilometers: 1
            case .tenKilometers: 1.15
            case .tenMiles: 1.175
            case .halfMarathon: 1.2
            case .marathon: 1.3
            }
        let time = Extent.clamped(time)
        let base = race == .fiveKilometers ? time + .seconds(33) : Duration(inSeconds: time.inSeconds * factor)
        return heat.raceSlowing.map { $0 == 0 ? base : Duration(inSeconds: base.inSeconds * (1 + $0)) }
    }

    /// The pace of a race; nil if it is too hot for a prediction.
    public func pace(_ race: Race, at heat: Heat = .none) -> Pace? {
        secondsPerMile(race, at: heat).map { Pace($0, per: .miles) }
    }

    /// The fastest pace of long training runs: two minutes per mile slower than the marathon; in heat slower by
    /// `Heat.trainingSlowing`.
    public func longRunPace(at heat: Heat = .none) -> Pace {
        let marathon = Duration(inSeconds: Extent.clamped(time).inSeconds * 1.3)
        return Pace(marathon + .seconds(120) + heat.trainingSlowing, per: .miles)
    }
}

/// A temperature, and how much it slows runners down.
public struct Heat: Sendable, Hashable {
    /// Degrees Fahrenheit.
    public var fahrenheit: Double

    /// Makes a temperature from degrees Fahrenheit.
    public init(fahrenheit: Double) { self.fahrenheit = fahrenheit }
    /// Makes a temperature from degrees Celsius.
    public init(celsius: Double) { fahrenheit = celsius * 9 / 5 + 32 }

    /// Degrees Celsius.
    public var celsius: Double { (fahrenheit - 32) * 5 / 9 }

    /// The range of temperatures, in °F.
    public static let range = -60.0...140.0

    /// A temperature that slows nobody down: 15 °C.
    public static let none = Heat(celsius: 15)

    /// How much slower a race is, as a share of its time: the chart of `raceSource` from 60 °F on, the limit of the
    /// Magic Mile. Nil above 85 °F, where the chart says to run for fun. Each band begins with its lower temperature.
    public var raceSlowing: Double? {
        switch fahrenheit {
        case ..<60: 0
        case ..<65: 0.03
        case ..<70: 0.05
        case ..<75: 0.07
        case ..<80: 0.12
        case ...85: 0.20
        default: nil
        }
    }

    /// The source of `raceSlowing`.
    public static let raceSource = localized("Jeff Galloway's chart “Adjusting Race Pace for Heat”")

    /// The extra time per mile of training runs: 30 s for each 5 °F above 60 °F, in proportion between these steps.
    /// Source: Jeff Galloway, "The Run Walk Run Method".
    public var trainingSlowing: Duration { Duration(inSeconds: max(fahrenheit - 60, 0) / 5 * 30) }
}
