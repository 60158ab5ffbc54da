// The drone under the whole score.
extension YAMLScore {
    private enum DroneKey: String, CaseIterable { case pitch, level, waveform }

    mutating func drone(_ id: YAMLTree.ID) -> Score.Drone? {
        switch tree.kind(id) {
        case .map:
            var drone = Score.Drone()
            let fields = fields(of: id, DroneKey.self, in: "a drone")
            if let id = fields[.pitch], let pitch = value(id, "the pitch", Pitch.init(scoreText:)) {
                drone.pitch = pitch
            }
            if let id = fields[.level], let level = value(id, "the level", Level.init(scoreText:)) {
                drone.level = level
            }
            if let id = fields[.waveform],
                let waveform = value(id, "the waveform", Score.Waveform.init(scoreText:))
            {
                drone.waveform = waveform
            }
            return drone
        case .scalar:
            let word = tree.text(id).trimmingBlanks.lowercased()
            if word == "off" { return nil }
            if word == "on" || tree.isNull(id) { return Score.Drone() }
            return value(id, "the drone", Pitch.init(scoreText:)).map { Score.Drone(pitch: $0) }
        case .list:
            log.error(
                at: tree.range(id), "the drone is a pitch or a set of keys, not a list",
                hint: "for example {pitch: B4, level: -24 dB}")
            return nil
        }
    }
}
