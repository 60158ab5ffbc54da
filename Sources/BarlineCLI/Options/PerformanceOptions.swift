internal import ArgumentParser
internal import Languages
internal import Scores
internal import Screens
internal import UserSettings
internal import Timing

/// Options for the sound of a score, shared by `play` and `render`.
struct PerformanceOptions: ParsableArguments {
    @OptionGroup var passageOptions: PassageOptions

    @Flag(help: .localized("Repeat the score until stopped."))
    var loop = false

    @Option(
        parsing: .unconditional,
        help: .localized(
            "The length of the count-in: seconds, '1 bar', '8 beats', or 0 for none.", valueName: "length"),
        transform: { try OptionText.read($0, Setting.countIn) })
    var countIn: Score.Lead?

    @Option(
        help: .localized(
            "The drone: B4, Bb3, B4+14c, '3/2 of E4', 493.9Hz, 'B3, F#4 -6dB L50', or off.", valueName: "notes"),
        transform: OptionText.drone)
    var drone: DroneChoice?

    @OptionGroup var droneOptions: DroneOptions
    @OptionGroup var tuningOptions: TuningOptions
    @OptionGroup var cueOptions: CueOptions
    @OptionGroup var clickOptions: ClickOptions

    @Flag(inversion: .prefixedNo, help: .localized("Begin every bar with the same click."))
    var oneSound: Bool?

    @Option(
        help: .localized("The click with which a line begins: \(CueOptions.sounds).", valueName: "sound"),
        transform: { try OptionText.read($0, Setting.lineSound) })
    var lineSound: ClickSound?

    func validate() throws {
        if loop, passageOptions.times != nil {
            throw ValidationError(localized("--loop and --times cannot both be given"))
        }
    }

    /// The performance, its words and its score; options override the score's own preferences and the
    /// user's settings. `canWait` tells whether a plan waits for the lap button.
    func performance(
        of choice: ScoreChoice, canWait: Bool = false
    ) throws -> (performance: Performance, words: any PieceWords, score: Score) {
        let (score, passage, first, words, settings) = try passageOptions.passage(
            of: choice, loops: loop, spoken: cueOptions.spokenLanguage(), canWait: canWait)
        var performance = Performance(of: score, passage: passage)
        performance.first = first
        if words.plan != nil { performance.countsPasses = true }
        if let speed = passageOptions.speed { performance.speed = speed }
        if let countIn {
            performance.countIn = countIn
        } else if cueOptions.noCues, words.plan != nil, !settings.isStatedByScore(Setting.countIn.setting) {
            // The count-in that plans have by default.
            performance.countIn = .off
        }
        if let a4 = tuningOptions.a4 { performance.a4 = a4 }
        performance.tuning = try tuningOptions.read(over: score.tuning, settings)
        performance.cues = try cueOptions.settings(isPlan: words.plan != nil)
        performance.clickLevel = clickOptions.clickLevel ?? settings[Setting.clickLevel]
        performance.barSounds.areAlike = oneSound ?? settings[Setting.oneSound]
        performance.barSounds.line = lineSound ?? settings[Setting.lineSound]
        clickOptions.apply(to: &performance.inner)
        performance.drone = try drone(for: score)
        // A drone that an option or the environment asks for ignores the drone changes in the score.
        performance.followsDroneChanges = drone == nil && !settings.isInEnvironment(Setting.drone.setting)
        if performance.countsSecondsForBeats {
            Failure.say(
                localized(
                    "note: the bar at which it begins has no beats: the count-in of \(performance.countIn.text) has seconds "
                        + "instead"))
        }
        try TuningOptions.check(performance, score)
        return (performance, words, score)
    }

    private func drone(for score: Score) throws -> Score.Drone? {
        guard var result = drone.map({ $0.applied(to: score.drone) }) ?? score.drone else {
            guard drone == .off || !droneOptions.isGiven else {
                throw Failure.exit(.usage, localized("the score has no drone; add one with --drone B4"))
            }
            return nil
        }
        droneOptions.apply(to: &result)
        return result
    }
}
