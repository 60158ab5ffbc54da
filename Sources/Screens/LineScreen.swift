internal import Languages
package import Playback
internal import Running
internal import Scores
internal import Timing

/// Prints a line of text for every bar and every hold: for pipes, logs and simple terminals.
package struct LineScreen: Screen {
    /// Writes a line, made safe for a terminal, and a line ending.
    private let write: (String) -> Void
    private let words: any PieceWords
    /// The last boundary that has been printed, the one before the first if only the first line has; nil before that.
    private var shown: Int?
    /// Whether any bar has been told, and where the music stood or began then.
    private var hasTold = false
    private var toldAnchor: Anchor?
    /// The passage that it belongs to.
    private var passage: Passage?
    /// The status whose music is heard, or was at the last look; those whose commands have not been heard yet.
    private var last: Status?
    private var coming: [Status] = []
    private var troubles: [String] = []
    /// The trouble without its counts.
    private var kindOfTrouble: String?
    /// How many holds of that bar have been printed.
    private var shownHolds = 0
    /// How many bars had been heard by a microphone when a line told of one last.
    private var heardBars = 0
    /// Whether the wait for the start has been announced.
    private var hasWaited = false
    /// Whether a line has told of the pause that is on now.
    private var hasToldPause = false
    /// Whether the lines are read aloud: then nothing is printed again and again.
    private let isSpoken: Bool
    /// Whether the music may have begun long before this screen, somewhere else.
    private let joins: Bool
    /// Whether another machine leads, so that nobody can pause or go on here.
    private let isLed: Bool
    /// The voice whose bars have the lines, if it does not lead, and how many of those in the last boundary's bar have one.
    private let part: String?
    private var shownOwn = 0
    /// The boundary at which a jump has made a bar begin, until it has its line; nil without one.
    private var begunAnew: Int?
    /// So many bars at once have lines where another machine leads, the last ones.
    private static let mostLines = 200

    /// A screen that passes each line, including its line ending, to `write`. With `isSpoken`, bars that are repeated
    /// without end have lines in their first pass only, and only the first of several dropouts has one. With `joins`, the
    /// bars before the first one that is shown have no lines: another machine has played them. With `isLed`, that machine alone
    /// can pause and go on. With `part`, the lines are those of that voice, if the piece has it.
    package init(
        _ words: any PieceWords = ScoreWords(), isSpoken: Bool = false, joins: Bool = false, isLed: Bool = false,
        part: String? = nil, write: @escaping (String) -> Void
    ) {
        self.words = words
        self.part = part
        self.isSpoken = isSpoken
        self.joins = joins
        self.isLed = isLed
        self.write = { write($0.printable + "\n") }
    }

    package mutating func show(_ newest: Status, at now: Int64) -> Int64 {
        if isNew { begin(newest) }
        tellTroubles(newest)
        tellHeard(newest)
        let status = heard(newest, at: now)
        let change = coming.first.map { newest.heard(time: $0.change) } ?? .max
        return min(tell(status, at: now), change)
    }

    /// The status whose music is heard now: a card may carry out a command long after it was given.
    private mutating func heard(_ newest: Status, at now: Int64) -> Status {
        var newest = newest
        if let known = coming.last, known.commandCount == newest.commandCount {
            // Where the music was placed anew, the status tells of the command no more.
            if newest.effect == nil { (newest.effect, newest.effectFrame) = (known.effect, known.effectFrame) }
            coming.removeLast()
        } else if let frame = newest.effectFrame, frame == coming.last?.effectFrame {
            // Nothing is heard between two commands at one frame.
            coming.removeLast()
        }
        coming.append(newest)
        while let next = coming.first, let last, last.commandCount < next.commandCount {
            guard last.pause != nil || last.ending != nil || newest.heard(time: next.change) <= now else {
                // The newest status has the best estimate of when this music is heard.
                var known = last
                known.zeroHeard = newest.zeroHeard
                return known
            }
            tellBefore(coming.removeFirst())
        }
        coming = []
        return newest
    }

    private mutating func tellTroubles(_ status: Status) {
        let troubles = Wording.troubles(status)
        if troubles != self.troubles {
            let kind = Wording.kindOfTrouble(status)
            let isMore = isSpoken && kind == kindOfTrouble
            // What has been said and has not changed is not said again because of another trouble.
            let new = troubles.filter { !self.troubles.contains($0) }
            (self.troubles, kindOfTrouble) = (troubles, kind)
            if !new.isEmpty, !isMore { write(new.joined(separator: ", ")) }
        }
    }

    /// Tells what is heard now of this status; returns when to look again.
    private mutating func tell(_ status: Status, at now: Int64) -> Int64 {
        tellBefore(status)
        let moment = status.moment(at: now)
        if case .waiting(let left, _) = moment, !hasWaited, status.ending == nil {
            write(localized("begins in \(Wording.clock(left))"))
            hasWaited = true
        }
        guard case .bar(let heard) = moment else {
            tellPause(status)
            return status.nextLook(moment, at: now)
        }
        // A bar that is about to begin, at the start or after a command, may never be heard.
        let begins = status.heard(time: max(status.anchor.time, status.effect ?? status.anchor.time))
        guard now >= begins || status.pause != nil || status.ending != nil else { return begins }
        tell(through: heard.boundary, heard.position, status)
        tellPause(status)
        let next = status.nextLook(moment, at: now)
        guard next < .max, let own = ownBars(ofBar: heard.boundary, status) else { return next }
        let later = own.first { $0.span.lowerBound > heard.position }
        return min(next, later.map { status.heard(at: $0.span.lowerBound) + 1 } ?? next)
    }

    /// Prints the bars that are still heard before the last command takes effect.
    private mutating func tellBefore(_ status: Status) {
        defer { last = status }
        guard let last, last.commandCount < status.commandCount else { return }
        let effect = status.change
        // A stop leads nowhere; after it, no hold keeps the position where the music stood.
        defer { if status.ending == nil { follow(status.step(after: last, at: effect), from: last, to: status) } }
        let end = status.heard(time: effect) - 1
        // A screen that begins has said nothing of the music before, and nothing is heard between two commands at one frame.
        guard !isNew, last.pause == nil, last.ending == nil, end >= last.heard(time: last.anchor.time),
            last.effectFrame == nil || last.effectFrame != status.effectFrame
        else { return }
        if case .bar(let heard) = last.moment(at: end) { tell(through: heard.boundary, heard.position, last) }
    }

    /// Takes note of where a command has led, from one boundary to another.
    private mutating func follow(
        _ step: (from: Int, to: Int, isAnew: Bool), from last: Status, to status: Status
    ) {
        let isSamePlay = last.passages == status.passages && last.jumps == status.jumps
        if step.isAnew, !isSamePlay {
            begunAnew = step.to
            return
        }
        let (old, new) = (last.performance.passage, status.performance.passage)
        if last.passages == status.passages, step.to != step.from {
            begunAnew = nil
            // A nudge can pass the end of a loop of one bar; without a jump, what goes back has its line.
            if step.to > step.from { return }
            if isSamePlay {
                toldAnchor = status.anchor
                return
            }
        }
        guard old.bar(of: step.from).index == new.bar(of: step.to).index else {
            begunAnew = nil
            return
        }
        // The bar goes on, perhaps as another boundary of the passage. A line that it still needs remains to be written.
        begunAnew = begunAnew == step.from ? step.to : nil
        if shown == step.from, old.stretches == new.stretches, old.passes == new.passes { shown = step.to }
    }

    /// Prints a line for every bar and hold heard since the last call, up to a position in the bar of a boundary, without
    /// those that a jump has skipped. The first call may be late, too.
    private mutating func tell(through heard: Int, _ position: Duration, _ status: Status) {
        turn(to: status.performance.passage, near: heard)
        let last = lastTold
        // Without a command, only the clock of a card has gone back a little.
        guard last <= heard || begunAnew != nil || status.anchor != toldAnchor else { return }
        toldAnchor = status.anchor
        var next = heard
        if let begunAnew, begunAnew <= heard {
            next = begunAnew
        } else if last <= heard, !(joins && last < 0) {
            next = max(last + 1, status.performance.passage.boundary(at: status.anchor.position))
        }
        begunAnew = nil
        // A leader can be wrong, and then far ahead.
        if isLed { next = max(next, heard - LineScreen.mostLines) }
        if (0..<next).contains(last) { writeHolds(ofBar: last, through: heard, position, status) }
        if OwnPart(part, status) != nil {
            if (0..<next).contains(last) { writeOwn(inBar: last, position, status) }
            for boundary in next..<max(next, heard + 1) {
                shownOwn = 0
                writeOwn(inBar: boundary, position, status)
            }
            (shown, hasTold) = (heard, true)
            return
        }
        for boundary in next..<max(next, heard + 1) {
            if isHeardFirst(boundary, status) { write(words.line(boundary, status)) }
            shownHolds = 0
            writeHolds(ofBar: boundary, through: heard, position, status)
        }
        (shown, hasTold) = (heard, true)
    }

    /// The last boundary that has a line, or the one before the first; -1 if a screen that joins has told of none.
    private var lastTold: Int { joins && !hasTold ? -1 : shown ?? -1 }

    /// Goes on in the passage that is played now: a bar that has its line and goes on in another passage has no second one.
    private mutating func turn(to new: Passage, near heard: Int) {
        defer { passage = new }
        guard let old = passage, let shown, shown >= 0 else { return }
        guard old.stretches != new.stretches || old.passes != new.passes else { return }
        self.shown = new.boundary(ofBar: old.bar(of: shown).index, near: heard) ?? -1
    }

    /// Prints how late the player began a bar; read aloud, that is told only if it is asked for.
    private mutating func tellHeard(_ status: Status) {
        guard !isSpoken else { return }
        for heard in status.lastHeard where heard.number > heardBars {
            heardBars = heard.number
            if heard.late != nil { write("  " + words.heardBar(heard, status)) }
        }
    }

    /// Prints a line when a pause begins, and another when it ends.
    private mutating func tellPause(_ status: Status) {
        let pause = status.ending == nil ? status.pause : nil
        guard (pause != nil) != hasToldPause else { return }
        hasToldPause = pause != nil
        guard let pause else { return status.ending == nil ? write(localized("going on")) : () }
        guard !isLed else { return write(localized("paused")) }
        write(
            pause.isBySuspend
                ? localized("paused, because the machine was suspended; `barline continue` goes on")
                : localized("paused; `barline continue` goes on"))
    }

    /// Prints the bars that are heard before a command takes effect, for a line that tells of the command at once.
    mutating func tellAll(before status: Status) {
        for next in coming where next.commandCount < status.commandCount { tellBefore(next) }
        coming = []
        tellBefore(status)
    }

    /// Prints no line for a pause, or for its end, that another line has told.
    mutating func skipPause(_ status: Status) { hasToldPause = status.pause != nil }

    var isNew: Bool { shown == nil }

    mutating func begin(_ status: Status) {
        (shown, passage) = (status.performance.first - 1, status.performance.passage)
        write(words.header(status))
    }

    /// Prints no line for a boundary that another line has told.
    mutating func skip(to boundary: Int, in passage: Passage) {
        (shown, self.passage, shownHolds, begunAnew, hasTold) = (boundary, passage, 0, nil, true)
    }

    /// Prints the holds of a bar that have begun and have no line yet, without those that a jump has skipped.
    private mutating func writeHolds(
        ofBar n: Int, through heard: Int, _ position: Duration, _ status: Status
    ) {
        guard words.tellsHolds, OwnPart(part, status) == nil else { return }
        let begun = status.performance.holds(inBar: n).filter { $0.span.lowerBound <= position }
        for hold in begun.dropFirst(shownHolds)
        where n == heard || hold.span.lowerBound >= status.anchor.position {
            if hold.waits {
                write(localized("holding"))
            } else if isHeardFirst(n, status) {
                let length = status.speed.realDuration(of: hold.span.upperBound - hold.span.lowerBound)
                write(localized("holding, \(length.seconds(decimals: 1)) s"))
            }
        }
        shownHolds = begun.count
    }

    /// The bars of the voice with the lines that begin in a boundary's bar; nil if the leading voice has them.
    private func ownBars(ofBar n: Int, _ status: Status) -> [CompanionBar]? {
        guard OwnPart(part, status) != nil else { return nil }
        return status.performance.passage.companionBars(during: n).filter { $0.voice.name == part }
    }

    /// Prints the bars of that voice that have begun in a boundary's bar, up to a position, and have no line yet.
    private mutating func writeOwn(inBar n: Int, _ position: Duration, _ status: Status) {
        let begun = ownBars(ofBar: n, status)?.filter { $0.span.lowerBound <= position } ?? []
        // After a jump into a bar, what began before that place is not told again, but for what sounds now.
        for own in begun.dropFirst(shownOwn)
        where own.span.upperBound > status.anchor.position && isHeardFirst(n, status) {
            let start = status.performance.clock(at: own.span.lowerBound, inBarOf: n)
            write(ScoreWords.line(own.bar, start, status.speed.realDuration(of: own.bar.duration)))
        }
        shownOwn = begun.count
    }

    /// Whether a boundary has a line: to be read aloud, those of a loop only in its first pass.
    private func isHeardFirst(_ boundary: Int, _ status: Status) -> Bool {
        let passage = status.performance.passage
        return !isSpoken || passage.passes != nil || passage.passNumber(of: boundary) == 1
    }

    package mutating func end(_ status: Status?) {
        guard let status else { return }
        printRest(status)
        tellHeard(status)
        let ending = status.ending == .complete ? localized("end") : words.ending(status, part: part)
        if !ending.isEmpty { write(ending) }
        if let worth = words.worth(status) { write(worth) }
    }

    /// Prints the lines of bars that were heard after the last call of `show`, up to the end of the performance.
    mutating func printRest(_ status: Status) {
        if isNew { begin(status) }
        for next in coming { tellBefore(next) }
        coming = []
        switch status.ending {
        case .stopped(.bar(let stop)):
            // The stop can take effect just before a bar that has its line already: that is no jump back.
            guard stop.boundary >= lastTold || status.anchor != last?.anchor else { return }
            tell(through: stop.boundary, stop.position, status)
        case .complete:
            guard let count = status.performance.passage.count, !(joins && lastTold < 0) else { return }
            tell(through: count - 1, status.performance.passage.position(of: count), status)
        case .stopped, nil: return
        }
    }
}

extension Status {
    /// How far two estimates of the time of one frame may be apart.
    private static let exact = Duration.microseconds(100)

    /// When the last command takes effect; where the music was placed anew since, nobody knows more than where it goes on from.
    fileprivate var change: Duration { effect ?? pause?.time ?? anchor.time }

    /// Where the music is moved from and to as the last command takes effect, and whether a bar begins because of that; not if
    /// the music goes on from where it was, or from within a bar. `last` is the status before the command.
    fileprivate func step(after last: Status, at effect: Duration) -> (from: Int, to: Int, isAnew: Bool) {
        let (passage, old) = (performance.passage, last.performance.passage)
        let (place, before) = (position(at: effect), last.position(at: effect))
        let (n, m) = (boundary(atPosition: place), last.boundary(atPosition: before))
        let offset = place - passage.position(of: n)
        let moved = offset - (before - old.position(of: m))
        let isSame = (Duration.zero - Status.exact...Status.exact).contains(moved)
        let goesOn = isSame && old.bar(of: m).index == passage.bar(of: n).index
        return (m, n, offset < Status.exact && !goesOn)
    }

    /// The boundary whose bar a position lies in: at a hold, that of the hold, which can be at the very end of its bar.
    private func boundary(atPosition position: Duration) -> Int {
        guard let held, position >= held.position else { return performance.passage.boundary(at: position) }
        return held.boundary
    }
}
