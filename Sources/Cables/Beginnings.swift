internal import Playback
internal import Scores
internal import Timing

/// The bars that begin while a performance is followed, each time once. A value that follows the statuses.
struct Beginnings {
    /// A bar that begins.
    struct Beginning {
        var bar: TimedBar
        /// The boundary whose bar sounds, and which of the bars that begin during it this is; 0 for the leading voice.
        var boundary: Int
        var voice: Int
        /// When it is heard, CLOCK_MONOTONIC in ns.
        var moment: Int64
        /// The speed at which it is played.
        var speed: Speed
    }

    /// A beginning that was handed out, and what the status that told of it counts.
    private struct Told {
        var beginning: Beginning
        var (commands, jumps, passages): (Int, Int, Int)
        /// Whether a command takes effect before it that nobody knew of.
        var isUnsure = false

        init(_ beginning: Beginning, by status: Status) {
            self.beginning = beginning
            (commands, jumps, passages) = (status.commandCount, status.jumps, status.passages)
        }

        /// Whether this is a beginning as the status of another course tells it.
        func isSame(_ other: Beginning, due: Int64, _ course: Courses.Course) -> Bool {
            let status = course.status
            guard beginning.voice == other.voice else { return false }
            let isNear =
                beginning.bar.index == other.bar.index && abs(beginning.moment - other.moment) < Beginnings.same
            if isUnsure { return isNear }
            // Without a jump, a boundary is not heard twice.
            let hasJumped = jumps != status.jumps
            if !hasJumped, passages == status.passages { return beginning.boundary == other.boundary }
            // One that has begun before can have another number now. A jump makes a bar begin again, however soon.
            return isNear && due < course.from + (hasJumped ? -Beginnings.exact : Beginnings.exact)
        }
    }

    private(set) var courses = Courses()
    private var told: [Told] = []
    /// When `step` was called last.
    private var looked: Int64?

    /// How late a beginning is still handed out if `step` has not been called for long, in ns. Of what is older, only the bar
    /// that sounds then is.
    static let latest: Int64 = 5_000_000_000
    /// How far back from the last call beginnings are looked for again, in ns. A jump is heard a little before its status is read,
    /// so the last call did not know the bar that it made begin.
    private static let unknown: Int64 = 150_000_000
    /// Two moments of one bar that are nearer than this are the same, in ns, although its boundary has another number now.
    private static let same: Int64 = 60_000_000
    /// How far two estimates of one moment may be apart, in ns.
    private static let exact: Int64 = 100_000
    /// How late a click may still sound that a command has moved to the time before it, in ns.
    private static let late: Int64 = 30_000_000

    /// What begins by `now + ahead` (CLOCK_MONOTONIC, ns) and has not been handed out, in the order of the boundaries, and
    /// when the next one is due; nil if that is not known yet.
    mutating func step(_ status: Status, at now: Int64, ahead: Int64) -> (begun: [Beginning], next: Int64?) {
        take(status, at: now)
        let looked = min(self.looked ?? now, now)
        self.looked = now
        // Bars that began before this moment are too old to be told.
        let last = min(now - Beginnings.latest, begin(at: now) ?? .max)
        let unheard = courses.all.first { $0.since >= looked }?.from ?? .max
        courses.forget(before: max(min(looked - Beginnings.unknown, unheard), last))
        forget(before: last - 2_000_000_000)
        if let newest = courses.all.last {
            for n in told.indices where told[n].beginning.moment >= newest.from {
                if told[n].commands != newest.status.commandCount { told[n].isUnsure = true }
            }
        }
        var begun: [Beginning] = []
        for (index, course) in courses.all.enumerated() {
            let end = index + 1 < courses.all.count ? courses.all[index + 1].from : .max
            // A command can be heard long before anybody knows of it.
            let earliest = course.since >= looked ? last : max(looked - Beginnings.unknown, last)
            if let next = step(course, from: earliest, until: end, at: now, ahead: ahead, &begun) {
                return (begun, next)
            }
        }
        return (begun, nil)
    }

    /// Takes up a status as soon as it comes, so that none is missed between two calls of `step`.
    mutating func take(_ status: Status, at now: Int64) {
        if courses.take(status, at: now) { told = [] }
    }

    /// Forgets what was handed out of moments before this one, but not the last bar of each voice.
    private mutating func forget(before moment: Int64) {
        guard let first = told.first, first.beginning.moment < moment else { return }
        var voices: Set<Int> = []
        told = told.reversed().filter { voices.insert($0.beginning.voice).inserted || $0.beginning.moment >= moment }
            .reversed()
    }

    /// When the bar began that is heard at `now`; nil if none is.
    private func begin(at now: Int64) -> Int64? {
        guard let status = courses.heard(from: now, to: now).last?.status, case .bar(let bar) = status.moment(at: now)
        else { return nil }
        return status.heard(boundary: bar.boundary)
    }

    /// Adds what begins in one course, until the next one takes effect. Returns when its next beginning is due; nil if it
    /// has no more.
    private mutating func step(
        _ course: Courses.Course, from earliest: Int64, until end: Int64, at now: Int64, ahead: Int64,
        _ begun: inout [Beginning]
    ) -> Int64? {
        let status = course.status
        guard case .going = status.stage, status.pause == nil else { return nil }
        let passage = status.performance.passage
        let earliest = max(earliest, course.from - Beginnings.late)
        let place = status.anchor.position(at: .nanoseconds(earliest) - .nanoseconds(status.zeroHeard))
        let first = passage.boundary(at: max(place, course.begin, .zero))
        for boundary in first..<first + 1000 {
            guard passage.has(boundary: boundary) else { break }
            var bars = [(position: passage.position(of: boundary), bar: passage.bar(of: boundary))]
            bars += passage.companionBars(during: boundary).map { ($0.span.lowerBound, $0.bar) }
            for (voice, next) in bars.enumerated() {
                guard next.position >= course.begin else { continue }
                // A bar after a hold begins once the player goes on, even if the hold has no length.
                if let held = status.held,
                    next.position > held.position
                        || next.position == held.position && boundary > held.boundary
                {
                    return nil
                }
                let due = status.heard(at: next.position)
                guard due < end else { return nil }
                guard due >= earliest else { continue }
                // If a command has moved the beginning of the bar into the past, its click sounds when the command takes effect.
                let moment = max(due, course.from)
                guard moment - ahead <= now else { return moment - ahead }
                let beginning = Beginning(
                    bar: next.bar, boundary: boundary, voice: voice, moment: moment, speed: status.speed)
                let known = told.lastIndex { $0.isSame(beginning, due: due, course) }
                guard let known else {
                    told.append(Told(beginning, by: status))
                    begun.append(beginning)
                    continue
                }
                guard told[known].isUnsure else { continue }
                // It was sent with its old moment.
                let sent = told[known].beginning.moment
                told[known] = Told(beginning, by: status)
                told[known].beginning.moment = sent
            }
        }
        return nil
    }

    /// Takes back what begins after a moment: it has not been sent after all.
    mutating func takeBack(after moment: Int64) { told.removeAll { $0.beginning.moment > moment } }
}
