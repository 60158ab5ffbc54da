extension Score {
    /// What a score can have a say in of how it is performed. The raw value is the name of the setting.
    package enum Preference: String, Sendable, CaseIterable {
        /// The tuning of A4.
        case a4
        /// The temperament, or a Scala file.
        case tuning
        /// Which keys have the degrees of a Scala file.
        case keyboardMap = "keyboard-map"
        /// The note from which the temperament is built.
        case tonic
        /// Whose written notes pitches are.
        case instrument
        /// The temperature of the instruments.
        case temperature
        /// Whether there is a drone, and its notes.
        case drone
        /// The drone's level.
        case droneLevel = "drone-level"
        /// The drone's voice.
        case droneWaveform = "drone-waveform"
        /// How bright the drone is.
        case brightness
        /// How far the drone's level wanders.
        case variation
        /// The drone's beats.
        case beating
        /// How long the drone takes to come and to go.
        case fade
        /// The count-in.
        case countIn = "count-in"
        /// The speed.
        case speed
        /// Whether beats are heard.
        case beats
        /// The practice grid.
        case grid

        /// The preference that a key within `drone` is, beside its notes; nil for none.
        init?(droneKey: String) {
            switch droneKey {
            case "level": self = .droneLevel
            case "waveform": self = .droneWaveform
            case "brightness", "variation", "beating", "fade": self.init(rawValue: droneKey)
            default: return nil
            }
        }
    }

    /// What a score says of one of its preferences, as a score or an option has it.
    ///
    /// Nil for what belongs to a drone where there is none.
    package func text(of preference: Preference) -> String? {
        switch preference {
        case .a4: a4.plainText
        case .tuning: tuning.scaleText
        case .keyboardMap: tuning.mapText
        case .tonic: Score.text(tonic: tuning.tonic)
        case .instrument: tuning.instrument.rawValue
        case .temperature: "\(tuning.temperature.plainText) C"
        case .drone: drone.map { $0.notes.map(\.description).joined(separator: ", ") } ?? "off"
        case .droneLevel: drone.map { "\($0.level)" }
        case .droneWaveform: drone.map { $0.waveform.rawValue }
        case .brightness: drone.map { "\(($0.brightness * 100).plainText) %" }
        case .variation: drone.map { "\($0.variation.plainText) dB" }
        case .beating: drone.map { "\($0.beating.plainText) Hz" }
        case .fade: drone.map { $0.fade.exactSeconds }
        case .countIn: countIn.exactSeconds
        case .speed: "\(speed)"
        case .beats: beats ? "on" : "off"
        case .grid: grid.text
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

    /// The file of the keyboard map; "none" without one.
    fileprivate var mapText: String {
        if case .scala(_, let map) = scale { map.file ?? "none" } else { "none" }
    }
}
