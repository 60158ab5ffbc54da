package import Scores

// Applies the user's settings to scores.
extension Settings {
    /// The score as it is to be performed. The environment overrides the score's own preferences; the user's file fills
    /// in those that it does not state.
    ///
    /// `preferences` are the properties that the score states itself. The caller applies options afterwards, and Scala files,
    /// which have to be read first: see `scalaFiles`.
    package func applied(to score: Score, preferences: Set<Score.Preference>) -> Score {
        var settings = self
        settings.take(score, preferences: preferences)
        var score = score
        if let temperament = settings.wanted(Setting.tuning).flatMap(Temperament.init(rawValue:)) {
            score.tuning.scale = .temperament(temperament)
        }
        for property in Score.properties { settings.give(property, property.key, to: &score) }
        if let choice = settings.wanted(Setting.drone) { score.drone = choice.applied(to: score.drone) }
        if var drone = score.drone {
            settings.shape(&drone)
            score.drone = drone
        }
        return score
    }

    /// Applies the user's drone settings to a drone.
    package func shape(_ drone: inout Score.Drone) {
        for property in Score.Drone.properties { give(property, property.setting, to: &drone) }
    }

    /// Gives a score or a drone the value that the user has set for a property, if any.
    private func give<Whole>(_ property: ScoreProperty<Whole>, _ setting: String?, to whole: inout Whole) {
        // Every layer was checked when it was taken.
        if let text = setting.flatMap(wantedText) { try? property.read(text)(&whole) }
    }

    /// The paths of the Scala file and the keyboard map, each nil if the user has set none and the score's applies; an empty
    /// path is no map. `~/` stands for the home folder; a relative path in the user's file is relative to the folder of that
    /// file.
    package func scalaFiles(home: String?) -> (scale: String?, map: String?) {
        let scale = wanted(Setting.tuning).flatMap { SettingText.isScala($0) ? path(Setting.tuning, home: home) : nil }
        return (scale, wanted(Setting.keyboardMap).map { $0.isEmpty ? "" : path(Setting.keyboardMap, home: home) })
    }
}
