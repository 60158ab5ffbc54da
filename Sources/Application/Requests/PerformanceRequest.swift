internal import Languages
package import Scores
package import Screens
package import Timing
package import UserSettings

/// How a score sounds: all that is wanted otherwise than the score and the settings have it.
package struct PerformanceRequest: OptionRequest {
    package var options = OptionValues()
    package var passage = PassageRequest()
    /// Whether it repeats until stopped.
    package var loop = false
    package var countIn: Score.Lead?
    package var drone: DroneChoice?
    package var droneSound = PropertyChanges<Score.Drone>()
    package var tuning = TuningRequest()
    package var cues = CueRequest()
    package var clicks = ClickRequest()

    package init() {}

    /// The paths of the files that are read for every score, as options and settings name them.
    var files: [String?] {
        passage.reading.files + cues.clicks.map(\.file) + tuning.files(LoadedSettings.valid)
    }

    /// The performance, its words, its score, and the paths of the files that the score names. `canWait` tells whether a
    /// plan waits for the lap button.
    package func performance(
        of choice: ScoreChoice, canWait: Bool = false
    ) throws -> (performance: Performance, words: any PieceWords, score: Score, files: [String]) {
        let (score, passage, first, words, settings, files) = try self.passage.passage(
            of: choice, loops: loop, spoken: cues.spokenLanguage(), canWait: canWait)
        var sounding = score
        clicks.apply(to: &sounding)
        var performance = Performance(of: sounding, passage: passage)
        performance.first = first
        if words.plan != nil { performance.countsPasses = true }
        if let speed = self.passage.speed { performance.speed = speed }
        if let countIn {
            performance.countIn = countIn
        } else if cues.noCues, words.plan != nil, !settings.isStatedByScore(Setting.countIn.setting) {
            // The count-in that plans have by default.
            performance.countIn = .off
        }
        performance.countsInJumps = settings.under(options)[Setting.countInOnJumps]
        if let a4 = tuning.a4 { performance.a4 = a4 }
        performance.tuning = try tuning.read(over: score.tuning, settings)
        performance.cues = try cues.settings(isPlan: words.plan != nil)
        performance.clickLevel = settings.under(clicks.options)[Setting.clickLevel]
        performance.barSounds.areAlike = settings.under(options)[Setting.oneSound]
        performance.barSounds.line = settings.under(options)[Setting.lineSound]
        performance.drone = try drone(for: score)
        // A drone that is asked for ignores the drone changes in the score.
        performance.followsDroneChanges = drone == nil && !settings.isInEnvironment(Setting.drone.setting)
        if performance.countsSecondsForBeats {
            Failure.say(
                localized(
                    "note: the bar at which it begins has no beats: the count-in of \(performance.countIn.text) has seconds "
                        + "instead"))
        }
        if performance.cutsCountIn {
            Failure.say(
                localized(
                    "note: the count-in of \(performance.countIn.text) would last more than an hour: it begins later")
            )
        }
        try TuningRequest.check(performance, score)
        return (performance, words, score, files)
    }

    private func drone(for score: Score) throws -> Score.Drone? {
        guard var result = drone.map({ $0.applied(to: score.drone) }) ?? score.drone else {
            guard drone == .off || !droneSound.isGiven else {
                throw Failure.exit(.usage, localized("the score has no drone; add one with --drone B4"))
            }
            return nil
        }
        droneSound.apply(to: &result)
        return result
    }
}
