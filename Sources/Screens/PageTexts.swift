internal import Languages
package import Playback
internal import Scores
internal import Timing

/// The texts of a page in a browser that are not those of `Wording` and `StandWording`.
package enum PageTexts {
    /// Where boundary `n` is: `II  line 5, bar 7 of 13`; of a run `run 5 of 9, 3.4 km, pace 5:30/km`.
    package static func place(_ n: Int, _ status: Status, _ run: ShownRun?) -> String {
        if let run, let place = run.place(n, over: 0, status) {
            return [run.name(place), run.measures(place)].joinedNonempty(", ")
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
}

/// The word for the state of the music.
package enum StateWord: Sendable, CaseIterable {
    case end, waiting, countIn, paused, holding, untilLap, playing

    /// `isOpen` says whether an interval lasts until the lap button.
    init(_ moment: Moment, isOpen: Bool = false) {
        self =
            switch moment {
            case .end: .end
            case .waiting(_, let isPaused): isPaused ? .paused : .waiting
            case .countIn(_, let isPaused): isPaused ? .paused : .countIn
            case .bar(let bar): bar.isPaused ? .paused : isOpen ? .untilLap : bar.isHolding ? .holding : .playing
            }
    }

    /// The word that stands alone, in capitals.
    package var text: String { words.alone }

    /// The word at the beginning of a line of text.
    var plainText: String { words.plain }

    private var words: (alone: String, plain: String) {
        switch self {
        case .end: (localized("END"), localized("end"))
        case .waiting: (localized("WAITING"), localized("waiting"))
        case .countIn: (localized("COUNT-IN"), localized("count-in"))
        case .paused: (localized("PAUSED"), localized("paused"))
        case .holding: (localized("HOLDING"), localized("holding"))
        case .untilLap: (localized("UNTIL LAP"), localized("until lap"))
        case .playing: (localized("PLAYING"), localized("playing"))
        }
    }
}
