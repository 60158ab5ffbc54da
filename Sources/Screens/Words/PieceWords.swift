internal import Languages
package import Playback
package import Running
package import Scores
package import Timing

/// The words that every screen has for a piece. They are chosen once, where the piece is loaded: those of musicians for a
/// score, `ScoreWords`, and those of runners for a plan, `RunWords`.
package protocol PieceWords: Sendable {
    /// The plan that the piece is, and the unit of its distances; nil for a score.
    var plan: Plan? { get }
    var unit: DistanceUnit? { get }
    /// Whether it has intervals until the lap button, so that nobody knows how long it takes.
    var hasOpenEnds: Bool { get }

    /// The line before the first bar: the title, how much there is, and the settings.
    func header(_ status: Status) -> String

    // MARK: - The bar of a boundary

    /// Its bar in the words of a loop: `5.7`, or `run 5`.
    func name(ofBar index: Int, _ performance: Performance) -> String
    /// The shortest name of a bar, for little room: its number, or `run 5`.
    func shortName(of bar: TimedBar) -> String
    /// Where the music is: `line 2, bar 1 of 3  Coda`, or `run 5 of 9`.
    func place(_ n: Int, _ status: Status) -> String
    /// The same on a page in a browser: `II  line 5, bar 7 of 13`, or `run 5 of 9, 3.4 km, pace 5:30/km`.
    func pagePlace(_ n: Int, _ status: Status) -> String
    /// The large texts on a page where they are not the numbers of its line and its bar: `word` above `name`, and `box` of
    /// `of`; nil if they are. A bar that `isLow` is lower in the strip than others.
    func pageTexts(_ n: Int, _ status: Status) -> [(name: String, text: String)]?
    /// Of an interval: how far the runner is where it begins and how long it is, in m, nil if unknown; and its pace, as in
    /// `pace 5:30/km`. Nil for a bar of a score.
    func pageMeasures(_ n: Int, _ status: Status) -> (meters: (before: Double, length: Double)?, asks: String)?
    /// The name, pace and demands of the interval that a bar is; nil if the piece is no plan.
    func row(_ n: Int, _ status: Status) -> PlannedRow?
    /// Whether it lasts until the lap button.
    func isOpen(_ n: Int, _ status: Status) -> Bool
    /// Its line of text: where it begins, and how long it lasts.
    func line(_ n: Int, _ status: Status) -> String

    // MARK: - The bar that is heard

    /// The time in the piece, and its length if it has an end: `0:05.7 of 0:07.7`.
    func elapsed(_ heard: Moment.Bar) -> String
    /// The parts of the line that answers a status request.
    func phrases(_ heard: Moment.Bar, _ status: Status) -> [String]
    /// What a program is told beyond what it is told of every piece.
    func fields(_ heard: Moment.Bar, _ status: Status) -> [(String, JSON)]
    /// A notification, without a pause.
    func notification(_ heard: Moment.Bar, _ status: Status) -> (title: String, text: String)
    /// Where the music was stopped, in parts of a sentence.
    func stopped(_ heard: Moment.Bar, _ status: Status) -> [String]
    /// The words of the stand: where the music is, in ever fewer words, the texts of the bar, and what comes next.
    func stand(_ heard: Moment.Bar, _ status: Status, isShort: Bool) -> StandWords
    /// The time left in the large digits of the stand, padded to a width that stays the same for the whole bar or hold.
    func largeTime(_ heard: Moment.Bar, _ status: Status) -> String
    /// The number of the bar in the large digits of the stand, as wide as that of the last one.
    func largeNumber(_ heard: Moment.Bar) -> String
}

/// The words about a bar on the stand.
package typealias StandWords = (places: [String], texts: String, next: String)

extension PieceWords {
    /// What the keys call its bars and lines.
    package var parts: PieceParts { plan == nil ? .bars : .intervals }
    /// Whether holds are told and drawn inside of their bars: in a plan, a hold is the whole interval.
    package var tellsHolds: Bool { parts == .bars }

    /// At boundary `n`: `80%   A4 442.0   drone B4 496.12 Hz -24 dB   clicks -6 dB`. `gap` is put between them.
    package func settings(_ status: Status, at n: Int, gap: String = "   ") -> String {
        let performance = status.performance
        var words = ["\(status.speed(of: n))"]
        if parts == .bars || performance.drone != nil {
            words += ["A4 \(Wording.tenths(performance.a4))", Wording.droneAndLevel(performance, at: n)]
        }
        words.append(Wording.clicks(performance))
        if performance.countsInJumps, performance.countIn != .off { words.append(localized("jumps counted in")) }
        if let latency = Wording.latency(status) { words.append(latency) }
        return words.joined(separator: gap)
    }

    /// The name of a bar in the strip: `5`, `[5` and `5]` around a loop, `5^` with a hold.
    package func stripName(of bar: TimedBar, _ loop: Range<Int>?) -> String {
        (loop?.lowerBound == bar.index ? "[" : "") + shortName(of: bar) + (bar.hasHold ? "^" : "")
            + (loop.map { $0.upperBound - 1 } == bar.index ? "]" : "")
    }

    /// How a performance ended, and where: `stopped at line 2, bar 1, 0:05.7 of 0:07.7`; of a run
    /// `stopped in run 5 of 9, 3.4 km, 4:08 of 9:00`. Empty while it goes on. With `part`, the place is that of this voice.
    package func ending(_ status: Status, part: String? = nil) -> String {
        switch status.ending {
        case nil: return ""
        case .complete: return localized("played to the end")
        case .stopped(.bar(let heard)):
            let bar = OwnPart(part, status)?.bar(heard, status) ?? heard
            return (stopped(bar, status) + [elapsed(bar)]).joinedNonempty(", ")
        case .stopped(.countIn): return localized("stopped in the count-in")
        case .stopped(.waiting), .stopped(.end): return localized("stopped before the start")
        }
    }

    // MARK: - The player

    /// How late the last bar was that was heard: `5.7: 40 ms late`, `5.7: unsure`; nil if none was.
    package func heard(_ status: Status) -> String? {
        status.heard.map { self.heard($0, status) }
    }

    /// One of the last bars, in a line of its own: `heard 5.7: 40 ms late`.
    func heardBar(_ heard: Status.Heard, _ status: Status) -> String {
        let text = self.heard(heard, status)
        return localized("heard \(text)")
    }

    private func heard(_ heard: Status.Heard, _ status: Status) -> String {
        let name = name(ofBar: heard.bar.index, status.performance)
        return heard.late.map { Wording.late(name, $0) } ?? localized("\(name): unsure")
    }

    /// The bars worth practicing; nil if there are none.
    package func worth(_ status: Status) -> String? {
        guard let worth = status.heard?.worth, !worth.isEmpty else { return nil }
        let bars = worth.map { Wording.late(name(ofBar: $0.bar, status.performance), $0.late) }
            .joined(separator: ", ")
        return localized("worth practicing, against your usual: \(bars)")
    }
}

extension Status {
    /// The drone where the music begins, or has been changed last.
    var firstDrone: Score.Drone? {
        performance.drone(inBarOf: performance.passage.boundary(at: max(anchor.position, .zero)))
    }
}

/// What the parts of a piece are called at keys. The raw values are those that pages know.
package enum PieceParts: String, Sendable, CaseIterable {
    case bars, intervals

    /// One of them, and several.
    var one: String { self == .bars ? localized("bar") : localized("interval") }
    var several: String { self == .bars ? localized("line") : localized("set") }
}

extension TimedBar {
    var hasHold: Bool { !written.isPlain && !written.details.holds.isEmpty }
}

/// What an interval of a plan is, apart from where it is in the music.
package struct PlannedRow {
    /// `run 5 of 9`.
    package var name: String
    /// Its pace at the speed of the music.
    package var metersPerSecond: Double?
    /// Its demands besides the pace, such as a heart rate; nil if it has none. At other speeds than the written one, only some
    /// of them hold.
    package var demands, demandsAtOtherSpeeds: String?
}
