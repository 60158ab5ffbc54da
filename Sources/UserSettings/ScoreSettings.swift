package import Scores

// What a user wants of every score, under what a score wants itself.
extension Settings {
    /// The score as it is to be performed: the environment before what it says itself, the user's file where it says
    /// nothing.
    ///
    /// `preferences` are what the score says itself. Options are not in it: whoever has them is stronger.
    package func applied(to score: Score, preferences: Set<Score.Preference>) -> Score {
        var settings = self
        settings.take(score, preferences: preferences)
        var score = score
        if let a4 = settings.wanted(Setting.a4) { score.a4 = a4 }
        settings.tune(&score.tuning)
        if let countIn = settings.wanted(Setting.countIn) { score.countIn = countIn }
        if let speed = settings.wanted(Setting.speed) { score.speed = speed }
        if let beats = settings.wanted(Setting.beats) { score.beats = beats }
        if let grid = settings.wanted(Setting.grid) { score.grid = grid }
        switch settings.wanted(Setting.drone) {
        case .off: score.drone = nil
        case .notes(let notes):
            score.drone = score.drone ?? Score.Drone()
            score.drone?.notes = notes
        case nil: break
        }
        if var drone = score.drone {
            settings.shape(&drone)
            score.drone = drone
        }
        return score
    }

    /// Makes a drone sound as the user wants it.
    package func shape(_ drone: inout Score.Drone) {
        for (setting, property) in Setting.ofDrone {
            // Every layer was checked when it was taken.
            if let text = wantedText(setting) { try? property.read(text, &drone) }
        }
    }

    /// Tunes as the user wants it, all but Scala files, which have to be read: `scalaFiles` names them.
    package func tune(_ tuning: inout Tuning) {
        if let temperament = wanted(Setting.tuning).flatMap(Temperament.init(rawValue:)) {
            tuning.scale = .temperament(temperament)
        }
        if let tonic = wanted(Setting.tonic) { tuning.tonic = tonic }
        if let instrument = wanted(Setting.instrument) { tuning.instrument = instrument }
        if let temperature = wanted(Setting.temperature) { tuning.temperature = temperature }
    }

    /// The Scala file, and perhaps the keyboard map, that the user wants; nil for none. In the user's file `~/` is the home,
    /// and a relative path begins at that file's folder.
    package func scalaFiles(home: String?) -> (scale: String, map: String?)? {
        guard let tuning = wanted(Setting.tuning), SettingText.isScala(tuning) else { return nil }
        let map = wanted(Setting.keyboardMap).flatMap { $0.isEmpty ? nil : path(Setting.keyboardMap, home: home) }
        return (path(Setting.tuning, home: home), map)
    }
}
