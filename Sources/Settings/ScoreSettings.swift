public import Score

// What a user wants of every score, under what a score wants itself.
extension Settings {
    /// The score as it is to be performed: the environment before what it says itself, the user's file where it says
    /// nothing.
    ///
    /// `wishes` are what the score says itself. Options are not in it: whoever has them is stronger.
    public func applied(to score: Score, wishes: Set<Score.Wish>) -> Score {
        var settings = self
        settings.take(score, wishes: wishes)
        var score = score
        if let a4 = settings.wanted(Setting.a4) { score.a4 = a4 }
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
    public func shape(_ drone: inout Score.Drone) {
        if let level = wanted(Setting.droneLevel) { drone.level = level }
        if let waveform = wanted(Setting.droneWaveform) { drone.waveform = waveform }
        if let brightness = wanted(Setting.brightness) { drone.brightness = brightness }
        if let variation = wanted(Setting.variation) { drone.variation = variation }
        if let beating = wanted(Setting.beating) { drone.beating = beating }
    }
}
