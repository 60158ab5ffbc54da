extension Score {
    /// A performance setting that a score can give.
    package struct Preference: Sendable {
        /// The name of the setting.
        package let name: String
        /// The score's value, as a score or an option writes it; nil for a property of a drone that does not exist.
        package let text: @Sendable (Score) -> String?

        private init(_ name: String, _ text: @escaping @Sendable (Score) -> String?) {
            (self.name, self.text) = (name, text)
        }

        /// The tuning of A4.
        package static let a4 = Preference("a4") { $0.a4.plainText }
        /// The temperament, or a Scala file.
        package static let tuning = Preference("tuning") { $0.tuning.scaleText }
        /// Which keys have the degrees of a Scala file.
        package static let keyboardMap = Preference("keyboard-map") { $0.tuning.mapText }
        /// The note from which the temperament is built.
        package static let tonic = Preference("tonic") { Score.text(tonic: $0.tuning.tonic) }
        /// The instrument whose written notes the pitches are.
        package static let instrument = Preference("instrument") { $0.tuning.instrument.rawValue }
        /// The temperature of the instruments.
        package static let temperature = Preference("temperature") { "\($0.tuning.temperature.plainText) C" }
        /// Whether there is a drone, and its notes.
        package static let drone = Preference("drone") { score in
            score.drone.map { $0.notes.map(\.description).joined(separator: ", ") } ?? "off"
        }
        /// The count-in.
        package static let countIn = Preference("count-in") { $0.countIn.text }
        /// The speed.
        package static let speed = Preference("speed") { "\($0.speed)" }
        /// Whether beats are heard.
        package static let beats = Preference("beats") { $0.beats ? "on" : "off" }
        /// Into how many parts beats are divided.
        package static let subdivide = Preference("subdivide") { "\($0.subdivision)" }
        /// The practice grid.
        package static let grid = Preference("grid") { $0.grid.text }

        /// The preference for a property of the drone; nil if the property has no setting.
        package static func drone(_ property: Drone.Property) -> Preference? {
            property.setting.map { name in Preference(name) { $0.drone.map(property.text) } }
        }

        /// All preferences.
        package static let all: [Preference] =
            [a4, tuning, keyboardMap, tonic, instrument, temperature, drone]
            + Drone.Property.all.compactMap { .drone($0) }
            + [countIn, speed, beats, subdivide, grid]
    }
}

extension Score.Preference: Hashable {
    package static func == (one: Self, other: Self) -> Bool { one.name == other.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Tuning {
    /// The temperament, or the file of the scale.
    fileprivate var scaleText: String {
        switch scale {
        case .temperament(let temperament): temperament.rawValue
        case .scala(let scale, _): scale.file ?? "a scale.scl"
        }
    }

    /// The file of the keyboard map; "none" if there is no map.
    fileprivate var mapText: String {
        if case .scala(_, let map) = scale { map.file ?? "none" } else { "none" }
    }
}
