extension Score {
    /// What a score can have a say in of how it is performed. The raw value is the name of the setting.
    public enum Wish: String, Sendable, CaseIterable {
        /// The tuning of A4.
        case a4
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
        /// The count-in.
        case countIn = "count-in"
        /// The speed.
        case speed
        /// Whether beats are heard.
        case beats
        /// The practice grid.
        case grid

        /// The wish that a key within `drone` is, beside its notes; nil for none.
        init?(droneKey: String) {
            switch droneKey {
            case "level": self = .droneLevel
            case "waveform": self = .droneWaveform
            case "brightness", "variation", "beating": self.init(rawValue: droneKey)
            default: return nil
            }
        }
    }

    /// What a score says of one of its wishes, as a score or an option has it.
    ///
    /// Nil for what belongs to a drone where there is none.
    public func text(of wish: Wish) -> String? {
        switch wish {
        case .a4: a4.plainText
        case .drone: drone.map { $0.notes.map(\.description).joined(separator: ", ") } ?? "off"
        case .droneLevel: drone.map { "\($0.level)" }
        case .droneWaveform: drone.map { $0.waveform.rawValue }
        case .brightness: drone.map { "\(($0.brightness * 100).plainText) %" }
        case .variation: drone.map { "\($0.variation.plainText) dB" }
        case .beating: drone.map { "\($0.beating.plainText) Hz" }
        case .countIn: countIn.exactSeconds
        case .speed: "\(speed)"
        case .beats: beats ? "on" : "off"
        case .grid: grid.text
        }
    }
}
