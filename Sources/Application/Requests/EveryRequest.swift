internal import Languages
internal import Playback
internal import Running
internal import Scores
internal import Screens
internal import Timing
package import UserSettings

/// A cue at regular intervals, until stopped.
package struct EveryRequest: OptionRequest {
    package var options = OptionValues()
    package var time: Duration
    package var device = DeviceRequest()
    /// Whether a user at a terminal has the stand and its keys.
    package var atTerminal = false

    package init(_ time: Duration) { self.time = time }

    /// The cues as intervals of a plan, so that screens say which one it is and what is left of it.
    private func words(_ title: String) -> any PieceWords {
        let interval = Interval(.rest, .time(time), label: localized("interval"))
        let plan = Plan(title: title, [.interval(interval)], length: .forever)
        return RunWords(plan, in: .kilometers) ?? ScoreWords()
    }

    /// Plays the cues until the end. Errors: `ProgramEnd`, whose reason has been told.
    package func play() async throws {
        let name = localized("Every \(time < .seconds(60) ? "\(time.exactSeconds) s" : time.clock)")
        var score = Score(title: name, lines: [Score.Line(bars: [Score.Bar(time)])])
        score.isEndless = true
        var performance = Performance(of: score, passage: Passage(Timeline(score), passes: nil))
        let settings = try LoadedSettings.get(self.options)
        performance.clickLevel = settings[Setting.clickLevel]
        let session = try LiveSession.begin()
        let (output, sound) = try device.open(for: performance.passage.timeline)
        let cards = CardNotes(sound)
        var options = Conductor.Options()
        options.card = cards.entry
        defer { session.end() }
        let (conductor, _, _) = try await LivePlay.run(
            performance, output: output, sound: sound, as: .music(try StandRequest().choices(), words(name)),
            options: options, session: session, notifies: settings[Setting.notify],
            atTerminal: atTerminal)
        try cards.keep(await conductor.learnt, latency: nil)
    }
}
