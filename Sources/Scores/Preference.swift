extension Score {
    /// A performance setting that a score can give: the property of this name, or what the tuning and the drone have.
    package struct Preference: Sendable, Hashable {
        /// The name of the setting.
        package let name: String

        package init(_ name: String) { self.name = name }

        // Those that are asked for by name.
        package static let (a4, tuning) = (Self("a4"), Self("tuning"))
        package static let (keyboardMap, tonic) = (Self("keyboard-map"), Self("tonic"))
        package static let (drone, speed, countIn) = (Self("drone"), Self("speed"), Self("count-in"))
        package static let (beats, subdivide, grid) = (Self("beats"), Self("subdivide"), Self("grid"))

        /// All preferences.
        package static let all: [Preference] =
            [a4, tuning, keyboardMap, tonic, drone, countIn, speed, beats, subdivide]
            + (Score.properties.compactMap(\.setting) + Drone.properties.compactMap(\.setting)).map(Self.init)

        /// The score's value, as a score or an option writes it; nil for a property of a drone that does not exist.
        package func text(_ score: Score) -> String? {
            switch self {
            case .tuning: return score.tuning.scaleText
            case .keyboardMap: return score.tuning.mapText
            case .drone: return score.drone.map { $0.notes.map(\.description).joined(separator: ", ") } ?? "off"
            default:
                if let property = Score.properties.first(where: { $0.key == name }) { return property.text(score) }
                let property = Drone.properties.first { $0.setting == name }
                return score.drone.flatMap { property?.text($0) }
            }
        }
    }
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
