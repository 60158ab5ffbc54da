internal import Playback
internal import Scores
internal import Timing
internal import UserSettings

/// A drone without a score. It has silent bars and repeats forever, so that it starts, fades and ends as in any score.
enum DroneAlone {
    /// A performance of a drone, or of silence without one, as it is wanted and by the user's settings. `bars` makes other silent
    /// bars, for a tuning and its A4. Errors: the drone is out of range.
    static func performance(
        _ drone: Score.Drone?, _ sound: PropertyChanges<Score.Drone>, _ wanted: TuningRequest, _ settings: Settings,
        bars: (Tuning, Double) -> [Score.Bar] = { _, _ in [Score.Bar(.seconds(3600))] }
    ) throws -> Performance {
        let shaped = drone.map { drone in
            var drone = drone
            settings.shape(&drone)
            sound.apply(to: &drone)
            return drone
        }
        let tuned = settings.applied(to: Score(sections: []), preferences: [])
        let a4 = wanted.a4 ?? tuned.a4
        let tuning = try wanted.read(over: tuned.tuning, settings)
        let score = Score(a4: a4, drone: shaped, lines: [Score.Line(bars: bars(tuning, a4))])
        var performance = Performance(of: score, passage: Passage(Timeline(score), passes: nil))
        (performance.clickLevel, performance.tuning) = (.off, tuning)
        try TuningRequest.check(performance)
        return performance
    }
}
