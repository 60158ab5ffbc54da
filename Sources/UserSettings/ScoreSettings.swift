package import Scores

// Applies the user's settings to scores.
extension Settings {
    /// The score as it is to be performed. The environment overrides the score's own preferences; the user's file fills
    /// in those that it does not state.
    ///
    /// `preferences` are the properties that the score states itself. The caller applies options afterwards.
    package func applied(to score: Score, preferences: Set<Score.Preference>) -> Score {
        var settings = self
        settings.take(score, preferences: preferences)
        var score = score
        if let a4 = settings.wanted(Setting.a4) { score.a4 = a4 }
        settings.tune(&score.tuning)
        if let countIn = settings.wanted(Setting.countIn) { score.countIn = countIn }
        if let speed = settings.wanted(Setting.speed) { score.speed = speed }
        if let beats = settings.wanted(Setting.beats) { score.beats = beats }
        if let parts = settings.wanted(Setting.subdivide) { score.subdivision = parts }
        if let grid = settings.wanted(Setting.grid) { score.grid = grid }
        if let choice = settings.wanted(Setting.drone) { score.drone = choice.applied(to: score.drone) }
        if var drone = score.drone {
            settings.shape(&drone)
            score.drone = drone
        }
        return score
    }

    /// Applies the user's drone settings to a drone.
    package func shape(_ drone: inout Score.Drone) {
        for (setting, property) in Setting.ofDrone {
            // Every layer was checked when it was taken.
            if let text = wantedText(setting) { try? property.read(text)(&drone) }
        }
    }

    /// Applies the user's tuning settings, except Scala files, which have to be read first: see `scalaFiles`.
    package func tune(_ tuning: inout Tuning) {
        if let temperament = wanted(Setting.tuning).flatMap(Temperament.init(rawValue:)) {
            tuning.scale = .temperament(temperament)
        }
        if let tonic = wanted(Setting.tonic) { tuning.tonic = tonic }
        if let instrument = wanted(Setting.instrument) { tuning.instrument = instrument }
        if let temperature = wanted(Setting.temperature) { tuning.temperature = temperature }
    }

    /// The paths of the Scala file and, if any, the keyboard map that the user has set; nil if there is no Scala file.
    /// `~/` stands for the home folder; a relative path in the user's file is relative to the folder of that file.
    package func scalaFiles(home: String?) -> (scale: String, map: String?)? {
        guard let tuning = wanted(Setting.tuning), SettingText.isScala(tuning) else { return nil }
        let map = wanted(Setting.keyboardMap).flatMap { $0.isEmpty ? nil : path(Setting.keyboardMap, home: home) }
        return (path(Setting.tuning, home: home), map)
    }
}
