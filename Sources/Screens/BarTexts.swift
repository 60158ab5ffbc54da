internal import Languages
package import Playback
internal import Scores
internal import Timing

/// The texts of a bar on a page in a browser that are not those of `Wording` and `StandWording`.
package enum BarTexts {
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

    /// The large texts of boundary `n` where they are not the numbers of its line and its bar: `word` above `name`, and
    /// `box` of `of`; nil if they are. Those of a run are the interval, its number and how many there are; all but running
    /// is `isLow` in the strip.
    package static func shown(_ n: Int, _ status: Status, _ run: ShownRun?) -> [(name: String, text: String)]? {
        if let run, let place = run.place(n, over: 0, status) {
            return [
                ("word", ""), ("name", place.row.interval.shownName), ("box", "\(place.number)"),
                ("of", place.count.map { "/\($0)" } ?? ""),
            ] + (place.row.interval.kind == .run ? [] : [("isLow", "yes")])
        }
        let passage = status.performance.passage
        let bar = passage.bar(of: n)
        let word = [passage.timeline.voice.name, bar.section].joinedNonempty("  ")
        guard !word.isEmpty || !bar.saidNumber.isEmpty else { return nil }
        return (word.isEmpty ? [] : [("word", word)]) + (bar.saidNumber.isEmpty ? [] : [("number", bar.saidNumber)])
    }

    /// The name of the interval of boundary `n`, `run 5 of 9`, and its pace at the speed of the music; nil if it is none.
    package static func row(_ n: Int, _ status: Status, _ run: ShownRun?) -> (name: String, metersPerSecond: Double?)? {
        guard let run, let place = run.place(n, over: 0, status) else { return nil }
        return (run.name(place), place.pace?.metersPerSecond)
    }

    /// What the controls of a page have set, at boundary `n`: each value with its unit, empty for what is off.
    package static func values(_ status: Status, at n: Int) -> [(name: String, text: String)] {
        let performance = status.performance
        let isSilent = performance.clicksAreOff
        let drone = performance.isDroneMuted ? nil : performance.drone
        return [
            ("speed", "\(status.speed(of: n))"), ("a4", Wording.tenths(performance.a4)),
            ("drone", drone == nil ? "" : Wording.droneName(performance)),
            ("droneLevel", drone.map { Wording.decibels($0.level) } ?? ""),
            ("clicks", isSilent ? "" : localized("on")),
            ("clickLevel", isSilent ? "" : Wording.decibels(performance.clickLevel)),
            ("jumps", performance.countsInJumps ? localized("on") : ""),
        ]
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
