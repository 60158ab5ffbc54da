package import Formats
internal import Languages
package import Scores
package import Screens
internal import Serving
package import Timing
internal import UserSettings

/// A page that plays a performance by itself.
package enum WrittenPage {
    /// The file, and what it does not carry: `changesClicks` tells whether the clicks have sounds of their own.
    ///
    /// Errors: the music has no end, or too many bars, or its words are too long.
    package static func write(
        _ performance: Performance, _ words: any PieceWords, _ choices: StandChoices, changesClicks: Bool
    ) throws(TextError) -> Writing {
        let bytes = try SentPage.bytes(performance, words, choices)
        var losses: [String] = []
        if performance.cues.speech != nil, performance.speaker == nil {
            losses.append(localized("the page does not speak; it has the signals"))
        }
        if changesClicks {
            losses.append(localized("the page has Barline's own click sounds: --click has no effect on it"))
        }
        if performance.drone?.variation ?? 0 != 0 {
            losses.append(localized("the drone of the page does not wander in level"))
        }
        return Writing(bytes: bytes, losses: losses)
    }

    /// Writes the page of a score to a file, as `play` would play it with these options and the user's settings. The voice
    /// speaks only if it is asked for: its words make a large file.
    package static func write(
        _ score: ScoreChoice, _ wanted: PerformanceRequest, to out: String,
        _ change: (inout Performance) throws -> Void = { _ in }
    ) throws {
        let settings = try LoadedSettings.get()
        let canWait = settings[Setting.wait] != false && wanted.passage.reading.gaps.about == nil
        var (performance, words, _, files) = try wanted.performance(of: score, canWait: canWait)
        performance.waits = canWait
        try OutputFile.check([out], read: wanted.files + files)
        try change(&performance)
        if wanted.cues[Setting.speak] != nil {
            performance.speaker = try wanted.cues.speaker(for: performance, rate: SentPage.wordRate, waits: true)
        }
        let choices = try StandRequest().choices()
        let writing = try Failure.exitOnError(.badData) {
            try write(performance, words, choices, changesClicks: wanted.cues.changesClicks)
        }
        for loss in writing.losses {
            Failure.say(localized("warning: \(out == "-" ? WrittenFormat.page.name : out): \(loss)"))
        }
        try OutputFile.write(writing.bytes, to: out)
    }
}
