internal import Languages
package import Playback
internal import Running
internal import Scores
internal import Timing

/// Prints a line of text for every bar and every hold: for pipes, logs and simple terminals.
package struct LineScreen: Screen {
    /// Writes a line, made safe for a terminal, and a line ending.
    private let write: (String) -> Void
    private let run: ShownRun?
    /// The last boundary that has been printed, -1 if only the first line has; nil before that.
    private var shown: Int?
    private var trouble: String?
    /// The trouble without its counts.
    private var kindOfTrouble: String?
    /// How many holds of that bar have been printed.
    private var shownHolds = 0
    /// Whether the wait for the start has been announced.
    private var hasWaited = false
    /// Whether the lines are read aloud: then nothing is printed again and again.
    private let isSpoken: Bool
    /// Whether the music may have begun long before this screen, somewhere else.
    private let joins: Bool

    /// A screen that passes each line, including its line ending, to `write`. With `isSpoken`, bars that are repeated
    /// without end have lines in their first pass only, and only the first of several dropouts has one. With `joins`, the
    /// bars before the first one that is shown have no lines: another machine has played them.
    package init(
        _ run: ShownRun? = nil, isSpoken: Bool = false, joins: Bool = false, write: @escaping (String) -> Void
    ) {
        self.run = run
        self.isSpoken = isSpoken
        self.joins = joins
        self.write = { write($0.printable + "\n") }
    }

    package mutating func show(_ status: Status, at now: Int64) -> Int64 {
        if isNew { begin(status) }
        let trouble = Wording.trouble(status)
        if trouble != self.trouble {
            let kind = Wording.kindOfTrouble(status)
            let isMore = isSpoken && kind == kindOfTrouble
            (self.trouble, kindOfTrouble) = (trouble, kind)
            if let trouble, !isMore { write(trouble) }
        }
        let moment = status.moment(at: now)
        if case .waiting(let left) = moment, !hasWaited {
            write(localized("begins in \(Wording.clock(left))"))
            hasWaited = true
        }
        guard case .bar(let heard) = moment else { return status.nextLook(moment, at: now) }
        // Every bar heard since the last call, without bars that a jump has skipped. The first call may be late, too.
        let last = shown ?? -1
        var next = heard.boundary
        if last <= heard.boundary, !(joins && last < 0) {
            next = max(last + 1, status.performance.passage.boundary(at: status.anchor.position))
        }
        if (0..<next).contains(last) { writeHolds(ofBar: last, heard, status) }
        for boundary in next..<max(next, heard.boundary + 1) {
            if isHeardFirst(boundary, status) { write(LineScreen.line(boundary, status, run)) }
            shownHolds = 0
            writeHolds(ofBar: boundary, heard, status)
        }
        shown = heard.boundary
        return status.nextLook(moment, at: now)
    }

    var isNew: Bool { shown == nil }

    mutating func begin(_ status: Status) {
        shown = -1
        write(LineScreen.header(status, run))
    }

    /// Prints no line for a boundary that another line has told.
    mutating func skip(to boundary: Int) { (shown, shownHolds) = (boundary, 0) }

    /// Prints the holds of a bar that have begun and have no line yet, without those that a jump has skipped.
    private mutating func writeHolds(ofBar n: Int, _ heard: Moment.Bar, _ status: Status) {
        guard run == nil else { return }
        let begun = status.performance.holds(inBar: n).filter { $0.span.lowerBound <= heard.position }
        for hold in begun.dropFirst(shownHolds)
        where n == heard.boundary || hold.span.lowerBound >= status.anchor.position {
            if hold.waits {
                write(localized("holding"))
            } else if isHeardFirst(n, status) {
                let length = status.speed.realDuration(of: hold.span.upperBound - hold.span.lowerBound)
                write(localized("holding, \(length.seconds(decimals: 1)) s"))
            }
        }
        shownHolds = begun.count
    }

    /// Whether a boundary has a line: to be read aloud, those of a loop only in its first pass.
    private func isHeardFirst(_ boundary: Int, _ status: Status) -> Bool {
        let passage = status.performance.passage
        return !isSpoken || passage.passes != nil || passage.passNumber(of: boundary) == 1
    }

    package mutating func end(_ status: Status?) {
        guard var status else { return }
        if isNew { begin(status) }
        // The music may have ended after the last call of `show`: the bars that are still missing are printed now.
        status.hasEnded = false
        if case .end = status.moment(at: monotonicNanoseconds()), let count = status.performance.passage.count {
            let last = shown ?? -1
            let next = joins && last < 0 ? count : last + 1
            for boundary in next..<max(next, count) { write(LineScreen.line(boundary, status, run)) }
        }
        write(localized("end"))
    }

    /// `Sequenza VII · Luciano Berio, 169 bars, 4:53.8, 100 %, drone B4 493.88 Hz`.
    static func header(_ status: Status, _ run: ShownRun? = nil) -> String {
        let performance = status.performance
        let (title, drone) = (Wording.title(performance), Wording.drone(performance))
        guard let run else {
            let count =
                performance.passage.count.map { $0 == 1 ? localized("1 bar") : localized("\($0) bars") }
                ?? localized("until stopped")
            return [title, count, performance.length?.clock(decimals: 1) ?? "", "\(status.speed)", drone]
                .joinedNonempty(", ")
        }
        let counted =
            if run.hasOpenEnds, let length = performance.length {
                [run.openTotals(length)]
            } else {
                [run.count, performance.length?.shortText(decimals: 1) ?? ""]
            }
        let speed = status.speed == .asWritten ? "" : "\(status.speed)"
        return ([title] + counted + [speed, performance.drone == nil ? "" : drone]).joinedNonempty(", ")
    }

    /// `  5.7   0:22.600  1.800 s  label  cue`: place, start and length in real time, texts.
    ///
    /// Of a run `  4:30  run 5 of 9, 0:30, 1.4 km, pace 5:30/km`: start, place, length, distance before it, and pace.
    static func line(_ boundary: Int, _ status: Status, _ run: ShownRun? = nil) -> String {
        let passage = status.performance.passage
        let bar = passage.bar(of: boundary)
        let start = status.speed.realDuration(of: passage.position(of: boundary))
        let length = status.speed.realDuration(of: bar.duration)
        if let run, let place = run.place(boundary, over: 0, status) {
            let shown = run.length(place, length)
            return [
                start.shortText(decimals: 1).padding(before: 9) + "  " + run.name(place),
                place.isOpen ? localized("\(shown) (`barline continue` goes on)") : shown, run.measures(place),
            ].joinedNonempty(", ")
        }
        let place = "\(bar.line).\(bar.bar)"
        let texts = [bar.isSectionStart ? bar.section : "", bar.label, bar.cue].filter { !$0.isEmpty }.map { "  \($0)" }
            .joined()
        return place.padding(before: 7) + start.clock(decimals: 3).padding(before: 12)
            + (length.seconds(decimals: 3) + " s").padding(before: 11) + texts
    }
}
