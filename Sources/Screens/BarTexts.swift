internal import Languages
package import Playback
internal import Scores
internal import Timing

/// The texts of a bar on a page in a browser that are not those of `Wording` and `StandWording`.
package enum BarTexts {
    /// What the controls of a page have set, at boundary `n`: each value with its unit, empty for what is off.
    package static func values(_ status: Status, at n: Int) -> [(name: String, text: String)] {
        let performance = status.performance
        let isSilent = performance.clicksAreOff
        let drone = performance.isDroneMuted ? nil : performance.drone(inBarOf: n)
        return [
            ("speed", "\(status.speed(of: n))"), ("a4", Wording.tenths(performance.a4)),
            ("drone", drone.map(Wording.droneName) ?? ""),
            ("droneLevel", drone.map { Wording.decibels($0.level) } ?? ""),
            ("clicks", isSilent ? "" : localized("on")),
            ("clickLevel", isSilent ? "" : Wording.decibels(performance.clickLevel)),
            ("jumps", performance.countsInJumps ? localized("on") : ""),
        ]
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
