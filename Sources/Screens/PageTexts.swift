internal import Languages
package import Playback
internal import Scores
package import Timing

/// The texts of a page in a browser: those of the terminal.
package enum PageTexts {
    /// The title, and who composed it.
    package static func title(_ status: Status) -> String { Wording.title(status.performance) }

    /// Where boundary `n` is: `II  line 5, bar 7 of 13`; of a run `run 5 of 9, 3.4 km, pace 5:30/km`.
    package static func place(_ n: Int, _ status: Status, _ run: ShownRun?) -> String {
        if let run, let place = run.place(n, over: 0, status) {
            return [run.name(place), run.measures(place)].filter { !$0.isEmpty }.joined(separator: ", ")
        }
        let passage = status.performance.passage
        return StandWording.bar(passage.bar(of: n), voice: passage.timeline.voice.name)
    }

    /// The name of the bar of boundary `n` in the strip: `5`, `[5`, `5^` with a hold, or `run 5`.
    package static func name(_ n: Int, _ status: Status, _ run: ShownRun?) -> String {
        ScoreStrip.name(of: status.performance.passage.bar(of: n), status.loop, run)
    }

    /// Whether boundary `n` begins an interval that lasts until the lap button.
    package static func isOpen(_ n: Int, _ status: Status, _ run: ShownRun?) -> Bool {
        run?.place(n, over: 0, status)?.isOpen ?? false
    }

    /// Where another voice is.
    package static func place(_ other: CompanionBar) -> String { StandWording.bar(other.bar, voice: other.voice.name) }

    /// The speed, A4, drone and clicks.
    package static func settings(_ status: Status, _ run: ShownRun?) -> String {
        StandWording.settings(status, isRun: run != nil)
    }

    /// The problems with the sound; empty if there are none.
    package static func trouble(_ status: Status) -> String { Wording.trouble(status) ?? "" }
}

/// The word for the state of the music.
package enum StateWord: Sendable, CaseIterable {
    case end, waiting, countIn, paused, holding, untilLap, playing

    /// `isOpen` says whether an interval lasts until the lap button.
    init(_ moment: Moment, isOpen: Bool = false) {
        self =
            switch moment {
            case .end: .end
            case .waiting: .waiting
            case .countIn: .countIn
            case .bar(let bar): bar.isPaused ? .paused : isOpen ? .untilLap : bar.isHolding ? .holding : .playing
            }
    }

    /// The word that stands alone, in capitals.
    package var text: String {
        switch self {
        case .end: localized("END")
        case .waiting: localized("WAITING")
        case .countIn: localized("COUNT-IN")
        case .paused: localized("PAUSED")
        case .holding: localized("HOLDING")
        case .untilLap: localized("UNTIL LAP")
        case .playing: localized("PLAYING")
        }
    }

    /// The word at the beginning of a line of text.
    var plainText: String {
        switch self {
        case .end: localized("end")
        case .waiting: localized("waiting")
        case .countIn: localized("count-in")
        case .paused: localized("paused")
        case .holding: localized("holding")
        case .untilLap: localized("until lap")
        case .playing: localized("playing")
        }
    }
}
